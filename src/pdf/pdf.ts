import type { Db } from '../platform/db/tenant.ts'
import { drawApart } from './drawing/draughtsman.ts'
import type { Paper } from './paper.ts'
import { paperOf, type PaperOf } from './paper_of.ts'

/** Describes a document as a file for its customer. */
export type Pdf = { name: string; type: 'application/pdf'; content: Uint8Array }

/**
 * Returns a document as a PDF in the language that its customer prefers; the same record is always the same bytes.
 * `not_found` for a record that isn't there, `Unavailable` when too many wait to be drawn. In a transaction that holds
 * locks, read with `paperOf` and draw with `pdfFrom` after it.
 */
export const pdfOf = async (db: Db, of: PaperOf): Promise<Pdf> => pdfFrom(db.tenant, await paperOf(db, of))

/** Draws a document of a company that was read before. */
export const pdfFrom = async (company: string, paper: Paper): Promise<Pdf> => ({
  name: fileName(paper),
  type: 'application/pdf',
  content: await drawApart(company, paper),
})

/** Names the file by the number of the document: `INV-1042.pdf`. */
export const fileName = ({ number }: Pick<Paper, 'number'>): string =>
  `${number.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '') || 'document'}.pdf`
