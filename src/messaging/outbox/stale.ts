import { raw } from '../../platform/db/database.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { hasPendingPayment } from '../../records/invoices/index.ts'
import type { CheckedMessage } from './outgoing.ts'

type Cause = CheckedMessage['cause']
type About = NonNullable<CheckedMessage['about']>

/** Reason to drop a queued message: its record changed, or it would arrive too late. */
type StaleReason = 'overtaken' | 'too_late'

type StaleRule = {
  from: Sql
  /** Facts of the record `r` that the text states. */
  facts: Sql
  /** Conditions per cause that make a message outdated, regardless of its text. */
  staleConditions: Readonly<Partial<Record<Cause, Sql>>>
}

const isEnded = sql`r.status in ('cancelled', 'done')`

const RECORDS: Readonly<Partial<Record<About['kind'], StaleRule>>> = {
  invoices: {
    from: raw('invoices'),
    facts: sql`jsonb_build_object('total', r.total_cents, 'balance', r.balance_due_cents)`,
    staleConditions: {
      sent: sql`r.status in ('draft', 'void')`,
      receipt: sql`r.status = 'void'`,
      autopay: sql`r.status not in ('sent', 'partially_paid') or r.balance_due_cents::text <> o.facts ->> 'balance'`,
      reminder: sql`r.status not in ('sent', 'partially_paid') or r.disputed
          or r.balance_due_cents::text <> o.facts ->> 'balance' or ${hasPendingPayment(sql`r.id`)}`,
    },
  },
  quotes: {
    from: raw('quotes'),
    facts: sql`jsonb_build_object('total', r.total_cents)`,
    staleConditions: { sent: sql`r.status not in ('sent', 'accepted')`, reminder: sql`r.status <> 'sent'` },
  },
  jobs: {
    from: raw('jobs'),
    facts: sql`jsonb_build_object('start', extract(epoch from r.scheduled_start))`,
    staleConditions: {
      sent: isEnded,
      on_my_way: isEnded,
      late: isEnded,
      reminder: sql`r.status <> 'scheduled' or r.scheduled_start < moment()`,
    },
  },
  plans: {
    from: raw('plans'),
    facts: sql`jsonb_build_object('end', r.end_date)`,
    staleConditions: { reminder: sql`r.status <> 'active'` },
  },
}

/** Fact that only the conditions above check: an invoice partly paid since may still be sent. */
const UNCOMPARED_FACT = sql`'balance'`

/** Returns the facts that a message states about its record, to store with it. */
export async function findRecordFacts(db: Db, { about }: Pick<CheckedMessage, 'about'>): Promise<object | null> {
  const record = about === null ? undefined : RECORDS[about.kind]
  if (about === null || record === undefined) return null
  const row = await db.maybe<{ facts: object }>(
    sql`select ${record.facts} as facts from ${record.from} r where r.tenant_id = ${db.tenant} and r.id = ${about.id}`,
  )
  return row?.facts ?? null
}

/**
 * Returns why a message must not be sent: its text is no longer true or no longer useful
 * (docs/spec/outbox.md#outdated-messages).
 */
export async function findStaleReason(
  db: Db,
  { id, cause, about_kind }: { id: string; cause: Cause; about_kind: About['kind'] | null },
): Promise<StaleReason | undefined> {
  const record = about_kind === null ? undefined : RECORDS[about_kind]
  const staleCondition = record?.staleConditions[cause]
  if (record === undefined || staleCondition === undefined) return undefined
  const row = await db.maybe<{ reason: StaleReason | null }>(sql`select case
      when o.cause in ('on_my_way', 'late') and o.created_at < moment() - interval '15 minutes' then 'too_late'
      when ${staleCondition} or o.facts - ${UNCOMPARED_FACT} is distinct
        from ${record.facts} - ${UNCOMPARED_FACT} then 'overtaken' end as reason
    from outbox o join ${record.from} r on r.tenant_id = o.tenant_id and r.id = o.about_id
    where o.tenant_id = ${db.tenant} and o.id = ${id} and o.facts is not null`)
  return row?.reason ?? undefined
}
