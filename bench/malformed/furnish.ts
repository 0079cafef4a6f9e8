import { readFile } from 'node:fs/promises'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { addMember } from '../../src/identity/people/people.ts'
import { readTenant, sql, type Sql } from '../../src/platform/db/tenant.ts'
import { FILES } from '../../test/harness/files/files.ts'
import type { Office } from '../cost/office.ts'
import { readPage } from '../cost/page_forms.ts'
import type { Target } from '../cost/requests.ts'
import type { MalformedCompany } from './company.ts'

/** Path steps with ids of rows that aren't records: the step, or the one before it, and the table. */
const INNER: readonly [step: string, table: Sql][] = [
  ['equipment', sql`equipment`],
  [':message', sql`communications`],
  [':conversation', sql`conversations`],
  [':correspondent', sql`correspondents`],
  [':link', sql`customer_links`],
  [':media', sql`job_media`],
  [':entry', sql`time_entries`],
  [':payment', sql`payments`],
  ['attachments', sql`attachments`],
  ['invitations', sql`invitations`],
  ['checklists', sql`checklist_templates`],
  ['import', sql`imports`],
  ['outbox', sql`outbox`],
  ['logo', sql`logos`],
]

/**
 * Creates what people make on pages, and what providers and phones send, with valid requests, so that the bench reaches
 * what depends on it. Adds the ids to the office.
 */
export async function furnish(
  office: Office,
  { records, links }: MalformedCompany,
  deep: readonly Target[],
): Promise<void> {
  for (const { name, request } of deep)
    if (/webhooks|phone's (status|note|payment)/.test(name)) await send(office, request([]))
  const [jobs, invoices] = ['/jobs/:id{[0-9a-f-]{36}}/time/new', '/invoices/:id{[0-9a-f-]{36}}/payment'].map(
    (pattern) => office.pathsOf(`/:tenant${pattern}`)[0]!,
  )
  const at = (...steps: string[]): string => `/${[office.tenant, ...steps].join('/')}`
  await sendForm(office, jobs!, { started_at: '2026-03-31T09:00', ended_at: '2026-03-31T10:00', reason: 'Forgot' })
  await sendForm(office, invoices!, { amount: '1.00', paid_on: '2026-03-31' })
  await sendForm(office, at('settings', 'members'), { email: 'new@example.com', role: 'tech' })
  await sendForm(office, at('settings', 'checklists'), {
    name: 'Boiler',
    words: 'boiler',
    'item.0.text': 'Gas',
    'item.0.kind': 'check',
  })
  await sendForm(office, at('locations', office.ids.get('location_id') ?? '', 'equipment'), { kind: 'Water heater' })
  const [media = '', , imports = ''] = office.filePaths
  await uploadFile(office, media, 'files', 'leak.png', FILES['image/png']!)
  const content = await readFile(new URL('../../test/fixtures/imports/jobber/customers.csv', import.meta.url))
  await uploadFile(office, imports, 'file', 'customers.csv', content)
  await addSpareMember(office)
  office.inner.set('job_series', records.series).set('plans', records.plan)
  office.inner.set(':secret', links.quotes[0]!.slice('/c/'.length))
  await readTenant(office.service.database, { tenant: office.tenant }, async (db) => {
    for (const [step, table] of INNER) {
      const row = await db.maybe<{ id: string }>(
        sql`select id from ${table} where tenant_id = ${db.tenant} order by id limit 1`,
      )
      if (row !== undefined) office.inner.set(step, row.id)
    }
  })
}

/** Email of a member whom requests can remove. */
export const SPARE = 'spare@example.com'

/** Adds a member with a key, whom requests can remove, sign out or revoke without ending the sender's own access. */
async function addSpareMember({ service: { database }, tenant, inner }: Office): Promise<void> {
  const entry = { tenant }
  const someone = { email: SPARE, name: 'Mia', role: 'office', password: 'none' } as const
  const { user_id: user } = await addMember(database, entry, someone)
  const { id } = await createKey(database, entry, { user, name: 'Spare', scopes: ['read:tags'], expires_at: null })
  inner.set('members', user).set('keys', id)
}

type FormRequest = { path: string; headers: object; body: Buffer | URLSearchParams | FormData }

const send = ({ service: { config } }: Office, { path, headers, body }: FormRequest): Promise<Response> =>
  fetch(new URL(path, config.baseUrl), {
    method: 'POST',
    redirect: 'manual',
    headers: headers as Record<string, string>,
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
  })

/** Submits the form that a page has for its own address, with some of its fields filled in. */
export async function sendForm(office: Office, path: string, values: Record<string, string>): Promise<void> {
  const page = await fetch(new URL(path, office.service.config.baseUrl), { headers: { cookie: office.cookie() } })
  const form = readPage(await page.text()).forms.find(({ action = path }) => action.split('?')[0] === path)
  const fields = new Map([...(form?.fields ?? []), ...Object.entries(values)])
  await send(office, { path, headers: oursOf(office), body: new URLSearchParams([...fields]) })
}

export async function uploadFile(
  office: Office,
  path: string,
  field: string,
  name: string,
  bytes: Buffer,
): Promise<void> {
  const form = new FormData()
  form.append(field, new File([new Uint8Array(bytes)], name))
  await send(office, { path, headers: oursOf(office), body: form })
}

const oursOf = (office: Office): object => ({ 'sec-fetch-site': 'same-origin', cookie: office.cookie() })
