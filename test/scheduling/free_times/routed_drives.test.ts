import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { estimateMinutes } from '../../../src/scheduling/travel/estimate.ts'
import {
  ESTIMATES,
  saveDrives,
  travelTimesAlong,
  travelTimesAround,
  travelTimesOf,
  type TravelTimes,
} from '../../../src/scheduling/travel/travel_times.ts'
import { makeCompany, startTestService, type TestService } from '../../harness/harness.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

/** Arbitrary place, by its grid cell of 0.001 degrees. */
const place = fc
  .record({
    north: fc.integer({ min: -1, max: 1 }),
    east: fc.integer({ min: -1, max: 0 }),
    within: fc.double({ min: -0.4, max: 0.4, noNaN: true }),
  })
  .map(({ north, east, within }) => ({
    cell: `${north} ${east}`,
    latitude: (north + within) / 1000,
    longitude: (east - within) / 1000,
  }))
type Place = { cell: string; latitude: number; longitude: number }

const minutes = fc.option(fc.integer({ min: 0, max: 99 }))
const matrix = fc.record({
  places: fc.array(place, { minLength: 3, maxLength: 5 }),
  rows: fc.array(fc.array(minutes, { minLength: 5, maxLength: 5 }), { minLength: 5, maxLength: 5 }),
  isOld: fc.boolean(),
})

it('routed drives around a place and along a route match the stored matrices for each pair', async () => {
  const { tenant } = await makeCompany(service)
  await fc.assert(
    fc.asyncProperty(
      fc.array(matrix, { minLength: 1, maxLength: 3 }),
      fc.array(place, { minLength: 4, maxLength: 6 }),
      async (all, [here, ...others]) => {
        assert.ok(here !== undefined)
        const routed = new Map<string, number>()
        const [around, along, between] = await writeTenant(service.database, { tenant }, async (db) => {
          await db.run(sql`delete from travel_times where tenant_id = ${db.tenant}`)
          // Old drives first, because they never replace fresh ones.
          for (const { places, rows, isOld } of all.toSorted((a, b) => Number(b.isOld) - Number(a.isOld))) {
            await saveDrives(db, places, rows)
            if (isOld)
              await db.run(sql`update travel_times set at = at - interval '91 days' where tenant_id = ${db.tenant}`)
            else remember(routed, places, rows)
          }
          return Promise.all([
            travelTimesAround(db, here),
            travelTimesAlong(
              db,
              others.map((one) => [here, one]),
              ESTIMATES,
            ),
            travelTimesOf(db, [here, ...others]),
          ])
        })
        const expectDrive = (times: TravelTimes, from: Place, to: Place): void => {
          const minutes = routed.get(`${from.cell} ${to.cell}`)
          const estimate = { minutes: estimateMinutes(from, to), isEstimate: true }
          assert.deepEqual(times.between(from, to), minutes === undefined ? estimate : { minutes, isEstimate: false })
        }
        for (const one of others) {
          for (const times of [around, along, between]) expectDrive(times, here, one)
          for (const times of [around, between]) expectDrive(times, one, here)
        }
      },
    ),
    { numRuns: 50 },
  )
})

/** Records a matrix for places in different cells. */
function remember(
  routed: Map<string, number>,
  places: readonly Place[],
  rows: readonly (readonly (number | null)[])[],
) {
  for (const [i, from] of places.entries())
    for (const [j, to] of places.entries()) {
      const minutes = rows[i]?.[j]
      if (minutes !== undefined && minutes !== null && from.cell !== to.cell)
        routed.set(`${from.cell} ${to.cell}`, minutes)
    }
}
