import type { Caller } from '../identity/credentials/caller.ts'
import type { Scope } from '../identity/permissions/scopes.ts'
import { conflict } from '../platform/errors/refusal.ts'
import type { Db } from '../platform/db/tenant.ts'
import { mayChangeQuoteOf } from '../records/quotes/index.ts'
import type { LinkTarget, LinkTargetKind } from './link.ts'
import { refusals } from './refusals.ts'

/** Scopes needed to share: to change the record, and to see everything the link shows. */
const NEEDED_SCOPES: Readonly<Record<LinkTargetKind, readonly Scope[]>> = {
  quotes: ['write:quotes'],
  invoices: ['write:invoices'],
  customers: ['write:customers', 'read:jobs', 'read:quotes', 'read:invoices'],
}

export const isLinkTargetKind = (kind: string): kind is LinkTargetKind => kind in NEEDED_SCOPES

/** Checks whether the scopes allow links to records of this kind. */
export const mayShareKind = (may: (scope: Scope) => boolean, kind: LinkTargetKind): boolean =>
  NEEDED_SCOPES[kind].every(may)

/** Checks whether a caller may share a record. A quote can be shared only by those who may change it. */
export const mayShareRecord = async (db: Db, caller: Caller, { kind, id }: LinkTarget): Promise<boolean> =>
  kind !== 'quotes' || (await mayChangeQuoteOf(db, caller, id))

/** Throws for a document that its customer can't see yet. */
export function requireShareable(status: string | undefined): void {
  if (status === 'draft') throw conflict(refusals.draft())
}
