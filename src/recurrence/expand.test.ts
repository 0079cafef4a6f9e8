import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { expand } from './expand.ts'
import { parseRule } from './rule.ts'
import { cases } from './oracle/rules.test-support.ts'
import { instantAt } from '../platform/validation/formats/instants.ts'

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text)
const wall = (text: string): Temporal.PlainDateTime => Temporal.PlainDateTime.from(text)

const walls = (rrule: string, dtstart: string, through: string, from = dtstart): string[] =>
  expand(parseRule(rrule), wall(dtstart), day(from), wall(`${through}T23:59:59`))
    .map((at) => at.toString())
    .toArray()

describe('expand: the worked examples of docs/spec/recurrence.md#worked-examples', () => {
  const examples: [name: string, rrule: string, dtstart: string, timezone: string, instants: string][] = [
    [
      'R1',
      'FREQ=WEEKLY;BYDAY=TU;COUNT=4',
      '2027-03-02T09:00',
      'America/New_York',
      '2027-03-02T14:00 2027-03-09T14:00 2027-03-16T13:00 2027-03-23T13:00',
    ],
    [
      'R2 gap',
      'FREQ=DAILY;COUNT=5',
      '2027-03-12T02:30',
      'America/New_York',
      '2027-03-12T07:30 2027-03-13T07:30 2027-03-14T07:30 2027-03-15T06:30 2027-03-16T06:30',
    ],
    [
      'R3 overlap',
      'FREQ=DAILY;COUNT=4',
      '2027-11-05T01:30',
      'America/New_York',
      '2027-11-05T05:30 2027-11-06T05:30 2027-11-07T05:30 2027-11-08T06:30',
    ],
    [
      'R4',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4',
      '2027-01-05T08:00',
      'America/Chicago',
      '2027-01-05T14:00 2027-01-10T14:00 2027-01-19T14:00 2027-01-24T14:00',
    ],
    [
      'R4 weeks from Sunday',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4;WKST=SU',
      '2027-01-05T08:00',
      'America/Chicago',
      '2027-01-05T14:00 2027-01-17T14:00 2027-01-19T14:00 2027-01-31T14:00',
    ],
    [
      'R5',
      'FREQ=MONTHLY;COUNT=5',
      '2027-01-31T10:00',
      'America/Denver',
      '2027-01-31T17:00 2027-03-31T16:00 2027-05-31T16:00 2027-07-31T16:00 2027-08-31T16:00',
    ],
    [
      'R6',
      'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5',
      '2027-01-31T10:00',
      'America/Denver',
      '2027-01-31T17:00 2027-02-28T17:00 2027-03-31T16:00 2027-04-30T16:00 2027-05-31T16:00',
    ],
    [
      'R7',
      'FREQ=MONTHLY;BYDAY=2TU;COUNT=4',
      '2027-02-09T14:00',
      'Europe/London',
      '2027-02-09T14:00 2027-03-09T14:00 2027-04-13T13:00 2027-05-11T13:00',
    ],
    [
      'R8',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=5',
      '2027-01-29T16:00',
      'America/Los_Angeles',
      '2027-01-30T00:00 2027-02-27T00:00 2027-03-31T23:00 2027-04-30T23:00 2027-05-31T23:00',
    ],
    [
      'R9',
      'FREQ=MONTHLY;INTERVAL=3;COUNT=4',
      '2027-01-31T09:00',
      'America/Phoenix',
      '2027-01-31T16:00 2027-07-31T16:00 2027-10-31T16:00 2028-01-31T16:00',
    ],
    [
      'R10',
      'FREQ=WEEKLY;BYDAY=MO;COUNT=3',
      '2027-09-01T07:30',
      'America/New_York',
      '2027-09-06T11:30 2027-09-13T11:30 2027-09-20T11:30',
    ],
    [
      'R11',
      'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270615',
      '2027-06-01T18:00',
      'Australia/Sydney',
      '2027-06-01T08:00 2027-06-08T08:00 2027-06-15T08:00',
    ],
    [
      'R12 half-hour gap',
      'FREQ=DAILY;COUNT=3',
      '2027-10-02T02:15',
      'Australia/Lord_Howe',
      '2027-10-01T15:45 2027-10-02T15:45 2027-10-03T15:15',
    ],
    ['R13', 'FREQ=YEARLY;COUNT=2', '2028-02-29T09:00', 'America/New_York', '2028-02-29T14:00 2032-02-29T14:00'],
    [
      'R14',
      'FREQ=YEARLY;BYMONTH=4,10;BYDAY=1MO;COUNT=4',
      '2027-04-05T08:00',
      'America/Toronto',
      '2027-04-05T12:00 2027-10-04T12:00 2028-04-03T12:00 2028-10-02T12:00',
    ],
    [
      'R15',
      'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=15;BYSECOND=0;COUNT=2',
      '2027-05-03T00:00',
      'America/New_York',
      '2027-05-03T13:15 2027-05-10T13:15',
    ],
    [
      'R16',
      'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4',
      '2027-03-08T19:00',
      'America/Los_Angeles',
      '2027-03-09T03:00 2027-03-11T03:00 2027-03-16T02:00 2027-03-18T02:00',
    ],
  ]
  for (const [name, rrule, dtstart, timezone, instants] of examples) {
    it(`expands ${name}: ${rrule}`, () => {
      const rule = parseRule(rrule)
      const last = rule.until instanceof Temporal.PlainDate ? rule.until.toPlainDateTime('23:59') : null
      const found = expand(rule, wall(dtstart), day(dtstart), last).map((at) =>
        instantAt(at, timezone).toString().slice(0, 16),
      )
      assert.deepEqual(found.toArray(), instants.split(' '))
    })
  }
})

