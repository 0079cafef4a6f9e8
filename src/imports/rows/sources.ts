import type { ImportSource } from '../formats/source_format.ts'

const NAMES: Readonly<Record<ImportSource, string>> = {
  jobber: 'Jobber',
  housecall_pro: 'Housecall Pro',
  servicetitan: 'ServiceTitan',
  quickbooks: 'QuickBooks',
  plain: '',
}

/** Returns what a product is called; nothing for a table of no product. */
export const sourceName = (source: ImportSource): string => NAMES[source]
