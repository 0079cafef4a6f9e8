import { holdRecord } from '../books_error.ts'
import type { CreditDocument, BooksKind } from '../program.ts'
import { findRecord, markCancelled, type BooksRecord, type RecordName } from '../records.ts'
import { markOf, recordProblems, sendOnce, type BooksRun } from '../send.ts'
import { ensureCustomer, ensureItems } from './ensure.ts'
import { OWN_ITEMS } from './items.ts'
import { invoiceLines, singleLine } from './lines.ts'
import {
  findInvoiceSource,
  isInLedger,
  refundsOf,
  type InvoiceSource,
  type PaymentSource,
  type TipSource,
} from './sources.ts'

/** Sends an invoice, or cancels it at the program if it is no longer in our books. */
export async function sendInvoice(run: BooksRun, id: string): Promise<void> {
  const name: RecordName = { key: run.key, kind: 'invoice', id }
  const [source, row] = await run.write((db) => Promise.all([findInvoiceSource(db, id), findRecord(db, name)]))
  if (source === undefined) return
  await recordProblems(run, name, source.version, async () => {
    if (isInLedger(source)) {
      // The reversal belongs to the earlier edition of the invoice, which was canceled.
      if (row?.state === 'cancelled') await run.conclude((db) => markCancelled(db, { ...name, kind: 'reversal' }, 0))
      await sendOnce(run, await invoiceDocument(run, source, row), source.version)
    } else if (row !== undefined) await cancelInvoice(run, source, row)
  })
}

async function invoiceDocument(run: BooksRun, source: InvoiceSource, row: BooksRecord | undefined) {
  const { id, display_number: number, issue_date: day, due_date: due, currency } = source
  if (number.length > run.program.maxNumber) throw holdRecord('number_long', number)
  const lines = invoiceLines(source)
  // An invoice already there keeps its customer, who may have been merged since.
  const isSent = row?.customer != null && row.state !== 'cancelled'
  const customer = isSent ? row.customer : await ensureCustomer(run, source.customer_id)
  return {
    kind: 'invoice' as const,
    id,
    number,
    customer: customer ?? '',
    day,
    due,
    currency,
    reference: source.po_number,
    url: `${run.url}/invoices/${id}`,
    lines: await ensureItems(run, lines),
    cents: source.total_cents,
  }
}

/** Voids an invoice at the program. One with payments there is reversed by a credit instead. */
async function cancelInvoice(run: BooksRun, source: InvoiceSource, row: BooksRecord): Promise<void> {
  const name: RecordName = { key: run.key, kind: 'invoice', id: source.id }
  const remote = await findRemote(run, row, source.currency)
  if (remote !== undefined && (await run.program.cancel('invoice', remote, `${row.request}-v`)) === 'applied') {
    const document = await invoiceDocument(run, source, row)
    if (document.cents !== row.cents) throw holdRecord('changed_when_paid')
    await sendOnce(run, creditDocument(run, 'reversal', source, { ...row, remote }, document.lines), source.version)
  }
  await run.conclude((db) => markCancelled(db, name, source.version))
}

/** Returns the program's id of a record; searches there for one whose creation was interrupted. */
async function findRemote(run: BooksRun, row: BooksRecord, currency: string): Promise<string | undefined> {
  if (row.remote !== null) return row.remote
  if (row.state !== 'sending' || row.number === null || row.day === null) return undefined
  const facts = { id: row.record, number: row.number, day: row.day, customer: row.customer ?? '', currency }
  const shared = { ...facts, mark: markOf({ id: row.record }, row.edition), cents: row.cents ?? 0 }
  const remote = await run.program.find(lookupOf(row.kind, shared))
  return remote?.id
}

type LookupFacts = Omit<CreditDocument, 'kind' | 'invoice' | 'lines'>

/** Returns the parts of a document that the program needs to find it. */
function lookupOf(kind: BooksKind, facts: LookupFacts) {
  if (kind === 'payment') return { ...facts, kind, invoice: null, refunds: [], account: 'undeposited' as const }
  if (kind === 'refund' || kind === 'tip')
    return { ...facts, kind, debit: 'receivable' as const, credit: 'undeposited' as const, text: '' }
  if (kind === 'credit' || kind === 'reversal') return { ...facts, kind, invoice: '', lines: [] }
  return { ...facts, kind: 'invoice' as const, due: facts.day, reference: null, url: '', lines: [] }
}

