import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflictField } from '../../platform/errors/refusal.ts'
import { fingerprintOf } from '../../tools/call/idempotency.ts'
import type { SentEvent } from './event.ts'
import { refusals } from './refusals.ts'

/** Holds the fingerprints of acts that were taken, by id. */
export type AppliedEvents = ReadonlyMap<string, Buffer>

/** Returns which of the ids were taken already. */
export async function findAppliedEvents(db: Db, ids: readonly string[]): Promise<AppliedEvents> {
  const rows = await db.all<{ id: string; fingerprint: Buffer }>(
    sql`select id, fingerprint from field_acts where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[])`,
  )
  return new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]))
}

/**
 * Claims the id of an act in its transaction, which waits for another that claims the same. Returns false where it was
 * taken before, the same or not.
 */
export async function claimEvent(
  db: Db,
  { id, kind, job_id }: SentEvent,
  { user, fingerprint, said, at }: { user: string; fingerprint: Buffer; said: Temporal.Instant; at: Temporal.Instant },
): Promise<boolean> {
  const claimed = await db.maybe(sql`
    insert into field_acts (tenant_id, id, user_id, kind, job_id, fingerprint, said_ms, at)
    values (${db.tenant}, ${id}, ${user}, ${kind}, ${job_id}, ${fingerprint}, ${said.epochMilliseconds},
      ${at.toString()})
    on conflict (tenant_id, id) do nothing returning id`)
  return claimed !== undefined
}

/**
 * Returns what tells acts apart: whose it is and all that was sent, but for what their person saw and decided since.
 */
export function fingerprintEvent({ seen: _seen, decided: _decided, ...act }: SentEvent, user: string): Buffer {
  return fingerprintOf({ user, act })
}

/** Refuses another act under an id that was used. */
export function requireSameEvent(fingerprint: Buffer, earlier: Buffer): void {
  if (!fingerprint.equals(earlier)) throw conflictField('id', refusals.idUsed())
}
