import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import type { PaymentKind } from '../billing/billing.ts'
import type { PaymentMethod } from '../payments/recorded_payments.ts'
import type { Ages } from './aging.ts'
import type { DayRange } from './sales.ts'

/** Maximum entries listed in a statement; earlier ones are summed up in one line. */
const MAX_STATEMENT_ENTRIES = 500

/** Maximum open invoices listed in a statement; its sums include all of them. */
const MAX_STATEMENT_INVOICES = 200

/** A change of a customer's balance: an invoice, its write-off or void, a payment or a refund. */
export type StatementEntry = {
  day: string
  kind: 'invoice' | 'write_off' | 'void' | PaymentKind
  method: PaymentMethod | null
  reference: string | null
  invoice_id: string
  display_number: string
  due_date: string
  /** Change of the balance: above 0 the customer owes more, below 0 less. */
  cents: number
  /** Balance after this entry. */
  balance_cents: number
}

/** An invoice with a balance at the end of a statement. */
export type OpenInvoice = {
  id: string
  display_number: string
  due_date: string
  /** Below 0 before it is due. */
  days_late: number
  cents: number
}

type StatementSums = Ages & {
  before_cents: number
  end_cents: number
  /** Amount paid beyond the amounts owed, such as on an invoice voided later. */
  credit_cents: number
  open_count: number
}

/** A customer's account statement for a date range, in cents (docs/spec/money.md#statements). */
export type Statement = {
  range: DayRange
  sums: StatementSums
  entries: StatementEntry[]
  /** The first entries of the range that were left out, if there are too many. */
  skipped: { count: number; cents: number }
  open: OpenInvoice[]
}

type StatementQuery = { customer: string; range: DayRange; today: string; timezone: string }

type StatementRows = { sums: StatementSums; latest: StatementEntry[]; count: number; open: OpenInvoice[] }

/**
 * Returns a customer's statement for a date range from the current ledger. Ages count to the last day of the range, or
 * to today if that is earlier. A single query, so that sums and lists are from one snapshot.
 */
export async function statementOf(db: Db, query: StatementQuery): Promise<Statement> {
  const { range } = query
  const { sums, latest, count, open } = await db.one<StatementRows>(sql`with ${balances(db, query)},
    running as (select e.*, (sum(cents) over (order by day, place, number, entry_id))::bigint as balance_cents
      from entries e where day <= ${range.to}),
    listed as (select * from running where day >= ${range.from})
    select (select to_json(s) from (${SUMS}) s) as sums,
      (select coalesce(json_agg(l), '[]') from (${LATEST}) l) as latest,
      (select count(*)::integer from listed) as count,
      (select coalesce(json_agg(o), '[]') from (${OPEN}) o) as open`)
  const entries = latest.toReversed()
  const [first] = entries
  const cents = first === undefined ? 0 : first.balance_cents - first.cents - sums.before_cents
  return { range, sums, entries, skipped: { count: count - entries.length, cents }, open }
}

const SUMS = sql`select coalesce(sum(before), 0)::bigint as before_cents, coalesce(sum(cents), 0)::bigint as end_cents,
      coalesce(0 - sum(cents) filter (where cents < 0), 0)::bigint as credit_cents,
      count(*) filter (where cents > 0)::integer as open_count,
      coalesce(sum(cents) filter (where cents > 0), 0)::bigint as balance_cents,
      coalesce(sum(cents) filter (where cents > 0 and days <= 0), 0)::bigint as current_cents,
      coalesce(sum(cents) filter (where cents > 0 and days between 1 and 30), 0)::bigint as to_30_cents,
      coalesce(sum(cents) filter (where cents > 0 and days between 31 and 60), 0)::bigint as to_60_cents,
      coalesce(sum(cents) filter (where cents > 0 and days between 61 and 90), 0)::bigint as to_90_cents,
      coalesce(sum(cents) filter (where cents > 0 and days > 90), 0)::bigint as over_90_cents
    from balances`

/** Query of the latest entries, newest first. */
const LATEST = sql`select day, kind, method, reference, invoice_id, display_number, due_date, cents, balance_cents
    from listed order by listed.day desc, place desc, number desc, entry_id desc limit ${MAX_STATEMENT_ENTRIES}`

const OPEN = sql`select id, display_number, due_date, days as days_late, cents::bigint as cents from balances
    where cents > 0 order by balances.due_date, number limit ${MAX_STATEMENT_INVOICES}`

/** Selects each invoice's balance at the end of the range. */
const balances = (db: Db, query: StatementQuery): Sql => sql`${entries(db, query)},
  sums as (select invoice_id, sum(cents) as cents, coalesce(sum(cents) filter (where day < ${query.range.from}), 0)
      as before
    from entries where day <= ${query.range.to} group by invoice_id),
  balances as (select i.id, i.number, i.display_number, i.due_date,
      least(${query.range.to}::date, ${query.today}::date) - i.due_date as days, s.cents, s.before
    from sums s join own i on i.id = s.invoice_id)`

/**
 * Selects the postings to the customer's receivable by day, as in the ledger. A void invoice has two that cancel out,
 * or none if it was voided as a draft. A write-off has no date of its own: it takes that of its status change, but not
 * before the last payment, which set the loss.
 */
const entries = (db: Db, { customer, timezone }: StatementQuery): Sql => sql`own as materialized (
    select i.id, i.number, i.display_number, i.status, i.issue_date, i.due_date, i.total_cents, i.amount_paid_cents,
      i.updated_at, (i.voided_at at time zone ${timezone})::date as void_day,
      i.status <> 'draft' and (i.status <> 'void' or i.sent_at is not null or i.paid_at is not null
        or exists (select 1 from payments p where p.tenant_id = ${db.tenant} and p.invoice_id = i.id)) as is_issued
    from invoices i where i.tenant_id = ${db.tenant} and i.customer_id = ${customer}),
  paid as materialized (select p.id, p.invoice_id, p.paid_on, p.kind, p.method, p.reference, p.amount_cents
    from own i join payments p on p.tenant_id = ${db.tenant} and p.invoice_id = i.id),
  postings as (
    select id as invoice_id, id as entry_id, issue_date as day, 1 as place, 'invoice' as kind, null as method,
      null as reference, total_cents as cents
    from own where is_issued
    union all
    select invoice_id, id, paid_on, 2, kind, method, reference, 0 - amount_cents from paid
    union all
    select i.id, i.id, greatest(i.issue_date, (select max(paid_on) from paid where invoice_id = i.id), coalesce(
        (select max(a.at) from audit a where a.tenant_id = ${db.tenant} and a.record_id = i.id
          and a.changed -> 'status' ->> 1 = 'uncollectible'), i.updated_at) at time zone ${timezone})::date,
      3, 'write_off', null, null, i.amount_paid_cents - i.total_cents
    from own i where i.status = 'uncollectible'
    union all
    select id, id, greatest(issue_date, void_day), 4, 'void', null, null, 0 - total_cents
    from own where status = 'void' and is_issued),
  entries as (select p.*, i.number, i.display_number, i.due_date from postings p join own i on i.id = p.invoice_id
    where p.cents <> 0)`
