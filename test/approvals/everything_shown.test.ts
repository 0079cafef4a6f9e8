import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { openScene, planIn, type SceneCompany } from './scene.ts'

let scene: Awaited<ReturnType<typeof openScene>>
let company: SceneCompany
let customer: string
before(async () => {
  scene = await openScene()
  company = await scene.startCompany('Comfort Air')
  const made = await company.acting.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  customer = made['id'] as string
})
after(() => scene.service.stop())

/** Text longer than what other pages show before they cut it. */
const LONG = `Zz ${'long '.repeat(300)}end of it`

const lines = [
  ...Array.from({ length: 20 }, (_, i) => ({ name: `Zzpart ${i} of many`, quantity: '1', unit_price_cents: 0 })),
  { name: 'Aaline compressor', description: 'Aaline scroll type', quantity: '2', unit_price_cents: 123_45 },
  { name: 'Bbline labor', description: 'Bbline by the hour', quantity: '3', unit_price_cents: 67_89 },
]
/** Amounts that the page must show for these lines. */
const SUMS = ['123.45', '246.90', '67.89', '203.67']

/** Calls with a distinct word in each text field, and what the proposal page must also show. */
const CALLS: Readonly<Record<string, () => readonly [given: object, shown: readonly string[]]>> = {
  customers_create: () => [
    {
      customer_type: 'company',
      company_name: 'Cc Company',
      lead_source: 'Cc referral',
      fields: { 'Cc field': 'Cc value' },
      contacts: [{ first_name: 'Ccilse', role_label: 'Cc boss', email: 'ccilse@x.example', notes: 'Cc call late' }],
      locations: [{ name: 'Cc plant', address_line1: '7 Cclane', address_line2: 'Ccfloor', access_notes: 'Cc key' }],
    },
    [],
  ],
  contacts_create: () => [
    { customer_id: customer, first_name: 'Ddotto', role_label: 'Dd cook', phone: '512-555-0161', notes: 'Dd deaf' },
    ['555-0161'],
  ],
  locations_create: () => [
    { customer_id: customer, name: 'Ee barn', address_line1: '8 Eelane', city: 'Eetown', access_notes: 'Ee dog' },
    [],
  ],
  jobs_create: () => [
    { customer_id: customer, title: 'Ff job', description: 'Ff noise', instructions: 'Ff ladder', line_items: lines },
    SUMS,
  ],
  job_series_create: () => [
    {
      customer_id: customer,
      title: 'Gg series',
      description: 'Gg mow',
      instructions: 'Gg edge',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${Temporal.Now.plainDateISO('America/New_York').add({ days: 1 }).toString()}T09:00`,
      line_items: lines,
    },
    SUMS,
  ],
  quotes_create: () => [
    { customer_id: customer, title: 'Hh quote', message: 'Hh dear', terms: 'Hh net', line_items: lines },
    [...SUMS, '450.57'],
  ],
  invoices_create: () => [
    {
      customer_id: customer,
      subject: 'Ii invoice',
      message: 'Ii thanks',
      po_number: 'Ii-77',
      internal_memo: 'Ii inside',
      line_items: lines,
    },
    [...SUMS, '450.57'],
  ],
  plans_create: () => [
    { customer_id: customer, name: 'Jj plan', description: 'Jj care', cadence: 'monthly', line_items: lines },
    SUMS,
  ],
  notes_create: () => [{ subject_type: 'customer', subject_id: customer, body: LONG }, []],
  catalog_items_create: () => [
    { kind: 'fee', name: 'Ll fee', description: 'Ll trip', sku: 'Ll-1', unit: 'Llmile', unit_price_cents: 77_11 },
    ['77.11'],
  ],
  tags_create: () => [{ name: 'Mm tag' }, []],
  catalog_categories_create: () => [{ name: 'Nn category' }, []],
  tax_rates_create: () => [{ name: 'Oo rate', rate_percentage: 8.125 }, ['8.125']],
}

/** Returns the texts in arguments that a person typed. They begin with a doubled letter. */
const wordsIn = (given: object): string[] =>
  Object.entries(given).flatMap(([name, value]: [string, unknown]): string[] => [
    ...(/([A-Z])[a-z]*/.test(name) && name.includes(' ') ? [name] : []),
    ...(typeof value === 'string'
      ? /([A-Z])\1/i.test(value.slice(0, 6)) && !value.startsWith('FREQ')
        ? [value]
        : []
      : typeof value === 'object' && value !== null
        ? wordsIn(value)
        : []),
  ])

describe('the proposal page', () => {
  for (const [tool, call] of Object.entries(CALLS))
    it(`shows everything that approving ${tool} writes`, async () => {
      const [given, shown] = call()
      const words = wordsIn(given)
      assert.ok(words.length > 0, JSON.stringify(given))
      const agent = await company.keyOf(company.ownerId)
      const { text } = await company.owner.get(planIn(await agent.send(tool, given)))
      const page = load(text)('main').text()
      assert.deepEqual(
        [...words, ...shown].filter((word) => !page.includes(word)),
        [],
        page.replace(/\s+/g, ' '),
      )
      assert.doesNotMatch(page, /Other records change with it/)
    })
})
