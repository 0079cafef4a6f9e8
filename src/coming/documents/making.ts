import type { Caller } from '../../access/credentials/caller.ts'
import type { Db } from '../../db/tenant.ts'
import type { Wire } from '../../tools/results.ts'
import type { Remark } from '../incoming.ts'
import type { LinkScope } from '../links.ts'
import type { ToolWrite } from '../running.ts'
import type { DocumentCustomer } from './customer.ts'
import type { TheirDocument } from './their_document.ts'

/** Holds what a document is made with: by tools of ours, whose writes are kept for the audit. */
export type Making = {
  db: Db
  caller: Caller
  source: LinkScope['source']
  given: Record<string, unknown>
  theirs: TheirDocument
  customer: DocumentCustomer
  run(wire: Wire, given: Record<string, unknown>): Promise<ToolWrite>
  remark(remark: Remark): void
}

/** Is what came of making a document. */
export type MadeDocument = { id: string; total_cents?: number; owed_cents?: number }
