import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../platform/errors/refusal.ts'
import { parseRule } from './rule.ts'
import { ruleText } from './text.ts'
import { readDtstart } from './timezone.ts'
import {
  isFinished,
  lastDay,
  nextSlot,
  previewOccurrences,
  requireOccurrence,
  windowOf,
  type Series,
} from './window.ts'

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text)
const today = day('2027-03-01')

const series = (rrule: string, dtstart: string, end?: string, timezone = 'America/New_York'): Series => ({
  rule: parseRule(rrule),
  dtstart: readDtstart(dtstart, timezone),
  timezone,
  end_date: end === undefined ? null : day(end),
})

const keys = (of: Series, from = today): string[] => windowOf(of, from).slots.map(({ key }) => key)

describe('the window of upcoming jobs', () => {
  const examples: [rrule: string, dtstart: string, jobs: number][] = [
    ['FREQ=WEEKLY', '2027-03-01T09:00', 13],
    ['FREQ=WEEKLY', '2027-03-02T09:00', 13],
    ['FREQ=MONTHLY', '2027-03-15T09:00', 3],
    ['FREQ=DAILY', '2027-03-01T09:00', 90],
    ['FREQ=DAILY', '2026-05-01T09:00', 90],
    ['FREQ=YEARLY;BYMONTH=10', '2027-03-04T09:00', 1],
    ['FREQ=WEEKLY;COUNT=10', '2027-02-02T09:00', 6],
  ]
  for (const [rrule, dtstart, jobs] of examples) {
    it(`for ${rrule} from ${dtstart} has ${jobs} jobs`, () => assert.equal(keys(series(rrule, dtstart)).length, jobs))
  }

  it('covers today and the next 89 days', () => {
    const { slots, through, more } = windowOf(series('FREQ=DAILY', '2027-01-01T09:00'), today)
    assert.equal(through.toString(), '2027-05-29')
    assert.equal(slots[0]?.key, '2027-03-01T09:00:00')
    assert.equal(slots.at(-1)?.key, '2027-05-29T09:00:00')
    assert.equal(more, false)
  })
  it('names a slot by its wall time, also in a clock gap', () => {
    const slot = nextSlot(series('FREQ=DAILY', '2027-03-12T02:30'), day('2027-03-14'))
    assert.equal(slot?.key, '2027-03-14T02:30:00')
    assert.equal(slot?.start.toString(), '2027-03-14T07:30:00Z')
  })
  it('starts all-day jobs at local midnight or when the day begins', () => {
    const slot = nextSlot(series('FREQ=WEEKLY', '2027-03-02', undefined, 'Europe/London'), day('2027-06-01'))
    assert.deepEqual([slot?.key, slot?.start.toString()], ['2027-06-01T00:00:00', '2027-05-31T23:00:00Z'])
    const none = nextSlot(series('FREQ=DAILY', '2018-11-03', undefined, 'America/Sao_Paulo'), day('2018-11-04'))
    assert.deepEqual([none?.key, none?.start.toString()], ['2018-11-04T00:00:00', '2018-11-04T03:00:00Z'])
  })
  it('is empty after the end of the series', () =>
    assert.deepEqual(keys(series('FREQ=DAILY;COUNT=3', '2027-02-01T09:00')), []))
  it('has the single next job when a series starts later', () =>
    assert.deepEqual(keys(series('FREQ=DAILY', '2029-01-01T09:00')), ['2029-01-01T09:00:00']))
  it('is cut at 200 jobs and flags that more follow', () => {
    const { slots, through, more } = windowOf(series('FREQ=DAILY', '2027-03-01T09:00'), today, 365)
    assert.deepEqual([slots.length, more, through.toString()], [200, true, '2027-09-16'])
    assert.equal(slots.at(-1)?.key, '2027-09-16T09:00:00')
    assert.equal(windowOf(series('FREQ=DAILY', '2027-03-01T09:00'), today, 200).more, false)
  })
})

describe('the end of a series', () => {
  const daily = (until: string, end?: string, timezone?: string) =>
    series(`FREQ=DAILY;UNTIL=${until}`, '2027-03-01T09:00', end, timezone)
  it('includes the local day of an UNTIL date', () =>
    assert.equal(keys(daily('20270303', undefined, 'Australia/Sydney')).at(-1), '2027-03-03T09:00:00'))
  it('includes an UNTIL local time', () => {
    assert.equal(keys(daily('20270303T090000')).at(-1), '2027-03-03T09:00:00')
    assert.equal(keys(daily('20270303T085959')).at(-1), '2027-03-02T09:00:00')
  })
  it('converts UNTIL with Z to local time', () => {
    assert.equal(keys(daily('20270303T140000Z')).at(-1), '2027-03-03T09:00:00')
    assert.equal(keys(daily('20270303T135959Z')).at(-1), '2027-03-02T09:00:00')
    assert.equal(lastDay(daily('20270303T030000Z'))?.toString(), '2027-03-02')
  })
  it('is the earlier of UNTIL and end_date, both inclusive', () => {
    assert.equal(keys(daily('20270310', '2027-03-04')).at(-1), '2027-03-04T09:00:00')
    assert.equal(keys(daily('20270304', '2027-03-10')).at(-1), '2027-03-04T09:00:00')
    assert.equal(lastDay(daily('20270310', '2027-03-04'))?.toString(), '2027-03-04')
    assert.equal(lastDay(series('FREQ=DAILY;COUNT=2', '2027-03-01T09:00')), null)
  })
  it('is reached after the last day of a finite rule, and never for an ongoing one', () => {
    const counted = series('FREQ=WEEKLY;COUNT=2', '2027-03-01T09:00')
    assert.deepEqual([isFinished(counted, day('2027-03-07')), isFinished(counted, day('2027-03-08'))], [false, true])
    const ended = series('FREQ=WEEKLY', '2027-03-01T09:00', '2027-03-14')
    assert.deepEqual([isFinished(ended, day('2027-03-07')), isFinished(ended, day('2027-03-08'))], [false, true])
    assert.equal(isFinished(series('FREQ=YEARLY', '2027-03-01T09:00'), day('2027-03-08')), false)
  })
})

