import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../harness.ts'
import { submit } from '../identity/people_pages.ts'
import { createCompany, newBrowser, type Browser, type BrowserResponse } from '../web_client.ts'

type Company = Awaited<ReturnType<typeof createCompany>>

/** Company whose owner imports files from other products. */
export type Importing = Awaited<ReturnType<typeof importingInto>>

/** Signs the owner of a company in. Makes a new company if none is given. */
export async function importingInto(service: TestService, name: string, existing?: Company) {
  const company = existing ?? (await createCompany(service, name))
  const owner = newBrowser(service)
  await owner.signIn(company.owner.email)
  const at = (...steps: string[]): string => `/${[company.id, ...steps].join('/')}`
  const here = at('settings', 'import')

  async function upload(
    content: string | Uint8Array<ArrayBuffer>,
    fields: Record<string, string> = {},
    browser: Browser = owner,
    file = 'theirs.csv',
  ): Promise<BrowserResponse> {
    const body = new FormData()
    for (const [field, value] of Object.entries(fields)) body.append(field, value)
    body.append('file', new File([content], file))
    const request = new Request('http://localhost', { method: 'POST', body })
    const bytes = await request.arrayBuffer()
    return browser.send(here, {
      method: 'POST',
      body: bytes,
      headers: {
        'content-type': request.headers.get('content-type')!,
        'sec-fetch-site': 'same-origin',
        'content-length': String(bytes.byteLength),
      },
    })
  }

  async function waitForEnd(path: string): Promise<string> {
    for (let tries = 0; tries < 2_400; tries++) {
      const { text } = await owner.get(path)
      if (!text.includes('<progress')) return text
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('The import did not end')
  }

  /** Uploads a file and confirms its columns as recognized. */
  async function uploadAndConfirm(
    content: string | Uint8Array<ArrayBuffer>,
    change: Record<string, string> = {},
    said: Record<string, string> = {},
  ): Promise<{ path: string; text: string }> {
    const sent = await upload(content, said)
    assert.equal(sent.status, 303, sent.text)
    const columns = sent.location!
    const page = await owner.get(columns)
    const saved = await owner.post(columns, { ...formIn(page.text), ...change })
    assert.equal(saved.status, 303, saved.text)
    return { path: saved.location!, text: await waitForEnd(saved.location!) }
  }

  async function importFile(
    content: string | Uint8Array<ArrayBuffer>,
    change: Record<string, string> = {},
    existing = 'skip',
  ): Promise<{ path: string; text: string }> {
    const { path } = await uploadAndConfirm(content, change)
    await owner.post(path, { existing })
    return { path, text: await waitForEnd(path) }
  }

  const rows = async <Row = Record<string, unknown>>(text: ReturnType<typeof sql>): Promise<Row[]> =>
    (await service.database.send([sql`select enter_tenant(${company.id}, null, 0)`, text]))[1]!.rows as Row[]

  return { company, owner, at, here, upload, waitForEnd, uploadAndConfirm, importFile, rows }
}

/** Returns a company's saved customers. Contacts and addresses are one text each. */
export const savedCustomers = ({ company, rows }: Importing) =>
  rows<{ name: string; type: string; status: string; contacts: string[]; places: string[] }>(sql`
    select c.display_name as name, c.customer_type as type, c.status,
      array(select concat_ws('|', k.first_name, k.last_name, k.role_label, k.email, k.phone) from contacts k
        where k.tenant_id = c.tenant_id and k.customer_id = c.id order by k.created_at, k.id) as contacts,
      array(select concat_ws('|', l.type, l.name, l.address_line1, l.address_line2, l.city, l.postal_code, l.country)
        from locations l where l.tenant_id = c.tenant_id and l.customer_id = c.id order by l.created_at, l.id) as places
    from customers c where c.tenant_id = ${company.id} and c.archived_at is null order by c.display_name`)

const PEOPLE = `First name,Last name,Company,Email,Phone,Street,City,State,Zip
Ana,Ruiz,,ana@example.com,512-555-0101,1 Elm St,Austin,TX,78701
,,Hill Dental,bo@example.com,512-555-0110,3 Oak Ave,Austin,TX,78704
`

/** Imports the two customers of the sample documents, and makes the company's tax rate. */
export async function withTwoCustomers({ importFile, owner, at }: Importing): Promise<void> {
  await importFile(PEOPLE)
  const rate = { name: 'Austin', rate_percentage: '8.25', is_default: 'on' }
  const made = await submit(owner, at('tax_rates', 'new'), rate)
  assert.equal(made.status, 303, made.text)
}

/** Reads a sample file of a product. */
export const readImportSample = (name: string): Promise<string> =>
  readFile(new URL(`../../fixtures/imports/${productPath(name)}.csv`, import.meta.url), 'utf8')

/** Returns the fields of a page's unchanged form. */
export function formIn(text: string): Record<string, string> {
  const selects = [...text.matchAll(/<select[^>]* name="(column_\d+|fixed_\w+)"[^]*?<\/select>/g)].map(
    ([whole, name]) => [name!, /<option value="([^"]*)" selected>/.exec(whole)?.[1] ?? ''] as const,
  )
  const inputs = [...text.matchAll(/<input id="(fixed_\w+)"[^>]* value="([^"]*)"/g)].map(
    ([, name, value]) => [name!, value!] as const,
  )
  return Object.fromEntries([...selects, ...inputs])
}

/** Turns `jobber_customers` into `jobber/customers`, the path of the fixture. */
function productPath(name: string): string {
  return name.replace(/^(housecall_pro|jobber|plain|quickbooks|servicetitan)_/, '$1/')
}
