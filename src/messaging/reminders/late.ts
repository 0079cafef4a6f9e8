import { auditChange, type Actor } from '../../identity/audit.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { languageOf } from '../../platform/i18n/reader.ts'
import { findObjection } from '../outbox/consent.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { lowerBound, upperBound } from '../../platform/validation/formats/instants.ts'
import type { MessageChannel } from '../templates/kinds.ts'
import { findSubjectRecord, type SubjectRecord } from '../templates/subject_record.ts'
import { queueDraft } from '../templates/queue_draft.ts'
import { listRecipients, type Recipient } from '../templates/recipients.ts'
import { findMessageTemplate } from '../templates/templates.ts'

/** Returns whether a company notifies customers of delays. */
export const hasDelayNotices = async (db: Db): Promise<boolean> =>
  (
    await db.maybe<{ late_customers: boolean }>(
      sql`select late_customers from notice_settings where tenant_id = ${db.tenant}`,
    )
  )?.late_customers ?? false

/** Turns delay notices to customers on or off; owners only. */
export async function setDelayNotices(db: Db, by: NonNullable<Actor>, isOn: boolean): Promise<void> {
  await requireOwner(db, by)
  const before = await hasDelayNotices(db)
  await db.run(sql`insert into notice_settings (tenant_id, quote_answers, late_customers)
    values (${db.tenant}, true, ${isOn})
    on conflict (tenant_id) do update set late_customers = excluded.late_customers,
      updated_at = later_than(notice_settings.updated_at)`)
  await db.run(auditChange(db.tenant, by, 'companies.set_notices', db.tenant, { late_customers: [before, isOn] }))
}

/** Delay: who runs late, by how much and from which visit on, and the channels available. */
type Delay = {
  user: string
  job: { id: string; scheduled_start: string | null }
  minutes: number
  day: string
  zone: string
  channels: readonly MessageChannel[]
  baseUrl: string
}

/**
 * Queues a message to the customers of a technician's remaining visits of the day, from `job` on; returns how many
 * (docs/spec/field.md#running-late). Notifies once a day per visit, and skips customers who opted out.
 */
export async function notifyOfDelay(db: Db, delay: Delay): Promise<number> {
  let count = 0
  for (const { id } of await listRemainingVisits(db, delay)) {
    const record = await findSubjectRecord(db, 'jobs', id)
    const route = await findRoute(db, record, delay)
    if (
      route !== undefined &&
      (await claimDelayNotice(db, id, delay.day)) &&
      (await notifyCustomer(db, record, route, delay))
    )
      count++
  }
  return count
}

/** Maximum number of visits whose customers are notified. */
const MAX_VISITS = 12

const listRemainingVisits = (db: Db, { user, job, day, zone }: Delay): Promise<{ id: string }[]> =>
  db.all(sql`select j.id from jobs j join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
    where j.tenant_id = ${db.tenant} and ${user}::uuid = any(j.assignee_ids) and j.status in ('scheduled', 'en_route')
      and not j.all_day and c.archived_at is null
      and j.scheduled_start >= greatest(${lowerBound(zone, day)}::timestamptz, ${job.scheduled_start}::timestamptz)
      and j.scheduled_start < ${upperBound(zone, day)}
    order by j.scheduled_start, j.id limit ${MAX_VISITS}`)

type DeliveryRoute = { channel: MessageChannel; to: Recipient }

/** Returns the first usable route to a customer: texts before email, skipping opt-outs. */
async function findRoute(db: Db, record: SubjectRecord, { channels, user }: Delay): Promise<DeliveryRoute | undefined> {
  for (const channel of channels) {
    for (const to of (await listRecipients(db, record, channel)).slice(0, 5)) {
      if ((await findObjection(db, { channel, to: to.address, by: user })) === undefined) return { channel, to }
    }
  }
  return undefined
}

/** Returns the visits of a day whose customers were notified of a delay. */
export const listDelayNotices = async (db: Db, day: string): Promise<Set<string>> =>
  new Set(
    (
      await db.all<{ job_id: string }>(
        sql`select job_id from late_messages where tenant_id = ${db.tenant} and day = ${day}`,
      )
    ).map(({ job_id }) => job_id),
  )

/** Claims the delay notice of a visit; returns false if it was already claimed. */
export const claimDelayNotice = async (db: Db, job: string, day: string): Promise<boolean> =>
  (await db.maybe(
    sql`insert into late_messages (tenant_id, job_id, day) values (${db.tenant}, ${job}, ${day}) on conflict do nothing
      returning job_id`,
  )) !== undefined

async function notifyCustomer(
  db: Db,
  record: SubjectRecord,
  { channel, to }: DeliveryRoute,
  delay: Delay,
): Promise<boolean> {
  const template = await findMessageTemplate(db, {
    kind: 'running_late',
    channel,
    language: languageOf(record.language),
  })
  const own = record.crew.filter(({ user_id }) => user_id === delay.user)
  const letter = {
    kind: 'running_late',
    channel,
    to: to.address,
    toName: to.name,
    firstName: to.firstName,
    subject: template.subject ?? '',
    body: template.body,
    hasPdf: false,
    minutes: delay.minutes,
  } as const
  try {
    await queueDraft(db, { ...record, crew: own }, letter, { baseUrl: delay.baseUrl, cause: 'late', by: delay.user })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
