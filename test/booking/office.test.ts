import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { findBookingPage } from '../../src/customer_portal/booking/booking_page.ts'
import { openOffice, pageTextOf } from '../harness/identity/people_pages.ts'
import { book, jobsOf, mailTo, RULES, startBooking, type Booking } from './scene.ts'

let scene: Booking
before(async () => {
  scene = await startBooking()
})
after(() => scene.service.stop())

const readBookingPage = () => readTenant(scene.service.database, { tenant: scene.office.id }, findBookingPage)

describe('online booking settings', () => {
  it('are available to owners and the office, and return 404 for technicians', async () => {
    const path = scene.office.at('settings', 'booking')
    const { browser: office } = await scene.office.signInMember('office')
    const { browser: tech } = await scene.office.signInMember('tech')
    assert.equal((await office.get(path)).status, 200)
    assert.equal((await office.post(path, { ...RULES, notice_hours: '5' })).status, 303)
    assert.equal((await readBookingPage())?.notice_hours, 5)
    assert.equal((await tech.get(path)).status, 404)
    assert.equal((await tech.post(path, { ...RULES, notice_hours: '6' })).status, 404)
    assert.equal((await scene.browser().get(path)).status, 303)
    assert.equal((await readBookingPage())?.notice_hours, 5)
  })

  it('reject invalid page names, numbers and frame origins, and keep the saved values', async () => {
    const before = await readBookingPage()
    for (const wrong of [
      { name: 'a b' },
      { name: '-acme' },
      { name: 'x' },
      { name: '' },
      { notice_hours: '-1' },
      { notice_hours: '400' },
      { days_ahead: '0' },
      { window_minutes: '2.5' },
      { may_move: 'yes', move_hours: '' },
      { frame_origins: 'http://acme.com' },
      { frame_origins: 'https://acme.com;script-src *' },
      { frame_origins: 'https://a.com https://b.com https://c.com https://d.com https://e.com https://f.com' },
    ]) {
      const { status } = await scene.save({ ...RULES, ...wrong })
      assert.ok(status === 422 || status === 409, `${JSON.stringify(wrong)} ${status}`)
    }
    assert.deepEqual(await readBookingPage(), before)
  })

  it("reject a page name that is taken, and services that are not in the company's catalog", async () => {
    const other = await openOffice(scene.service, 'Other Plumbing')
    const path = other.at('settings', 'booking')
    const duplicate = await other.browser.post(path, { ...RULES, name: 'acme-plumbing' })
    assert.equal(duplicate.status, 409)
    assert.match(pageTextOf(duplicate), /Another company already uses this name/)
    const product = await scene.office.call('catalog_items_create', {
      kind: 'product',
      name: 'Pipe',
      unit_price_cents: 100,
    })
    for (const id of [String(product['id']), '', 'x'])
      assert.equal(
        (await scene.save({ act: 'service', catalog_item_id: id, minutes: '60', price: 'exact' })).status,
        422,
      )
    const theirs = await other.browser.post(path, { act: 'service', catalog_item_id: scene.item, minutes: '60' })
    assert.equal(theirs.status, 422)
    assert.equal((await scene.save({ act: 'service', catalog_item_id: scene.item, minutes: '5' })).status, 422)
  })
})

