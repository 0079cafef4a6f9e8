import { sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'
import { announcePaymentEvent } from '../payments/announcements.ts'

/** Effects of the payments provider's events on an invoice, for its history. */
type Activity =
  | 'invoices.payment_received'
  | 'invoices.payment_refunded'
  | 'invoices.payment_failed'
  | 'invoices.payment_pending'
  | 'invoices.refund_failed'
  | 'invoices.dispute_opened'
  | 'invoices.dispute_won'
  | 'invoices.dispute_lost'
  | 'invoices.dispute_closed'

/** Actor of these entries in the history; they have no user and no credential. */
const PROVIDER = 'payments provider'

/** Fields of an invoice that events may change. */
export type InvoiceState = { status: string; amount_paid_cents: number; disputed: boolean }

type Facts = Readonly<Record<string, unknown>>

/** Adds an event to the invoice's history: the changed fields, and the new facts it reports. */
export async function recordActivity(
  db: Db,
  invoice: string,
  activity: Activity,
  before: InvoiceState,
  facts: Facts,
): Promise<void> {
  const after = await db.one<InvoiceState>(
    sql`select status, amount_paid_cents, disputed from invoices where tenant_id = ${db.tenant} and id = ${invoice}`,
  )
  const changedFields = (Object.keys(after) as (keyof InvoiceState)[])
    .filter((field) => after[field] !== before[field])
    .map((field) => [field, [before[field], after[field]]])
  const factChanges = Object.entries(facts)
    .filter(([, value]) => value != null)
    .map(([field, value]) => [field, [null, value]])
  await db.run(sql`insert into audit (tenant_id, id, client, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${PROVIDER}, ${activity}, 'invoice', ${invoice},
      ${JSON.stringify(Object.fromEntries([...changedFields, ...factChanges]))})`)
  await announcePaymentEvent(db, invoice, activity, facts)
}

/**
 * Records a failed payment, which changes nothing. An attempt is reported by its charge and by its intent, and recorded
 * once.
 */
export async function recordFailure(
  db: Db,
  invoice: string,
  before: InvoiceState,
  facts: Facts & { attempt: string },
): Promise<boolean> {
  const recordedActivity =
    await db.maybe(sql`select from audit where tenant_id = ${db.tenant} and record_id = ${invoice}
    and tool = ${'invoices.payment_failed' satisfies Activity} and changed -> 'attempt' ->> 1 = ${facts.attempt}
    limit 1`)
  if (recordedActivity !== undefined) return false
  await recordActivity(db, invoice, 'invoices.payment_failed', before, facts)
  return true
}
