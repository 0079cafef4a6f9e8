import type { Geocoder } from '../../scheduling/places/geocoder.ts'
import { addressesToFind, savePosition } from '../../scheduling/places/positions.ts'
import type { PeriodicTask, TenantRun } from '../periodic_task.ts'
import { every } from '../schedule.ts'

/** Maximum addresses of one run, so that companies take turns. */
const AT_ONCE = 20
/** Failures in a row after which a run ends: the server is away, and the worker tries again after a growing pause. */
const MAX_FAILURES = 3

/** Finds the coordinates of addresses, in a lane of its own: nothing waits for the geocoder. */
export const geocoding = (geocoder: Geocoder): PeriodicTask => ({
  name: 'geocoding',
  of: 'tenant',
  lane: 'geocoding',
  next: every({ minutes: 1 }),
  run: (run) => findAddresses(run, geocoder),
})

/** Looks up each address outside a transaction. */
async function findAddresses({ write, now }: TenantRun, { source, find }: Geocoder): Promise<void> {
  let failures = 0
  for (const { id, formatted_address: address, country } of await write((db) => addressesToFind(db, now, AT_ONCE))) {
    const lookUp = await find(address, country).then(
      (found) => ({ source, address, found }),
      (error: unknown) => ({ source, address, failed: true as const, error }),
    )
    await write((db) => savePosition(db, id, lookUp, now))
    failures = 'failed' in lookUp ? failures + 1 : 0
    if ('failed' in lookUp && failures === MAX_FAILURES) throw new Error('The geocoder fails', { cause: lookUp.error })
  }
}
