import assert from 'node:assert/strict'
import { it } from 'node:test'
import { screens } from '../screens.ts'
import { fold } from '../../platform/validation/text/fold.ts'

const context = { timezone: 'America/New_York', currency: 'USD', country: 'US', options: [] }
const every = screens.flatMap(({ entity, fields }) => fields.map((field) => ({ entity: entity.name, field })))

it('the error of a field is shown beside it with an id to link to', () => {
  for (const { entity, field } of every) {
    const text = field.html(new URLSearchParams(), { ...context, error: 'This is wrong.' }).toString()
    if (!/<(?:input(?![^>]*type="hidden")|select|textarea|fieldset)/.test(text)) continue
    assert.ok(text.includes('This is wrong.'), `${entity}: ${field.name} says what is wrong`)
    assert.ok(text.includes(`id="${field.name}"`), `${entity}: ${field.name} can be gone to`)
  }
})

it('no two fields of a form have the same label', () => {
  for (const { entity, fields } of screens) {
    for (const on of ['create', 'update'] as const) {
      const labels = fields
        .filter((field) => (field.on ?? on) === on && field.isFor === undefined)
        .map(({ label }) => fold(label))
      assert.deepEqual(
        labels.filter((label, i) => labels.indexOf(label) !== i),
        [],
        `${entity.name}, ${on}`,
      )
    }
  }
})
