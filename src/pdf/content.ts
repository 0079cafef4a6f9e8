import type { Company } from '../identity/companies/company.ts'
import { figuresOf, totalsOf, type Amount, type Totals } from '../records/page/document.ts'
import { money } from '../records/format/formats.ts'
import { localAddress } from '../records/page/contact_links.ts'
import { say } from '../platform/i18n/say.ts'
import type { PdfDocumentData, PdfRow } from './document.ts'

/** Reader of a document: the customer's language, and the contact at the customer. */
export type PdfRecipient = {
  preferred_language: string | null
  contact: string | null
  contact_phone: string | null
  /** Name that an invoice keeps after its customer is erased. */
  billed_name: string | null
}

/** Content that differs by kind of document. */
export type PdfContent = Omit<PdfDocumentData, 'kind' | 'locale' | 'format' | 'from' | 'footer' | 'pages'>

type DocumentHead = { customer_name: string; location_address: string | null }

export const toAddressBlocks = (
  label: string,
  { customer_name, location_address }: DocumentHead,
  { contact, billed_name }: PdfRecipient,
  { country }: Company,
): PdfDocumentData['addressBlocks'] => [
  { label, name: billed_name ?? customer_name, lines: contact === null || contact === customer_name ? [] : [contact] },
  ...(location_address === null
    ? []
    : [{ label: say`Service address`, name: undefined, lines: addressLines(localAddress(location_address, country)) }]),
]

/** Splits a one-line address into street and town. */
export const addressLines = (address: string): string[] => address.replace(', ', '\n').split('\n')

export const toPriceTable = ({ line_items }: Totals, currency: string): PdfDocumentData['table'] => ({
  caption: say`Lines`,
  headers: [say`Description`, say`Quantity`, say`Price`, say`Amount`],
  rows: line_items.map((line): PdfRow => {
    const { quantity, price, total } = figuresOf(line, currency)
    return { name: line.name, description: line.description, cells: [quantity, price, total] }
  }),
  empty: say`No lines yet.`,
})

/** Returns the rows from the subtotal to the total. */
export const toSums = (totals: Totals, currency: string, deducted: readonly Amount[] = []): PdfDocumentData['sums'] =>
  totalsOf(totals, currency, deducted).map(({ label, cents, isSum }) => ({
    label,
    amount: money(cents, currency),
    look: isSum ? 'sum' : 'plain',
  }))

export const exemptionNote = ({ tax_exempt }: { tax_exempt: boolean }): string | undefined =>
  tax_exempt ? say`The customer is exempt from tax.` : undefined
