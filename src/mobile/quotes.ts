import type { Discount } from '../money/document.ts'
import { raw } from '../platform/db/database.ts'
import { sql, type Db, type Sql } from '../platform/db/tenant.ts'
import type { LineItem } from '../records/line_items/line.ts'
import type { Quote } from '../records/quotes/index.ts'
import { toBillLines, type BillLine } from './bill_lines.ts'

/** Invoice as a phone shows it, with the recipient of its latest receipt. */
export type VisitInvoice = {
  id: string
  /** Id of the signature event that issued the deposit's invoice. */
  act?: string | null
  display_number: string
  status: string
  total_cents: number
  due_cents: number
  receipt_to: string | null
}

type Totals = Record<'subtotal_cents' | 'discount_cents' | 'tax_cents' | 'total_cents', number>

type QuoteHead = Totals & {
  /** Event that created it; options of one set share it. */
  act: string
  /** Position among the options of its set, archived ones included. */
  option: number
  id: string
  display_number: string
  title: string
  status: string
  updated_at: string
  terms: string | null
  deposit_cents: number | null
  /** Issued invoice of its deposit. */
  deposit_invoice: VisitInvoice | null
}

/** Quote of a visit as the query returns it. */
export type QuoteRow = QuoteHead &
  Pick<Quote, 'line_items' | 'optional_lines' | 'tax_rate_id' | 'tax_exempt'> & {
    discount: Discount | null
    deposit: Discount | null
  }

/** Quote written on a phone during a visit, or another option of one. */
export type VisitQuote = QuoteHead & {
  lines: QuoteLine[]
  /** Lines the customer may still add while the quote is open. */
  optional_lines: QuoteLine[]
  /** Data to compute the total with optional lines; null without any. */
  bill: { lines: BillLine[]; optional: BillLine[]; discount: Discount | null; exempt: boolean } | null
  deposit: Discount | null
}

type QuoteLine = { name: string; quantity: number; unit: string; price_cents: number; total_cents: number }

/** Maximum quotes of a visit to show, counted without further options. */
const MAX_QUOTES = 3

const instant = (column: string): Sql => raw(`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** Selects the recipient of the latest receipt for an invoice `i`, for those who may read customers. */
export const receiptOf = (db: Db, customers: boolean): Sql => sql`
          case when ${customers} then (select m.recipient from outbox m
            where m.tenant_id = ${db.tenant} and m.about_kind = 'invoices' and m.about_id = i.id
              and m.cause = 'receipt' and m.state not in ('failed', 'cancelled')
              and m.created_at >= (select max(y.at) from payments y
                where y.tenant_id = ${db.tenant} and y.invoice_id = i.id and y.amount_cents > 0)
            order by m.created_at desc limit 1) end`

/** Selects the quotes written during a visit `j`, newest first, each part only for those who may see it. */
export const quotesOfVisit = (
  db: Db,
  { quotes, invoices, customers }: Record<'quotes' | 'invoices' | 'customers', boolean>,
): Sql => sql`(select coalesce(json_agg(to_jsonb(p) - 'at' order by p.at desc, p.act, p.option), '[]') from (
        select f.id as act, f.at, (select count(*) from quotes o where o.tenant_id = ${db.tenant}
            and o.option_set = q.option_set and o.number < q.number) as option,
          q.id, q.display_number, q.title, q.status, ${instant('q.updated_at')} as updated_at, q.terms,
          q.subtotal_cents, q.discount_cents, q.tax_cents, q.total_cents, q.line_items, q.optional_lines, q.discount,
          q.tax_rate_id, q.tax_exempt, q.deposit, deposit_of(q.deposit, q.total_cents) as deposit_cents,
          case when ${invoices} then (select json_build_object('id', i.id, 'display_number', i.display_number,
              'act', (select s.id from field_acts s where s.tenant_id = ${db.tenant} and s.job_id = j.id
                and s.kind = 'quote_signature' and s.record_id = i.id limit 1),
              'status', i.status, 'total_cents', i.total_cents, 'due_cents', i.balance_due_cents,
              'receipt_to', ${receiptOf(db, customers)})
            from invoices i where i.tenant_id = ${db.tenant} and i.deposit_of = q.id and i.stage is null
              and i.status not in ('draft', 'void') limit 1) end as deposit_invoice
        from (select a.id, a.at, m.id as quote, m.option_set
            from field_acts a join quotes m on m.tenant_id = ${db.tenant} and m.id = a.record_id
            where ${quotes} and a.tenant_id = ${db.tenant} and a.job_id = j.id and a.kind = 'quote'
            order by a.at desc, a.id limit ${MAX_QUOTES}) f
          join quotes q on q.tenant_id = ${db.tenant} and (q.id = f.quote or q.option_set = f.option_set)
        where q.status <> 'archived') p)`

/** Converts a row to a quote for the phone. */
export function toVisitQuote(row: QuoteRow): VisitQuote {
  const { line_items, tax_rate_id, tax_exempt: exempt, discount, ...head } = row
  const optional = head.status === 'draft' || head.status === 'sent' ? (row.optional_lines ?? []) : []
  return {
    ...head,
    lines: line_items.map(toQuoteLine),
    optional_lines: optional.map(toQuoteLine),
    bill:
      optional.length === 0
        ? null
        : {
            lines: toBillLines(line_items, tax_rate_id),
            optional: toBillLines(optional, tax_rate_id),
            discount,
            exempt,
          },
  }
}

const toQuoteLine = ({ name, quantity, unit, unit_price_cents, line_total_cents }: LineItem): QuoteLine => ({
  name,
  quantity: quantity ?? 1,
  unit: unit ?? '',
  price_cents: unit_price_cents ?? line_total_cents,
  total_cents: line_total_cents,
})
