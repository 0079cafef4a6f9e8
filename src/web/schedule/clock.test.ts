import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayTimeline, hoursOf, visibleHours, instantOf, minuteOf, wallDay, wallTime } from './clock.ts'

const line = (day: string, zone: string) => dayTimeline(Temporal.PlainDate.from(day), zone)
const hourAt = (day: string, zone: string, minute: number) =>
  hoursOf(line(day, zone)).find((mark) => mark.minute === minute)?.hour

describe('a day without a clock change', () => {
  const chicago = line('2026-11-21', 'America/Chicago')

  it('has 24 hours from local midnight', () => {
    assert.equal(chicago.minutes, 1440)
    assert.equal(chicago.from.toString(), '2026-11-21T06:00:00Z')
    assert.deepEqual(
      hoursOf(chicago).map(({ hour }) => hour),
      Array.from({ length: 24 }, (_, hour) => hour),
    )
  })

  it('converts between instants and minutes', () => {
    assert.equal(minuteOf(chicago, '2026-11-21T15:30:00.000Z'), 570)
    assert.equal(minuteOf(chicago, '2026-11-21T05:00:00.000Z'), -60)
    assert.equal(instantOf(chicago, 570), '2026-11-21T15:30:00.000Z')
    assert.equal(wallTime('2026-11-21T15:30:00.000Z', 'America/Chicago'), '09:30')
    assert.equal(wallDay('2026-11-21T05:00:00.000Z', 'America/Chicago').toString(), '2026-11-20')
  })

  it('is shown from 7 to 19, or wider when a visit needs it', () => {
    assert.deepEqual(visibleHours(chicago, []), { since: 7, until: 19 })
    assert.deepEqual(visibleHours(chicago, [{ from: 9 * 60, to: 10 * 60 }]), { since: 7, until: 19 })
    assert.deepEqual(
      visibleHours(chicago, [
        { from: 4 * 60 + 30, to: 5 * 60 },
        { from: 21 * 60, to: 22 * 60 + 15 },
      ]),
      { since: 4, until: 23 },
    )
    assert.deepEqual(visibleHours(chicago, [{ from: -300, to: 3000 }]), { since: 0, until: 24 })
  })
})

describe('a day with a clock change', () => {
  it('has 23 hours in spring, without the skipped one', () => {
    const spring = line('2026-03-08', 'America/New_York')
    assert.equal(spring.minutes, 23 * 60)
    assert.deepEqual(
      hoursOf(spring)
        .slice(0, 4)
        .map(({ hour }) => hour),
      [0, 1, 3, 4],
    )
    assert.deepEqual(visibleHours(spring, []), { since: 6, until: 18 })
    assert.equal(minuteOf(spring, '2026-03-08T13:00:00Z'), 8 * 60)
    assert.equal(wallTime(instantOf(spring, 8 * 60), 'America/New_York'), '09:00')
  })

  it('has 25 hours in autumn, with the repeated one twice', () => {
    const autumn = line('2026-11-01', 'America/New_York')
    assert.equal(autumn.minutes, 25 * 60)
    assert.deepEqual(
      hoursOf(autumn)
        .slice(0, 4)
        .map(({ hour }) => hour),
      [0, 1, 1, 2],
    )
    assert.deepEqual(visibleHours(autumn, []), { since: 8, until: 20 })
    assert.deepEqual(
      [60, 120].map((minute) => wallTime(instantOf(autumn, minute), 'America/New_York')),
      ['01:00', '01:00'],
    )
  })

  it('begins at 1 when midnight is skipped, and supports a change of half an hour', () => {
    assert.equal(line('2024-04-26', 'Africa/Cairo').minutes, 23 * 60)
    assert.equal(hourAt('2024-04-26', 'Africa/Cairo', 0), 1)
    const howe = line('2026-10-04', 'Australia/Lord_Howe')
    assert.equal(howe.minutes, 23 * 60 + 30)
    assert.equal(hourAt('2026-10-04', 'Australia/Lord_Howe', 150), 3)
    assert.deepEqual(visibleHours(howe, []), { since: 6, until: 19 })
  })

  it('has no length when the zone skipped the day', () => {
    const skipped = line('2011-12-30', 'Pacific/Apia')
    assert.equal(skipped.minutes, 0)
    assert.deepEqual([hoursOf(skipped), visibleHours(skipped, [])], [[], { since: 0, until: 0 }])
  })
})
