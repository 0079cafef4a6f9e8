import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { TestService } from '../../harness/harness.ts'
import { idAt, openOffice, pageTextOf, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

const lines = [{ name: 'Visit', unit_price_cents: 12_500 }]

/** Stores a message from a customer at a given time. */
const message = (customer: string, body: string, at: string) =>
  writeTenant(service.database, { tenant: office.id }, (db) =>
    db.run(sql`insert into communications
      (tenant_id, id, channel, direction, status, provider, sender, sender_address, recipients, customer_id, body,
        occurred_at)
      values (${office.id}, ${newId()}, 'sms', 'inbound', 'received', 'sms', '+16175550102', '+16175550102',
        ${['+16175550100']}, ${customer}, ${body}, ${at})`),
  )

type Told = { at: string; text: string }

/** Returns the timeline entries on a page and the link to earlier ones. */
async function storyAt(path: string, browser: Browser = office.browser): Promise<{ told: Told[]; earlier?: string }> {
  const $ = load((await browser.get(path)).text)
  const told = $('.event')
    .get()
    .map((one) => ({
      at: $(one).find('.event-head time').attr('datetime')!,
      text: $(one).text().replace(/\s+/g, ' ').trim(),
    }))
  const earlier = $('.story [rel=next]').attr('href')?.split('#')[0]
  return { told, ...(earlier === undefined ? {} : { earlier }) }
}

/** Creates a customer with a quote, a job, a paid invoice, notes and a message. */
async function busyCustomer(name: string) {
  const { id } = await office.customer(name, { phone: '617 555 0102' })
  const quote = await office.call('quotes_create', { customer_id: id, title: 'New boiler', line_items: lines })
  await office.call('quotes_update', { id: quote.id, status: 'accepted' })
  const job = await office.call('jobs_create', {
    customer_id: id,
    title: 'Fit the boiler',
    scheduled_start: '2026-03-02T09:00',
  })
  await office.call('jobs_update', { id: job.id, status: 'done' })
  const invoice = await office.call('invoices_create', { customer_id: id, line_items: lines, subject: 'Boiler' })
  await office.call('invoices_update', { id: invoice.id, status: 'sent' })
  await office.call('invoices_update', { id: invoice.id, status: 'paid' })
  await office.call('notes_create', { subject_type: 'customer', subject_id: id, body: 'Dog <b>bites</b>' })
  await office.call('notes_create', { subject_type: 'job', subject_id: job.id, body: 'Valve is stiff' })
  await message(id, 'When do you come?', '2026-03-01T10:00:00.000Z')
  return { id, quote, job, invoice }
}

describe('the customer timeline', () => {
  it('shows jobs, visits, messages, quotes, invoices, payments, notes and changes, newest first', async () => {
    const { id, quote, job, invoice } = await busyCustomer('Story')
    await office.call('customers_update', { id, lead_source: 'Web' })
    const { told } = await storyAt(office.at('customers', id))
    const times = told.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted().toReversed())
    for (const text of [
      `Booked ${job.display_number} Fit the boiler for`,
      `${job.display_number} Fit the boiler Done`,
      `${quote.display_number} New boiler Accepted`,
      `${invoice.display_number} Boiler Sent`,
      `$125.00 Marked as paid · ${invoice.display_number}`,
      'Dog <b>bites</b>',
      'Valve is stiff',
      'When do you come?',
      'Ana Ruiz changed: Source, with the key Agent',
    ])
      assert.ok(
        told.some((one) => one.text.includes(text)),
        `${text} in ${told.map((one) => one.text).join('\n')}`,
      )
    assert.equal(told.at(-1)!.text.includes('When do you come?'), true)
  })

  it("shows an assistant's changes to a job once", async () => {
    const { id, job } = await busyCustomer('Agents')
    await office.call('jobs_update', { id: job.id, priority: 'high' })
    const { told } = await storyAt(office.at('customers', id))
    const about = told.filter(({ text }) => text.includes(job.display_number) && !text.includes('Note'))
    assert.equal(about.filter(({ text }) => text.includes('set the priority to High, with the key Agent')).length, 1)
    assert.deepEqual(
      about.filter(({ text }) => /created it|finished it/.test(text)),
      [],
    )
  })

  it('pages through all entries without gaps or duplicates, even when many share one timestamp', async () => {
    const { id } = await office.customer('Paged')
    const at = '2026-02-03T04:05:06.789Z'
    for (let i = 0; i < 40; i++) await message(id, `Same ${i}.`, at)
    for (let i = 0; i < 20; i++) await message(id, `Other ${i}.`, `2026-02-0${1 + (i % 9)}T08:00:00.000Z`)
    const all: Told[] = []
    let path: string | undefined = office.at('customers', id)
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof storyAt>> = await storyAt(path)
      assert.ok(page.told.length <= 28)
      all.push(...page.told)
      path = page.earlier
    }
    assert.equal(new Set(all.map(({ text }) => text)).size, all.length)
    for (let i = 0; i < 40; i++) assert.ok(all.some(({ text }) => text.includes(`Same ${i}.`)))
    for (let i = 0; i < 20; i++) assert.ok(all.some(({ text }) => text.includes(`Other ${i}.`)))
    const times = all.map((one) => one.at)
    assert.deepEqual(times, times.toSorted().toReversed())
  })

  it('filters by kind, and starts from the newest entry when the cursor is invalid', async () => {
    const { id } = await busyCustomer('Parted')
    const path = office.at('customers', id)
    const texts = async (show: string) => (await storyAt(`${path}?show=${show}`)).told.map(({ text }) => text).join('|')
    assert.match(await texts('messages'), /^[^|]*When do you come\?$/)
    assert.match(await texts('notes'), /^[^|]*Valve is stiff\|[^|]*Dog/)
    assert.doesNotMatch(await texts('money'), /Fit the boiler|Dog|When/)
    const whole = await storyAt(path)
    for (const strange of ['nothing', '2026-13-45T00:00:00.000Z_x', `${'9'.repeat(400)}_`, `2026-01-01_${newId()}`])
      assert.deepEqual(await storyAt(`${path}?show=all&before=${strange}`), whole, strange)
  })

  it('hides invoices, quotes, jobs and notes, with their changes, from members without access', async () => {
    const { id, quote, job, invoice } = await busyCustomer('Guarded')
    await office.call('invoices_update', { id: invoice.id, status: 'sent' })
    await office.call('jobs_update', { id: job.id, priority: 'high' })
    const path = office.at('customers', id)
    const without = async (areas: Parameters<Office['signInMember']>[1], hidden: readonly string[], seen: string) => {
      const { browser } = await office.signInMember('office', areas)
      for (const show of ['', '?show=money', '?show=visits', '?show=notes']) {
        const page = pageTextOf(await browser.get(path + show))
        for (const text of hidden) assert.ok(!page.includes(text), `${text} at ${show}`)
      }
      assert.ok(pageTextOf(await browser.get(path)).includes(seen), seen)
    }
    await without(
      { Invoices: 'none' },
      [invoice.display_number, 'Balance due', 'Paid so far', 'Marked as'],
      'New boiler',
    )
    await without({ Quotes: 'none' }, [quote.display_number, 'New boiler'], invoice.display_number)
    await without({ 'Jobs & scheduling': 'none' }, [job.display_number, 'Fit the', 'stiff'], 'bites')
    await without({ Notes: 'none' }, ['bites', 'stiff', 'Write a note'], 'Fit the boiler')
    const stranger = await openOffice(service, 'North Cleaning')
    assert.equal((await stranger.browser.get(path)).status, 404)
    assert.equal((await newBrowser(service).get(path)).status, 303)
  })

  it('renders no empty sections', async () => {
    const { id } = await office.customer('Bare')
    const $ = load((await office.browser.get(office.at('customers', id))).text)
    assert.deepEqual(
      $('main .part')
        .get()
        .map((one) => $(one).text()),
      [],
    )
    assert.equal($('.next-steps').length, 0)
    assert.match($('.story').text(), /created it/)
  })
})

