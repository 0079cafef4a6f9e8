import type { Caller } from '../../access/credentials/caller.ts'
import type { Db } from '../../db/tenant.ts'
import { invalidFields } from '../../refusal.ts'
import type { Wire } from '../../tools/results.ts'
import type { Incoming, Remark } from '../incoming.ts'
import type { DocumentKind } from '../kinds.ts'
import type { LinkScope } from '../links.ts'
import { runTool, type Bringing, type Brought, type ToolWrite } from '../running.ts'
import { customerOf, type DocumentCustomer } from './customer.ts'
import { makeInvoice } from './make_invoice.ts'
import { makeJob } from './make_job.ts'
import { makeQuote } from './make_quote.ts'
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

const MAKERS: Readonly<Record<DocumentKind, (making: Making) => Promise<MadeDocument>>> = {
  jobs: makeJob,
  quotes: makeQuote,
  invoices: makeInvoice,
}

/** Makes a job, a quote or an invoice as it is in the other product, by the tools that people use. */
export async function bringDocument(
  bringing: Bringing,
  caller: Caller,
  db: Db,
  { source, kind }: LinkScope & { kind: DocumentKind },
  { given, name, document }: Incoming,
): Promise<Brought> {
  const theirs = document!
  if (theirs.problems.length > 0) throw invalidFields(theirs.problems)
  const customer = await customerOf(db, caller, source, theirs.customer)
  const writes: ToolWrite[] = []
  const remarks: Remark[] = []
  const made = await MAKERS[kind]({
    db,
    caller,
    source,
    given: { ...given, customer_id: customer.id },
    theirs,
    customer,
    run: async (wire, own) => {
      const write = await runTool(bringing, caller, db, wire, own)
      writes.push(write)
      return write
    },
    remark: (remark) => remarks.push(remark),
  })
  return { way: 'made', name: customer.name || name, writes, remarks, ...made }
}
