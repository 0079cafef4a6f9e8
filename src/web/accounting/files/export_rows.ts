import {
  exportCustomers,
  exportInvoices,
  type DayRange,
  type ExportedCustomer,
  type ExportedInvoice,
  type InvoiceCursor,
} from '../../../records/invoices/index.ts'
import { phone } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'

const BATCH_SIZE = 200

/** Yields every issued invoice in a date range, in batches of `BATCH_SIZE`. */
export async function* everyInvoice(context: MemberContext, range: DayRange): AsyncGenerator<ExportedInvoice, void> {
  const showsCustomers = context.may('read:customers')
  for (let after: InvoiceCursor | undefined; ;) {
    const invoices = await context.read((db) => exportInvoices(db, { range, after, limit: BATCH_SIZE, showsCustomers }))
    yield* invoices
    after = invoices.at(-1)
    if (after === undefined || invoices.length < BATCH_SIZE) return
  }
}

/** Yields every live customer. */
export async function* everyCustomer(context: MemberContext): AsyncGenerator<ExportedCustomer, void> {
  for (let after: string | undefined; ;) {
    const customers = await context.read((db) => exportCustomers(db, after, BATCH_SIZE))
    yield* customers
    after = customers.at(-1)?.id
    if (after === undefined || customers.length < BATCH_SIZE) return
  }
}

/** Formats a date as a country's bookkeeping does: `03/31/2026` in the United States, `31/03/2026` elsewhere. */
export function formatExportDate(date: string, country: string): string {
  const [year, month, day] = date.split('-')
  return country === 'US' ? `${month}/${day}/${year}` : `${day}/${month}/${year}`
}

/** Returns a line item's text without line breaks, which imports reject. */
export const lineItemText = ({ name, description }: ExportedInvoice['line_items'][number]): string =>
  [name, description]
    .filter((text) => text !== null)
    .join(': ')
    .replaceAll(/\s+/g, ' ')

export const phoneOf = ({ phone: number }: ExportedCustomer): string | null => (number === null ? null : phone(number))
