import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import { formAt, openOffice, pageTextOf, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', {
    last_name: 'Vance',
    contacts: [{ first_name: 'Paul', last_name: 'Ito', phone: '(512) 555-0143 x7', email: 'paul@example.com' }],
    locations: [{ address_line1: '9 Elm St', city: 'Austin', access_notes: 'Key under\nthe pot' }],
  })
})
after(() => service.stop())

const jobOf = (more: object = {}): Promise<Result> =>
  office.call('jobs_create', { customer_id: customer.id, title: 'Leak', ...more })
const LINES = { line_items: [{ name: 'Visit', unit_price_cents: 1000 }] }
const inDays = (days: number): string =>
  `${Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()}T09:00`

describe('the job page', () => {
  it('shows contact, access notes, instructions, series and custom fields', async () => {
    const series = await office.call('job_series_create', {
      customer_id: customer.id,
      title: 'Filters',
      rrule: 'FREQ=WEEKLY',
      dtstart: inDays(1),
    })
    const {
      rows: [visit],
    } = await office.call('jobs_list', { seriesId: series.id, sort: 'scheduled_asc' })
    await office.call('jobs_update', {
      id: visit.id,
      instructions: 'Use the ladder',
      fields: { Unit: '3' },
      priority: 'urgent',
    })
    const page = await office.browser.get(office.at('jobs', visit.id))
    const read = pageTextOf(page)
    for (const part of [
      'Paul Ito',
      '(512) 555-0143 x7',
      'Access notes Key under the pot',
      '9 Elm St, Austin',
      'Use the ladder',
      'A visit of Filters Changed by hand',
      'Priority Urgent',
      'Unit 3',
      'Notes',
    ])
      assert.ok(read.includes(part), `${part}\n${read}`)
    for (const link of [
      'href="tel:+15125550143;ext=7"',
      'href="mailto:paul@example.com"',
      `href="${office.at('job_series', series.id)}"`,
    ])
      assert.ok(page.text.includes(link), link)
  })

  it('hides contacts, access notes, quote and invoice from members without access to them', async () => {
    const quote = await office.call('quotes_create', { customer_id: customer.id, title: 'Secret offer' })
    const job = await jobOf({ quote_id: quote.id })
    await office.call('jobs_update', { id: job.id, status: 'done' })
    const { id: invoice, display_number } = await office.call('invoices_create', {
      customer_id: customer.id,
      from_job_id: job.id,
    })
    const reader = await office.signInMember('tech', {
      'Customers & contacts': 'none',
      Quotes: 'none',
      Invoices: 'none',
    })
    const { status, text } = await reader.browser.get(office.at('jobs', job.id))
    assert.equal(status, 200)
    for (const secret of ['555-0143', 'Key under', 'Secret offer', display_number, invoice])
      assert.ok(!text.includes(secret), secret)
    assert.match(
      pageTextOf(await office.browser.get(office.at('jobs', job.id))),
      new RegExp(`Related .*${display_number} Draft`),
    )
  })

  it('changes the status through each step with its actions', async () => {
    const { id } = await jobOf({ scheduled_start: inDays(1) })
    const press = (to: string) => office.browser.post(office.at('jobs', id, 'do', `jobs_update-${to}`), {})
    for (const to of ['en_route', 'in_progress', 'on_hold', 'in_progress', 'done', 'in_progress']) {
      assert.equal((await press(to)).status, 303, to)
      assert.equal((await office.call('jobs_get', { id })).status, to)
    }
  })

  it('keeps crew, archived location, priority and untaxed lines when saved unchanged', async () => {
    const [tech, location] = [
      await office.signInMember('tech'),
      await office.call('locations_create', { customer_id: customer.id, address_line1: '1 Gone St' }),
    ]
    const { id } = await jobOf({
      scheduled_start: inDays(2),
      assignees: [tech.user_id, office.owner.user_id],
      location_id: location.id,
      priority: 'high',
      line_items: [{ name: 'Visit', unit_price_cents: 100, taxable: false }],
    })
    await office.call('locations_archive', { id: location.id })
    const before = await office.call('jobs_get', { id })
    const edit = office.at('jobs', id, 'edit')
    await submit(office.browser, edit)
    assert.deepEqual(await office.call('jobs_get', { id }), before)
    assert.equal((await submit(office.browser, edit, { description: 'Call first' })).status, 303)
    const after = await office.call('jobs_get', { id })
    assert.deepEqual(
      [after.assignments, after.location_id, after.priority, after.line_items[0].taxable],
      [before['assignments'], location.id, 'high', false],
    )
  })

  it('creates a job for the customer in the URL, with normal priority', async () => {
    const page = `${office.at('jobs', 'new')}?customer_id=${customer.id}`
    assert.ok(pageTextOf(await office.browser.get(page)).includes('For Dora Vance'))
    const { location } = await submit(office.browser, page, { title: 'Drip' }, office.at('jobs', 'new'))
    assert.equal((await office.call('jobs_get', { id: location!.split('/').at(-1)! })).priority, 'normal')
  })
})

