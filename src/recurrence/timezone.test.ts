import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../platform/errors/refusal.ts'
import { readDate, readDtstart, readTime, readTimezone } from './timezone.ts'

const refuses = (run: () => unknown, sentence: RegExp): void =>
  assert.throws(
    run,
    (error) => error instanceof Refusal && error.code === 'invalid_input' && sentence.test(error.message),
  )

describe('readTimezone and readDtstart', () => {
  const names: [given: string, answered: string][] = [
    ['America/New_York', 'America/New_York'],
    ['US/Eastern', 'US/Eastern'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
    ['utc', 'UTC'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    [' Europe/Kyiv ', 'Europe/Kyiv'],
  ]
  for (const [given, answered] of names)
    it(`read zone ${given} as ${answered}`, () => assert.equal(readTimezone(given), answered))

  const starts: [given: string, wall: string][] = [
    ['2027-03-02T09:00', '2027-03-02T09:00:00'],
    ['2027-03-02T09:00:15', '2027-03-02T09:00:15'],
    ['2027-03-02', '2027-03-02'],
    ['2027-03-02T14:00:00.000Z', '2027-03-02T09:00:00'],
    ['2027-03-02T23:00:00+13:00', '2027-03-02T05:00:00'],
    ['2027-03-14T02:30', '2027-03-14T02:30:00'],
  ]
  for (const [given, wall] of starts) {
    it(`read dtstart ${given} as ${wall}`, () => assert.equal(readDtstart(given, 'America/New_York').toString(), wall))
  }

  it('reject text that is no time or date', () => {
    assert.equal(readTime('tomorrow'), null)
    for (const text of [
      '09:00',
      '2027-03-02',
      '2027-02-30T09:00',
      '2027-03-02T24:00',
      '2027-03-02T09:60',
      '2027-03-02T23:59:60Z',
      '2027-03-02 09:00',
      '2027-03-02T09',
      '2027-03-02T09:00[America/New_York]',
      '2027-03-02T09:00+25:00',
      '+002027-03-02T09:00Z',
      '',
    ])
      assert.equal(readTime(text), null, text)
    assert.ok(readTime('2027-02-28T09:00') instanceof Temporal.PlainDateTime)
    assert.ok(readTime('2027-02-28T09:00Z') instanceof Temporal.Instant)
    assert.equal(readDate('2027-02-30'), null)
    assert.equal(readDate('2028-02-29')?.toString(), '2028-02-29')
  })
})

describe('readTimezone and readDtstart: invalid_input', () => {
  for (const name of [
    'UTC+5',
    '+05:00',
    '-05',
    'GMT+5',
    'PST',
    'Mars/Base',
    '',
    'Z',
    '2027-01-01[America/New_York]',
    'x'.repeat(9999),
  ]) {
    it(`is thrown for zone ${name.slice(0, 30)}`, () =>
      refuses(() => readTimezone(name), /^timezone: .* is not in the tz database; use an IANA name/))
  }
  for (const text of [
    '2027-02-30',
    '2027-3-2',
    '20270302',
    '2027-03-02T09:00:00.5',
    '2027-03-02T9:00',
    'TZID=UTC:20270302',
    '',
  ]) {
    it(`is thrown for dtstart ${text}`, () =>
      refuses(() => readDtstart(text, 'UTC'), /^dtstart: .* is not a valid start; use/))
  }
})