/** Sends a payment or a refund. */
export async function sendPayment(run: BooksRun, source: PaymentSource): Promise<void> {
  const isRefund = source.amount_cents < 0
  const name: RecordName = { key: run.key, kind: isRefund ? 'refund' : 'payment', id: source.id }
  await recordProblems(run, name, 0, async () => {
    const account = ONLINE.has(source.kind) ? ('clearing' as const) : ('undeposited' as const)
    const shared = {
      id: source.id,
      customer: source.customer ?? (await ensureCustomer(run, source.customer_id)),
      day: source.paid_on,
      currency: source.currency,
      cents: Math.abs(source.amount_cents),
    }
    if (isRefund) {
      const journal = { debit: 'receivable' as const, credit: account, text: `Refund ${source.display_number}` }
      return sendOnce(run, { ...shared, ...journal, kind: 'refund', number: `R-${source.id.slice(-12)}` }, 0)
    }
    const refunds = await run.write((db) => refundsOf(db, run.key, source.invoice_id))
    const number = source.reference ?? source.display_number
    return sendOnce(run, { ...shared, kind: 'payment', account, number, invoice: source.invoice, refunds }, 0)
  })
}

const ONLINE: ReadonlySet<string> = new Set(['charge', 'refund', 'dispute'])

/** Sends a tip or its refund: owed to the worker who earned it, and not part of its invoice. */
export async function sendTip(
  run: BooksRun,
  { id, display_number, paid_on, currency, ...tip }: TipSource,
): Promise<void> {
  await recordProblems(run, { key: run.key, kind: 'tip', id }, 0, () => {
    const [debit, credit] = tip.amount_cents > 0 ? (['clearing', 'tips'] as const) : (['tips', 'clearing'] as const)
    const shared = { id, customer: '', day: paid_on, currency, cents: Math.abs(tip.amount_cents) }
    const number = `T-${id.slice(-12)}`
    return sendOnce(run, { ...shared, kind: 'tip', number, debit, credit, text: `Tip ${display_number}` }, 0)
  })
}

/** Sends the write-off of an invoice, as a credit. */
export async function sendWriteOff(run: BooksRun, id: string): Promise<void> {
  const name: RecordName = { key: run.key, kind: 'credit', id }
  const [source, invoice] = await run.write((db) =>
    Promise.all([findInvoiceSource(db, id), findRecord(db, { ...name, kind: 'invoice' })]),
  )
  if (source === undefined || invoice?.remote == null) return
  await recordProblems(run, name, 0, async () => {
    const lines = [singleLine(OWN_ITEMS.badDebts, `Written off ${source.display_number}`, source.balance_due_cents)]
    const document = creditDocument(run, 'credit', source, invoice, await ensureItems(run, lines))
    await sendOnce(run, document, 0)
  })
}

function creditDocument(
  { today }: BooksRun,
  kind: 'credit' | 'reversal',
  { id, currency }: InvoiceSource,
  { remote, customer }: BooksRecord,
  lines: CreditDocument['lines'],
) {
  return {
    kind,
    id,
    number: `${kind === 'credit' ? 'W' : 'V'}-${id.slice(-12)}`,
    customer: customer ?? '',
    invoice: remote ?? '',
    day: today,
    currency,
    lines,
    cents: lines.reduce((sum, line) => sum + line.cents, 0),
  }
}

/** Cancels a record at the program that is no longer in our books, or whose amount changed. */
export async function cancelRecord(run: BooksRun, name: RecordName, currency: string): Promise<void> {
  await recordProblems(run, name, 0, async () => {
    const row = await run.write((db) => findRecord(db, name))
    if (row === undefined) return
    const remote = await findRemote(run, row, currency)
    if (remote !== undefined) await run.program.cancel(name.kind, remote, `${row.request}-v`)
    await run.conclude((db) => markCancelled(db, name, 0))
  })
}
