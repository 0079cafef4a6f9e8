import { ECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isValidSession } from '../../identity/sign_in/sessions.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { choice } from '../../platform/validation/fields.ts'
import { newId } from '../../platform/validation/id.ts'
import { CURVE, type PushKeys } from './encryption.ts'
import { PUSH_KINDS, type PushKind } from './kinds.ts'

/** Maximum browsers per person and company; the oldest is removed. */
const MAX_DEVICES = 10
const MAX_ENDPOINT_LENGTH = 1000

/** Returns a schema for base64url data of exactly `count` bytes. */
const bytes = (count: number) =>
  z
    .string()
    .max(2 * count)
    .regex(/^[A-Za-z0-9_-]+={0,2}$/)
    .transform((text) => Buffer.from(text, 'base64url'))
    .refine(({ length }) => length === count)

/** Schema of a browser's push subscription (W3C Push API) and the kinds it wants. */
export const subscriptionInput = z.strictObject({
  endpoint: z.string().max(MAX_ENDPOINT_LENGTH).refine(isEndpoint),
  p256dh: bytes(65).refine(isPoint),
  auth: bytes(16),
  kinds: z.array(choice(...PUSH_KINDS)).max(PUSH_KINDS.length),
})

export type PushSubscription = z.output<typeof subscriptionInput>

/** Accepts an https URL with a host name; sending checks that the host is public. */
function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 && /\.[a-z]/.test(url.hostname)
}

function isPoint(key: Buffer): boolean {
  try {
    return ECDH.convertKey(key, CURVE, undefined, undefined, 'uncompressed').length === key.length
  } catch {
    return false
  }
}

/** Owner of a browser: the user, their session, and the browser's name for itself. */
type DeviceOwner = { user: string; session: string; device: string | null }

/** Saves a browser's subscription; replaces any earlier one, even another user's. */
export async function saveDevice(
  db: Db,
  { user, session, device }: DeviceOwner,
  { endpoint, p256dh, auth }: PushKeys & { endpoint: string },
  kinds: readonly PushKind[],
): Promise<void> {
  await db.run(sql`select from members where tenant_id = ${db.tenant} and user_id = ${user} for no key update`)
  await db.run(sql`
    insert into push_devices (tenant_id, id, user_id, session_id, endpoint, p256dh, auth, kinds, device)
    values (${db.tenant}, ${newId()}, ${user}, ${session}, ${endpoint}, ${p256dh}, ${auth}, ${[...kinds]}, ${device})
    on conflict (tenant_id, endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
      p256dh = excluded.p256dh, auth = excluded.auth, kinds = excluded.kinds, device = excluded.device,
      created_at = excluded.created_at`)
  await db.run(sql`delete from push_devices where tenant_id = ${db.tenant} and id in (
    select id from push_devices where tenant_id = ${db.tenant} and user_id = ${user}
    order by created_at desc, id offset ${MAX_DEVICES})`)
}

/** Browser as its owner sees it. */
export type PushDevice = { id: string; device: string | null; kinds: PushKind[]; created_at: string }

/** Lists the browsers in which a person is still signed in, newest first. */
export const listDevices = (db: Db, user: string): Promise<(PushDevice & { endpoint: string })[]> =>
  db.all(sql`select d.id, d.device, d.kinds, d.created_at, d.endpoint from push_devices d
    join sessions s on s.id = d.session_id and s.user_id = d.user_id
    where d.tenant_id = ${db.tenant} and d.user_id = ${user} and ${isValidSession}
    order by d.created_at desc, d.id`)

/** Removes a person's browser, by id or by push endpoint. */
export const removeDevice = (db: Db, user: string, device: { id: string } | { endpoint: string }): Promise<number> =>
  db.run(sql`delete from push_devices where tenant_id = ${db.tenant} and user_id = ${user}
    and ${'id' in device ? sql`id = ${device.id}` : sql`endpoint = ${device.endpoint}`}`)

/** Removes browsers whose session has ended. */
export const sweepDevices = (db: Db): Promise<number> =>
  db.run(sql`delete from push_devices d where d.tenant_id = ${db.tenant} and d.session_id not in (
    select s.id from sessions s where ${isValidSession})`)
