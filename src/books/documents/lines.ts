import { BOOK_ACCOUNTS, type BooksLine } from '../program.ts'
import { postingsBetween, type BookedDocument } from '../../money/posting.ts'
import { discountOf, soldLines } from '../../records/invoices/index.ts'
import { holdRecord } from '../books_error.ts'
import { OWN_ITEMS, type OwnItem } from './items.ts'
import type { InvoiceSource } from './sources.ts'

/** A line whose `item` is our id. */
export type SourceLine = BooksLine & { item: string }

/**
 * Returns the lines of an invoice: sold items, then the discount, tax by rate, and deducted deposits. They add up to
 * its total. Throws `held` if they differ from the ledger's postings to any account.
 */
export function invoiceLines(invoice: InvoiceSource): SourceLine[] {
  const discount = discountOf(invoice)
  const lines = [
    ...soldLines(invoice).map((line) => soldLine(line, invoice.is_deposit)),
    ...(discount === 0 ? [] : [singleLine(OWN_ITEMS.discount, 'Discount', -discount)]),
    ...invoice.taxes.flatMap(({ name, tax_cents }) =>
      tax_cents === 0 ? [] : [singleLine(OWN_ITEMS.tax, name, tax_cents)],
    ),
    ...invoice.deductions.map(({ display_number, amount_cents }) =>
      singleLine(OWN_ITEMS.deposits, `Deposit ${display_number}`, -amount_cents),
    ),
  ]
  // The ledger books a discount on a deposit invoice as a smaller deposit.
  const booked = invoice.is_deposit ? lines.map(toDeposit) : lines
  requireExact(booked, bookingOf(invoice))
  return booked
}

const toDeposit = (line: SourceLine): SourceLine =>
  line.account === 'income' ? { ...line, item: OWN_ITEMS.deposits.id, account: OWN_ITEMS.deposits.account } : line

const bookingOf = (invoice: InvoiceSource): BookedDocument => ({
  of: 'invoice',
  total_cents: invoice.total_cents,
  tax_cents: invoice.tax_cents,
  deducted_cents: invoice.deducted_cents,
  is_deposit: invoice.is_deposit,
})

function soldLine(line: InvoiceSource['line_items'][number], isDeposit: boolean): SourceLine {
  const { name, description, quantity, unit_price_cents: unit, line_total_cents: cents, catalog_item_id } = line
  const text = [name, description].filter((part) => part !== null).join(': ')
  const isExact = quantity !== null && unit !== null && isExactProduct(quantity, unit, cents)
  const item = catalog_item_id === null || isDeposit ? OWN_ITEMS.services.id : catalog_item_id
  return {
    account: 'income',
    item,
    // With a rounded unit price, the program would compute a different amount.
    text: isExact || quantity === null ? text : `${text} (${quantity} ${line.unit ?? ''})`.replace(' )', ')'),
    quantity: isExact ? quantity : null,
    unit_cents: isExact ? unit : null,
    cents,
  }
}

/** Checks whether quantity × unit price is exactly the amount; quantities have three decimals. */
const isExactProduct = (quantity: number, unit: number, cents: number): boolean =>
  BigInt(Math.round(quantity * 1000)) * BigInt(unit) === BigInt(cents) * 1000n

/** Returns a line with only an amount, for a quantity of one. */
export const singleLine = (item: OwnItem, text: string, cents: number): SourceLine => ({
  account: item.account,
  item: item.id,
  text,
  quantity: null,
  unit_cents: null,
  cents,
})

/** Throws `held` unless the lines credit each account exactly as the ledger does. */
function requireExact(lines: readonly SourceLine[], booking: BookedDocument): void {
  const postings = postingsBetween(null, booking)
  for (const account of BOOK_ACCOUNTS) {
    const cents = lines.filter((line) => line.account === account).reduce((sum, line) => sum + line.cents, 0)
    if (cents !== 0 - postings[account]) throw holdRecord('inexact', account)
  }
}
