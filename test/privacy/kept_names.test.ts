import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { WEBHOOK_ENV } from '../harness/clients/webhook_calls.ts'
import type { TestService } from '../harness/harness.ts'
import { pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { tablesWith } from './searching.ts'
import { openOfficeScene, type OfficeScene } from './office_scene.ts'

const MARK = 'zqadaqz'

let service: TestService
let directory: string
let scene: OfficeScene
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-kept-'))
  service = await startSite({ ...WEBHOOK_ENV, DATA_DIR: directory })
  scene = await openOfficeScene(service)
})
after(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

it("issued invoices keep the customer's name and address until the chosen date, and nothing else does", async () => {
  const { office } = scene
  const customer = await office.customer(MARK, { last_name: 'Vance', locations: [{ address_line1: `1 ${MARK} St` }] })
  const make = (more: object = {}) =>
    office.call('invoices_create', {
      customer_id: customer['id'],
      subject: MARK,
      line_items: [{ name: 'Heater', unit_price_cents: 100 }],
      ...more,
    })
  const [draft, sent] = [await make(), await make()]
  await office.call('invoices_update', { id: sent['id'], status: 'sent' })
  const page = office.at('customers', customer['id'], 'data')
  const until = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 }).toString()
  const { status } = await submit(office.browser, page, { name: `${MARK} Vance`, keep_until: until }, `${page}/erase`)
  assert.equal(status, 303)
  const rows = await tablesWith(service.owner, [MARK])
  assert.equal(rows.length, 1, rows.join('\n'))
  assert.ok(rows[0]!.startsWith('invoices:') && rows[0]!.includes(String(sent['id'])))
  const print = async (id: unknown): Promise<string> =>
    pageTextOf(await office.browser.get(office.at('invoices', String(id), 'print')))
  assert.match(await print(sent['id']), new RegExp(`${MARK} Vance.*1 ${MARK} St`))
  assert.match(await print(draft['id']), /Erased customer/)
  assert.equal((await office.call('invoices_get', { id: sent['id'] }))['customer_name'], 'Erased customer')
  assert.ok(pageTextOf(await office.browser.get(office.at('settings', 'data'))).includes(until))
  await scene.work(24 * 3600)
  assert.equal((await tablesWith(service.owner, [MARK])).length, 1)
  await scene.work(3 * 24 * 3600)
  assert.deepEqual(await tablesWith(service.owner, [MARK]), [])
  assert.match(await print(sent['id']), /Erased customer/)
})

it('the worker writes an erasure list that could not be written at first', async () => {
  const { office } = scene
  const listErasures = () =>
    writeTenant(service.database, { tenant: office.id }, (db) =>
      db.all<{ noted_at: string | null }>(sql`select noted_at from erasures where tenant_id = ${db.tenant}`),
    )
  await writeTenant(service.database, { tenant: office.id }, (db) =>
    db.run(sql`update erasures set noted_at = null where tenant_id = ${db.tenant}`),
  )
  await rm(join(directory, 'files', office.id, office.id), { force: true })
  await scene.work(24 * 3600)
  assert.ok((await listErasures()).every(({ noted_at }) => noted_at !== null))
})
