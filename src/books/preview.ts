import { readTenant, sql, type Database, type Db } from '../platform/db/tenant.ts'
import { ACCOUNTS, NO_POSTINGS, postingsBetween, type LedgerAccount, type Postings } from '../money/posting.ts'
import { BooksError, type BooksReason } from './books_error.ts'
import { findOwnItem } from './documents/items.ts'
import { invoiceLines } from './documents/lines.ts'
import { listBookedInvoices, listBookings, type BookedRow, type InvoiceSource } from './documents/sources.ts'

/** Maximum documents in a dry run. */
const MAX_DOCUMENTS = 5_000
/** Invoices read per batch, and maximum problems and documents listed. */
const [BATCH_SIZE, MAX_LISTED] = [200, 20]

/** Result of a dry run, which sends nothing. */
export type BooksPreview = {
  counts: Record<BookedRow['kind'] | 'customer' | 'item', number>
  /** Postings of the documents as they would be sent, and postings of the ledger. */
  documents: Postings
  ledger: Postings
  /** Whether there are more documents than a dry run covers. */
  isPartial: boolean
  first: { number: string; day: string; cents: number; lines: number }[]
  problems: { number: string; reason: BooksReason }[]
  /** Payments since the first day for invoices before it: they are entered by hand. */
  before: { count: number; cents: number }
}

const add = (sum: Postings, more: Postings): Postings => {
  const added: Record<LedgerAccount, number> = { ...sum }
  for (const account of ACCOUNTS) added[account] += more[account]
  return added
}

/** Builds every document as it would be sent, and sums its postings next to those of the ledger. */
export async function previewBooks(
  database: Database,
  tenant: string,
  { from, maxNumber, hasTips }: { from: string; maxNumber: number; hasTips: boolean },
): Promise<BooksPreview> {
  const read = <T>(work: (db: Db) => Promise<T>): Promise<T> => readTenant(database, { tenant }, work)
  const [booked, before] = await Promise.all([
    read((db) => listBookings(db, from, MAX_DOCUMENTS, hasTips)),
    read((db) => paymentsBefore(db, from)),
  ])
  const counts = { customer: 0, item: 0, invoice: 0, payment: 0, refund: 0, credit: 0, tip: 0 }
  let [ledger, documents] = [NO_POSTINGS, NO_POSTINGS]
  for (const { kind, booking } of booked) {
    counts[kind]++
    ledger = add(ledger, postingsBetween(null, booking))
    if (kind !== 'invoice') documents = add(documents, postingsBetween(null, booking))
  }
  const [customers, items] = [new Set<string>(), new Set<string>()]
  const first: BooksPreview['first'] = []
  const problems: BooksPreview['problems'] = []
  for await (const invoice of eachInvoice(read, from, counts.invoice)) {
    const { display_number: number, issue_date: day, total_cents: cents } = invoice
    customers.add(invoice.customer_id)
    const entry = tryInvoice(invoice, maxNumber)
    if (typeof entry === 'string') problems.push({ number, reason: entry })
    else {
      documents = add(documents, entry.postings)
      for (const item of entry.items) items.add(item)
      if (first.length < MAX_LISTED) first.push({ number, day, cents, lines: entry.lines })
    }
  }
  return {
    counts: { ...counts, customer: customers.size, item: items.size },
    documents,
    ledger,
    isPartial: booked.length === MAX_DOCUMENTS,
    first,
    problems: problems.slice(0, MAX_LISTED),
    before,
  }
}

async function* eachInvoice(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  from: string,
  limit: number,
): AsyncGenerator<InvoiceSource, void> {
  let after: InvoiceSource | undefined
  for (let count = 0; count < limit;) {
    const page = await read((db) => listBookedInvoices(db, from, after, Math.min(BATCH_SIZE, limit - count)))
    yield* page
    after = page.at(-1)
    if (after === undefined) return
    count += page.length
  }
}

/** Builds the lines of an invoice and sums their postings, or returns why they can't be sent. */
function tryInvoice(
  invoice: InvoiceSource,
  maxNumber: number,
): { postings: Postings; items: string[]; lines: number } | BooksReason {
  if (invoice.display_number.length > maxNumber) return 'number_long'
  try {
    const lines = invoiceLines(invoice)
    const sums: Record<LedgerAccount, number> = { ...NO_POSTINGS }
    for (const { account, cents } of lines) {
      sums[account] -= cents
      sums.receivable += cents
    }
    const items = lines.map(({ item }) => item).filter((item) => findOwnItem(item) === undefined)
    return { postings: sums, items, lines: lines.length }
  } catch (error) {
    if (error instanceof BooksError) return error.reason
    throw error
  }
}

const paymentsBefore = (db: Db, from: string): Promise<{ count: number; cents: number }> =>
  db.one(sql`select count(*)::int as count, coalesce(sum(p.amount_cents), 0)::bigint as cents from payments p
    join invoices i on i.tenant_id = p.tenant_id and i.id = p.invoice_id
    where p.tenant_id = ${db.tenant} and i.tenant_id = ${db.tenant} and p.paid_on >= ${from}
      and i.issue_date < ${from}`)
