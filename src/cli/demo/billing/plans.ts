import { linesOf, type Catalog } from './catalog.ts'
import type { Customers } from '../customers.ts'
import type { DemoSite } from '../work/site.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

/** Creates the maintenance plans, whose next invoices are in the future. */
export async function makePlans(
  { today, make }: DemoSite,
  { customers, catalog }: { customers: Customers; catalog: Catalog },
): Promise<void> {
  await make(
    'plans_create',
    {
      customer_id: requireValue(customers.get('stelmo'), 'stelmo').id,
      name: 'Rooftop service agreement',
      cadence: 'quarterly',
      description: 'Four visits a year for four rooftop units, filters included, repairs at 10% off.',
      start_date: today.subtract({ months: 6 }).add({ days: 20 }).toString(),
      line_items: linesOf(catalog, [
        ['tune_up', 4],
        ['filter', 8],
      ]),
    },
    'dana',
  )
  await make(
    'plans_create',
    {
      customer_id: requireValue(customers.get('okafor'), 'okafor').id,
      name: 'Home comfort plan',
      cadence: 'monthly',
      description: 'Spring and fall tune-ups, a water heater flush a year, no trip charge.',
      start_date: today.subtract({ months: 3 }).add({ days: 9 }).toString(),
      line_items: linesOf(catalog, [{ kind: 'service', name: 'Home comfort plan', unit_price_cents: 3_900 }]),
    },
    'dana',
  )
}
