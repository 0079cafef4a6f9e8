import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import type { Result } from '../harness/harness.ts'
import { openOffice, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

/** Draws samples with a fixed seed, the same in every run. */
const drawSamples = <T>(of: fc.Arbitrary<T>, many: number): T[] => fc.sample(of, { numRuns: many, seed: 20_265 })

const line = fc.record({
  cents: fc.integer({ min: 0, max: 99_999 }),
  quantity: fc.integer({ min: 1, max: 9_000 }).map((n) => n / 1_000),
  item: fc.option(fc.nat(2)),
  taxable: fc.boolean(),
})
const billed = fc.record({
  customer: fc.nat(3),
  day: fc.integer({ min: 0, max: 420 }),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  off: fc.option(fc.integer({ min: 1, max: 60 })),
  jobs: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
  status: fc.constantFrom('draft', 'sent', 'sent', 'sent', 'paid', 'uncollectible', 'void'),
})
type Billed = typeof billed extends fc.Arbitrary<infer T> ? T : never
export const FIRST = Temporal.PlainDate.from('2025-01-15')

export type Reported = Awaited<ReturnType<typeof openReportScene>>

/** Starts a company with invoices of every kind over fourteen months, the same in every run. */
export async function openReportScene() {
  const service = await startSite()
  const office = await openOffice(service, 'Alder Plumbing')
  const invoices: Result[] = []
  const customers: Result[] = []
  const people: { id: string; name: string }[] = []
  const jobs: Result[] = []
  const categories: Result[] = []
  const items: Result[] = []
  const [rate] = await Promise.all([
    office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true }),
    office.call('tax_rates_create', { name: 'City', rate_percentage: 1.375 }),
  ])
  assert.ok(rate['id'])
  for (const name of ['Ana', 'Ben', '=HYPERLINK("x")', 'Dee'])
    customers.push(await office.customer(name, { ...(name === 'Dee' ? { tax_exempt: true } : {}), ...sourceOf(name) }))
  for (const role of ['tech', 'tech'] as const) {
    const member = await office.signInMember(role)
    people.push({ id: member.user_id, name: 'Leo Park' })
  }
  for (const name of ['Heating', 'Drains']) categories.push(await office.call('catalog_categories_create', { name }))
  for (const category_id of [categories[0]!['id'], categories[1]!['id'], null])
    items.push(
      await office.call('catalog_items_create', {
        name: `Item ${items.length}`,
        kind: 'service',
        unit_price_cents: 1_000,
        category_id,
      }),
    )
  const crews = [[], [people[0]!.id], [people[1]!.id], [people[0]!.id, people[1]!.id]]
  for (const [i, assignees] of crews.entries())
    jobs.push(await office.call('jobs_create', { customer_id: customers[i]!['id'], title: 'Work', assignees }))
  const bill = async ({ customer, day, lines, off, jobs: some, status }: Billed): Promise<void> => {
    const { id } = await office.call('invoices_create', {
      customer_id: customers[customer]!['id'],
      issue_date: FIRST.add({ days: day }).toString(),
      job_ids: some.includes(customer) ? [jobs[customer]!['id']] : [],
      ...(off === null ? {} : { discount: { type: 'percent', value: off } }),
      line_items: lines.map(({ cents, quantity, item, taxable }) => ({
        name: 'x',
        unit_price_cents: cents,
        quantity,
        taxable,
        ...(item === null ? {} : { catalog_item_id: items[item]!['id'] }),
      })),
    })
    if (status === 'void') await office.call('invoices_void', { id })
    else if (status !== 'draft') await office.call('invoices_update', { id, status })
    invoices.push({ ...(await office.call('invoices_get', { id })), is_deposit: false, deducted: 0 })
  }
  const bills = drawSamples(billed, 48)
  for (let i = 0; i < bills.length; i += 6) await Promise.all(bills.slice(i, i + 6).map(bill))
  await billWithDeposit(office, customers, invoices)
  return { service, office, invoices, people, jobs, categories, items }
}

/** Returns a customer's lead source. Two customers have none. */
export const sourceOf = (name: string): { lead_source?: string } =>
  name === 'Ana' ? { lead_source: 'Website' } : name === 'Dee' ? { lead_source: 'Radio' } : {}

/** Adds a deposit and, months later, the invoice that deducts it. */
async function billWithDeposit(office: Office, customers: readonly Result[], invoices: Result[]): Promise<void> {
  const given = {
    customer_id: customers[0]!['id'],
    title: 'Boiler',
    line_items: [{ name: 'x', unit_price_cents: 50_000 }],
  }
  const quote = await office.call('quotes_create', given)
  await submit(office.browser, office.at('quotes', quote['id'], 'do', 'quotes_ask_deposit'), { 'deposit.value': '30' })
  await office.call('quotes_update', { id: quote['id'], status: 'accepted' })
  const { rows } = await office.call('invoices_list', { customer_id: customers[0]!['id'], limit: 1 })
  const final = await office.call('invoices_create', { customer_id: customers[0]!['id'], from_quote_id: quote['id'] })
  for (const [id, issue_date, extra] of [
    [rows[0].id, '2025-03-31', { is_deposit: true, deducted: 0 }],
    [final['id'], '2025-06-01', { is_deposit: false, deducted: rows[0].total_cents }],
  ] as const) {
    await office.call('invoices_update', { id, issue_date, due_date: issue_date })
    invoices.push({ ...(await office.call('invoices_update', { id, status: 'sent' })), ...extra })
  }
}

export const table = (text: string): string[][] => parse(text, { bom: true })
export const cents = (text: string): number => Math.round(Number(text) * 100)
