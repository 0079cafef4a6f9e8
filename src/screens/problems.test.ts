import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemsOf, type Problems } from './problems.ts'

const FIELDS = [
  { name: 'title', label: 'Title' }, { name: 'scheduled_start', label: 'Start' }, { name: 'scheduled_end', label: 'End' },
  { name: 'line_items', label: 'Lines' }, { name: 'rule', label: 'Repeats', parts: { interval: 'Every' } },
]
const told = (message: string): { fields: Record<string, string>; whole: readonly string[] } => {
  const { fields, whole }: Problems = problemsOf({ message }, FIELDS)
  return { fields: Object.fromEntries(fields), whole }
}

describe('a refusal on a form', () => {
  it('stands at the field that it begins with, under its label', () => {
    assert.deepEqual(told('title is required'), { fields: { title: 'Title is required.' }, whole: [] })
    assert.deepEqual(told('title: is required'), { fields: { title: 'Title is required.' }, whole: [] })
  })

  it('counts lines as people do and leaves the units of the wire out', () => {
    assert.deepEqual(told('line_items[2].unit_price_cents must be an amount like 125.00 (got \'x\')').fields, { line_items: 'Lines 3, unit price must be an amount like 125.00 (got \'x\').' })
    assert.deepEqual(told('line_items[0] must have a name').fields, { line_items: 'Lines 1 must have a name.' })
  })

  it('calls an input that has a label of its own by that', () => {
    assert.deepEqual(told('rule.interval must be at least 1').fields, { rule: 'Every must be at least 1.' })
    assert.deepEqual(told('rule.until must be a date').fields, { rule: 'Repeats, until must be a date.' })
  })

  it('calls other fields in a sentence by their labels too', () => {
    assert.deepEqual(told('scheduled_end must be after scheduled_start').fields, { scheduled_end: 'End must be after Start.' })
    assert.deepEqual(told('scheduled_end must be after some_thing').fields, { scheduled_end: 'End must be after some_thing.' })
  })

  it('tells everything at once, several sentences of one field together', () => {
    assert.deepEqual(told('title is required; line_items[0].quantity must be above 0; line_items[1].quantity must be above 0').fields, {
      title: 'Title is required.', line_items: 'Lines 1, quantity must be above 0. Lines 2, quantity must be above 0.',
    })
  })

  it('keeps what was typed whole, a semicolon in it included', () => {
    assert.deepEqual(told('title must be at most 3 characters (got "a; b"); scheduled_start is required').fields, {
      title: 'Title must be at most 3 characters (got "a; b").', scheduled_start: 'Start is required.',
    })
  })

  it('is of the whole form where it names none of its fields', () => {
    assert.deepEqual(told('this job is cancelled'), { fields: {}, whole: ['This job is cancelled'] })
    assert.deepEqual(told('customer_id must be live').whole, ['Customer id must be live'])
    assert.deepEqual(told('a job can\'t end before scheduled_start; title is required'), { fields: { title: 'Title is required.' }, whole: ['A job can\'t end before Start'] })
  })
})
