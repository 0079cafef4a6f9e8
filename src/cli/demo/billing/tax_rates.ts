import type { Results } from '../../../tools/declare/results.ts'
import type { DemoSite } from '../work/site.ts'

/** Default tax rate, and the rate outside city limits. */
export type TaxRates = { city: Results['tax_rates_create']; state: Results['tax_rates_create'] }

export async function makeTaxRates({ make }: DemoSite): Promise<TaxRates> {
  const [city, state] = await Promise.all([
    make('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true }),
    make('tax_rates_create', { name: 'State tax only', rate_percentage: 6.25 }),
  ])
  return { city, state }
}
