import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import type { BookedDocument } from '../../money/posting.ts'
import { bookedColumns, type BookedInvoice } from '../../records/invoices/index.ts'
import type { ProgramName } from '../program.ts'

/** A company at a program, under which its records are stored. */
export type BooksKey = { program: ProgramName; organization: string }

/** An invoice; `version` is the time of its last change in milliseconds. */
export type InvoiceSource = BookedInvoice & { customer_id: string; version: number }

const VERSION = sql`(extract(epoch from i.updated_at) * 1000)::bigint`

/** Returns the invoices that match a condition, by issue date. */
const listInvoices = (db: Db, where: Sql, limit: number): Promise<InvoiceSource[]> =>
  db.all<InvoiceSource>(sql`select ${bookedColumns(db)}, i.customer_id, ${VERSION} as version
    from invoices i where i.tenant_id = ${db.tenant} and ${where}
    order by i.issue_date, i.created_at, i.id limit ${limit}`)

export const findInvoiceSource = async (db: Db, id: string): Promise<InvoiceSource | undefined> =>
  (await listInvoices(db, sql`i.id = ${id}`, 1))[0]

/** Condition for invoices in the books, the same as in the ledger. */
const IN_BOOKS = sql`i.status not in ('draft', 'void') and (i.subtotal_cents, i.total_cents) <> (0, 0)`

export const isInLedger = ({ status, subtotal_cents, total_cents }: InvoiceSource): boolean =>
  status !== 'draft' && status !== 'void' && (subtotal_cents !== 0 || total_cents !== 0)

/** Returns invoices in the books from a day on, after the given one. */
export const listBookedInvoices = (
  db: Db,
  from: string,
  after: InvoiceSource | undefined,
  limit: number,
): Promise<InvoiceSource[]> =>
  listInvoices(
    db,
    sql`i.issue_date >= ${from} and ${IN_BOOKS} ${
      after === undefined
        ? sql``
        : sql`and (i.issue_date, i.created_at, i.id) > (select a.issue_date, a.created_at, a.id from invoices a
            where a.tenant_id = ${db.tenant} and a.id = ${after.id})`
    }`,
    limit,
  )

const joinRecord = (alias: Sql, { program, organization }: BooksKey, kind: string, id: Sql): Sql =>
  sql`left join books_records ${alias} on ${alias}.tenant_id = i.tenant_id and ${alias}.program = ${program}
    and ${alias}.organization = ${organization} and ${alias}.kind = ${kind} and ${alias}.record = ${id}`

type Ids = { id: string }[]

/** Returns invoices to send, send again or cancel. */
export const invoicesDue = (db: Db, key: BooksKey, from: string, limit: number): Promise<Ids> =>
  db.all(sql`select i.id from invoices i ${joinRecord(sql`r`, key, 'invoice', sql`i.id`)}
    where i.tenant_id = ${db.tenant} and i.issue_date >= ${from} and case when ${IN_BOOKS}
      then r.record is null or r.state in ('due', 'sending', 'cancelled') or r.version <> ${VERSION}
      else r.record is not null and r.state <> 'cancelled'
        and (r.state in ('due', 'sending') or r.version <> ${VERSION}) end
    order by i.issue_date, i.number limit ${limit}`)

/** A payment row of an invoice. */
export type PaymentSource = {
  id: string
  invoice_id: string
  display_number: string
  customer_id: string
  currency: string
  paid_on: string
  amount_cents: number
  kind: string
  reference: string | null
  /** The program's ids of the invoice and its customer; null if the invoice isn't there and won't be. */
  invoice: string | null
  customer: string | null
}

/** FROM clause for payments with their invoice and their reversal. */
const PAYMENTS = sql`from payments p join invoices i on i.tenant_id = p.tenant_id and i.id = p.invoice_id
    left join payments b on b.tenant_id = p.tenant_id and b.takes_back = p.id`

/** Condition for payments that count: a reversed payment and its reversal count as never made. */
const COUNTED = sql`p.amount_cents <> 0 and p.kind <> 'taken_back' and b.id is null`

/** Returns payments and refunds to send, of invoices that are at the program or never will be. */
export const paymentsDue = (db: Db, key: BooksKey, from: string, limit: number): Promise<PaymentSource[]> =>
  db.all<PaymentSource>(sql`select p.id, p.invoice_id, i.display_number, i.customer_id, i.currency, p.paid_on,
      p.amount_cents, p.kind, p.reference, ri.remote as invoice, ri.customer
    ${PAYMENTS} ${joinRecord(sql`ri`, key, 'invoice', sql`i.id`)}
    left join books_records r on r.tenant_id = i.tenant_id and r.program = ${key.program}
      and r.organization = ${key.organization} and r.record = p.id and r.kind in ('payment', 'refund')
    where p.tenant_id = ${db.tenant} and i.tenant_id = ${db.tenant} and i.issue_date >= ${from} and ${COUNTED}
      and (ri.remote is not null or (coalesce(ri.state, 'cancelled') = 'cancelled' and not (${IN_BOOKS})))
      and (r.record is null or r.state in ('due', 'sending', 'cancelled'))
    order by p.paid_on, p.id limit ${limit}`)

/** A tip or its refund. */
export type TipSource = Pick<PaymentSource, 'id' | 'display_number' | 'currency' | 'paid_on' | 'amount_cents'>

const TIPS = sql`from tips t join invoices i on i.tenant_id = t.tenant_id and i.id = t.invoice_id`

