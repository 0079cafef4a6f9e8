import { readDay } from '../../../scheduling/day_plan/read_day.ts'
import type { Geocoder } from '../../../scheduling/places/geocoder.ts'
import { addressesToFind, savePosition } from '../../../scheduling/places/positions.ts'
import { MAX_ROUTED_PLACES, type Router } from '../../../scheduling/travel/router.ts'
import { areDrivesMissing, saveDrives } from '../../../scheduling/travel/travel_times.ts'
import type { PeriodicTask, TenantRun } from '../../periodic_task.ts'
import { every } from '../../schedule.ts'

/** Maximum number of addresses per run, so that companies take turns. */
const MAX_ADDRESSES = 20
/** Consecutive failures that end a run. The geocoder is down, and the worker retries with backoff. */
const MAX_FAILURES = 3

/** Returns the task that geocodes addresses, in a lane of its own because the geocoder may be slow. */
export const geocodingTask = (geocoder: Geocoder): PeriodicTask => ({
  name: 'geocoding',
  of: 'tenant',
  lane: 'geocoding',
  next: every({ minutes: 1 }),
  run: (run) => findAddresses(run, geocoder),
})

/** Looks up each address outside a transaction. */
async function findAddresses({ write, now }: TenantRun, { source, find }: Geocoder): Promise<void> {
  let failures = 0
  for (const { id, formatted_address: address, country } of await write((db) =>
    addressesToFind(db, now, MAX_ADDRESSES),
  )) {
    const lookUp = await find(address, country).then(
      (position) => ({ source, address, found: position }),
      (error: unknown) => ({ source, address, failed: true as const, error }),
    )
    await write((db) => savePosition(db, id, lookUp, now))
    failures = 'failed' in lookUp ? failures + 1 : 0
    if ('failed' in lookUp && failures === MAX_FAILURES) throw new Error('The geocoder fails', { cause: lookUp.error })
  }
}

/** Number of days, from today on, to find drives for. */
const DRIVE_DAYS = 3

/** Returns the task that gets the drives of the next days from the routing server, in a lane of its own. */
export const routingTask = (router: Router): PeriodicTask => ({
  name: 'routing',
  of: 'tenant',
  lane: 'routing',
  next: every({ minutes: 15 }),
  run: (run) => findDrives(run, router),
})

/** Requests missing drives outside a transaction. */
async function findDrives({ write, now, tenant }: TenantRun, router: Router): Promise<void> {
  const today = now.toZonedDateTimeISO(tenant.timezone).toPlainDate()
  for (let days = 0; days < DRIVE_DAYS; days++) {
    const places = await write(async (db) => {
      const { visits } = await readDay(db, tenant.timezone, today.add({ days }), now)
      const positions = visits.flatMap(({ position }) => position ?? []).slice(0, MAX_ROUTED_PLACES)
      return positions.length > 1 && (await areDrivesMissing(db, positions)) ? positions : []
    })
    if (places.length === 0) continue
    const matrix = await router(places)
    await write((db) => saveDrives(db, places, matrix))
  }
}
