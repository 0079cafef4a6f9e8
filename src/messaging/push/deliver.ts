import { createHash } from 'node:crypto'
import { openPublic, type Network } from '../../identity/public_request.ts'
import { ceilingOf, scopesUnder, type Ceiling, type Role } from '../../identity/permissions/areas.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import { isValidSession } from '../../identity/sign_in/sessions.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import { encryptPush, type PushKeys } from './encryption.ts'
import { kindsFor, type PushKind } from './kinds.ts'
import type { Vapid } from './vapid.ts'

/** Name of the task that sends a company's push messages. */
export const PUSH_TASK = 'push'

/** Maximum companies and rows per run, and minutes after which a push message is dropped as stale. */
const [MAX_COMPANIES, MAX_TASKS, STALE_MINUTES] = [200, 500, 30]

/** Selects the companies with push messages due now. */
export const selectDueCompanies = (now: Temporal.Instant): Sql<{ tenant_id: string }> =>
  sql`select distinct tenant_id from push_tasks where next_at <= ${utc(now)} limit ${MAX_COMPANIES}`

/** Schedules a company's push messages. */
export const requestPushes = (tenant: string): Sql => sql`select ask_chore(${tenant}, ${PUSH_TASK})`

/** Push message to one browser; `tasks` are the events it covers. */
type DuePush = PushKeys & { device: string; endpoint: string; kind: PushKind; attempts: number; tasks: string[] }

type Member = { role: Role; ceiling: Ceiling }
type DueRow = DuePush & { is_late: boolean; member: Member | null }

/**
 * Returns the due messages, one per browser and kind. Drops stale ones, those the member may no longer see, and
 * browsers without a valid session or membership.
 */
export async function takeDuePushes(db: Db, now: Temporal.Instant): Promise<DuePush[]> {
  const rows = await db.all<DueRow>(sql`
    select t.device_id as device, d.endpoint, d.p256dh, d.auth, t.kind, max(t.attempts) as attempts,
      array_agg(t.id) as tasks,
      max(t.created_at) < ${utc(now.subtract({ minutes: STALE_MINUTES }))} as is_late,
      case when s.id is not null and m.role is not null
        then jsonb_build_object('role', m.role, 'ceiling', m.ceiling) end as member
    from (select id, device_id, kind, attempts, created_at from push_tasks
        where tenant_id = ${db.tenant} and next_at <= ${utc(now)} order by next_at limit ${MAX_TASKS}) t
      left join push_devices d on d.tenant_id = ${db.tenant} and d.id = t.device_id
      left join members m on m.tenant_id = ${db.tenant} and m.user_id = d.user_id and m.deactivated_at is null
      left join sessions s on s.id = d.session_id and s.user_id = d.user_id and ${isValidSession}
    group by t.device_id, d.endpoint, d.p256dh, d.auth, t.kind, s.id, m.role, m.ceiling`)
  const due = rows.filter((row) => !row.is_late && mayReceive(row))
  const dropped = rows.filter((row) => !due.includes(row))
  await removeTasks(db, dropped)
  await removeDevices(
    db,
    dropped.flatMap(({ device, member }) => (member === null ? [device] : [])),
  )
  return due
}

const mayReceive = ({ kind, member }: DueRow): boolean =>
  member !== null && kindsFor({ role: member.role, scopes: scopesOf(member) }).includes(kind)

const scopesOf = ({ role, ceiling }: Member): Set<Scope> =>
  scopesUnder(role === 'owner' ? ceilingOf('owner', undefined) : ceiling)

const removeDevices = async (db: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await db.run(sql`delete from push_devices where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[])`)
}

const removeTasks = async (db: Db, pushes: readonly Pick<DuePush, 'tasks'>[]): Promise<void> => {
  const ids = pushes.flatMap(({ tasks }) => tasks)
  if (ids.length > 0)
    await db.run(sql`delete from push_tasks where tenant_id = ${db.tenant} and id = any(${ids}::uuid[])`)
}

/** Result of a push message: sent, browser gone, refused, or to be retried after a number of seconds. */
type PushResult = 'sent' | 'gone' | 'refused' | { retrySeconds: number }

/** Timeout of a push service in milliseconds, and seconds it keeps a message for a browser that is off (TTL). */
const [TIMEOUT_MS, TTL_SECONDS] = [10_000, 4 * 3600]

const MAX_RETRY_SECONDS = 600

/** Sends a message to the browser's push service. It names only the company and the kind of event, no content. */
export async function sendPush(
  { network, vapid }: { network: Network; vapid: Vapid },
  tenant: string,
  { endpoint, kind, attempts, ...keys }: DuePush,
  now: Temporal.Instant,
): Promise<PushResult> {
  const retry = { retrySeconds: Math.min(MAX_RETRY_SECONDS, 5 * 2 ** attempts) }
  const url = new URL(endpoint)
  const response = await openPublic(network, url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    method: 'POST',
    headers: {
      authorization: vapid.authorization(url, now),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(TTL_SECONDS),
      // A later message of this kind replaces one still waiting for the browser (RFC 8030, section 5.4).
      topic: createHash('sha256').update(`${tenant} ${kind}`).digest('base64url').slice(0, 32),
      urgency: 'high',
    },
    body: encryptPush(Buffer.from(JSON.stringify({ company: tenant, kind })), keys),
  }).catch(() => null)
  if (response === null) return retry
  response.destroy()
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  if (status !== 429 && status < 500) return 'refused'
  const seconds = Number(response.headers['retry-after'])
  return seconds > 0 ? { retrySeconds: Math.min(MAX_RETRY_SECONDS, seconds) } : retry
}

/** Records the result of a message. */
export async function settlePush(db: Db, due: DuePush, result: PushResult, now: Temporal.Instant): Promise<void> {
  if (typeof result === 'string') {
    await removeTasks(db, [due])
    if (result === 'gone') await removeDevices(db, [due.device])
    return
  }
  await db.run(sql`update push_tasks set attempts = attempts + 1,
    next_at = ${utc(now.add({ seconds: result.retrySeconds }))}
    where tenant_id = ${db.tenant} and id = any(${due.tasks}::uuid[])`)
}

/** Deletes old tasks that are never sent because the installation has no key. */
export const sweepPushes = (db: Db, now: Temporal.Instant): Promise<number> =>
  db.run(sql`delete from push_tasks
    where tenant_id = ${db.tenant} and created_at < ${utc(now.subtract({ hours: 24 }))}`)
