import type { LedgerBatch, LedgerEntry, LedgerFormat } from '../../../records/invoices/index.ts'
import { linesOf, type LedgerAccount } from '../../../money/posting.ts'
import { amountOf, type Sheet, type SheetRow } from '../../sheet.ts'
import { formatExportDate } from './export_rows.ts'

type Line = ReturnType<typeof linesOf>[number]
type NamedEntry = LedgerEntry & { name: string }
type Row = (batch: LedgerBatch, entry: NamedEntry, line: Line) => SheetRow

/** Name of each account and its code in Xero. Sales use the default code of a new Xero organization. */
const ACCOUNTS: Readonly<Record<LedgerAccount, readonly [name: string, code: string]>> = {
  receivable: ['Callout receivables', 'C-RECV'],
  undeposited: ['Undeposited Funds', 'C-CASH'],
  clearing: ['Callout online payments', 'C-CARD'],
  bad_debts: ['Bad debts', 'C-BAD'],
  income: ['Sales', '200'],
  deposits: ['Customer deposits', 'C-DEPOSIT'],
  tips: ['Tips payable', 'C-TIPS'],
  tax: ['Callout sales tax', 'C-TAX'],
}

const SOURCES: Readonly<Record<LedgerEntry['source'], string>> = {
  invoice: 'Invoice',
  write_off: 'Write-off of',
  payment: 'Payment of',
  tip: 'Tip on',
}

const FORMATS: Readonly<Record<LedgerFormat, { columns: readonly string[]; row: Row; isForImport: boolean }>> = {
  csv: {
    columns: ['Batch', 'Entry', 'Date', 'What', 'Invoice', 'Account', 'Debit', 'Credit', 'Currency'],
    row: (batch, entry, { account, cents }) => [
      batch.number,
      entry.name,
      entry.day,
      entryDescription(entry),
      entry.document,
      ACCOUNTS[account][0],
      ...sidesOf(cents, batch.currency),
      batch.currency,
    ],
    isForImport: false,
  },
  quickbooks: {
    columns: [
      '*JournalNo',
      '*JournalDate',
      '*AccountName',
      '*Debits',
      '*Credits',
      'Description',
      'Name',
      'Currency',
      'Location',
      'Class',
    ],
    row: (batch, entry, { account, cents }) => [
      entry.name,
      formatExportDate(entry.day, batch.country),
      ACCOUNTS[account][0],
      ...sidesOf(cents, batch.currency),
      entryDescription(entry),
      null,
      batch.currency,
      null,
      null,
    ],
    isForImport: true,
  },
  xero: {
    columns: [
      '*Narration',
      '*Date',
      'Description',
      '*AccountCode',
      '*TaxRate',
      '*Amount',
      'TrackingName1',
      'TrackingOption1',
      'TrackingName2',
      'TrackingOption2',
    ],
    row: (batch, entry, { account, cents }) => [
      `${entry.name} ${entryDescription(entry)}`,
      formatExportDate(entry.day, batch.country),
      entryDescription(entry),
      ACCOUNTS[account][1],
      'Tax Exempt',
      amountOf(cents, batch.currency),
      null,
      null,
      null,
      null,
    ],
    isForImport: true,
  },
}

/**
 * Builds a batch's file, one line per account of each entry. It is always in English and uses stored values only, so
 * that the bytes are the same each time.
 */
export function ledgerFile(batch: LedgerBatch, entries: readonly LedgerEntry[]): Sheet {
  const { columns, row, isForImport } = FORMATS[batch.format]
  const named = entries.map((entry, at): NamedEntry => ({ ...entry, name: `CO-${batch.number}-${at + 1}` }))
  return {
    name: `books-${batch.number}-${batch.format}.csv`,
    columns,
    rows: named.flatMap((entry) => linesOf(entry.postings).map((line) => row(batch, entry, line))),
    isForImport,
  }
}

const entryDescription = ({ source, document, is_correction }: LedgerEntry): string =>
  `${is_correction ? 'Correction: ' : ''}${SOURCES[source]} ${document}`

/** Returns the debit and credit columns, one of them empty. */
const sidesOf = (cents: number, currency: string): SheetRow =>
  cents > 0 ? [amountOf(cents, currency), null] : [null, amountOf(0 - cents, currency)]
