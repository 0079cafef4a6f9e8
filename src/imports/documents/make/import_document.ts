import type { Caller } from '../../../identity/credentials/caller.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { invalidFields } from '../../../platform/errors/refusal.ts'
import type { IncomingRecord, Remark } from '../../reading/incoming.ts'
import type { ImportedDocumentKind } from '../../rows/kinds.ts'
import type { LinkScope } from '../../rows/links.ts'
import { runTool, type ImportContext, type ImportRowResult, type ToolWrite } from '../../run/import_context.ts'
import { findDocumentCustomer } from '../customer.ts'
import { makeInvoice } from './make_invoice.ts'
import { makeJob } from './make_job.ts'
import { makeQuote } from './make_quote.ts'
import type { CreatedDocument, DocumentContext } from './document_context.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

const MAKERS: Readonly<Record<ImportedDocumentKind, (making: DocumentContext) => Promise<CreatedDocument>>> = {
  jobs: makeJob,
  quotes: makeQuote,
  invoices: makeInvoice,
}

/** Creates a job, quote or invoice in its source state, with the same tools that people use. */
export async function importDocument(
  context: ImportContext,
  caller: Caller,
  db: Db,
  { source, kind }: LinkScope & { kind: ImportedDocumentKind },
  { input, name, document }: IncomingRecord,
): Promise<ImportRowResult> {
  const sourceDocument = requireValue(document, 'The document of a row')
  if (sourceDocument.problems.length > 0) throw invalidFields(sourceDocument.problems)
  const customer = await findDocumentCustomer(db, caller, source, sourceDocument.customer)
  const writes: ToolWrite[] = []
  const remarks: Remark[] = []
  const created = await MAKERS[kind]({
    db,
    caller,
    source,
    input: { ...input, customer_id: customer.id },
    sourceDocument,
    customer,
    run: async (wire, own) => {
      const write = await runTool(context, caller, db, wire, own)
      writes.push(write)
      return write
    },
    addRemark: (remark) => remarks.push(remark),
  })
  return { status: 'made', name: customer.name || name, writes, remarks, ...created }
}
