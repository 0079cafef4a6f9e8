import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, type Office } from '../harness/identity/people_pages.ts'
import { ZONE, phoneOf, today } from '../harness/messaging/phones.ts'
import { startSite, type Browser } from '../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
let location: string
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing', ZONE)
  customer = await office.customer('Ana', { locations: [{ address_line1: '9 Elm St', city: 'Austin' }] })
  location = String(customer['locations'][0].id)
})
after(() => service.stop())

const run = <T>(statement: ReturnType<typeof sql>): Promise<T[]> =>
  writeTenant(service.database, { tenant: office.id }, (db) => db.all(statement)) as Promise<T[]>

const FORM = {
  kind: 'Water heater',
  model: 'XE50',
  serial: 'SN-1',
  installed_on: '2021-04-03',
  note: 'Shut-off valve behind it',
}
const add = (browser: Browser, form: Record<string, string> = FORM, at = location) =>
  browser.post(office.at('locations', at, 'equipment'), form)
const devices = () =>
  run<Result>(
    sql`select id, kind, model, serial, installed_on::text, note, photo_ids from equipment where tenant_id = ${office.id} order by kind`,
  )

describe('customer equipment', () => {
  it('can be added, changed and removed, and appears on the customer, its visits and the phone', async () => {
    const { browser, user_id } = await office.signInMember('tech')
    const job = await office.call('jobs_create', {
      customer_id: customer.id,
      location_id: location,
      title: 'Leak',
      scheduled_start: `${today()}T09:00`,
      assignees: [user_id],
    })
    assert.match(pageTextOf(await browser.get(office.at('jobs', job.id))), /Add equipment/)
    const saved = await add(browser)
    assert.deepEqual([saved.status, saved.location?.split('?')[0]], [303, office.at('customers', customer.id)])
    const [device] = await devices()
    assert.deepEqual({ ...device, id: undefined }, { ...FORM, photo_ids: [], id: undefined })
    for (const page of [office.at('jobs', job.id), office.at('customers', customer.id)])
      assert.match(
        pageTextOf(await browser.get(page)),
        /Equipment .*Water heater, XE50, SN-1 installed Sat(urday)?, Apr(il)? 3, 2021 Shut-off valve behind it/,
      )
    const phone = phoneOf(service, office, user_id, browser)
    const visitNow = async (): Promise<Result> =>
      ((await phone.day())['visits'] as Result[]).find(({ id }) => id === job.id)!
    const kept = { id: device!['id'], photo_ids: [] }
    assert.deepEqual((await visitNow())['equipment'], [{ ...kept, ...FORM }])
    const page = office.at('equipment', device!['id'])
    await browser.post(page, { ...FORM, model: 'XE80', note: '' })
    assert.deepEqual((await visitNow())['equipment'], [{ ...kept, ...FORM, model: 'XE80', note: null }])
    await office.call('jobs_update', { id: job.id, status: 'done' })
    assert.match(pageTextOf(await browser.get(page)), /Work done here Leak/)
    assert.match(pageTextOf(await browser.get(office.at('customers', customer.id))), /changed the equipment/)
    await browser.post(page, { remove: 'yes' })
    assert.deepEqual(await devices(), [])
    assert.equal((await browser.get(page)).status, 404)
    assert.deepEqual(
      (await office.entries(String(customer.id)))
        .filter(({ tool }) => tool.includes('equipment'))
        .map((one) => [one.tool, one.changed]),
      [
        ['customers.set_equipment', { equipment: [null, 'Water heater, XE50, SN-1'] }],
        ['customers.set_equipment', { equipment: ['Water heater, XE50, SN-1', 'Water heater, XE80, SN-1'] }],
        ['customers.remove_equipment', { equipment: ['Water heater, XE80, SN-1', null] }],
      ],
    )
  })

  it("shows the chosen photos of visits there, and keeps them if the editor can't see jobs", async () => {
    await add(office.browser)
    const [{ id } = {}] = await devices()
    const page = office.at('equipment', id)
    const photo = async (of: object): Promise<string> => {
      const job = await office.call('jobs_create', { customer_id: customer.id, title: 'Look', ...of })
      const media = newId()
      await run(sql`insert into job_media (tenant_id, id, job_id, file_name, content_type, size_bytes, storage_key)
        values (${office.id}, ${media}, ${job.id}, 'plate.jpg', 'image/jpeg', 1, ${media})`)
      return media
    }
    const [here, elsewhere] = [await photo({ location_id: location }), await photo({ location_id: null })]
    assert.match((await office.browser.get(page)).text, new RegExp(`name="photos" value="${here}"`))
    await office.browser.send(page, {
      method: 'POST',
      body: new URLSearchParams([...Object.entries(FORM), ['photos', here], ['photos', elsewhere], ['photos', 'x']]),
      headers: { origin: service.config.baseUrl, 'sec-fetch-site': 'same-origin' },
    })
    assert.deepEqual((await devices())[0]!['photo_ids'], [here])
    assert.match((await office.browser.get(page)).text, new RegExp(`<img src="[^"]*/media/${here}"`))
    const clerk = await office.signInMember('office', { 'Jobs & scheduling': 'none' })
    const seen = await clerk.browser.get(page)
    assert.ok(seen.status === 200 && !seen.text.includes(here))
    await clerk.browser.post(page, { ...FORM, kind: 'Boiler' })
    assert.deepEqual(
      (await devices()).map(({ kind, photo_ids }) => [kind, photo_ids]),
      [['Boiler', [here]]],
    )
    await office.browser.post(page, { remove: 'yes' })
  })

  it('is refused if invalid, above 50 per location, of another company, or without edit rights', async () => {
    const refused: [Record<string, string>, RegExp][] = [
      [{ ...FORM, kind: ' ' }, /kind/i],
      [{ ...FORM, kind: 'x'.repeat(101) }, /100/],
      [{ ...FORM, serial: 'x'.repeat(101) }, /100/],
      [{ ...FORM, installed_on: '2021-02-30' }, /date/i],
      [{ ...FORM, note: 'x'.repeat(2001) }, /2,?000/],
    ]
    for (const [form, words] of refused) {
      const { status, text } = await add(office.browser, form)
      assert.equal(status, 422, JSON.stringify(form).slice(0, 80))
      assert.match(pageTextOf({ text }), words)
    }
    const blind = await office.signInMember('tech', { 'Customers & contacts': 'none' })
    const reader = await office.signInMember('tech', { 'Jobs & scheduling': 'view' })
    const elsewhere = await openOffice(service, 'Birch Electric')
    for (const browser of [blind.browser, reader.browser, elsewhere.browser])
      assert.equal((await add(browser)).status, 404)
    const theirs = await elsewhere.customer('Bo', { locations: [{ address_line1: '1 Oak St', city: 'Austin' }] })
    assert.equal((await add(office.browser, FORM, theirs['locations'][0].id)).status, 404)
    assert.equal((await add(office.browser, FORM, 'x')).status, 404)
    assert.deepEqual(await devices(), [])
    await run(sql`insert into equipment (tenant_id, id, location_id, kind)
      select ${office.id}::uuid, gen_random_uuid(), ${location}::uuid, 'Unit ' || n from generate_series(1, 50) n`)
    const full = await add(office.browser)
    assert.equal(full.status, 409)
    assert.match(pageTextOf(full), /up to 50 pieces of equipment/)
    const page = office.at('customers', customer.id)
    assert.doesNotMatch(pageTextOf(await reader.browser.get(page)), /Add equipment/)
    await run(sql`delete from equipment where tenant_id = ${office.id}`)
  })
})
