import type { Db } from '../platform/db/tenant.ts'
import { drawInWorker } from './drawing/pdf_worker.ts'
import type { PdfDocumentData } from './document.ts'
import { readPdfDocument, type PdfSource } from './read_document.ts'

/** PDF file for a customer. */
type Pdf = { name: string; type: 'application/pdf'; content: Uint8Array }

/**
 * Returns a document as a PDF in the language that its customer prefers; the same record is always the same bytes.
 * `not_found` for a record that isn't there, `Unavailable` when too many wait to be drawn. In a transaction that holds
 * locks, read with `paperOf` and draw with `pdfFrom` after it.
 */
export const createPdf = async (db: Db, of: PdfSource): Promise<Pdf> =>
  renderPdf(db.tenant, await readPdfDocument(db, of))

/** Draws a document of a company that was read before. */
export const renderPdf = async (company: string, paper: PdfDocumentData): Promise<Pdf> => ({
  name: fileName(paper),
  type: 'application/pdf',
  content: await drawInWorker(company, paper),
})

/** Returns the file name, from the document's number: `INV-1042.pdf`. */
export const fileName = ({ number }: Pick<PdfDocumentData, 'number'>): string =>
  `${number.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '') || 'document'}.pdf`
