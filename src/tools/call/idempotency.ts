import { createHash } from 'node:crypto'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { conflictField } from '../../platform/errors/refusal.ts'
import type { ToolCall } from './context.ts'
import type { Outcome } from './outcome.ts'
import { refusals } from './refusals.ts'

/** First answer of a key; null while its call is running. */
export type KeyedAnswer = { answer: string | null }

/** Call under an idempotency key, with the key's owner. */
type KeyedCall = Pick<ToolCall, 'caller' | 'input'> & { listed: Pick<ToolCall['listed'], 'canonical'> }

/**
 * Claims an idempotency key for this call (docs/spec/interface.md#idempotency). Returns undefined if the call is the
 * first with its key in 24 hours. A concurrent call waits until the first one ends. Different arguments under the same
 * key are a conflict.
 */
export async function claimKey(
  db: Db,
  { caller, listed, input }: KeyedCall,
  key: string,
): Promise<KeyedAnswer | undefined> {
  const fingerprint = fingerprintOf(input)
  const claimed = await db.maybe(sql`
    insert into idempotency_keys as k (tenant_id, credential_id, tool, key, fingerprint)
    values (${db.tenant}, ${caller.credential.id}, ${listed.canonical}, ${key}, ${fingerprint})
    on conflict (tenant_id, credential_id, tool, key) do update
      set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
      where excluded.created_at - k.created_at > interval '24 hours'
    returning key`)
  if (claimed !== undefined) return undefined
  const earlier = await db.one<KeyedAnswer & { fingerprint: Buffer }>(sql`
    select answer, fingerprint from idempotency_keys
    where tenant_id = ${db.tenant} and credential_id = ${caller.credential.id} and tool = ${listed.canonical}
      and key = ${key}`)
  requireSameInput(key, fingerprint, earlier)
  return earlier
}

/** Returns the first answer of a key without claiming it. */
export async function findAnswer(
  db: Db,
  { caller, listed, input }: KeyedCall,
  key: string,
): Promise<KeyedAnswer | undefined> {
  const earlier = await db.maybe<KeyedAnswer & { fingerprint: Buffer }>(sql`
    select answer, fingerprint from idempotency_keys
    where tenant_id = ${db.tenant} and credential_id = ${caller.credential.id} and tool = ${listed.canonical}
      and key = ${key}
      and created_at >= moment() - interval '24 hours'`)
  if (earlier !== undefined) requireSameInput(key, fingerprintOf(input), earlier)
  return earlier
}

/** Checks whether a credential completed a call under a key in the last 24 hours. */
export const isKeyUsed = async (db: Db, credential: string, key: string): Promise<boolean> =>
  (await db.maybe(sql`select key from idempotency_keys where tenant_id = ${db.tenant} and credential_id = ${credential}
    and key = ${key} and answer is not null and created_at >= moment() - interval '24 hours' limit 1`)) !== undefined

/** Returns the SHA-256 fingerprint of arguments, independent of their order. */
export const fingerprintOf = (input: unknown): Buffer => createHash('sha256').update(canonical(input)).digest()

/** Refuses a used key with different arguments. */
export function requireSameInput(key: string, fingerprint: Buffer, earlier: { fingerprint: Buffer }): void {
  if (fingerprint.equals(earlier.fingerprint)) return
  throw conflictField('idempotency_key', refusals.keyOfOther({ key }))
}

/**
 * Returns the first answer of a key, without what the caller may no longer see. The text stays identical, since JSON
 * that is parsed and written again doesn't change.
 */
export function answerOf(
  { answer }: KeyedAnswer,
  {
    caller,
    listed: {
      entity: { redact },
    },
  }: ToolCall,
): Outcome['result'] {
  if (answer === null) throw conflictField('idempotency_key', refusals.keyInUse())
  const result: Outcome['result'] = JSON.parse(answer)
  return redact === undefined ? result : redact(caller, result)
}

/** Stores the first answer, in the transaction of its write. */
export const saveAnswer = ({ caller, listed }: KeyedCall, key: string, result: Outcome['result']): Sql => sql`
  update idempotency_keys set answer = ${JSON.stringify(result)}
  where tenant_id = ${caller.tenant.id} and credential_id = ${caller.credential.id} and tool = ${listed.canonical}
    and key = ${key}`

/** Writes JSON with sorted keys, so that the order of arguments doesn't matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Deletes up to `limit` first answers from before a time (docs/spec/interface.md#idempotency). */
export const sweepAnswers = (db: Db, before: string, limit: number): Promise<number> =>
  db.run(sql`delete from idempotency_keys
    where tenant_id = ${db.tenant} and (credential_id, tool, key) in (
      select credential_id, tool, key from idempotency_keys
      where tenant_id = ${db.tenant} and created_at < ${before} limit ${limit})`)
