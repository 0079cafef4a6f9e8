import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withReader } from '../../platform/i18n/reader.ts'
import { quantity, formatUnit } from './units.ts'

describe('a formatted quantity', () => {
  it('has its unit in the singular or plural', () => {
    assert.deepEqual(
      [quantity(1, 'hour'), quantity(2.5, 'hour'), quantity(3, 'each'), quantity(2, 'lb'), quantity(null, null)],
      ['1 hour', '2.5 hours', '3', '2 lb', ''],
    )
    assert.deepEqual([quantity(null, 'day'), quantity(0, 'foot'), formatUnit('box')], ['day', '0 feet', 'box'])
  })

  it("is in the reader's language when the unit is known", () => {
    assert.deepEqual(
      withReader({ language: 'es', country: 'US' }, () => [
        quantity(1, 'hour'),
        quantity(2, 'hour'),
        quantity(2, 'm²'),
        quantity(2, 'constructor'),
        formatUnit('foot'),
      ]),
      ['1 hora', '2 horas', '2 m²', '2 constructor', 'pie'],
    )
  })
})
