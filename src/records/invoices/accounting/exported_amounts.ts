import type { ExportedInvoice, InvoicedRate } from './export_rows.ts'

/** Checks whether an invoice is in the books: void ones aren't. */
export const isInBooks = ({ status }: Pick<ExportedInvoice, 'status'>): boolean => status !== 'void'

/** Returns the sold lines; discounts are in `discountOf`. */
export const soldLines = ({ line_items }: Pick<ExportedInvoice, 'line_items'>): ExportedInvoice['line_items'] =>
  line_items.filter(({ kind }) => kind !== 'discount')

/** Returns the discount in cents, without the deducted deposits. */
export const discountOf = ({
  discount_cents,
  deducted_cents,
}: Pick<ExportedInvoice, 'discount_cents' | 'deducted_cents'>): number => discount_cents - deducted_cents

/** Returns the tax of an invoice in cents for each of some rates, in their order, and for all other rates. */
export function taxByRate(
  { taxes, tax_cents }: Pick<ExportedInvoice, 'taxes' | 'tax_cents'>,
  rates: readonly InvoicedRate[],
): { byRate: number[]; other: number } {
  const byRate = rates.map(({ name, rate_decimal }) =>
    taxes
      .filter((tax) => tax.name === name && tax.rate_decimal === rate_decimal)
      .reduce((sum, tax) => sum + tax.tax_cents, 0),
  )
  return { byRate, other: byRate.reduce((remaining, tax) => remaining - tax, tax_cents) }
}
