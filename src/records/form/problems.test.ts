import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  conflict,
  invalid,
  invalidAt,
  invalidField,
  invalidFields,
  formatRule,
  fieldName,
  type Refusal,
} from '../../platform/errors/refusal.ts'
import { problemsOf } from './problems.ts'

const FIELDS = [
  { name: 'title', label: 'Title' },
  { name: 'scheduled_start', label: 'Start' },
  { name: 'scheduled_end', label: 'End' },
  { name: 'line_items', label: 'Lines' },
  { name: 'rule', label: 'Repeats', parts: { interval: 'Every' } },
  { name: 'fields', label: 'Custom fields' },
]
const readProblems = (refusal: Refusal): { fields: Record<string, string>; whole: readonly string[] } => {
  const { fields, general } = problemsOf(refusal, FIELDS)
  return { fields: Object.fromEntries(fields), whole: general }
}

describe('form problems of a refusal', () => {
  it('are shown at their field, under its label', () => {
    assert.deepEqual(readProblems(invalidField('title', 'is required')), {
      fields: { title: 'Title is required.' },
      whole: [],
    })
    assert.deepEqual(readProblems(invalidAt('title', 'is required')), {
      fields: { title: 'Title is required.' },
      whole: [],
    })
  })

  it('count lines from 1 and omit the units of the API', () => {
    assert.deepEqual(
      readProblems(invalidField('line_items[2].unit_price_cents', "must be an amount like 125.00 (got 'x')")).fields,
      { line_items: "Lines 3, unit price must be an amount like 125.00 (got 'x')." },
    )
    assert.deepEqual(readProblems(invalidField('line_items[0]', 'must have a name')).fields, {
      line_items: 'Lines 1 must have a name.',
    })
  })

  it('name a nested input by its own label', () => {
    assert.deepEqual(readProblems(invalidField('rule.interval', 'must be at least 1')).fields, {
      rule: 'Every must be at least 1.',
    })
    assert.deepEqual(readProblems(invalidField('rule.until', 'must be a date')).fields, {
      rule: 'Repeats, until must be a date.',
    })
  })

  it('name other fields by their labels', () => {
    assert.deepEqual(
      readProblems(invalidField('scheduled_end', formatRule`must be after ${fieldName('scheduled_start')}`)).fields,
      { scheduled_end: 'End must be after Start.' },
    )
    assert.deepEqual(
      readProblems(invalidField('scheduled_end', formatRule`must be after ${fieldName('some_thing')}`)).fields,
      { scheduled_end: 'End must be after Some thing.' },
    )
  })

  it('list every problem, with several of one field together', () => {
    const rule = 'must be above 0'
    assert.deepEqual(
      readProblems(
        invalidFields([
          { path: 'title', rule: 'is required' },
          { path: 'line_items[0].quantity', rule },
          { path: 'line_items[1].quantity', rule },
        ]),
      ).fields,
      {
        title: 'Title is required.',
        line_items: 'Lines 1, quantity must be above 0. Lines 2, quantity must be above 0.',
      },
    )
  })

  it('append a problem without a field to the last one', () => {
    assert.deepEqual(
      readProblems(
        invalidFields([
          { path: 'title', rule: 'is required' },
          { path: '', rule: 'and 3 more' },
        ]),
      ).fields,
      { title: 'Title is required; and 3 more.' },
    )
  })

  it('belong to the whole form when they concern none of its fields', () => {
    assert.deepEqual(readProblems(conflict('this job is cancelled')), { fields: {}, whole: ['This job is cancelled'] })
    assert.deepEqual(readProblems(invalidField('customer_id', 'must be live')).whole, ['Customer id must be live'])
    assert.deepEqual(readProblems(invalid(formatRule`a job can't end before ${fieldName('scheduled_start')}`)).whole, [
      "A job can't end before Start",
    ])
  })
})

describe('user input quoted in a refusal', () => {
  it('is shown unchanged, even when it looks like a path or rule', () => {
    const typed = 'scheduled_start: x; title is required; line_items[2].quantity'
    assert.deepEqual(readProblems(invalidField('title', `must be at most 3 characters (got "${typed}")`)), {
      fields: { title: `Title must be at most 3 characters (got "${typed}").` },
      whole: [],
    })
    assert.deepEqual(readProblems(invalid(`title is taken by "${typed}"`)), {
      fields: {},
      whole: [`Title is taken by "${typed}"`],
    })
  })

  it('in a path names its part of the field without moving the problem', () => {
    assert.deepEqual(readProblems(invalidField('fields.Gate code: title', 'must be at most 500 characters')).fields, {
      fields: 'Custom fields, gate code: title must be at most 500 characters.',
    })
  })
})
