import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflictField } from '../../platform/errors/refusal.ts'
import { fingerprintOf } from '../../tools/call/idempotency.ts'
import type { SentEvent } from './event.ts'
import { refusals } from './refusals.ts'

/** Fingerprints of applied events, by id. */
export type AppliedEvents = ReadonlyMap<string, Buffer>

/** Returns those of the ids that were already applied. */
export async function findAppliedEvents(db: Db, ids: readonly string[]): Promise<AppliedEvents> {
  const rows = await db.all<{ id: string; fingerprint: Buffer }>(
    sql`select id, fingerprint from field_acts where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[])`,
  )
  return new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]))
}

/**
 * Claims the id of an event in its transaction; waits for a concurrent claim of the same id. Returns false if it was
 * claimed before, by the same event or another.
 */
export async function claimEvent(
  db: Db,
  { id, kind, job_id }: SentEvent,
  {
    user,
    fingerprint,
    deviceTime,
    at,
  }: { user: string; fingerprint: Buffer; deviceTime: Temporal.Instant; at: Temporal.Instant },
): Promise<boolean> {
  const claimed = await db.maybe(sql`
    insert into field_acts (tenant_id, id, user_id, kind, job_id, fingerprint, said_ms, at)
    values (${db.tenant}, ${id}, ${user}, ${kind}, ${job_id}, ${fingerprint}, ${deviceTime.epochMilliseconds},
      ${at.toString()})
    on conflict (tenant_id, id) do nothing returning id`)
  return claimed !== undefined
}

/** Returns the fingerprint of an event: its user and all that was sent, except what the user saw and decided since. */
export function fingerprintEvent({ seen: _seen, decided: _decided, ...act }: SentEvent, user: string): Buffer {
  return fingerprintOf({ user, act })
}

/** Refuses a different event under an id already used. */
export function requireSameEvent(fingerprint: Buffer, earlier: Buffer): void {
  if (!fingerprint.equals(earlier)) throw conflictField('id', refusals.idUsed())
}
