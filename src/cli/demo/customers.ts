import type { Results } from '../../tools/declare/results.ts'
import { businesses } from './businesses.ts'
import { TAGS, type DemoCustomer, type TagName } from './customer.ts'
import { households } from './households.ts'
import type { DemoSite } from './work/site.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Customers by demo name, with their contacts and locations. */
export type Customers = ReadonlyMap<string, Results['customers_create']>

/** Creates the tags, then the customers that use them. */
export async function makeCustomers(site: DemoSite): Promise<Customers> {
  const tags = await makeTags(site)
  const customers = new Map<string, Results['customers_create']>()
  for (const customer of [...households, ...businesses])
    customers.set(customer.ref, await makeCustomer(site, customer, tags))
  return customers
}

async function makeTags({ make }: DemoSite): Promise<Map<string, string>> {
  const tagIds = new Map<string, string>()
  for (const [name, color] of Object.entries(TAGS)) tagIds.set(name, (await make('tags_create', { name, color })).id)
  return tagIds
}

const makeCustomer = (
  { make }: DemoSite,
  { ref: _ref, tags = [], ...customer }: DemoCustomer,
  ids: ReadonlyMap<string, string>,
): Promise<Results['customers_create']> =>
  make(
    'customers_create',
    { ...customer, tag_ids: tags.map((name: TagName) => requireValue(ids.get(name), name)) },
    'priya',
  )
