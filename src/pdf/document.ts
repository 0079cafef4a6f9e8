export type PdfDocumentKind = 'invoices' | 'quotes' | 'jobs'

/**
 * Describes a document as its customer gets it, in the customer's language: every word and figure is said here once, for
 * the page and for the PDF.
 */
export type PdfDocumentData = {
  kind: PdfDocumentKind
  /** Is what it is called: `Invoice`. */
  name: string
  number: string
  /** Is the locale of its words, such as `es-US`. */
  locale: string
  format: 'LETTER' | 'A4'
  /** Is when the record last changed: the same record is drawn into the same bytes. */
  at: string
  from: { name: string; lines: readonly string[]; logo: PdfLogo | null }
  /** Is shown beside the number unless it is simply in force: a draft, a paid one, a void one. */
  mark: { says: string; look: 'done' | 'open' | 'ended' } | undefined
  /** Says first what the reader wants to know: what is due, and when. */
  headline: { amount: string; says: string } | undefined
  /** Are whom it is for and where the work is. */
  parties: readonly { label: string; name: string | undefined; lines: readonly string[] }[]
  facts: readonly { label: string; value: string }[]
  title: string | null
  message: string | null
  table: { caption: string; heads: readonly string[]; rows: readonly PdfRow[]; empty: string }
  /** Lead from the lines to the total, and on to what is due. */
  sums: readonly { label: string; amount: string; look: 'plain' | 'sum' | 'due' }[]
  remark: string | undefined
  /** Are texts under a heading of their own: terms, how to pay. */
  parts: readonly { title: string; text: string }[]
  /** Are the lines to write on: a sentence, what each blank is for, and what stands on them once it is signed. */
  signature: { says: string; blanks: readonly string[]; signed?: PdfSignature } | undefined
  footer: string | null
  /** Stands at the foot of each page, with `{page}` and `{pages}` in it. */
  pages: string
}

/** Is what a customer signed with: path data of 600 by 200 on the first line, and what is on the others. */
export type PdfSignature = { drawing: string | null; name: string; date: string }

/** Holds the cells after the name, under the heads of the table. */
export type PdfRow = { name: string; description: string | null; cells: readonly string[] }

export type PdfLogo = {
  /** Changes with the picture. */
  id: string
  type: 'image/png' | 'image/jpeg'
  width: number
  height: number
  bytes: Uint8Array
}
