import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import type { BookedDocument } from '../../money/posting.ts'
import type { ExportedInvoice } from '../../records/invoices/index.ts'
import type { ProgramName } from '../program.ts'

/** A company of a program, by which records are kept. */
export type BooksKey = { program: ProgramName; organization: string }

/** An invoice as the books need it; `version` is the time of its last change in milliseconds. */
export type InvoiceSource = Pick<
  ExportedInvoice,
  | 'id'
  | 'display_number'
  | 'status'
  | 'issue_date'
  | 'due_date'
  | 'po_number'
  | 'currency'
  | 'line_items'
  | 'taxes'
  | 'subtotal_cents'
  | 'discount_cents'
  | 'tax_cents'
  | 'total_cents'
  | 'balance_due_cents'
  | 'is_deposit'
  | 'deducted_cents'
  | 'deductions'
> & { customer_id: string; version: number }

const VERSION = sql`(extract(epoch from i.updated_at) * 1000)::bigint`

/** Returns invoices that a condition selects, in the order of their days. */
const listInvoices = (db: Db, where: Sql, most: number): Promise<InvoiceSource[]> =>
  db.all<InvoiceSource>(sql`select i.id, i.display_number, i.status, i.issue_date, i.due_date, i.po_number, i.currency,
      i.line_items, i.taxes, i.subtotal_cents, i.discount_cents, i.tax_cents, i.total_cents, i.balance_due_cents,
      i.deposit_of is not null as is_deposit, i.deducted_cents, i.customer_id, ${VERSION} as version,
      (select coalesce(json_agg(json_build_object('display_number', d.display_number, 'amount_cents', x.amount_cents)
        order by d.number), '[]')
        from deposit_deductions x join invoices d on d.tenant_id = x.tenant_id and d.id = x.deposit_id
        where x.tenant_id = ${db.tenant} and x.invoice_id = i.id) as deductions
    from invoices i where i.tenant_id = ${db.tenant} and ${where}
    order by i.issue_date, i.created_at, i.id limit ${most}`)

export const findInvoiceSource = async (db: Db, id: string): Promise<InvoiceSource | undefined> =>
  (await listInvoices(db, sql`i.id = ${id}`, 1))[0]

/** Condition of invoices that are in the books, as in the ledger. */
const IN_BOOKS = sql`i.status not in ('draft', 'void') and (i.subtotal_cents, i.total_cents) <> (0, 0)`

export const isInLedger = ({ status, subtotal_cents, total_cents }: InvoiceSource): boolean =>
  status !== 'draft' && status !== 'void' && (subtotal_cents !== 0 || total_cents !== 0)

/** Returns invoices in the books from a day on, after another. */
export const listBookedInvoices = (
  db: Db,
  from: string,
  after: InvoiceSource | undefined,
  most: number,
): Promise<InvoiceSource[]> =>
  listInvoices(
    db,
    sql`i.issue_date >= ${from} and ${IN_BOOKS} ${
      after === undefined
        ? sql``
        : sql`and (i.issue_date, i.created_at, i.id) > (select a.issue_date, a.created_at, a.id from invoices a
            where a.tenant_id = ${db.tenant} and a.id = ${after.id})`
    }`,
    most,
  )

const record = (alias: Sql, { program, organization }: BooksKey, kind: string, id: Sql): Sql =>
  sql`left join books_records ${alias} on ${alias}.tenant_id = i.tenant_id and ${alias}.program = ${program}
    and ${alias}.organization = ${organization} and ${alias}.kind = ${kind} and ${alias}.record = ${id}`

type Ids = { id: string }[]

/** Returns invoices to send, send again or cancel. */
export const invoicesDue = (db: Db, key: BooksKey, from: string, most: number): Promise<Ids> =>
  db.all(sql`select i.id from invoices i ${record(sql`r`, key, 'invoice', sql`i.id`)}
    where i.tenant_id = ${db.tenant} and i.issue_date >= ${from} and case when ${IN_BOOKS}
      then r.record is null or r.state in ('due', 'sending', 'cancelled') or r.version <> ${VERSION}
      else r.record is not null and r.state <> 'cancelled'
        and (r.state in ('due', 'sending') or r.version <> ${VERSION}) end
    order by i.issue_date, i.number limit ${most}`)

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
  /** What the invoice and its customer are there; null: it isn't there, and won't be. */
  invoice: string | null
  customer: string | null
}

/** Joins what the books have of payments: their invoice, and what takes them back. */
const PAYMENTS = sql`from payments p join invoices i on i.tenant_id = p.tenant_id and i.id = p.invoice_id
    left join payments b on b.tenant_id = p.tenant_id and b.takes_back = p.id`

