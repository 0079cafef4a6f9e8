import type { FieldProblem } from '../../platform/errors/refusal.ts'

/** Customer of a document as the file writes it. */
export type CustomerReference = {
  id?: string | undefined
  name?: string | undefined
  email?: string | undefined
  phone?: string | undefined
}

/** A line as our tools take it. */
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

/** What a file says that a document comes to, in minor units; what it doesn't say is not there. */
export type SourceAmounts = {
  [Name in 'subtotal' | 'discount' | 'tax' | 'total' | 'paid' | 'balance']?: number | undefined
} & {
  /** A percentage as it is written, such as 8.25. */
  rate?: string | undefined
}

/** A job, a quote or an invoice of another product, read but not yet ours. */
export type SourceDocument = {
  customer: CustomerReference
  lines: readonly LineInput[]
  amounts: SourceAmounts
  /** Our status. */
  state: string
  /** Days that our tools set themselves: when it was paid, accepted or completed. */
  days: Readonly<Record<string, string | undefined>>
  /** How it was paid. */
  payment: { method: string; reference?: string | undefined }
  place: Readonly<Record<string, string | undefined>>
  assignees: readonly string[]
  /** Number in the other product of the job that it bills. */
  job?: string | undefined
  /** Adds a line where lines and tax don't come to the total. */
  isEvenedOut: boolean
  /** What can't be read. */
  problems: readonly FieldProblem[]
  /** A short description for the preview. */
  says: readonly string[]
}
