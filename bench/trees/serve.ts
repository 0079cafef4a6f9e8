import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import type * as Harness from '../../test/harness/harness.ts'

/** Running service of one checkout, and the records in its database. */
export type Served = { origin: string; key: string; database: string; customers: string[] }

const CUSTOMERS = 300

/** Serves a company with some customers from the code of the given checkout, until a message arrives. */
const harness = (await import(pathToFileURL(`${process.argv[2]!}/test/harness/harness.ts`).href)) as typeof Harness
const service = await harness.startTestService()
const { owner } = await harness.makeCompany(service)
const customers: string[] = []
for (let n = 0; n < CUSTOMERS; n++) {
  const { id } = await owner.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ann',
    last_name: `Lee ${n}`,
    email: `ann${n}@example.com`,
    phone: `617 555 ${1_000 + n}`,
  })
  customers.push(String(id))
}
const served: Served = { origin: service.origin, key: owner.key, database: service.owner.database!, customers }
process.send!(served)
await once(process, 'message')
await service.stop()
process.disconnect!()