describe('access to the booking page', () => {
  it('returns the same 404 for an unknown page name and for a page that is turned off', async () => {
    const stranger = scene.browser()
    const nobody = await stranger.get('/book/nobody-here')
    await scene.save({ ...RULES, is_on: '' })
    const off = await (async () => {
      const fields: Record<string, string> = { ...RULES }
      delete fields['is_on']
      await scene.save(fields)
      return stranger.get(scene.page)
    })()
    assert.deepEqual([nobody.status, off.status], [404, 404])
    assert.equal(pageTextOf(nobody), pageTextOf(off))
    const inSpanish = async (path: string) => pageTextOf(await stranger.get(`${path}?lang=es`))
    assert.equal(await inSpanish('/book/nobody-here'), await inSpanish(scene.page))
    assert.equal((await stranger.get(`${scene.page}/${scene.item}`)).status, 404)
    await scene.save(RULES)
    assert.equal((await stranger.get(scene.page)).status, 200)
  })

  it('allows framing by the configured origins, and denies it on other pages', async () => {
    const stranger = scene.browser()
    const policyOf = async (path: string) => {
      const { headers } = await stranger.get(path)
      return [
        /frame-ancestors [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0],
        headers.get('x-frame-options'),
      ]
    }
    assert.deepEqual(await policyOf(scene.page), ["frame-ancestors 'none'", 'DENY'])
    await scene.save({ ...RULES, frame_origins: 'https://www.acme.example/path\nhttps://acme.example' })
    const framed = ['frame-ancestors https://www.acme.example https://acme.example', null]
    assert.deepEqual(await policyOf(scene.page), framed)
    assert.deepEqual(await policyOf(`${scene.page}/${scene.item}`), framed)
    for (const path of ['/sign-in', '/book/nobody-here', '/c/AAAAAAAAAAAAAAAAAAAAAA'])
      assert.deepEqual(await policyOf(path), ["frame-ancestors 'none'", 'DENY'], path)
  })

  it('returns 429 after 240 requests from one network', async () => {
    const stranger = scene.browser()
    const statuses: number[] = []
    for (let i = 0; i < 245; i++) statuses.push((await stranger.get('/book/nobody-here')).status)
    assert.deepEqual(statuses, [...Array<number>(240).fill(404), ...Array<number>(5).fill(429)])
    assert.equal((await scene.browser().get(scene.page)).status, 200)
  })
})

describe('a booking that needs approval', () => {
  before(() => scene.save({ ...RULES, needs_approval: 'yes' }))

  const request = async (email: string) => {
    const stranger = scene.browser()
    const { done } = await book(scene, stranger, { email })
    assert.match(pageTextOf(await stranger.get(done.location ?? '')), /Request sent/)
    const job = (await jobsOf(scene)).at(-1)
    assert.ok(job !== undefined)
    return {
      job,
      decide: (act: string, reason = '') =>
        scene.office.browser.post(scene.office.at('jobs', job.id, 'online-booking'), { act, reason }),
    }
  }

  it('holds its time, and sends the confirmation once the office approves it', async () => {
    const { job, decide } = await request('wait@example.com')
    assert.equal(job.status, 'on_hold')
    const [first, ...none] = await mailTo(scene, 'wait@example.com')
    assert.match(first?.body ?? '', /isn’t confirmed yet/)
    assert.deepEqual(none, [])
    const page = await scene.office.browser.get(scene.office.at('jobs', job.id))
    assert.match(pageTextOf(page), /This visit was requested online/)
    // Pressing Enter in the reason field submits the decline form.
    assert.match(page.text, /value="decline">(?:(?!<\/form>)[^])*name="reason"/)
    assert.doesNotMatch(page.text, /value="approve">(?:(?!<\/form>)[^])*name="reason"/)
    assert.equal((await decide('approve')).status, 303)
    assert.equal((await jobsOf(scene)).find(({ id }) => id === job.id)?.status, 'scheduled')
    const mails = await mailTo(scene, 'wait@example.com')
    assert.match(mails.at(-1)?.body ?? '', /Your appointment is confirmed/)
    assert.equal((await decide('decline')).status, 409)
    assert.equal((await jobsOf(scene)).find(({ id }) => id === job.id)?.status, 'scheduled')
  })

  it('is canceled and the customer notified when the office declines it; technicians get 404', async () => {
    const { job, decide } = await request('no@example.com')
    const { browser: tech } = await scene.office.signInMember('tech', { 'Jobs & scheduling': 'view' })
    const path = scene.office.at('jobs', job.id, 'online-booking')
    assert.equal((await tech.post(path, { act: 'approve' })).status, 404)
    assert.equal((await decide('decline', 'We are closed that week.')).status, 303)
    assert.equal((await jobsOf(scene)).find(({ id }) => id === job.id)?.status, 'cancelled')
    assert.match((await mailTo(scene, 'no@example.com')).at(-1)?.body ?? '', /can’t come[^]*We are closed that week/)
  })
})
