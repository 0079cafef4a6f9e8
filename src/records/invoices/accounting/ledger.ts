import { auditChange } from '../../../identity/audit.ts'
import { insertSelected, sql, type Db } from '../../../platform/db/tenant.ts'
import {
  ACCOUNTS,
  debitsOf,
  linesOf,
  postingsBetween,
  type BookedDocument,
  type Postings,
} from '../../../money/posting.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { newId } from '../../../platform/validation/id.ts'
import { refusals } from './refusals.ts'
import type { DayRange } from './sales.ts'

/** Maximum entries of a batch; the rest go into the next one. */
const MAX_ENTRIES = 2000

const LEDGER_FORMATS = ['csv', 'quickbooks', 'xero'] as const
export type LedgerFormat = (typeof LEDGER_FORMATS)[number]

/** Maximum lines of a batch's file, which its program limits; the rest go into the next one. */
const MAX_LINES: Readonly<Record<LedgerFormat, number>> = { csv: Infinity, quickbooks: 1000, xero: 300 }

/** A file of double-entry bookings, exported to an accounting program. */
export type LedgerBatch = DayRange & {
  id: string
  number: number
  format: LedgerFormat
  country: string
  currency: string
  entries: number
  debit_cents: number
  made_by: string | null
  created_at: string
  taken_back_at: string | null
}

/** A double entry: its source document, and its change of each account. */
export type LedgerEntry = {
  source: BookedDocument['of']
  source_id: string
  document: string
  day: string
  is_correction: boolean
  booking: BookedDocument | null
  postings: Postings
}

/** Export options: the days, the format, and the company's current date, country and currency. */
type LedgerExportOptions = DayRange & { format: string; today: string; country: string; currency: string }

/**
 * Creates a batch of the new entries of some days, and of corrections for exported documents that changed since.
 * Returns its number. Throws `conflict` if there are none.
 */
export async function exportLedger(
  db: Db,
  options: LedgerExportOptions,
  by: { user: string },
): Promise<LedgerBatch['number']> {
  const format = readFormat(options.format)
  await lockLedger(db)
  const entries = limitByLines(await entriesDue(db, options, options.today), MAX_LINES[format])
  if (entries.length === 0) throw conflict(refusals.nothingNew())
  const { number } = await db.one<{ number: number }>(
    sql`select coalesce(max(number), 0) + 1 as number from ledger_batches where tenant_id = ${db.tenant}`,
  )
  const id = newId()
  const debits = entries.reduce((sum, { postings }) => sum + debitsOf(postings), 0)
  await db.run(sql`insert into ledger_batches (tenant_id, id, number, format, from_day, to_day, country, currency,
    entries, debit_cents, created_by)
    values (${db.tenant}, ${id}, ${number}, ${format}, ${options.from}, ${options.to}, ${options.country},
      ${options.currency},
      ${entries.length}, ${debits}, ${by.user})`)
  await addEntries(db, id, entries)
  await db.run(
    auditChange(db.tenant, by, 'ledger.export', id, { number: [null, number], entries: [null, entries.length] }),
  )
  return number
}

/** Returns the first entries whose lines fit into one file. Entries aren't split. */
function limitByLines(entries: readonly LedgerEntry[], max: number): LedgerEntry[] {
  let lines = 0
  return entries.filter(({ postings }) => (lines += linesOf(postings).length) <= max)
}

function readFormat(name: string): LedgerFormat {
  const format = LEDGER_FORMATS.find((format) => format === name)
  if (format === undefined)
    throw invalidField(
      'format',
      refusals.unknownFormat({ formats: LEDGER_FORMATS.join(', '), format: name.slice(0, 20) }),
    )
  return format
}

