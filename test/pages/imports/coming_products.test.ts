import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import { readImportSample, importingInto, withTwoCustomers, type Importing } from '../../harness/files/imports.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService

before(async () => {
  service = await startSite()
})
after(() => service.stop())

const TABLES = { jobs: sql`jobs`, quotes: sql`quotes`, invoices: sql`invoices` }
const SUMS = { jobs: sql`subtotal_cents`, quotes: sql`total_cents`, invoices: sql`total_cents` }

/** Imports a product's sample, and returns the number, status and amount of each resulting record. */
async function importSample(one: Importing, product: string, kind: keyof typeof TABLES): Promise<unknown[][]> {
  const content = await readImportSample(`${product}_${kind}`)
  const sent = await one.upload(content)
  assert.match(
    (await one.owner.get(sent.location!)).text,
    new RegExp(`class="lead">${LABELS[kind]} · ${PRODUCTS[product]}`),
  )
  const { text } = await one.importFile(content)
  assert.doesNotMatch(text, /to-fix\.csv/, text)
  const found = await one.rows<{ number: string; status: string; sum: number }>(sql`
    select (select value from jsonb_each_text(fields) where key like '% number' limit 1) as number, status, ${SUMS[kind]} as sum
    from ${TABLES[kind]} where tenant_id = ${one.company.id} order by number`)
  return found.map(({ number, status, sum }) => [number, status, sum])
}

const LABELS = { jobs: 'Jobs', quotes: 'Quotes', invoices: 'Invoices' }
const PRODUCTS: Readonly<Record<string, string>> = {
  jobber: 'Jobber',
  housecall_pro: 'Housecall Pro',
  servicetitan: 'ServiceTitan',
  quickbooks: 'QuickBooks',
}

const CASES: [product: string, kind: keyof typeof TABLES, rows: unknown[][]][] = [
  [
    'jobber',
    'invoices',
    [
      ['2201', 'paid', 19_485],
      ['2202', 'sent', 128_709],
      ['2203', 'partially_paid', 64_950],
      ['2204', 'uncollectible', 9_500],
    ],
  ],
  [
    'housecall_pro',
    'invoices',
    [
      ['88-1', 'paid', 18_000],
      ['89-1', 'partially_paid', 118_900],
      ['90-1', 'void', 9_500],
    ],
  ],
  [
    'servicetitan',
    'invoices',
    [
      ['50123', 'paid', 19_485],
      ['50124', 'sent', 128_709],
      ['50125', 'draft', 10_284],
    ],
  ],
  [
    'quickbooks',
    'invoices',
    [
      ['1041', 'draft', 34_035],
      ['1042', 'draft', 123_297],
    ],
  ],
  [
    'jobber',
    'quotes',
    [
      ['61', 'accepted', 259_800],
      ['62', 'expired', 67_115],
      ['63', 'draft', 9_500],
    ],
  ],
  [
    'housecall_pro',
    'quotes',
    [
      ['700-1', 'accepted', 240_000],
      ['701-1', 'declined', 62_000],
    ],
  ],
  [
    'servicetitan',
    'quotes',
    [
      ['9001', 'accepted', 259_800],
      ['9002', 'declined', 67_115],
      ['9003', 'expired', 9_500],
    ],
  ],
  [
    'quickbooks',
    'quotes',
    [
      ['301', 'accepted', 240_000],
      ['302', 'declined', 62_000],
    ],
  ],
  [
    'jobber',
    'jobs',
    [
      ['301', 'done', 18_000],
      ['302', 'scheduled', 118_900],
      ['303', 'unscheduled', 0],
    ],
  ],
  [
    'housecall_pro',
    'jobs',
    [
      ['88', 'done', 18_000],
      ['89', 'cancelled', 118_900],
    ],
  ],
  [
    'servicetitan',
    'jobs',
    [
      ['50123', 'done', 18_000],
      ['50124', 'on_hold', 118_900],
    ],
  ],
]

describe('jobs, quotes and invoices of each product', () => {
  for (const [product, kind, rows] of CASES)
    it(`${product} ${kind}: are recognized by their columns and imported with exact amounts`, async () => {
      const one = await importingInto(service, `${product} ${kind}`)
      await withTwoCustomers(one)
      assert.deepEqual(await importSample(one, product, kind), rows)
    })
})
