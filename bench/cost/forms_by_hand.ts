import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import { raw } from '../../src/platform/db/database.ts'
import { entities } from '../../src/records/index.ts'
import { callerOf } from '../../test/harness/harness.ts'
import { PASSWORD } from '../../test/harness/web_client.ts'
import type { Office } from './office.ts'
import type { Outfit } from './outfit.ts'

type Fields = Readonly<Record<string, string>>

/** A form that is sent without its page: its address, its fields, and whether it needs no sign-in. */
export type HandForm = { path: string; fields: readonly [string, string][]; isOpen?: boolean }

const LINE: Fields = { 'line_items.0.name': 'Boiler', 'line_items.0.quantity': '1', 'line_items.0.unit_price': '1.00' }
const MAIL: Fields = { to: 'ana@example.com' }

/** Values that a person enters besides the required fields, by the end of a form's address. */
export const ENTERED_BY_HAND: readonly [path: RegExp, fields: Fields][] = [
  [/^\/confirm$/, { password: PASSWORD }],
  [/\/settings\/address$/, { password: PASSWORD }],
  [/\/settings\/password$/, { current: PASSWORD, password: PASSWORD, next: PASSWORD }],
  [/\/settings\/company$/, { next_invoice_number: '900000' }],
  [/\/settings\/checklists$/, { words: 'boiler', 'item.0.text': 'Gas', 'item.0.kind': 'check' }],
  [/\/settings\/apps\/listed$/, { app: 'claude.ai' }],
  [/\/settings\/clients$/, { redirect_uris: 'https://a.example/cb', 'level.Jobs & scheduling': 'view' }],
  [/\/(?:operator|review)$/, { days: '30' }],
  [/\/review\/(?:messages|events)\/[^/]+$|\/operator\/(?:messages|events)\/[^/]+$/, { act: 'discard' }],
  [/\/calls\/new$/, { title: 'Boiler' }],
  [/\/send$/, MAIL],
  [/\/customers\/new$/, { first_name: 'Ana' }],
  [/\/(?:tags|catalog_categories)\/new$/, { name: 'Another' }],
  [/\/contacts\/new$/, { first_name: 'Ana' }],
  [/\/equipment$/, { kind: 'Water heater' }],
  [/\/tax_rates\/new$/, { rate_percentage: '8' }],
  [/\/plans\/new$/, { cadence: 'monthly', start_date: '2027-03-31', ...LINE }],
  [/\/customers\/[^/]+\/data\/erase$/, { name: 'Large' }],
]

/** Returns the forms that a page shows only after a choice, and the bulk actions on selected records. */
export async function formsByHand(
  office: Office,
  records: ReadonlyMap<string, string>,
  { links }: Outfit,
): Promise<HandForm[]> {
  const { tenant, owner } = office
  const at = (...steps: string[]): string => `/${[tenant, ...steps].join('/')}`
  const rows = await readTenant(office.service.database, { tenant }, (db) =>
    Promise.all(
      entities.map(async ({ name }) => ({
        name,
        ids: await db.all<{ id: string }>(
          sql`select id from ${raw(name)} where tenant_id = ${db.tenant} order by id desc limit 100`,
        ),
        views: await db.all<{ id: string }>(
          sql`select id from saved_views where tenant_id = ${db.tenant} and list = ${name} limit 1`,
        ),
      })),
    ),
  )
  const customer = records.get('customers')!
  const job = records.get('short_job')!
  const ended = await endedRecords(office)
  return [
    ...rows.flatMap(({ name, ids, views }): HandForm[] => [
      { path: at(name, 'views'), fields: [['name', 'Another']] },
      ...views.map(({ id }): HandForm => ({ path: at(name, 'views', id), fields: [['name', 'Mine']] })),
      {
        path: at(name, 'bulk'),
        fields: [
          ['act', 'export'],
          ['asked', `customer_id=${customer}`],
          ...ids.map(({ id }): [string, string] => ['ids', id]),
        ],
      },
      { path: at(name, records.get(name) ?? ids[0]!.id, 'undo'), fields: [] },
    ]),
    {
      path: '/sign-in',
      fields: [
        ['email', owner],
        ['password', PASSWORD],
      ],
      isOpen: true,
    },
    { path: '/account/name', fields: [['name', 'Ana Ruiz']] },
    { path: `${links.invoices}/pay`, fields: [], isOpen: true },
    {
      path: at('catalog_items', 'new'),
      fields: [
        ['kind', 'product'],
        ['name', 'Pump'],
        ['unit_price', '1.00'],
      ],
    },
    {
      path: at('outbox', 'suppressed'),
      fields: [
        ['channel', 'sms'],
        ['address', '+16175550100'],
        ['decision', 'stop'],
      ],
    },
    { path: at('today', job), fields: [['to', 'in_progress']] },
    { path: at('jobs', job, 'on-my-way'), fields: [] },
    { path: at('jobs', job, 'checklists', 'choice'), fields: [['act', 'add']] },
    {
      path: at('invoices', records.get('short_invoice')!, 'payment'),
      fields: [
        ['amount', '1.00'],
        ['paid_on', '2026-03-31'],
      ],
    },
    { path: at('settings', 'data'), fields: [] },
    ...ended.map(([name, id, action]): HandForm => ({ path: at(name, id, 'do', `${name}_${action}`), fields: [] })),
    {
      path: at('customers', customer, 'merge'),
      fields: [
        ['with', office.ids.get('customer_id')!],
        ['keep', customer],
      ],
    },
  ]
}

/** Makes records that nothing depends on, with the action that ends each. */
async function endedRecords({ service, key }: Office): Promise<[name: string, id: string, action: string][]> {
  const { call } = callerOf(service.url, key)
  const { id: customer_id } = await call('customers_create', { customer_type: 'individual', first_name: 'Ended' })
  const contact = await call('contacts_create', { customer_id, first_name: 'Ended' })
  const location = await call('locations_create', {
    customer_id,
    address_line1: '1 End St',
    city: 'Austin',
    region: 'TX',
  })
  const job = await call('jobs_create', { customer_id, title: 'Ended' })
  return [
    ['jobs', String(job['id']), 'cancel'],
    ['contacts', String(contact['id']), 'archive'],
    ['locations', String(location['id']), 'archive'],
    ['customers', String(customer_id), 'archive'],
  ]
}