/** Locks the ledger, so that only one batch is created or undone at a time. */
const lockLedger = (db: Db): Promise<unknown> =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('ledger'), hashtext(${db.tenant}))`)

const addEntries = (db: Db, batch: string, entries: readonly LedgerEntry[]): Promise<unknown> =>
  db.run(
    insertSelected(sql`insert into ledger_entries (tenant_id, batch_id, position, source, source_id, document, day,
      is_correction, booking, receivable, undeposited, clearing, bad_debts, income, deposits, tips, tax)
    select ${db.tenant}::uuid, ${batch}::uuid, e.position, e.source, e.source_id, e.document, e.day, e.is_correction,
      nullif(e.booking, 'null'), e.receivable, e.undeposited, e.clearing, e.bad_debts, e.income, e.deposits, e.tips,
      e.tax
    from jsonb_to_recordset(${JSON.stringify(
      entries.map(({ postings, ...entry }, position) => ({ ...entry, ...postings, position })),
    )}::jsonb)
      as e(position integer, source text, source_id uuid, document text, day date, is_correction boolean, booking jsonb,
        receivable bigint, undeposited bigint, clearing bigint, bad_debts bigint, income bigint, deposits bigint,
        tips bigint, tax bigint)`),
  )

type DueEntry = Omit<LedgerEntry, 'postings'> & { before: BookedDocument | null }

/**
 * Returns the entries of the next batch. Corrections are dated today, since the books of the original day may be
 * closed.
 */
export async function entriesDue(db: Db, { from, to }: DayRange, today: string): Promise<LedgerEntry[]> {
  const due = await db.all<DueEntry>(sql`
    with last as (
      select distinct on (e.source, e.source_id) e.source, e.source_id, e.document, e.booking
      from ledger_entries e join ledger_batches b on b.tenant_id = e.tenant_id and b.id = e.batch_id
      where e.tenant_id = ${db.tenant} and b.taken_back_at is null order by e.source, e.source_id, b.number desc),
    now as (
      select 'invoice' as source, i.id as source_id, i.display_number as document, i.issue_date as day,
        jsonb_build_object('of', 'invoice', 'total_cents', i.total_cents, 'tax_cents', i.tax_cents, 'deducted_cents',
          i.deducted_cents, 'is_deposit', i.deposit_of is not null) as booking
      from invoices i
      where i.tenant_id = ${db.tenant} and i.status not in ('draft', 'void')
        and (i.subtotal_cents, i.total_cents) <> (0, 0)
      union all
      select 'write_off', i.id, i.display_number, ${today}::date,
        jsonb_build_object('of', 'write_off', 'lost_cents', i.balance_due_cents)
      from invoices i where i.tenant_id = ${db.tenant} and i.status = 'uncollectible' and i.balance_due_cents <> 0
        and (i.issue_date between ${from} and ${to}
          or exists (select 1 from last where source = 'invoice' and source_id = i.id))
      union all
      select 'payment', p.id, i.display_number, p.paid_on, jsonb_build_object('of', 'payment',
        'amount_cents', p.amount_cents, 'is_online', p.kind in ('charge', 'refund', 'dispute'))
      from payments p join invoices i on i.tenant_id = p.tenant_id and i.id = p.invoice_id
      where p.tenant_id = ${db.tenant} and p.amount_cents <> 0
      union all
      select 'tip', t.id, i.display_number, t.paid_on,
        jsonb_build_object('of', 'tip', 'amount_cents', t.amount_cents)
      from tips t join invoices i on i.tenant_id = t.tenant_id and i.id = t.invoice_id
      where t.tenant_id = ${db.tenant})
    select coalesce(n.source, l.source) as source, coalesce(n.source_id, l.source_id) as source_id,
      coalesce(n.document, l.document) as document,
      case when l.source is null then n.day else ${today}::date end as day, l.source is not null as is_correction,
      n.booking, l.booking as before
    from now n full join last l on l.source = n.source and l.source_id = n.source_id
    where n.booking is distinct from l.booking
      and (l.source is not null or n.source = 'write_off' or n.day between ${from} and ${to})
    order by day, source, document, source_id limit ${MAX_ENTRIES}`)
  return due.map(({ before, ...entry }) => ({ ...entry, postings: postingsBetween(before, entry.booking) }))
}

const SELECT_BATCHES = sql`select b.id, b.number, b.format, b.from_day as "from", b.to_day as "to", b.country,
  b.currency,
  b.entries, b.debit_cents, u.name as made_by, b.created_at, b.taken_back_at
  from ledger_batches b left join users u on u.id = b.created_by`

/** Returns the latest batches, newest first. */
export const listLedgerBatches = (db: Db, limit: number): Promise<LedgerBatch[]> =>
  db.all<LedgerBatch>(sql`${SELECT_BATCHES} where b.tenant_id = ${db.tenant} order by b.number desc limit ${limit}`)

/** Returns a batch with its entries as they were exported, even if it was undone. */
export async function findLedgerBatch(db: Db, number: number): Promise<[LedgerBatch, LedgerEntry[]]> {
  const batch = await db.present<LedgerBatch>(
    sql`${SELECT_BATCHES} where b.tenant_id = ${db.tenant} and b.number = ${number}`,
    'batch',
  )
  const rows = await db.all<Omit<LedgerEntry, 'postings'> & Postings>(sql`
    select source, source_id, document, day, is_correction, booking, receivable, undeposited, clearing, bad_debts,
      income, deposits, tips, tax
    from ledger_entries where tenant_id = ${db.tenant} and batch_id = ${batch.id} order by position`)
  return [batch, rows.map((row) => ({ ...row, postings: postingsOf(row) }))]
}

const postingsOf = (row: Postings): Postings =>
  Object.fromEntries(ACCOUNTS.map((account) => [account, row[account]])) as Postings

/**
 * Undoes the newest batch, so that the next one has its entries again. Older ones can't be undone, since later ones
 * build on them.
 */
export async function undoLedgerExport(db: Db, number: number, by: { user: string }): Promise<void> {
  await lockLedger(db)
  const newest = await db.maybe<{ id: string; number: number }>(
    sql`select id, number from ledger_batches
      where tenant_id = ${db.tenant} and taken_back_at is null
      order by number desc limit 1`,
  )
  if (newest?.number !== number)
    throw conflict(
      newest === undefined
        ? refusals.notInBooks({ number: String(number) })
        : refusals.notNewest({ number: String(number), newest: String(newest.number) }),
    )
  await db.run(sql`update ledger_batches set taken_back_at = moment(), taken_back_by = ${by.user}
    where tenant_id = ${db.tenant} and id = ${newest.id}`)
  await db.run(auditChange(db.tenant, by, 'ledger.take_back', newest.id, { number: [number, null] }))
}
