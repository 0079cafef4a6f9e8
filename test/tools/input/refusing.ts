import { makeRecords, type Records } from '../../harness/clients/every_tool.ts'
import { makeCompany, startTestService } from '../../harness/harness.ts'
import { openWitness, refusedEach } from '../../harness/clients/witness.ts'

/** Input and the expected refusal text. */
export type Case = readonly [given: object, text: string | RegExp]

export const day = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()

/** Valid line item. */
export const visit = { name: 'Visit', unit_price_cents: 100 }

/** Starts the service with a company that has a record of each kind, some archived, and a witness of every table. */
export async function startRefusing() {
  const service = await startTestService()
  const witness = await openWitness(service)
  const company = await makeCompany(service)
  const of = await makeRecords(company, 'Harbor')

  const documents = documentsOf(of)
  const assertToolRefuses = (tool: string, cases: readonly Case[]): Promise<void> =>
    refusedEach(witness, company.owner, tool, cases)

  /** Asserts that create and update of each document refuse each patch alike. */
  async function assertPatchesRefused(patches: readonly Case[], without: readonly string[] = []): Promise<void> {
    for (const [create, base, update, id] of documents.filter(([create]) => !without.includes(create))) {
      await assertToolRefuses(
        create,
        patches.map(([patch, text]) => [{ line_items: [visit], ...base, ...patch }, text]),
      )
      await assertToolRefuses(
        update,
        patches.map(([patch, text]) => [{ id, ...patch }, text]),
      )
    }
  }

  return {
    service,
    witness,
    company,
    of,
    documents,
    gone: await makeGone(company, of),
    assertToolRefuses,
    assertPatchesRefused,
    stop: async (): Promise<void> => {
      await witness.close()
      await service.stop()
    },
  }
}

/** Returns the documents with line items, with their create and update tools. */
const documentsOf = (of: Records): [create: string, base: object, update: string, id: string][] => [
  ['jobs_create', { customer_id: of.customer, title: 'Roof' }, 'jobs_update', of.job],
  [
    'job_series_create',
    { customer_id: of.customer, title: 'Mow', rrule: 'FREQ=WEEKLY', dtstart: `${day(1)}T09:00` },
    'job_series_update',
    of.series,
  ],
  ['invoices_create', { customer_id: of.customer }, 'invoices_update', of.invoice],
  ['quotes_create', { customer_id: of.customer, title: 'Roof' }, 'quotes_update', of.quote],
  ['plans_create', { customer_id: of.customer, name: 'Care', cadence: 'weekly' }, 'plans_update', of.plan],
]

/** Creates one record of several kinds and archives it. */
async function makeGone({ call }: Awaited<ReturnType<typeof makeCompany>>, of: Records) {
  const make = async (tool: string, given: object): Promise<string> => {
    const { id } = await call(`${tool}_create`, given)
    await call(`${tool}_archive`, { id })
    return id
  }
  const [item, rate, location, contact, customer, quote] = await Promise.all([
    make('catalog_items', { kind: 'fee', name: 'Gone', unit_price_cents: 1 }),
    make('tax_rates', { rate_percentage: 1 }),
    make('locations', { customer_id: of.customer, address_line1: '1 Gone' }),
    make('contacts', { customer_id: of.customer, first_name: 'Gone' }),
    make('customers', { customer_type: 'individual', first_name: 'Gone' }),
    make('quotes', { customer_id: of.customer, title: 'Gone' }),
  ])
  return { item, rate, location, contact, customer, quote }
}