describe('the preview of a series', () => {
  const tuesdays = series('FREQ=WEEKLY;BYDAY=TU', '2027-01-05T09:00')
  it('returns the next five starts as UTC text', () =>
    assert.deepEqual(previewOccurrences(tuesdays, today), [
      '2027-03-02T14:00:00.000Z',
      '2027-03-09T14:00:00.000Z',
      '2027-03-16T13:00:00.000Z',
      '2027-03-23T13:00:00.000Z',
      '2027-03-30T13:00:00.000Z',
    ]))
  it('returns fewer when fewer remain', () =>
    assert.equal(previewOccurrences(series('FREQ=WEEKLY;COUNT=10', '2027-02-02T09:00'), day('2027-03-30')).length, 2))
})

describe('a series without occurrences: invalid_input', () => {
  const refuses = (of: Series, sentence: RegExp) =>
    assert.throws(
      () => requireOccurrence(of),
      (error) => error instanceof Refusal && error.code === 'invalid_input' && sentence.test(error.message),
    )
  const never = /rule never occurs/
  it('is thrown for 30 February', () =>
    refuses(series('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', '2027-03-01T09:00'), never))
  it('is thrown for UNTIL before dtstart', () =>
    refuses(series('FREQ=DAILY;UNTIL=20270228', '2027-03-01T09:00'), never))
  it('is thrown when nothing matches up to end_date', () => {
    const ended = series('FREQ=MONTHLY;BYMONTHDAY=31', '2027-02-01T09:00', '2027-02-28')
    refuses(ended, /no day from dtstart to 2027-02-28 matches it/)
    requireOccurrence({ ...ended, end_date: day('2027-03-31') })
  })
  it('is thrown when the first match is more than ten years after dtstart', () => {
    const sunday29February2060 = 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU'
    refuses(series(sunday29February2060, '2049-03-01T09:00'), never)
    requireOccurrence(series(sunday29February2060, '2050-03-01T09:00'))
  })
  it('is thrown for an hour in a rule of all-day jobs', () => {
    refuses(series('FREQ=DAILY;BYHOUR=9', '2027-03-01'), /BYHOUR and BYMINUTE need a dtstart with a time/)
    requireOccurrence(series('FREQ=DAILY;BYHOUR=9', '2027-03-01T00:00'))
  })
})

describe('hostile rules', () => {
  const allDays = 'BYDAY=MO,TU,WE,TH,FR,SA,SU'
  const hostile = [
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11',
    'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
    'FREQ=MONTHLY;INTERVAL=12;BYMONTH=2',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=TU',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=1000',
    'FREQ=DAILY;COUNT=1000',
    'FREQ=YEARLY;INTERVAL=10;COUNT=1000',
    `FREQ=YEARLY;${allDays};BYSETPOS=366`,
    `FREQ=YEARLY;${allDays};BYSETPOS=-366`,
    'FREQ=YEARLY;BYMONTHDAY=31;BYDAY=FR;BYSETPOS=8',
    `FREQ=YEARLY;BYDAY=${Array.from({ length: 53 }, (_, index) => `${index + 1}MO`).join(',')}`,
    'FREQ=DAILY',
    'FREQ=DAILY;UNTIL=99991231T235959Z',
    'FREQ=DAILY;UNTIL=00000101',
    'FREQ=DAILY;INTERVAL=-1',
    'FREQ=DAILY;INTERVAL=99999999999999999999',
    'FREQ=DAILY;COUNT=1E9',
    'FREQ=SECONDLY',
    ';'.repeat(500),
    ','.repeat(500),
    'RRULE:'.repeat(80),
    `FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(230)}1`,
    `FREQ=DAILY;BYDAY=${'9'.repeat(480)}`,
    'A'.repeat(1_000_000),
    ' '.repeat(1_000_000),
    `${'0'.repeat(400)}1`,
  ]

  function use(rrule: string): void {
    const of = series(rrule, '2027-03-01T09:00')
    requireOccurrence(of)
    windowOf(of, today)
    windowOf(of, day('2126-03-01'))
    isFinished(of, day('2126-03-01'))
    previewOccurrences(of, today)
    ruleText(of.rule, of.dtstart, of.timezone)
  }

  function took(rrule: string): number {
    const start = process.cpuUsage()
    try {
      use(rrule)
    } catch (error) {
      assert.ok(error instanceof Refusal)
    }
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000
  }

  for (const rrule of hostile) {
    it(`are rejected or expanded within 50 ms of processor time: ${rrule.slice(0, 50)}`, () => {
      assert.ok(Math.min(took(rrule), took(rrule), took(rrule)) < 50)
    })
  }
})
