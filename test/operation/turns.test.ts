import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { sql } from '../../src/platform/db/database.ts'
import { callerOf, type TestService } from '../harness/harness.ts'
import { importingInto, formIn, type Importing } from '../harness/files/imports.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let busy: Importing
let small: Importing
before(async () => {
  service = await startSite()
  busy = await importingInto(service, 'Busy Plumbing')
  small = await importingInto(service, 'Small Plumbing')
})
after(() => service.stop())

const PIECES = 16

/** Returns a CSV file whose customers have names of this file only. */
const fileOf = (rows: number, name: string): string =>
  `Name,Email\n${Array.from({ length: rows }, (_, i) => `${name} Ruiz${i},${name}${i}@example.com`).join('\n')}`

async function uploadFile({ upload }: Importing, content: string): Promise<string> {
  const { status, location, text } = await upload(content, { kind: 'customers' })
  assert.equal(status, 303, text)
  return location!
}

async function callOf({ company }: Importing): Promise<ReturnType<typeof callerOf>['call']> {
  const { key } = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: 'Turns', scopes: SCOPES, expires_at: null },
  )
  return callerOf(service.url, key).call
}

/** Creates an invoice, and returns the path of its PDF. */
async function pdfOf(of: Importing, lines: number): Promise<string> {
  const call = await callOf(of)
  const { id: customer_id } = await call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  const line = { name: 'Boiler '.repeat(20), description: 'Drained. '.repeat(40), unit_price_cents: 100 }
  const line_items = Array.from({ length: lines }, () => line)
  const { id } = await call('invoices_create', { customer_id, line_items })
  return of.at('invoices', String(id), 'pdf')
}

async function customerOf(of: Importing, notes: number): Promise<string> {
  const call = await callOf(of)
  const { id } = await call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  const subject = { subject_type: 'customer', subject_id: id, body: 'Rings twice. '.repeat(300) }
  for (let i = 0; i < notes; i++) await call('notes_create', subject)
  return String(id)
}

describe('sixteen large tasks of one company', () => {
  it("let another company's import finish before half of their rows", async () => {
    const paths: string[] = []
    for (let i = 0; i < PIECES; i++) paths.push(await uploadFile(busy, fileOf(75, `Ana${i}`)))
    const own = await uploadFile(small, fileOf(50, 'Leo'))
    const start = async ({ owner }: Importing, path: string): Promise<string> => {
      const saved = await owner.post(path, formIn((await owner.get(path)).text))
      assert.equal(saved.status, 303, saved.text)
      return saved.location!
    }
    const all = Promise.all(paths.map((path) => start(busy, path)))
    await isBegun()
    await small.waitForEnd(await start(small, own))
    const [{ done }] = (await busy.rows<{ done: number }>(
      sql`select coalesce(sum(case when state = 'ready' then total else done end), 0)::int as done from imports where tenant_id = ${busy.company.id}`,
    )) as [{ done: number }]
    assert.ok(done < (PIECES * 75) / 2, `${done} rows of the other company came first`)
    for (const path of await all) await busy.waitForEnd(path)
  })

  it("let another company's archive finish after at most six of theirs", async () => {
    const [theirs, ours] = [await customerOf(busy, 60), await customerOf(small, 0)]
    let made = 0
    const all = Array.from({ length: PIECES }, async () => {
      const { status } = await busy.owner.post(busy.at('customers', theirs, 'data'), {})
      assert.equal(status, 200)
      made++
    })
    await Promise.race(all)
    const { status } = await small.owner.post(small.at('customers', ours, 'data'), {})
    assert.equal(status, 200)
    assert.ok(made <= 6, `${made} archives of the other company came first`)
    await Promise.all(all)
  })

  it("let another company's PDF finish after at most four of theirs", async () => {
    const [theirs, ours] = [await pdfOf(busy, 200), await pdfOf(small, 1)]
    let drawn = 0
    const all = Array.from({ length: PIECES }, async () => {
      const { status } = await busy.owner.get(theirs)
      assert.equal(status, 200)
      drawn++
    })
    await Promise.race(all)
    const { status, headers } = await small.owner.get(ours)
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/pdf'])
    assert.ok(drawn <= 4, `${drawn} PDFs of the other company came first`)
    await Promise.all(all)
  })
})

/** Waits until the first files are being checked. */
async function isBegun(): Promise<void> {
  for (;;) {
    const [{ count }] = (await busy.rows<{ count: number }>(
      sql`select count(*)::int as count from imports where tenant_id = ${busy.company.id} and state = 'checking'`,
    )) as [{ count: number }]
    if (count >= PIECES - 2) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
