import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { CONTRACT } from '../harness/clients/contract.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { histories } from './commands.ts'
import { play, type Caller, type Actors, type ForeignIds } from './play.ts'
import { TOOLS } from './views.ts'

/**
 * Enough runs to reach the outcomes that the test requires. For a longer run: MODEL_RUNS=5000 MODEL_SEED=7 npm test
 * -- test/model/histories.test.ts
 */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 60)
const SEED = Number(process.env['MODEL_SEED'] ?? 20_270_301)
const ZONE = 'America/New_York'

let service: TestService
let other: Company
let foreign: ForeignIds
before(async () => {
  service = await startTestService()
  other = await makeCompany(service)
  foreign = await oneOfEach(other)
})
after(() => service.stop())

async function oneOfEach({ call }: Company): Promise<ForeignIds> {
  const {
    id: customer,
    contacts: [contact],
    locations: [location],
  } = await call('customers_create', {
    customer_type: 'individual',
    first_name: 'Far',
    contacts: [{ first_name: 'Away' }],
    locations: [{ address_line1: '1 Far Rd' }],
  })
  const visit = [{ name: 'Visit', unit_price_cents: 100 }]
  const make = async (tool: string, given: object): Promise<string> => (await call(tool, given)).id
  const [tag, note, job, invoice, quote, rate, category, item, plan] = await Promise.all([
    make('tags_create', { name: 'Far' }),
    make('notes_create', { body: 'Far' }),
    make('jobs_create', { customer_id: customer, title: 'Far' }),
    make('invoices_create', { customer_id: customer, line_items: visit }),
    make('quotes_create', { customer_id: customer, title: 'Far' }),
    make('tax_rates_create', { rate_percentage: 9 }),
    make('catalog_categories_create', { name: 'Far' }),
    make('catalog_items_create', { kind: 'service', name: 'Far', unit_price_cents: 1 }),
    make('plans_create', { customer_id: customer, name: 'Far', cadence: 'weekly', line_items: visit }),
  ])
  return {
    customer,
    contact: contact.id,
    location: location.id,
    tag,
    note,
    job,
    invoice,
    quote,
    rate,
    category,
    item,
    plan,
  }
}

const areas = (...scopes: string[]): Set<string> =>
  new Set(scopes.flatMap((name) => (name.includes(':') ? [name] : [`read:${name}`, `write:${name}`])))
const CUSTOMERS_TO_CATALOG = [
  'customers',
  'notes',
  'jobs',
  'invoices',
  'quotes',
  'catalog_items',
  'catalog_categories',
  'plans',
]
const ROBOT = [
  'customers',
  'notes',
  'jobs',
  'invoices',
  'quotes',
  'read:catalog_items',
  'catalog_categories',
  'tax_rates',
]

/** Makes a company with its callers and their rights, from the table in docs/spec/oauth.md#areas-and-ceilings. */
async function makeCast(): Promise<Actors> {
  const company = await makeCompany(service, { timezone: ZONE })
  const [ben, office, tech, robot] = await Promise.all([
    company.member('owner'),
    company.member('office'),
    company.member('tech'),
    company.tenantKey([...areas(...ROBOT)]),
  ])
  const act = (
    name: string,
    { send }: Pick<Caller, 'send'>,
    id: string | null,
    role: Caller['role'],
    scopes: Set<string>,
  ): Caller => ({ name, id, role, scopes, send, isStranger: name === 'stranger' })
  return {
    ana: act('ana', company.owner, company.owner.id, 'owner', new Set(SCOPES)),
    ben: act('ben', ben, ben.id, 'owner', new Set(SCOPES)),
    office: act('office', office, office.id, 'office', areas(...CUSTOMERS_TO_CATALOG, 'read:tax_rates')),
    tech: act(
      'tech',
      tech,
      tech.id,
      'tech',
      areas('read:customers', 'notes', 'jobs', 'read:quotes', 'read:catalog_items', 'read:catalog_categories'),
    ),
    robot: act('robot', robot, null, null, areas(...ROBOT)),
    stranger: act('stranger', other.owner, other.owner.id, 'owner', new Set(SCOPES)),
  }
}

const everythingForeign = (): Promise<unknown[]> =>
  Promise.all(Object.entries(foreign).map(([kind, id]) => other.call(`${TOOLS[kind as keyof ForeignIds]}_get`, { id })))

/** Outcomes that a run must cover. Up to a tenth may be missing. */
const WRITES = [...toolCatalogOf(entities).tools.values()]
  .filter(({ tool, entity }) => !tool.reads && entity.name in CONTRACT && entity.name !== 'job_series')
  .map(({ wire }) => wire)
const CONFLICTS = [
  'customers_create',
  'customers_archive',
  'tags_create',
  'jobs_update',
  'invoices_update',
  'quotes_update',
  'catalog_items_create',
  'catalog_items_archive',
  'catalog_categories_create',
  'catalog_categories_update',
  'catalog_categories_delete',
  'plans_update',
  'plans_cancel',
]
const EXPECTED = [...WRITES.map((tool) => `${tool} ok`), ...CONFLICTS.map((tool) => `${tool} conflict`)]

describe('random histories of tool calls', () => {
  it('match the model call by call and leave other tenants unchanged', async (test) => {
    const before = await everythingForeign()
    const today = (): string => Temporal.Now.plainDateISO(ZONE).toString()
    const outcomes: string[] = []
    await fc.assert(
      fc.asyncProperty(
        histories(40),
        async (history) => void outcomes.push(...(await play(history, await makeCast(), foreign, today()))),
      ),
      { numRuns: RUNS, seed: SEED, unbiased: true },
    )
    assert.deepEqual(await everythingForeign(), before)
    test.diagnostic(
      `${RUNS} histories, ${outcomes.length} writes, ${outcomes.filter((outcome) => !outcome.endsWith(' ok')).length} refused`,
    )
    const unmet = EXPECTED.filter((outcome) => !outcomes.includes(outcome))
    assert.ok(unmet.length <= EXPECTED.length / 10, unmet.join(', '))
  })
})