/** Returns tips to send, of invoices from a day on. */
export const tipsDue = (db: Db, key: BooksKey, from: string, limit: number): Promise<TipSource[]> =>
  db.all<TipSource>(sql`select t.id, i.display_number, i.currency, t.paid_on, t.amount_cents
    ${TIPS} ${joinRecord(sql`r`, key, 'tip', sql`t.id`)}
    where t.tenant_id = ${db.tenant} and i.tenant_id = ${db.tenant} and i.issue_date >= ${from}
      and (r.record is null or r.state in ('due', 'sending', 'cancelled'))
    order by t.paid_on, t.id limit ${limit}`)

/** Returns sent payments, refunds and write-offs that no longer exist here, or whose amount changed. */
export const recordsToCancel = (
  db: Db,
  { program, organization }: BooksKey,
  limit: number,
): Promise<{ kind: 'payment' | 'refund' | 'credit'; id: string }[]> =>
  db.all(sql`select r.kind, r.record as id from books_records r
    left join payments p on p.tenant_id = r.tenant_id and p.id = r.record
    left join payments b on b.tenant_id = r.tenant_id and b.takes_back = r.record
    left join invoices i on i.tenant_id = r.tenant_id and i.id = r.record
    where r.tenant_id = ${db.tenant} and r.program = ${program} and r.organization = ${organization}
      and r.state <> 'cancelled' and case r.kind
        when 'payment' then p.id is null or b.id is not null or p.amount_cents <> r.cents
        when 'refund' then p.id is null or b.id is not null or p.amount_cents <> 0 - r.cents
        when 'credit' then i.id is null or i.status <> 'uncollectible' or i.balance_due_cents <> r.cents
        else false end
      and not (r.state in ('held', 'failed') and r.remote is not null)
    order by r.kind, r.record limit ${limit}`)

/** Returns invoices at the program whose write-off is to be sent. */
export const writeOffsDue = (db: Db, key: BooksKey, from: string, limit: number): Promise<Ids> =>
  db.all(sql`select i.id from invoices i ${joinRecord(sql`ri`, key, 'invoice', sql`i.id`)}
    ${joinRecord(sql`r`, key, 'credit', sql`i.id`)}
    where i.tenant_id = ${db.tenant} and i.issue_date >= ${from} and i.status = 'uncollectible'
      and i.balance_due_cents > 0 and ri.remote is not null
      and (r.record is null or r.state in ('due', 'sending', 'cancelled'))
    order by i.id limit ${limit}`)

/** Returns the program's ids of an invoice's sent refunds, oldest first. */
export const refundsOf = async (db: Db, { program, organization }: BooksKey, invoice: string): Promise<string[]> =>
  (
    await db.all<{ remote: string }>(sql`select r.remote from payments p join books_records r
        on r.tenant_id = p.tenant_id and r.record = p.id and r.kind = 'refund' and r.state = 'sent'
        and r.program = ${program} and r.organization = ${organization}
      where p.tenant_id = ${db.tenant} and r.tenant_id = ${db.tenant} and p.invoice_id = ${invoice}
      order by p.paid_on, p.id`)
  ).map(({ remote }) => remote)

/** Returns the ledger's bookings of invoices from a day on, in order, then of their payments and write-offs. */
export const listBookings = (db: Db, from: string, limit: number, hasTips: boolean): Promise<BookedRow[]> =>
  db.all<BookedRow>(sql`select kind, booking from (
      select 1 as place, i.issue_date as day, i.created_at as at, i.id, 'invoice' as kind, jsonb_build_object(
        'of', 'invoice', 'total_cents', i.total_cents, 'tax_cents', i.tax_cents, 'deducted_cents', i.deducted_cents,
        'is_deposit', i.deposit_of is not null) as booking
      from invoices i where i.tenant_id = ${db.tenant} and i.issue_date >= ${from} and ${IN_BOOKS}
      union all
      select 3, i.issue_date, i.created_at, i.id, 'credit', jsonb_build_object('of', 'write_off',
        'lost_cents', i.balance_due_cents)
      from invoices i where i.tenant_id = ${db.tenant} and i.issue_date >= ${from} and i.status = 'uncollectible'
        and i.balance_due_cents > 0
      union all
      select 2, p.paid_on, p.at, p.id, case when p.amount_cents > 0 then 'payment' else 'refund' end,
        jsonb_build_object('of', 'payment', 'amount_cents', p.amount_cents,
          'is_online', p.kind in ('charge', 'refund', 'dispute'))
      ${PAYMENTS} where p.tenant_id = ${db.tenant} and i.tenant_id = ${db.tenant} and i.issue_date >= ${from}
        and ${COUNTED}
      union all
      select 4, t.paid_on, t.at, t.id, 'tip', jsonb_build_object('of', 'tip', 'amount_cents', t.amount_cents)
      ${TIPS} where t.tenant_id = ${db.tenant} and i.tenant_id = ${db.tenant} and i.issue_date >= ${from}
        and ${hasTips}) booked
    order by place, day, at, id limit ${limit}`)

export type BookedRow = { kind: 'invoice' | 'payment' | 'refund' | 'credit' | 'tip'; booking: BookedDocument }

export const isErased = async (db: Db, customer: string): Promise<boolean> =>
  (await db.maybe(sql`select from erasures where tenant_id = ${db.tenant} and subject_id = ${customer} limit 1`)) !==
  undefined

/** The fields of a catalog item that the books need. */
export type ItemSource = { id: string; name: string; sku: string | null; description: string | null; kind: string }

export const findItemSource = (db: Db, id: string): Promise<ItemSource | undefined> =>
  db.maybe<ItemSource>(sql`select id, name, sku, description, kind from catalog_items
    where tenant_id = ${db.tenant} and id = ${id}`)
