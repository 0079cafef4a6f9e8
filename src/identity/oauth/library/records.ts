import { createHash } from 'node:crypto'
import { rowsOf, sql, type Send } from '../../../platform/db/database.ts'

/** Kinds of protocol state kept between requests. Each has its own secrets. */
export type RecordKind = 'Interaction' | 'AuthorizationCode' | 'RefreshToken'

type Payload = Record<string, unknown>

type ProtocolRecord = { payload: Payload; consumed_at: string | null; consumed_for: number | null; expires_at: string }

/** Returns the hash that a record is stored under. The secret itself is stored nowhere. */
export const recordHash = (kind: RecordKind, secret: string): Buffer =>
  createHash('sha256').update(`${kind} ${secret}`).digest()

export async function saveRecord(
  send: Send,
  kind: RecordKind,
  secret: string,
  payload: Payload,
  browser: Buffer | null,
): Promise<void> {
  const expires = new Date(Number(payload['exp']) * 1000).toISOString()
  await send([
    sql`
    insert into oauth_records (hash, kind, payload, authorization_id, browser, expires_at)
    values (${recordHash(kind, secret)}, ${kind}, ${JSON.stringify(payload)}::jsonb, ${payload['grantId'] ?? null},
      ${browser}, ${expires})
    on conflict (hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
  ])
}

/** Locks and returns a record, so that of concurrent requests with one secret the second sees the first's changes. */
export async function lockRecord(send: Send, kind: RecordKind, secret: string): Promise<ProtocolRecord | undefined> {
  const [row] = await rowsOf(
    send,
    sql<ProtocolRecord>`
    select payload, consumed_at, extract(epoch from clock_timestamp() - consumed_at)::float8 as consumed_for, expires_at
    from oauth_records where hash = ${recordHash(kind, secret)} and kind = ${kind} for update`,
  )
  return row
}

/** Consumes a record; returns true if this call did it. */
export async function consumeRecord(send: Send, kind: RecordKind, secret: string): Promise<boolean> {
  const [answer] = await send([
    sql`
    update oauth_records set consumed_at = moment() where hash = ${recordHash(kind, secret)} and consumed_at is null`,
  ])
  return answer.count === 1
}

/** Records that the end of a session was reported to the refresh token's holder; returns true if this call did it. */
export async function markEndReported(send: Send, refreshToken: string): Promise<boolean> {
  const [answer] = await send([
    sql`
    update oauth_records set told_at = moment()
    where hash = ${recordHash('RefreshToken', refreshToken)} and told_at is null`,
  ])
  return answer.count === 1
}

/** Extends a refresh token that is in use, at most to the end of its authorization. */
export const extendRefreshToken = (send: Send, refreshToken: string, until: Date): Promise<unknown> =>
  send([
    sql`
  update oauth_records set expires_at = ${until.toISOString()}
  where hash = ${recordHash('RefreshToken', refreshToken)}`,
  ])

export const deleteRecord = (send: Send, kind: RecordKind, secret: string): Promise<unknown> =>
  send([sql`delete from oauth_records where hash = ${recordHash(kind, secret)}`])
