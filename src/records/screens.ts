import type { Screen } from './page/screen.ts'
import { categoryScreen } from './catalog_categories/page.ts'
import { itemScreen } from './catalog_items/page.ts'
import { contactScreen } from './contacts/page.ts'
import { customerScreen } from './customers/page.ts'
import { invoiceScreen } from './invoices/page.ts'
import { seriesScreen } from './job_series/page.ts'
import { jobScreen } from './jobs/page.ts'
import { locationScreen } from './locations/page.ts'
import { noteScreen } from './notes/page.ts'
import { planScreen } from './plans/page.ts'
import { quoteScreen } from './quotes/page.ts'
import { tagScreen } from './tags/page.ts'
import { taxRateScreen } from './tax_rates/page.ts'

/** Pages of the entities, in the order of tools/list. */
export const screens: readonly Screen[] = [
  customerScreen,
  contactScreen,
  locationScreen,
  tagScreen,
  noteScreen,
  jobScreen,
  seriesScreen,
  invoiceScreen,
  quoteScreen,
  itemScreen,
  categoryScreen,
  planScreen,
  taxRateScreen,
]
