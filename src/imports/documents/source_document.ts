import type { FieldProblem } from '../../platform/errors/refusal.ts'

/** Customer of a document as written in the file. */
export type CustomerReference = {
  id?: string | undefined
  name?: string | undefined
  email?: string | undefined
  phone?: string | undefined
}

/** Line item as input of our tools. */
export type LineInput =
  | {
      kind: 'service' | 'product' | 'labor' | 'fee'
      name: string
      description?: string
      quantity: string
      unit?: string
      unit_price_cents: number
      taxable: boolean
    }
  | { kind: 'discount'; name: string; discount_type: 'amount'; discount_value: number }

/** Amounts of a document in the file, in minor units. Missing ones are undefined. */
export type SourceAmounts = {
  [Name in 'subtotal' | 'discount' | 'tax' | 'total' | 'paid' | 'balance']?: number | undefined
} & {
  /** Tax rate in percent as written, such as 8.25. */
  rate?: string | undefined
}

/** Job, quote or invoice of another product, parsed but not imported yet. */
export type SourceDocument = {
  customer: CustomerReference
  lines: readonly LineInput[]
  amounts: SourceAmounts
  /** Status in our terms. */
  state: string
  /** Dates that our tools normally set themselves: of payment, acceptance or completion. */
  days: Readonly<Record<string, string | undefined>>
  /** Payment method and reference. */
  payment: { method: string; reference?: string | undefined }
  place: Readonly<Record<string, string | undefined>>
  assignees: readonly string[]
  /** Source number of the job an invoice bills. */
  job?: string | undefined
  /** Whether to add a balancing line if lines and tax don't match the total. */
  isEvenedOut: boolean
  /** Problems found while reading. */
  problems: readonly FieldProblem[]
  /** Short description for the preview. */
  summary: readonly string[]
}
