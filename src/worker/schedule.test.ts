import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daily, every, hourly, lastDayAt, onDemand, weekly } from './schedule.ts'

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text)
const NEW_YORK = 'America/New_York'

describe('daily', () => {
  const cases: [time: string, after: string, zone: string, due: string][] = [
    ['06:00', '2027-03-01T10:59:59Z', NEW_YORK, '2027-03-01T11:00:00Z'],
    ['06:00', '2027-03-01T11:00:00Z', NEW_YORK, '2027-03-02T11:00:00Z'],
    ['06:00', '2027-03-13T12:00:00Z', NEW_YORK, '2027-03-14T10:00:00Z'],
    ['02:00', '2027-03-13T12:00:00Z', NEW_YORK, '2027-03-14T07:00:00Z'],
    ['02:30', '2027-03-14T04:00:00Z', NEW_YORK, '2027-03-14T07:30:00Z'],
    ['01:30', '2027-11-07T05:00:00Z', NEW_YORK, '2027-11-07T05:30:00Z'],
    ['01:30', '2027-11-07T05:30:00Z', NEW_YORK, '2027-11-08T06:30:00Z'],
    ['06:00', '2027-03-01T00:00:00Z', 'Pacific/Kiritimati', '2027-03-01T16:00:00Z'],
    ['00:05', '2027-03-01T10:00:00Z', 'Asia/Kolkata', '2027-03-01T18:35:00Z'],
  ]
  for (const [time, after, zone, due] of cases) {
    it(`runs at ${time} in ${zone} after ${after}`, () => assert.equal(daily(time)(at(after), zone)?.toString(), due))
  }
})

describe('weekly', () => {
  const cases: [time: string, after: string, zone: string, due: string][] = [
    ['06:30', '2027-03-01T11:29:59Z', NEW_YORK, '2027-03-01T11:30:00Z'],
    ['06:30', '2027-03-01T11:30:00Z', NEW_YORK, '2027-03-08T11:30:00Z'],
    ['06:30', '2027-03-07T23:00:00Z', NEW_YORK, '2027-03-08T11:30:00Z'],
    ['06:30', '2027-03-10T12:00:00Z', NEW_YORK, '2027-03-15T10:30:00Z'],
    ['06:30', '2027-03-14T17:00:00Z', 'Pacific/Kiritimati', '2027-03-21T16:30:00Z'],
    ['06:30', '2027-03-14T16:00:00Z', 'Pacific/Kiritimati', '2027-03-14T16:30:00Z'],
  ]
  for (const [time, after, zone, due] of cases)
    it(`runs at ${time} in ${zone} after ${after}`, () => assert.equal(weekly(time)(at(after), zone)?.toString(), due))
})

describe('hourly', () => {
  const cases: [after: string, zone: string, due: string][] = [
    ['2027-03-01T10:59:59Z', NEW_YORK, '2027-03-01T11:00:00Z'],
    ['2027-03-01T11:00:00Z', NEW_YORK, '2027-03-01T12:00:00Z'],
    ['2027-03-14T06:30:00Z', NEW_YORK, '2027-03-14T07:00:00Z'],
    ['2027-11-07T05:30:00Z', NEW_YORK, '2027-11-07T06:00:00Z'],
    ['2027-11-07T06:30:00Z', NEW_YORK, '2027-11-07T07:00:00Z'],
    ['2027-03-01T10:00:00Z', 'Asia/Kolkata', '2027-03-01T10:30:00Z'],
  ]
  for (const [after, zone, due] of cases) {
    it(`runs in ${zone} after ${after}`, () => assert.equal(hourly(at(after), zone)?.toString(), due))
  }
})

describe('lastDayAt', () => {
  const cases: [now: string, zone: string, day: string][] = [
    ['2027-03-01T10:59:59Z', NEW_YORK, '2027-02-28'],
    ['2027-03-01T11:00:00Z', NEW_YORK, '2027-03-01'],
    ['2027-03-01T04:00:00Z', NEW_YORK, '2027-02-28'],
    ['2027-03-01T16:00:00Z', 'Pacific/Kiritimati', '2027-03-02'],
  ]
  for (const [now, zone, day] of cases) {
    it(`returns the day of 06:00 in ${zone} at ${now}`, () =>
      assert.equal(lastDayAt('06:00', at(now), zone).toString(), day))
  }
})

describe('every and onDemand', () => {
  it('count from the previous run, or return null', () => {
    assert.equal(every({ minutes: 90 })(at('2027-03-01T00:00:00Z'), 'UTC')?.toString(), '2027-03-01T01:30:00Z')
    assert.equal(onDemand(at('2027-03-01T00:00:00Z'), 'UTC'), null)
  })
})
