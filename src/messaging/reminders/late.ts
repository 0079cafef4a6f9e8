import { audited, type Actor } from '../../identity/audit.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { languageOf } from '../../platform/i18n/reader.ts'
import { objectionTo } from '../outbox/consent.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { boundFrom, boundTo } from '../../platform/validation/formats/instants.ts'
import type { MessageChannel } from '../templates/kinds.ts'
import { findMatter, type Matter } from '../templates/matter.ts'
import { post } from '../templates/post.ts'
import { recipientsOf, type Recipient } from '../templates/recipients.ts'
import { templateOf } from '../templates/templates.ts'

/** Tells whether a company's customers are told when a technician runs late. */
export const tellsOfDelays = async (db: Db): Promise<boolean> =>
  (
    await db.maybe<{ late_customers: boolean }>(
      sql`select late_customers from notice_settings where tenant_id = ${db.tenant}`,
    )
  )?.late_customers ?? false

/** Keeps whether customers are told of delays, as an owner wants it. */
export async function setDelays(db: Db, by: NonNullable<Actor>, tells: boolean): Promise<void> {
  await requireOwner(db, by)
  const before = await tellsOfDelays(db)
  await db.run(sql`insert into notice_settings (tenant_id, quote_answers, late_customers) values (${db.tenant}, true, ${tells})
    on conflict (tenant_id) do update set late_customers = excluded.late_customers, updated_at = later_than(notice_settings.updated_at)`)
  await db.run(audited(db.tenant, by, 'companies.set_notices', db.tenant, { late_customers: [before, tells] }))
}

/** Says who runs late, by how much, from which visit on, and what messages can go by. */
export type Delay = {
  user: string
  job: { id: string; scheduled_start: string | null }
  minutes: number
  day: string
  zone: string
  channels: readonly MessageChannel[]
  baseUrl: string
}

/**
 * Queues a message for the customers of somebody's visits of the day that haven't begun, from this one on, and returns for how
 * many (docs/spec/field.md#running-late). Each visit is told of once a day; whoever wants no messages is left out.
 */
export async function tellOfDelay(db: Db, delay: Delay): Promise<number> {
  let told = 0
  for (const { id } of await visitsAhead(db, delay)) {
    const matter = await findMatter(db, 'jobs', id)
    const way = await wayTo(db, matter, delay)
    if (way !== undefined && (await isFirst(db, id, delay.day)) && (await isTold(db, matter, way, delay))) told++
  }
  return told
}

/** Is the most visits whose customers are told. */
const MOST_VISITS = 12

const visitsAhead = (db: Db, { user, job, day, zone }: Delay): Promise<{ id: string }[]> =>
  db.all(sql`select j.id from jobs j join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
    where j.tenant_id = ${db.tenant} and ${user}::uuid = any(j.assignee_ids) and j.status in ('scheduled', 'en_route')
      and not j.all_day and c.archived_at is null
      and j.scheduled_start >= greatest(${boundFrom(zone, day)}::timestamptz, ${job.scheduled_start}::timestamptz)
      and j.scheduled_start < ${boundTo(zone, day)}
    order by j.scheduled_start, j.id limit ${MOST_VISITS}`)

type Way = { channel: MessageChannel; to: Recipient }

/** Returns the first way by which a customer can be told: a text before a mail, and nobody who wants none. */
async function wayTo(db: Db, matter: Matter, { channels, user }: Delay): Promise<Way | undefined> {
  for (const channel of channels) {
    for (const to of (await recipientsOf(db, matter, channel)).slice(0, 5)) {
      if ((await objectionTo(db, { channel, to: to.address, by: user })) === undefined) return { channel, to }
    }
  }
  return undefined
}

const isFirst = async (db: Db, job: string, day: string): Promise<boolean> =>
  (await db.maybe(
    sql`insert into late_messages (tenant_id, job_id, day) values (${db.tenant}, ${job}, ${day}) on conflict do nothing returning job_id`,
  )) !== undefined

async function isTold(db: Db, matter: Matter, { channel, to }: Way, delay: Delay): Promise<boolean> {
  const words = await templateOf(db, { kind: 'running_late', channel, language: languageOf(matter.language) })
  const own = matter.crew.filter(({ user_id }) => user_id === delay.user)
  const letter = {
    kind: 'running_late',
    channel,
    to: to.address,
    toName: to.name,
    firstName: to.firstName,
    subject: words.subject ?? '',
    body: words.body,
    hasPdf: false,
    minutes: delay.minutes,
  } as const
  try {
    await post(db, { ...matter, crew: own }, letter, { baseUrl: delay.baseUrl, cause: 'late', by: delay.user })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
