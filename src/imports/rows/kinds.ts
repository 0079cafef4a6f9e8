import type { Scope } from '../../identity/permissions/scopes.ts'

/** Kinds of records a file can have, in the best order to import them: referenced records first. */
export const KINDS = ['customers', 'catalog_items', 'jobs', 'quotes', 'invoices'] as const
export type ImportKind = (typeof KINDS)[number]

/** Kinds that belong to a customer and have line items. */
export type ImportedDocumentKind = 'jobs' | 'quotes' | 'invoices'
/** Kinds that don't belong to a customer. */
export type EntryKind = Exclude<ImportKind, ImportedDocumentKind>

export const isDocument = (kind: ImportKind): kind is ImportedDocumentKind =>
  kind === 'jobs' || kind === 'quotes' || kind === 'invoices'

/** Scopes required to import records of a kind. */
export const REQUIRED_SCOPES: Readonly<Record<ImportKind, readonly Scope[]>> = {
  customers: ['read:customers', 'write:customers'],
  catalog_items: ['read:catalog_items', 'write:catalog_items', 'write:catalog_categories'],
  jobs: ['read:customers', 'write:customers', 'read:jobs', 'write:jobs'],
  quotes: ['read:customers', 'read:quotes', 'write:quotes'],
  invoices: ['read:customers', 'read:invoices', 'write:invoices'],
}
