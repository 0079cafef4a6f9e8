import type { Db } from '../platform/db/tenant.ts'
import { drawInWorker } from './drawing/pdf_worker.ts'
import type { PdfDocumentData } from './document.ts'
import { readPdfDocument, type PdfSource } from './read_document.ts'

/** PDF file for a customer. */
type Pdf = { name: string; type: 'application/pdf'; content: Uint8Array }

/**
 * Returns a document as a PDF in the language that its customer prefers. The same record always gives the same bytes.
 * Throws `not_found` for a missing record, and `Unavailable` if too many wait to be drawn. In a transaction that holds
 * locks, use `readPdfDocument` inside and `renderPdf` after it.
 */
export const createPdf = async (db: Db, source: PdfSource): Promise<Pdf> =>
  renderPdf(db.tenant, await readPdfDocument(db, source))

/** Draws a company's document that was read before. */
export const renderPdf = async (company: string, data: PdfDocumentData): Promise<Pdf> => ({
  name: fileName(data),
  type: 'application/pdf',
  content: await drawInWorker(company, data),
})

/** Returns the file name, from the document's number: `INV-1042.pdf`. */
export const fileName = ({ number }: Pick<PdfDocumentData, 'number'>): string =>
  `${number.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '') || 'document'}.pdf`
