import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  conflictField,
  counted,
  invalid,
  invalidAt,
  invalidField,
  invalidFields,
  naming,
  other,
  others,
} from './refusal.ts'

describe('a refusal', () => {
  it('derives its sentence from its problems', () => {
    assert.equal(invalid('only an owner may').message, 'only an owner may')
    assert.equal(
      invalidField('line_items[2].quantity', 'must be above 0 (got -1)').message,
      'line_items[2].quantity must be above 0 (got -1)',
    )
    assert.equal(
      invalidAt('rrule', 'COUNT and UNTIL exclude each other; keep one of them').message,
      'rrule: COUNT and UNTIL exclude each other; keep one of them',
    )
    assert.equal(conflictField('sku', "is another item's").message, "sku is another item's")
    assert.equal(
      invalidFields([
        { path: 'a', rule: 'is required' },
        { path: '', rule: 'and 2 more' },
      ]).message,
      'a is required; and 2 more',
    )
  })

  it('writes the fields that a rule names as the caller does', () => {
    assert.equal(invalidField('a', naming`must be after ${other('b')} (${3})`).message, 'a must be after b (3)')
    assert.equal(invalid(naming`${others(['a', 'b'])} can't be changed`).message, "a, b can't be changed")
  })

  it('names ten problems and counts the rest', () => {
    const problems = Array.from({ length: 12 }, (_, i) => ({ path: `a[${i}]`, rule: 'is required' }))
    assert.match(invalidFields(counted(problems)).message, /a\[9\] is required; and 2 more$/)
    assert.match(invalidFields(counted(problems.slice(0, 10), 40)).message, /a\[9\] is required; and 30 more$/)
    assert.equal(counted(problems.slice(0, 10)).length, 10)
  })
})
