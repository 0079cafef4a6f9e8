import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, said, sendForm, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, type Browser, type Seen } from '../../harness/visiting.ts'
import { directionsTo } from '../../../src/web/today/directions.ts'

let service: TestService
let office: Office
let luis: { user_id: string; browser: Browser }
let ann: Result
const today = Temporal.Now.plainDateISO('America/New_York').toString()
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  luis = await office.hired('tech')
  ann = await office.customer('Ann', {
    last_name: 'Lee',
    phone: '(512) 555-0143',
    locations: [{ address_line1: '9 Elm St', city: 'Austin', access_notes: 'Gate 12' }],
  })
})
after(() => service.stop())

const book = (title: string, more: object = {}): Promise<Result> =>
  office.call('jobs_create', {
    customer_id: ann.id,
    title,
    scheduled_start: `${today}T09:00`,
    assignees: [luis.user_id],
    ...more,
  })
const home = (browser = luis.browser): Promise<Seen> => browser.get(office.at())
const act = async (job: Result, fields: Record<string, string>, browser = luis.browser): Promise<Seen> =>
  sendForm(browser, office.at('today', String(job.id)), Object.entries(fields))
/** Returns what the next page says once, after something was done. */
const told = async (): Promise<string> => /<div class="saying"[\s\S]*?<\/div>/.exec((await home()).text)?.[0] ?? ''

describe("a technician's Today", () => {
  it('begins with their own visits: when, where, the number, the way in, and one next step', async () => {
    await book('Leak', { instructions: 'Bring the pump', arrival_window_minutes: 60 })
    const page = await home()
    const text = said(page).replaceAll('\u2060', '')
    assert.ok(text.indexOf('One visit left') < text.indexOf('visits', text.indexOf('One visit left')))
    for (const part of ['Arrival 9:00 – 10:00 AM', '9 Elm St, Austin', 'Gate 12', 'Bring the pump', 'On my way'])
      assert.ok(text.includes(part), part)
    for (const link of ['href="tel:+15125550143"', 'href="sms:+15125550143"', 'rel="noreferrer"'])
      assert.ok(page.text.includes(link), link)
    assert.ok(!said(await home(office.browser)).includes('visit to go'))
  })

  it('goes from step to step, and back by Undo', async () => {
    const job = await book('Steps')
    const statusOf = async (): Promise<string> => String((await office.call('jobs_get', { id: job.id }))['status'])
    for (const to of ['en_route', 'in_progress', 'done']) {
      const answer = await act(job, { to })
      assert.deepEqual([answer.status, answer.location], [303, `${office.at()}#v-${String(job.id)}`])
      assert.equal(await statusOf(), to)
    }
    assert.match(await told(), /Done: Steps[\s\S]*name="to" value="in_progress"/)
    await act(job, { to: 'in_progress', undo: 'yes' })
    assert.equal(await statusOf(), 'in_progress')
    assert.doesNotMatch(await told(), /Undo/)
  })

  it('takes a part of the catalog by name, adds to what is there, and once however often it is pressed', async () => {
    const job = await book('Parts', { line_items: [{ name: 'Trip', unit_price_cents: 4900 }] })
    for (const name of ['Shutoff valve', 'Shutoff valve, brass'])
      await office.call('catalog_items_create', { kind: 'product', name, unit_price_cents: 2500 })
    const lines = async (): Promise<[string, number][]> =>
      ((await office.call('jobs_get', { id: job.id }))['line_items'] as Result[]).map(({ name, quantity }) => [
        name,
        quantity,
      ])
    const typed = { part: 'shutoff valve', quantity: '2.5', idempotency_key: 'one' }
    await act(job, typed)
    await act(job, typed)
    assert.match(await told(), /Added: Shutoff valve</)
    assert.deepEqual(await lines(), [
      ['Trip', 1],
      ['Shutoff valve', 2.5],
    ])
    for (const [fields, says] of [
      [{ part: 'shutoff', quantity: '1' }, /Choose one of these items: Shutoff valve/],
      [{ part: 'Nothing like it', quantity: '1' }, /This one isn’t in your catalog/],
      [{ part: '', quantity: '1' }, /This one isn’t in your catalog/],
      [{ part: 'Shutoff valve', quantity: 'many' }, /Not saved\. Enter a number, such as 2\.5\.</],
      [{ part: 'Shutoff valve', quantity: '-1' }, /Not saved\. Enter a number above 0\.</],
      [{ to: 'cancelled' }, /Not saved/],
      [{ note: '' }, /Not saved\. Enter a note\.</],
    ] as [Record<string, string>, RegExp][]) {
      await act(job, fields)
      assert.match(await told(), says)
    }
    assert.equal((await lines()).length, 2)
    await act(job, { note: 'Valve is stuck' })
    assert.match(await told(), /Note saved/)
  })

  it('shows no number and no way in to whoever may not see customers, and no steps to whoever may not change jobs', async () => {
    const blind = await office.hired('tech', { 'Customers & contacts': 'none', 'Jobs & scheduling': 'view' })
    const job = await book('Seen', { assignees: [blind.user_id] })
    const { text } = await home(blind.browser)
    assert.ok(
      text.includes('Seen') && !text.includes('tel:') && !text.includes('Gate 12') && !text.includes('On my way'),
    )
    assert.equal((await act(job, { to: 'done' }, blind.browser)).status, 404)
    const other = await openOffice(service, 'Birch')
    assert.equal((await sendForm(other.browser, other.at('today', String(job.id)), [['to', 'done']])).status, 404)
  })

  it("keeps a visit under way that began before, and leaves out other days' and cancelled ones", async () => {
    const before = Temporal.PlainDate.from(today).subtract({ days: 1 }).toString()
    const long = await book('Two days', { scheduled_start: `${before}T09:00`, duration_minutes: 2880 })
    await office.call('jobs_update', { id: long.id, status: 'in_progress' })
    await book('Yesterday', { scheduled_start: `${before}T10:00` })
    const gone = await book('Called off')
    await office.call('jobs_cancel', { id: gone.id })
    const own = /<section class="own"[\s\S]*?<\/section>/.exec((await home()).text)![0]
    assert.ok(own.includes('Two days') && !own.includes('Yesterday') && !own.includes('Called off'))
  })
})

