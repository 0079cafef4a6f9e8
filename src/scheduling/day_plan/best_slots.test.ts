import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bestSlots } from './best_slots.ts'

const ZONE = 'America/New_York'
const slot = fc.record({
  day: fc.integer({ min: 1, max: 14 }),
  hour: fc.integer({ min: 8, max: 16 }),
  driving: fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined }),
})
const members = fc.array(fc.array(slot, { maxLength: 20 }), { maxLength: 5 }).map((all) =>
  all.map((slots, i) => ({
    user_id: `u${i}`,
    name: `Member ${i}`,
    slots: slots.map(({ day, hour, driving }) => {
      const at = Temporal.PlainDate.from('2026-06-01').add({ days: day - 1 })
      const start = at.toZonedDateTime({ timeZone: ZONE, plainTime: { hour } }).toInstant()
      return {
        start: start.toString(),
        end: start.add({ hours: 1 }).toString(),
        driving: driving === undefined ? undefined : { minutes: driving, isEstimate: true },
      }
    }),
  })),
)

/** Ranks by brute force: cost is driving time (30 minutes if unknown) plus 20 minutes per day of waiting. */
const costs = (all: readonly { start: string; driving: { minutes: number } | undefined }[], first: number): number[] =>
  all.map(({ start, driving }) => (driving?.minutes ?? 30) + (Date.parse(start) - first) / 4_320_000)

describe('bestSlots', () => {
  it('returns the slots with the lowest cost, at most one per member and day', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 4 }), (given, count) => {
        const best = bestSlots(given, ZONE, count)
        const all = given.flatMap(({ user_id, slots }) => slots.map((one) => ({ ...one, user_id })))
        const first = Math.min(...all.map(({ start }) => Date.parse(start)))
        const dayOf = (one: { user_id: string; start: string }): string => `${one.user_id} ${one.start.slice(0, 10)}`
        const cheapest = [...Map.groupBy(all, dayOf).values()]
          .map((ones) => Math.min(...costs(ones, first)))
          .sort((a, b) => a - b)
          .slice(0, count)
        assert.deepEqual(
          costs(best, first).map((cost) => cost.toFixed(6)),
          cheapest.map((cost) => cost.toFixed(6)),
        )
        assert.equal(new Set(best.map(dayOf)).size, best.length)
      }),
    )
  })

  it('prefers 5 minutes of driving tomorrow to 40 today, and 30 today to 20 in two days', () => {
    const at = (day: number, minutes: number) => ({
      start: `2026-06-0${day}T13:00:00Z`,
      end: `2026-06-0${day}T14:00:00Z`,
      driving: { minutes, isEstimate: false },
    })
    const rankDays = (...slots: ReturnType<typeof at>[]): number[] =>
      bestSlots([{ user_id: 'u', name: 'U', slots }], ZONE, 3).map(({ start }) => Number(start.slice(8, 10)))
    assert.deepEqual(rankDays(at(1, 40), at(2, 5)), [2, 1])
    assert.deepEqual(rankDays(at(3, 20), at(1, 30)), [1, 3])
  })
})
