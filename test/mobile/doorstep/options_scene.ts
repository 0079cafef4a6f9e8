import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { readTenant, type Sql } from '../../../src/platform/db/tenant.ts'
import { callerOf, type Result } from '../../harness/harness.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import { ZONE, fieldEvent, phoneOf, today, type Phone } from '../../harness/messaging/phones.ts'
import { startSite } from '../../harness/web_client.ts'

/** A company whose technician offers options on a phone, with a catalog and tax rates. */
export type OptionsScene = Awaited<ReturnType<typeof openOptions>>

const DRAWING = 'M10 20L30 40L50 20'

export const line = (item: Result, quantity = 1): Result => ({ catalog_item_id: item['id'], quantity })

export const signatureOf = (quote: Result, job: Result, fields: object = {}): Result =>
  fieldEvent('quote_signature', job, { quote_act: quote['id'], name: 'Ann Lee', drawing: DRAWING, ...fields })

export const outcomesOf = async (phone: Phone, acts: object[]): Promise<string[]> =>
  ((await phone.send(acts)).body['acts'] as Result[]).map(({ outcome }) => String(outcome))

const visitOn = async (phone: Phone, { id }: Result): Promise<Result> =>
  ((await phone.day())['visits'] as Result[]).find((visit) => visit['id'] === id) ?? {}

export async function openOptions() {
  const service = await startSite()
  const office = await openOffice(service, 'Alder Plumbing', ZONE)
  const phoneFor = async (areas?: Parameters<Office['signInMember']>[1]): Promise<Phone> => {
    const { user_id, browser } = await office.signInMember('tech', areas)
    return phoneOf(service, office, user_id, browser)
  }
  const mia = await phoneFor({ Quotes: 'edit', Invoices: 'edit' })
  const { key } = await createKey(
    service.database,
    { tenant: office.id },
    { user: mia.user, name: 'Agent', scopes: SCOPES, expires_at: null },
  )
  await office.call('tax_rates_create', { name: 'State', rate_percentage: 8.25, is_default: true })
  const valve = await office.call('catalog_items_create', { name: 'Valve', kind: 'product', unit_price_cents: 10_000 })
  const labor = await office.call('catalog_items_create', {
    name: 'Labor',
    kind: 'labor',
    unit_price_cents: 5_000,
    taxable: false,
  })
  const book = (customer: Result): Promise<Result> =>
    office.call('jobs_create', {
      customer_id: customer['id'],
      title: 'Heater',
      scheduled_start: `${today()}T09:00`,
      assignees: [mia.user],
    })
  return {
    service,
    office,
    mia,
    /** Calls tools as the technician who owns the phone's quotes. */
    own: callerOf(service.url, key).call,
    valve,
    labor,
    phoneFor,
    book,
    visitOfNew: async (): Promise<{ customer: Result; job: Result }> => {
      const customer = await office.customer('Bo')
      return { customer, job: await book(customer) }
    },
    /** One valve for 108.25; two at 10% off for 194.85, with optional labor; three for 324.75. */
    setOn: (job: Result, fields: object = {}): Result =>
      fieldEvent('quote', job, {
        title: 'Good',
        line_items: [line(valve)],
        total_cents: 10_825,
        options: [
          {
            title: 'Better',
            line_items: [line(valve, 2)],
            optional_lines: [line(labor), line(valve)],
            discount: { type: 'percent', value: 10 },
            deposit: { type: 'percent', value: 50 },
            terms: 'Net 10',
            total_cents: 19_485,
          },
          { title: 'Best', line_items: [line(valve, 3)], total_cents: 32_475 },
        ],
        ...fields,
      }),
    quotesOf: async (job: Result, phone = mia): Promise<Result[]> => (await visitOn(phone, job))['quotes'],
    all: (query: Sql): Promise<Result[]> =>
      readTenant(service.database, { tenant: office.id }, (db) => db.all<Result>(query)),
  }
}
