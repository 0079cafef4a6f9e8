import type { ImportSource } from '../formats/source_format.ts'

const NAMES: Readonly<Record<ImportSource, string>> = {
  jobber: 'Jobber',
  housecall_pro: 'Housecall Pro',
  servicetitan: 'ServiceTitan',
  quickbooks: 'QuickBooks',
  plain: '',
}

/** Returns the name of a product; empty for a plain table. */
export const sourceName = (source: ImportSource): string => NAMES[source]