describe('expand: grammar', () => {
  it('unites plain and numbered weekdays', () =>
    assert.deepEqual(
      walls('FREQ=MONTHLY;BYDAY=SU,1TU,-1TU', '2027-03-01T09:00', '2027-03-31').map((at) => at.slice(8, 10)),
      ['02', '07', '14', '21', '28', '30'],
    ))
  it('applies BYSETPOS to the whole first period, including days before dtstart', () =>
    assert.deepEqual(walls('FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2', '2027-03-05T09:00', '2027-04-30'), [
      '2027-03-08T09:00:00',
      '2027-04-12T09:00:00',
    ]))
  it('applies BYSETPOS once a year across all months', () =>
    assert.deepEqual(walls('FREQ=YEARLY;BYMONTH=10,4;BYDAY=MO;BYSETPOS=1', '2027-01-01T09:00', '2028-12-31'), [
      '2027-04-05T09:00:00',
      '2028-04-03T09:00:00',
    ]))
  it('counts numbered weekdays within the year without BYMONTH', () =>
    assert.deepEqual(walls('FREQ=YEARLY;BYDAY=53FR,-53FR', '2027-01-01T09:00', '2029-12-31'), [
      '2027-01-01T09:00:00',
      '2027-12-31T09:00:00',
    ]))
  it('omits dtstart when it does not match', () =>
    assert.deepEqual(walls('FREQ=WEEKLY;BYDAY=MO', '2027-03-02T09:00', '2027-03-09'), ['2027-03-08T09:00:00']))
  it('omits the day of dtstart when BYHOUR is before its time', () =>
    assert.deepEqual(walls('FREQ=DAILY;BYHOUR=8', '2027-03-02T09:00', '2027-03-03'), ['2027-03-03T08:00:00']))
  it('keeps the seconds of dtstart unless BYSECOND is 0', () => {
    assert.deepEqual(walls('FREQ=DAILY', '2027-03-02T09:00:30', '2027-03-02'), ['2027-03-02T09:00:30'])
    assert.deepEqual(walls('FREQ=DAILY;BYSECOND=0', '2027-03-01T09:00:30', '2027-03-02'), ['2027-03-02T09:00:00'])
  })
})

describe('expand: from a later day', () => {
  it('gives the same dates as an expansion from dtstart', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: -400, max: 4400 }), ({ rrule, dtstart, through }, days) => {
        const start = dtstart.slice(0, 10)
        const later = day(start).add({ days }).toString()
        const whole = walls(rrule, dtstart, through, start)
        assert.deepEqual(
          walls(rrule, dtstart, through, later),
          whole.filter((at) => at.slice(0, 10) >= later),
        )
      }),
      { numRuns: 300, seed: 20270301 },
    )
  })
  it('finds a leap day on its weekday across 2100', () => {
    const rule = parseRule('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=TU')
    const [next] = expand(rule, wall('2028-02-29T09:00'), day('2084-03-01'), null)
    assert.equal(next?.toString(), '2124-02-29T09:00:00')
  })
  it('ends for a rule without matches', () => {
    const rule = parseRule('FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=30')
    assert.deepEqual(expand(rule, wall('2027-01-01T09:00'), day('2027-01-01'), null).toArray(), [])
  })
})