describe('the next steps of a customer', () => {
  it('list unread messages, overdue invoices, unscheduled jobs, upcoming visits and open quotes', async () => {
    const { id } = await office.customer('Next')
    await message(id, 'Hello?', '2026-03-01T10:00:00.000Z')
    const invoice = await office.call('invoices_create', {
      customer_id: id,
      line_items: lines,
      issue_date: '2026-01-01',
      due_date: '2026-01-15',
    })
    await office.call('invoices_update', { id: invoice.id, status: 'sent' })
    await office.call('jobs_create', { customer_id: id, title: 'No time' })
    const year = Temporal.Now.plainDateISO().year + 1
    await office.call('jobs_create', { customer_id: id, title: 'To come', scheduled_start: `${year}-05-04T09:00` })
    const quote = await office.call('quotes_create', { customer_id: id, title: 'Asked', line_items: lines })
    await office.call('quotes_update', { id: quote.id, status: 'sent' })
    const $ = load((await office.browser.get(office.at('customers', id))).text)
    const steps = $('.next-steps li')
      .get()
      .map((one) => $(one).text().replace(/\s+/g, ' ').trim())
    assert.equal(steps.length, 5)
    ;[
      /^One unread message/,
      /\$125\.00 overdue.*Record payment/,
      /No time.*Schedule/,
      /To come/,
      /Asked.*waits/,
    ].forEach((pattern, i) => assert.match(steps[i]!, pattern))
    assert.equal($('.record-columns').prevAll('.next-steps').length, 1)
  })
})

