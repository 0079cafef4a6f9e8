export type PdfDocumentKind = 'invoices' | 'quotes' | 'jobs'

/** Document as the customer sees it, in the customer's language. The page and the PDF share its texts and amounts. */
export type PdfDocumentData = {
  kind: PdfDocumentKind | 'receipts' | 'statements'
  /** Type of document: `Invoice`. */
  name: string
  number: string
  /** Locale of the text, such as `es-US`. */
  locale: string
  format: 'LETTER' | 'A4'
  /** Time of the record's last change. The same record always gives the same bytes. */
  at: string
  from: { name: string; lines: readonly string[]; logo: PdfLogo | null }
  /** Status beside the number, such as draft, paid or void. Undefined for a document simply in force. */
  status: { text: string; look: 'done' | 'open' | 'ended' } | undefined
  /** Most important facts for the reader: the amount due, and when. */
  headline: { amount: string; detail: string } | undefined
  /** Customer and work site. */
  addressBlocks: readonly { label: string; name: string | undefined; lines: readonly string[] }[]
  facts: readonly { label: string; value: string }[]
  title: string | null
  message: string | null
  table: { caption: string; headers: readonly string[]; rows: readonly PdfRow[]; empty: string }
  /** Amounts from the lines to the total and to the amount due. */
  sums: readonly { label: string; amount: string; look: 'plain' | 'sum' | 'due' }[]
  sumsNote: string | undefined
  /** Texts with their own headings: terms, how to pay. */
  parts: readonly { title: string; text: string }[]
  /** Signature lines: a sentence, a label per blank, and the signature once the customer has signed. */
  signature: { statement: string; blanks: readonly string[]; signed?: PdfSignature } | undefined
  footer: string | null
  /** Text at the foot of each page, with `{page}` and `{pages}`. */
  pages: string
}

/** Customer's signature: SVG path data on a 600 by 200 canvas for the first line, and the text of the other lines. */
export type PdfSignature = { drawing: string | null; name: string; date: string }

/** Row of the table: the name, and the other cells in the order of the heads. */
export type PdfRow = { name: string; description: string | null; cells: readonly string[] }

export type PdfLogo = {
  /** Changes with the image. */
  id: string
  type: 'image/png' | 'image/jpeg'
  width: number
  height: number
  bytes: Uint8Array
}
