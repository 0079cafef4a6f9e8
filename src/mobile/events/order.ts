import { sql, type Db } from '../../platform/db/tenant.ts'

/** Maximum seconds a request can take (public/mobile/work/field_sending.js): the error in the time of its events. */
const MAX_TRANSIT_S = 60

/**
 * Describes an act by its device: whose it is, when by the device's clock, and when by ours as far as its request
 * shows.
 */
type TimedEvent = { user: string; said: Temporal.Instant; at: Temporal.Instant; now: Temporal.Instant }

/**
 * Returns when an act was done in the order of its person's device. A request that was long under way makes its acts
 * later than they were, so that what was done after them may seem to be done before; an act counts after each that its
 * device says was earlier, and before each that it says was later.
 */
export async function correctEventTime(db: Db, { user, said, at, now }: TimedEvent): Promise<Temporal.Instant> {
  const [saidMs, atMs] = [said.epochMilliseconds, at.epochMilliseconds]
  const { earlier, later } = await db.one<{ earlier: number | null; later: number | null }>(sql`
    select (extract(epoch from max(at) filter (where said_ms <= ${saidMs})) * 1000)::bigint as earlier,
      (extract(epoch from min(at) filter (where said_ms > ${saidMs})) * 1000)::bigint as later
    from field_acts where tenant_id = ${db.tenant} and user_id = ${user}
      and at between ${addSeconds(at, -MAX_TRANSIT_S)} and ${addSeconds(at, MAX_TRANSIT_S)}
      and abs((extract(epoch from at) * 1000 - said_ms) - ${atMs - saidMs}::bigint) <= ${MAX_TRANSIT_S * 1000}`)
  const soonest = earlier === null ? atMs : Math.max(atMs, earlier + 1)
  const ours = later === null ? soonest : Math.max(earlier ?? 0, Math.min(soonest, later - 1))
  return Temporal.Instant.fromEpochMilliseconds(Math.min(ours, now.epochMilliseconds))
}

const addSeconds = (at: Temporal.Instant, seconds: number): string => at.add({ seconds }).toString()
