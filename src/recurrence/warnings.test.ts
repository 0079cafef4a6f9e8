import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ruleForAgents } from '../platform/errors/refusal.ts'
import { parseRule } from './rule.ts'
import { warningsOf } from './warnings.ts'

const listWarnings = (rrule: string, date: string): readonly string[] =>
  warningsOf(parseRule(rrule), Temporal.PlainDate.from(date)).map(ruleForAgents)

describe('warning about skipped months', () => {
  const examples: [rrule: string, date: string, day: number][] = [
    ['FREQ=MONTHLY', '2027-01-31', 31],
    ['FREQ=MONTHLY', '2027-01-30', 30],
    ['FREQ=MONTHLY', '2027-01-29', 29],
    ['FREQ=MONTHLY;INTERVAL=3', '2027-01-31', 31],
    ['FREQ=MONTHLY;BYMONTHDAY=31', '2027-01-01', 31],
    ['FREQ=MONTHLY;BYMONTHDAY=30,31;BYSETPOS=-1', '2027-01-01', 30],
    ['FREQ=MONTHLY;BYMONTH=1,4', '2027-01-31', 31],
  ]
  for (const [rrule, date, day] of examples) {
    it(`is given for ${rrule} from ${date}`, () =>
      assert.deepEqual(listWarnings(rrule, date), [
        `months without day ${day} are skipped; use BYMONTHDAY=-1 for the last day`,
      ]))
  }
})

describe('no warning about skipped months', () => {
  const examples: [rrule: string, date: string][] = [
    ['FREQ=MONTHLY', '2027-01-28'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2027-01-31'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,31', '2027-01-31'],
    ['FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1', '2027-01-31'],
    ['FREQ=MONTHLY;BYDAY=-1FR', '2027-01-29'],
    ['FREQ=MONTHLY;INTERVAL=12', '2027-01-31'],
    ['FREQ=MONTHLY;BYMONTH=1,3,5', '2027-01-31'],
    ['FREQ=WEEKLY', '2027-01-31'],
    ['FREQ=DAILY', '2027-01-31'],
  ]
  for (const [rrule, date] of examples)
    it(`is given for ${rrule} from ${date}`, () => assert.deepEqual(listWarnings(rrule, date), []))
})
