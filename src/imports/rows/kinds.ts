import type { Scope } from '../../identity/permissions/scopes.ts'

/** What a file has a row for, in the order in which they are brought in best: what others refer to first. */
export const KINDS = ['customers', 'catalog_items', 'jobs', 'quotes', 'invoices'] as const
export type ImportKind = (typeof KINDS)[number]

/** The kinds that belong to a customer and have lines. */
export type ImportedDocumentKind = 'jobs' | 'quotes' | 'invoices'
/** The kinds that stand for themselves. */
export type EntryKind = Exclude<ImportKind, ImportedDocumentKind>

export const isDocument = (kind: ImportKind): kind is ImportedDocumentKind =>
  kind === 'jobs' || kind === 'quotes' || kind === 'invoices'

/** What somebody must be allowed to bring records of a kind in. */
export const REQUIRED_SCOPES: Readonly<Record<ImportKind, readonly Scope[]>> = {
  customers: ['read:customers', 'write:customers'],
  catalog_items: ['read:catalog_items', 'write:catalog_items', 'write:catalog_categories'],
  jobs: ['read:customers', 'write:customers', 'read:jobs', 'write:jobs'],
  quotes: ['read:customers', 'read:quotes', 'write:quotes'],
  invoices: ['read:customers', 'read:invoices', 'write:invoices'],
}