describe('the line totals of a job', () => {
  it('show subtotal, discounts and total, in this order', async () => {
    const job = await jobOf({
      line_items: [
        { name: 'Pump', unit_price_cents: 209_000 },
        { kind: 'discount', name: 'Neighbors', discount_type: 'percent', discount_value: 10 },
      ],
    })
    const page = pageTextOf(await office.browser.get(office.at('jobs', job.id)))
    assert.match(page, /Subtotal \$2,090\.00 All discounts -\$209\.00 Total before tax \$1,881\.00/)
    const plain = pageTextOf(await office.browser.get(office.at('jobs', (await jobOf(LINES)).id)))
    assert.match(plain, /Subtotal \$10\.00/)
    assert.doesNotMatch(plain, /Total before tax/)
  })
})

describe('the invoice list', () => {
  it('shows how many days an invoice is late', async () => {
    const made = await office.call('invoices_create', {
      customer_id: customer.id,
      ...LINES,
      issue_date: inDays(-20).slice(0, 10),
      due_date: inDays(-12).slice(0, 10),
    })
    await office.call('invoices_update', { id: made.id, status: 'sent' })
    assert.match(pageTextOf(await office.browser.get(office.at('invoices'))), /12 days late/)
  })
})

describe('the job list', () => {
  it('starts with upcoming jobs, and filters by its views', async () => {
    const [past, next, waiting] = [
      await jobOf({ title: 'Past one', scheduled_start: inDays(-3) }),
      await jobOf({ title: 'Next one', scheduled_start: inDays(3) }),
      await jobOf({ title: 'Waiting one' }),
    ]
    const titles = async (query: string): Promise<string[]> => {
      const page = pageTextOf(await office.browser.get(`${office.at('jobs')}${query}`))
      return [past, next, waiting]
        .filter(({ display_number, title }) => page.includes(`${display_number} ${title}`))
        .map(({ title }) => title as string)
    }
    const done = await jobOf({ title: 'Done ahead', scheduled_start: inDays(3) })
    await office.call('jobs_update', { id: done.id, status: 'done' })
    assert.deepEqual(await titles(''), ['Next one'])
    assert.doesNotMatch((await office.browser.get(office.at('jobs'))).text, /Done ahead/)
    assert.match((await office.browser.get(`${office.at('jobs')}.csv?status=open`)).text, /Waiting one/)
    assert.deepEqual(await titles('?status=unscheduled'), ['Waiting one'])
    assert.deepEqual(await titles('?scheduled_from='), ['Past one', 'Next one', 'Waiting one'])
    const page = await office.browser.get(office.at('jobs'))
    assert.match(page.text, /aria-current="true">Coming up/)
    assert.match((await office.browser.get(`${office.at('jobs')}?scheduled_from=`)).text, /aria-current="true">All/)
    assert.equal(Object.fromEntries(formAt(page, office.at('jobs')))['scheduled_from'], inDays(0).slice(0, 10))
  })

  it('says there are no jobs, not no matches, in an empty company', async () => {
    const empty = await openOffice(service, 'Cedar Lawns')
    const page = pageTextOf(await empty.browser.get(empty.at('jobs')))
    assert.doesNotMatch(page, /No matches/)
    assert.match(page, /No jobs/)
  })
})
