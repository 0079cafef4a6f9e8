import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import type { LineItem } from '../../line_items/line.ts'
import type { Invoice } from '../fields.ts'
import type { PaymentChannel } from '../payments/payment_report.ts'
import type { DayRange } from './sales.ts'

/** The fields of an invoice that the books need. */
export type BookedInvoice = Pick<
  Invoice,
  | 'id'
  | 'display_number'
  | 'status'
  | 'issue_date'
  | 'due_date'
  | 'po_number'
  | 'taxes'
  | 'subtotal_cents'
  | 'discount_cents'
  | 'tax_cents'
  | 'total_cents'
  | 'balance_due_cents'
  | 'currency'
> & {
  line_items: LineItem[]
  is_deposit: boolean
  deducted_cents: number
  deductions: { display_number: string; amount_cents: number }[]
}

/** Returns the columns of a `BookedInvoice` from invoices `i`. */
export const bookedColumns = (db: Db): Sql => sql`i.id, i.display_number, i.status, i.issue_date, i.due_date,
  i.po_number, i.taxes, i.subtotal_cents, i.discount_cents, i.tax_cents, i.total_cents, i.balance_due_cents, i.currency,
  i.line_items, i.deposit_of is not null as is_deposit, i.deducted_cents,
  (select coalesce(json_agg(json_build_object('display_number', d.display_number, 'amount_cents', x.amount_cents)
      order by d.number), '[]')
    from deposit_deductions x join invoices d on d.tenant_id = x.tenant_id and d.id = x.deposit_id
    where x.tenant_id = ${db.tenant} and x.invoice_id = i.id) as deductions`

/** An invoice in accounting exports; its address and email are the current ones. */
export type ExportedInvoice = BookedInvoice &
  Pick<Invoice, 'subject' | 'customer_name' | 'amount_paid_cents'> & {
    created_at: string
    channels: PaymentChannel[]
    email: string | null
  } & Address

type Address = {
  address_line1: string | null
  address_line2: string | null
  city: string | null
  region: string | null
  postal_code: string | null
  country: string | null
}

/** Cursor: the last invoice of the previous page. */
export type InvoiceCursor = Pick<ExportedInvoice, 'issue_date' | 'created_at' | 'id'>

const NO_ADDRESS: Address & { email: null } = {
  email: null,
  address_line1: null,
  address_line2: null,
  city: null,
  region: null,
  postal_code: null,
  country: null,
}

type InvoicePage = { range: DayRange; after: InvoiceCursor | undefined; limit: number; showsCustomers: boolean }

/**
 * Returns issued invoices by date, void ones included, up to `limit` after a cursor. Leaves out email and address for
 * readers without access to customers.
 */
export async function exportInvoices(db: Db, page: InvoicePage): Promise<ExportedInvoice[]> {
  const invoices = await listIssuedInvoices(db, page)
  return page.showsCustomers ? invoices : invoices.map((invoice) => ({ ...invoice, ...NO_ADDRESS }))
}

const listIssuedInvoices = (db: Db, { range: { from, to }, after, limit }: InvoicePage): Promise<ExportedInvoice[]> =>
  db.all<ExportedInvoice>(sql`select ${bookedColumns(db)}, i.subject, c.display_name as customer_name,
      i.amount_paid_cents, i.created_at,
      array(select distinct coalesce(p.method, case when p.kind = 'manual' then 'marked' else 'online' end)
        from payments p
        where p.tenant_id = ${db.tenant} and p.invoice_id = i.id and p.amount_cents > 0 order by 1) as channels,
      k.email, l.address_line1, l.address_line2, l.city, l.region, l.postal_code, l.country
    from (select * from invoices
      where tenant_id = ${db.tenant} and issue_date between ${from} and ${to} and status <> 'draft'
        ${
          after === undefined
            ? sql``
            : sql`and (issue_date, created_at, id) > (${after.issue_date}::date,
  ${after.created_at}::timestamptz, ${after.id}::uuid)`
        }
      order by issue_date, created_at, id limit ${limit}) i
    join customers c on c.tenant_id = i.tenant_id and c.id = i.customer_id
    left join contacts k on k.tenant_id = i.tenant_id and k.customer_id = i.customer_id and k.is_primary
      and k.archived_at is null
    left join locations l on l.tenant_id = i.tenant_id and l.id = i.location_id
    order by i.issue_date, i.created_at, i.id`)

/** A tax rate on invoices. */
export type InvoicedRate = { name: string; rate_decimal: number }

/** Returns the tax rates on issued invoices of a date range, up to `limit`, those with the most tax first. */
export const listInvoicedRates = (db: Db, { from, to }: DayRange, limit: number): Promise<InvoicedRate[]> =>
  db.all<InvoicedRate>(sql`select t.name, t.rate_decimal::float8 as rate_decimal from invoices i
    cross join lateral jsonb_to_recordset(i.taxes) as t(name text, rate_decimal numeric, tax_cents bigint)
    where i.tenant_id = ${db.tenant} and i.issue_date between ${from} and ${to} and i.status <> 'draft'
    group by 1, 2 order by sum(t.tax_cents) desc, 1, 2 limit ${limit}`)

/** A customer in accounting exports, with its primary contact and billing address. */
export type ExportedCustomer = Address & {
  id: string
  display_name: string
  company_name: string | null
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
}

/** Returns live customers by id, up to `limit` after the given one. */
export const exportCustomers = (db: Db, after: string | undefined, limit: number): Promise<ExportedCustomer[]> =>
  listCustomers(db, sql`archived_at is null ${after === undefined ? sql`` : sql`and id > ${after}::uuid`}`, limit)

/** Returns a customer, archived or not. */
export const exportCustomer = async (db: Db, id: string): Promise<ExportedCustomer | undefined> =>
  (await listCustomers(db, sql`id = ${id}`, 1))[0]

const listCustomers = (db: Db, where: Sql, limit: number): Promise<ExportedCustomer[]> =>
  db.all<ExportedCustomer>(sql`select c.id, c.display_name, c.company_name,
    coalesce(c.first_name, k.first_name) as first_name,
      coalesce(c.last_name, k.last_name) as last_name, k.email, k.phone, l.address_line1, l.address_line2, l.city,
      l.region, l.postal_code, l.country
    from (select * from customers where tenant_id = ${db.tenant} and ${where} order by id limit ${limit}) c
    left join contacts k on k.tenant_id = c.tenant_id and k.customer_id = c.id and k.is_primary
      and k.archived_at is null
    left join lateral (select * from locations l
      where l.tenant_id = ${db.tenant} and l.customer_id = c.id and l.is_primary and l.archived_at is null
      order by l.type = 'billing' desc limit 1) l on true
    order by c.id`)
