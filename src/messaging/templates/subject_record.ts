import { ENTERED_TENANT, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { arrivalWindowOf } from '../../scheduling/hours.ts'
import type { RecordTopic, Topic } from './kinds.ts'

/** Record that a message is about, and its customer. */
export type SubjectRecord = {
  topic: Topic
  id: string
  number: string | null
  /** Title of a job or quote, subject of an invoice, or name of a plan. */
  work: string | null
  status: string
  updated_at: string
  /** Owner of a quote; null for other records. */
  owner_id: string | null
  customer_id: string
  customer_name: string
  first_name: string | null
  language: string | null
  is_archived: boolean
  contact_id: string | null
  address: string | null
  currency: string
  total_cents: number
  balance_cents: number
  paid_cents: number
  /** Date in the message: due date, expiration or end of plan. */
  day: string | null
  starts_at: string | null
  all_day: boolean
  window_minutes: number
  crew: { user_id: string; name: string }[]
  company: { name: string; timezone: string; country: string }
}

const NONE = {
  number: sql`null`,
  owner_id: sql`null::uuid`,
  contact_id: sql`null::uuid`,
  address: sql`null`,
  currency: sql`t.currency`,
  total: sql`0`,
  balance: sql`0`,
  paid: sql`0`,
  day: sql`null::date`,
  starts_at: sql`null::timestamptz`,
  all_day: sql`false`,
  window: sql`0`,
  crew: sql`'[]'::json`,
}

/** Columns of each topic; `r` is the record, `t` the company. */
const COLUMNS: Readonly<Record<RecordTopic, { from: Sql; work: Sql } & { [Name in keyof typeof NONE]: Sql }>> = {
  invoices: {
    ...NONE,
    from: sql`invoices`,
    number: sql`r.display_number`,
    work: sql`r.subject`,
    contact_id: sql`r.contact_id`,
    address: sql`r.location_address`,
    currency: sql`r.currency`,
    total: sql`r.total_cents`,
    balance: sql`r.balance_due_cents`,
    paid: sql`r.amount_paid_cents`,
    day: sql`r.due_date`,
  },
  quotes: {
    ...NONE,
    from: sql`quotes`,
    number: sql`r.display_number`,
    work: sql`r.title`,
    owner_id: sql`r.owner_id`,
    contact_id: sql`r.contact_id`,
    address: sql`r.location_address`,
    total: sql`r.total_cents`,
    day: sql`r.valid_until`,
  },
  jobs: {
    ...NONE,
    from: sql`jobs`,
    number: sql`r.display_number`,
    work: sql`r.title`,
    contact_id: sql`r.contact_id`,
    address: sql`r.location_address`,
    starts_at: sql`r.scheduled_start`,
    all_day: sql`r.all_day`,
    window: arrivalWindowOf(sql`r.arrival_window_minutes`),
    crew: sql`crew(r.assignee_ids)`,
  },
  plans: {
    ...NONE,
    from: sql`plans`,
    work: sql`r.name`,
    address: sql`(select formatted_address from locations l
      where l.tenant_id = ${ENTERED_TENANT} and l.id = r.location_id)`,
    currency: sql`r.currency`,
    total: sql`r.total_cents`,
    day: sql`r.end_date`,
  },
}

const SINGULAR: Readonly<Record<RecordTopic, string>> = {
  invoices: 'invoice',
  quotes: 'quote',
  jobs: 'job',
  plans: 'plan',
}

/** Returns the subject record of a message. */
export async function findSubjectRecord(db: Db, topic: RecordTopic, id: string): Promise<SubjectRecord> {
  const c = COLUMNS[topic]
  const row = await db.present<
    Omit<SubjectRecord, 'topic' | 'company'> & Record<'company_name' | 'timezone' | 'country', string>
  >(
    sql`select r.id, ${c.number} as number, ${c.work} as work, r.status, r.updated_at, ${c.owner_id} as owner_id,
        r.customer_id, c.display_name as customer_name, c.preferred_language as language, coalesce((
        select k.first_name from contacts k
        where k.tenant_id = ${db.tenant} and k.id = ${c.contact_id} and k.archived_at is null),
        c.first_name) as first_name,
      c.archived_at is not null as is_archived, ${c.contact_id} as contact_id, ${c.address} as address,
      ${c.currency} as currency,
      ${c.total} as total_cents, ${c.balance} as balance_cents, ${c.paid} as paid_cents, ${c.day} as day,
      ${c.starts_at} as starts_at, ${c.all_day} as all_day, ${c.window} as window_minutes, ${c.crew} as crew,
      t.name as company_name, t.timezone, t.country
    from ${c.from} r join customers c on c.tenant_id = r.tenant_id and c.id = r.customer_id
    join tenants t on t.id = r.tenant_id
    where r.tenant_id = ${db.tenant} and r.id = ${id}`,
    SINGULAR[topic],
  )
  const { company_name, timezone, country, ...record } = row
  return { ...record, topic, company: { name: company_name, timezone, country } }
}

/** Returns the subject record and locks it until the transaction ends. */
export async function lockSubjectRecord(db: Db, topic: RecordTopic, id: string): Promise<SubjectRecord> {
  await db.run(
    sql`select id from ${COLUMNS[topic].from} where tenant_id = ${db.tenant} and id = ${id} for no key update`,
  )
  return findSubjectRecord(db, topic, id)
}