/** Condition of rows that stand by themselves: what was taken back has never been. */
const STANDING = sql`p.amount_cents <> 0 and p.kind <> 'taken_back' and b.id is null`

/** Returns payments and refunds to send, of invoices that are there or won't be. */
export const paymentsDue = (db: Db, key: BooksKey, from: string, most: number): Promise<PaymentSource[]> =>
  db.all<PaymentSource>(sql`select p.id, p.invoice_id, i.display_number, i.customer_id, i.currency, p.paid_on,
      p.amount_cents, p.kind, p.reference, ri.remote as invoice, ri.customer
    ${PAYMENTS} ${record(sql`ri`, key, 'invoice', sql`i.id`)}
    left join books_records r on r.tenant_id = i.tenant_id and r.program = ${key.program}
      and r.organization = ${key.organization} and r.record = p.id and r.kind in ('payment', 'refund')
    where p.tenant_id = ${db.tenant} and i.tenant_id = ${db.tenant} and i.issue_date >= ${from} and ${STANDING}
      and (ri.remote is not null or (coalesce(ri.state, 'cancelled') = 'cancelled' and not (${IN_BOOKS})))
      and (r.record is null or r.state in ('due', 'sending', 'cancelled'))
    order by p.paid_on, p.id limit ${most}`)

/** Returns what was sent as payments, refunds and write-offs that are no more, or of another amount. */
export const recordsToCancel = (
  db: Db,
  { program, organization }: BooksKey,
  most: number,
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
    order by r.kind, r.record limit ${most}`)

/** Returns invoices that were written off, and are there. */
export const writeOffsDue = (db: Db, key: BooksKey, from: string, most: number): Promise<Ids> =>
  db.all(sql`select i.id from invoices i ${record(sql`ri`, key, 'invoice', sql`i.id`)}
    ${record(sql`r`, key, 'credit', sql`i.id`)}
    where i.tenant_id = ${db.tenant} and i.issue_date >= ${from} and i.status = 'uncollectible'
      and i.balance_due_cents > 0 and ri.remote is not null
      and (r.record is null or r.state in ('due', 'sending', 'cancelled'))
    order by i.id limit ${most}`)

/** Returns refunds of an invoice that are there, oldest first. */
export const refundsOf = async (db: Db, { program, organization }: BooksKey, invoice: string): Promise<string[]> =>
  (
    await db.all<{ remote: string }>(sql`select r.remote from payments p join books_records r
        on r.tenant_id = p.tenant_id and r.record = p.id and r.kind = 'refund' and r.state = 'sent'
        and r.program = ${program} and r.organization = ${organization}
      where p.tenant_id = ${db.tenant} and r.tenant_id = ${db.tenant} and p.invoice_id = ${invoice}
      order by p.paid_on, p.id`)
  ).map(({ remote }) => remote)

/** Returns what the ledger books for invoices from a day on, in their order, and then for payments and write-offs. */
export const listBookings = (db: Db, from: string, most: number): Promise<BookedRow[]> =>
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
        and ${STANDING}) booked
    order by place, day, at, id limit ${most}`)

export type BookedRow = { kind: 'invoice' | 'payment' | 'refund' | 'credit'; booking: BookedDocument }

/** A customer as the books need it. */
export type CustomerSource = {
  id: string
  display_name: string
  company_name: string | null
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  street: string | null
  city: string | null
  region: string | null
  postal_code: string | null
  country: string | null
  is_erased: boolean
}

export const findCustomerSource = (db: Db, id: string): Promise<CustomerSource | undefined> =>
  db.maybe<CustomerSource>(sql`select c.id, c.display_name, c.company_name,
      coalesce(c.first_name, k.first_name) as first_name, coalesce(c.last_name, k.last_name) as last_name, k.email,
      k.phone, concat_ws(', ', l.address_line1, l.address_line2) as street, l.city, l.region, l.postal_code, l.country,
      exists (select 1 from erasures e where e.tenant_id = ${db.tenant} and e.subject_id = ${id}) as is_erased
    from customers c
    left join contacts k on k.tenant_id = c.tenant_id and k.customer_id = c.id and k.is_primary
      and k.archived_at is null
    left join lateral (select * from locations l
      where l.tenant_id = ${db.tenant} and l.customer_id = c.id and l.is_primary and l.archived_at is null
      order by l.type = 'billing' desc limit 1) l on true
    where c.tenant_id = ${db.tenant} and c.id = ${id}`)

/** A catalog item as the books need it. */
export type ItemSource = { id: string; name: string; sku: string | null; description: string | null; kind: string }

export const findItemSource = (db: Db, id: string): Promise<ItemSource | undefined> =>
  db.maybe<ItemSource>(sql`select id, name, sku, description, kind from catalog_items
    where tenant_id = ${db.tenant} and id = ${id}`)
