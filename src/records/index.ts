import type { Entity } from '../tools/declare/define.ts'
import type { ResultsOf } from '../tools/declare/results.ts'
import { catalogCategories } from './catalog_categories/tools.ts'
import { catalogItems } from './catalog_items/tools.ts'
import { contacts } from './contacts/tools.ts'
import { customers } from './customers/tools.ts'
import { invoices } from './invoices/tools.ts'
import { jobSeries } from './job_series/tools.ts'
import { jobs } from './jobs/tools.ts'
import { locations } from './locations/tools.ts'
import { notes } from './notes/tools.ts'
import { plans } from './plans/tools.ts'
import { quotes } from './quotes/tools.ts'
import { tags } from './tags/tools.ts'
import { taxRates } from './tax_rates/tools.ts'

const declared = [
  customers,
  contacts,
  locations,
  tags,
  notes,
  jobs,
  jobSeries,
  invoices,
  quotes,
  catalogItems,
  catalogCategories,
  plans,
  taxRates,
] as const

/** Entities in the order of tools/list. */
export const entities: readonly Entity[] = declared

declare module '../tools/declare/results.ts' {
  interface Results extends ResultsOf<(typeof declared)[number]> {}
}