describe('the way to an address', () => {
  it('opens in the maps of the phone', () => {
    const to = '9 Elm St, Austin'
    assert.equal(directionsTo(to, 'Mozilla/5.0 (iPhone; …)'), 'https://maps.apple.com/?daddr=9+Elm+St%2C+Austin')
    assert.equal(directionsTo(to, 'Mozilla/5.0 (Linux; Android 15)'), 'geo:0,0?q=9%20Elm%20St%2C%20Austin')
    assert.equal(directionsTo(to), 'https://www.google.com/maps/dir/?api=1&destination=9+Elm+St%2C+Austin')
  })
})

describe('working hours in the settings', () => {
  const hours = (...steps: string[]): string => office.at('settings', 'hours', ...steps)

  it('are saved by the office with a sentence, for the company and for a member', async () => {
    const { browser } = await office.hired('office')
    const saved = await sendForm(browser, hours(), [
      ['monday.0.from', '07:00'],
      ['monday.0.to', '12:00'],
      ['monday.1.from', '13:00'],
      ['monday.1.to', '16:00'],
      ['travel_minutes', '20'],
    ])
    assert.equal(saved.status, 303)
    const page = await browser.get(hours())
    assert.ok(
      said(page).includes('Working hours saved') &&
        page.text.includes('name="monday.1.to" value="16:00"') &&
        page.text.includes('name="tuesday.0.from" value=""'),
    )
    await sendForm(browser, hours(luis.user_id), [
      ['own', 'yes'],
      ['friday.0.from', '09:00'],
      ['friday.0.to', '10:00'],
    ])
    assert.ok((await browser.get(hours(luis.user_id))).text.includes('name="friday.0.from" value="09:00"'))
    await sendForm(browser, hours(luis.user_id), [
      ['act', 'off'],
      ['from', '2099-12-24'],
      ['to', '2099-12-26'],
      ['note', 'Holiday'],
    ])
    const off = await browser.get(hours(luis.user_id))
    assert.match(said(off), /Thu, Dec 24, 2099 Off · Holiday/)
    const id = /name="id" value="([0-9a-f-]{36})"/.exec(off.text)![1]!
    await sendForm(browser, hours(luis.user_id), [
      ['act', 'remove'],
      ['id', id],
    ])
    assert.match(said(await browser.get(hours(luis.user_id))), /Thu, Dec 24, 2099 is a regular day again/)
  })

  it('keep what was typed beside what is wrong, and are not for technicians or strangers', async () => {
    const refused = await sendForm(office.browser, hours(), [
      ['monday.0.from', '17:00'],
      ['monday.0.to', '08:00'],
      ['travel_minutes', '15'],
    ])
    assert.equal(refused.status, 422)
    assert.ok(
      refused.text.includes('The end time must be after the start time.') &&
        refused.text.includes('name="monday.0.from" value="17:00"'),
    )
    assert.equal((await sendForm(office.browser, hours(), [['travel_minutes', '999']])).status, 422)
    assert.equal((await luis.browser.get(hours())).status, 404)
    assert.equal((await sendForm(luis.browser, hours(), [['travel_minutes', '1']])).status, 404)
    const other = await openOffice(service, 'Cedar')
    assert.equal((await other.browser.get(other.at('settings', 'hours', luis.user_id))).status, 404)
  })
})