describe('forms on the customer page', () => {
  it('create a note, return to the page, and refuse an empty note', async () => {
    const { id } = await office.customer('Noted')
    const page = office.at('customers', id)
    const sent = await submit(office.browser, page, { body: 'Key under the mat' }, office.at('notes', 'new'))
    assert.equal(sent.location, page)
    assert.match(pageTextOf(await office.browser.get(page)), /Key under the mat/)
    const refused = await submit(office.browser, page, { body: ' ' }, office.at('notes', 'new'))
    assert.equal(refused.status, 422)
  })

  it('create a job at one of several locations and return; the full form is prefilled from the URL', async () => {
    const { id, locations } = await office.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Jobs',
      locations: [
        { address_line1: '1 First St', city: 'Austin' },
        { address_line1: '2 Second St', city: 'Austin' },
      ],
    })
    const page = office.at('customers', id)
    const typed = { title: 'Leak', scheduled_start: '2027-05-04T09:00', location_id: locations[1].id }
    const sent = await submit(office.browser, page, typed, office.at('jobs', 'new'))
    assert.equal(sent.location?.split('?')[0], page)
    const {
      rows: [job],
    } = await office.call('jobs_list', { customer_id: id })
    assert.deepEqual([job.title, job.location_id, job.status], ['Leak', locations[1].id, 'scheduled'])
    assert.match(pageTextOf(await office.browser.get(page)), /Next .*Leak/)
    const full = load((await office.browser.get(`${office.at('jobs', 'new')}?customer_id=${id}&title=Leak`)).text)
    assert.equal(full('[name=title]').attr('value'), 'Leak')
    const refused = await submit(office.browser, page, { title: '' }, office.at('jobs', 'new'))
    assert.equal(refused.status, 422)
  })

  it('send a message to an address that accepts messages, and never redirect to another site', async () => {
    const { id, contacts } = await office.customer('Written', { phone: '617 555 0170', email: 'w@example.com' })
    await office.call('contacts_update', { id: contacts[0].id, sms_opt_out: true })
    const page = office.at('customers', id)
    const action = office.at('messages', 'with', id, 'send')
    const $ = load((await office.browser.get(page)).text)
    assert.deepEqual(
      $('#message-to option')
        .get()
        .map((one) => $(one).attr('value')),
      ['email:w@example.com'],
    )
    const sent = await submit(office.browser, page, { subject: 'Boiler', body: 'We come on Monday' }, action)
    assert.equal(sent.location, page)
    assert.match(pageTextOf(await office.browser.get(page)), /To w@example\.com .*We come on Monday/)
    const away = await submit(office.browser, page, { subject: 'x', body: 'x', back: '//evil.example/' }, action)
    assert.equal(away.location, office.at('messages', 'with', id))
    assert.equal(idAt(page), id)
  })

  it("aren't shown without edit access", async () => {
    const { id } = await office.customer('Closed', { phone: '617 555 0171' })
    const { browser } = await office.signInMember('tech', {
      'Customers & contacts': 'view',
      'Jobs & scheduling': 'view',
      Notes: 'view',
    })
    assert.equal(load((await browser.get(office.at('customers', id))).text)('.composer').length, 0)
  })
})
