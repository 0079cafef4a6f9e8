import type { Caller } from '../../../identity/credentials/caller.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import type { Wire } from '../../../tools/declare/results.ts'
import type { Remark } from '../../reading/incoming.ts'
import type { LinkScope } from '../../rows/links.ts'
import type { ToolWrite } from '../../run/import_context.ts'
import type { DocumentCustomer } from '../customer.ts'
import type { SourceDocument } from '../source_document.ts'

/** Context for creating a document with our tools, whose writes are kept for the audit. */
export type DocumentContext = {
  db: Db
  caller: Caller
  source: LinkScope['source']
  input: Record<string, unknown>
  sourceDocument: SourceDocument
  customer: DocumentCustomer
  run(wire: Wire, input: Record<string, unknown>): Promise<ToolWrite>
  addRemark(remark: Remark): void
}

/** Result of creating a document. */
export type CreatedDocument = { id: string; total_cents?: number; owed_cents?: number }
