import { sql, type Db } from '../../platform/db/tenant.ts'

/** Maximum seconds a request takes (public/mobile/work/field_sending.js): the error in its event times. */
const MAX_TRANSIT_S = 60

/** Event with its user, its time by the device's clock, and its time by ours as estimated from its request. */
type TimedEvent = { user: string; deviceTime: Temporal.Instant; at: Temporal.Instant; now: Temporal.Instant }

/**
 * Returns the time of an event, consistent with the order on the user's device. A slow request makes its events appear
 * later than they were, even later than events that followed them. So an event is placed after each one the device
 * dates earlier, and before each one it dates later.
 */
export async function correctEventTime(db: Db, { user, deviceTime, at, now }: TimedEvent): Promise<Temporal.Instant> {
  const [deviceMs, serverMs] = [deviceTime.epochMilliseconds, at.epochMilliseconds]
  const { earlier, later } = await db.one<{ earlier: number | null; later: number | null }>(sql`
    select (extract(epoch from max(at) filter (where said_ms <= ${deviceMs})) * 1000)::bigint as earlier,
      (extract(epoch from min(at) filter (where said_ms > ${deviceMs})) * 1000)::bigint as later
    from field_acts where tenant_id = ${db.tenant} and user_id = ${user}
      and at between ${addSeconds(at, -MAX_TRANSIT_S)} and ${addSeconds(at, MAX_TRANSIT_S)}
      and abs((extract(epoch from at) * 1000 - said_ms) - ${serverMs - deviceMs}::bigint) <= ${MAX_TRANSIT_S * 1000}`)
  const earliestMs = earlier === null ? serverMs : Math.max(serverMs, earlier + 1)
  const correctedMs = later === null ? earliestMs : Math.max(earlier ?? 0, Math.min(earliestMs, later - 1))
  return Temporal.Instant.fromEpochMilliseconds(Math.min(correctedMs, now.epochMilliseconds))
}

const addSeconds = (at: Temporal.Instant, seconds: number): string => at.add({ seconds }).toString()
