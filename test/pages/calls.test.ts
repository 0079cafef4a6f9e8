import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import type { Result, TestService } from '../harness/harness.ts'
import { formAt, openOffice, pageTextOf, sendForm, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite, type BrowserResponse } from '../harness/web_client.ts'

let service: TestService
let office: Office
let luis: string
let dana: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  luis = (await office.signInMember('tech')).user_id
  dana = await office.customer('Dana', {
    last_name: 'Fields',
    phone: '(512) 555-0143',
    locations: [{ address_line1: '9 Elm St', city: 'Austin' }],
    do_not_service: true,
  })
  await office.call('jobs_create', { customer_id: dana.id, title: 'Sump pump' })
})
after(() => service.stop())

const newCall = (query = ''): string => `${office.at('calls', 'new')}${query}`
const page = (query = ''): Promise<BrowserResponse> => office.browser.get(newCall(query))
/** Returns the slots that a page offers, as its form sends them. */
const slotsOn = ({ text }: BrowserResponse): string[] =>
  load(text)('input[name="when"]')
    .toArray()
    .map(({ attribs }) => attribs['value']!)
    .filter((value) => value.includes('|'))
const press = (typed: Record<string, string | null>, query = '') =>
  submit(office.browser, newCall(query), typed, office.at('calls', 'new'))
const jobOf = ({ location }: BrowserResponse): Promise<Result> =>
  office.call('jobs_get', { id: /[0-9a-f-]{36}$/.exec(location!)![0] })
const customersNamed = async (query: string): Promise<Result[]> =>
  (await office.call('customers_search', { query }))['rows']

describe('the caller lookup', () => {
  it('finds a customer by full phone number in any format, with address, past jobs and warning', async () => {
    for (const q of ['5125550143', '(512) 555-0143', '+1 512 555 0143']) {
      const seen = pageTextOf(await page(`?q=${encodeURIComponent(q)}`))
      for (const part of ['Dana Fields', '9 Elm St, Austin', 'Sump pump', 'Do not service'])
        assert.ok(seen.includes(part), `${q}: ${part}`)
    }
  })

  it('suggests customers by partial number or name, and a new customer when nobody matches', async () => {
    assert.match(pageTextOf(await page('?q=5550143')), /Is it one of these\? Dana Fields/)
    assert.match(pageTextOf(await page('?q=fields')), /Is it one of these\? Dana Fields/)
    assert.match(pageTextOf(await page('?q=5125559999')), /New customer Name/)
    assert.match(pageTextOf(await page(`?customer_id=${dana.id}`)), /Dana Fields/)
    assert.match(pageTextOf(await page(`?customer_id=${office.id}`)), /New customer Name/)
  })

  it('returns the caller and the free times as page fragments for the script', async () => {
    const part = await office.browser.get(`${office.at('calls', 'caller')}?q=5125550143`)
    assert.ok(!part.text.includes('<html'))
    assert.match(pageTextOf(part), /Dana Fields/)
    assert.match(pageTextOf(await office.browser.get(`${office.at('calls', 'times')}?minutes=60`)), /Leo Park/)
  })

  it('returns 404 without access to customers and edit access to jobs', async () => {
    const [reader, worker] = [
      await office.signInMember('tech', { 'Customers & contacts': 'none' }),
      await office.signInMember('tech', { 'Jobs & scheduling': 'view' }),
    ]
    for (const { browser } of [reader, worker])
      for (const path of ['new', 'caller', 'times'])
        assert.equal((await browser.get(office.at('calls', path))).status, 404)
  })

  it('returns 200 for any input, however long or malformed', async () => {
    for (const q of ['%', '+', 'x'.repeat(3000), '\u0000', '٣٤٥٦٧', "' or 1=1"])
      assert.equal(
        (await page(`?q=${encodeURIComponent(q)}&minutes=-5&after=2026-99-99&when=%7C&start=no`)).status,
        200,
        q,
      )
  })
})

describe('booking a call', () => {
  it('books a free time for a known customer and confirms it on the next page', async () => {
    const opened = await page('?q=5125550143')
    const [slot] = slotsOn(opened)
    const answer = await press({ title: 'Leaking faucet', when: slot!, notes: 'Gate 12\r\nDog' }, '?q=5125550143')
    assert.equal(answer.status, 303)
    const job = await jobOf(answer)
    assert.equal(`${job['scheduled_start']}|${job['assignments'][0].user_id}`, slot)
    assert.deepEqual([job['customer_id'], job['duration_minutes'], job['instructions']], [dana.id, 120, 'Gate 12\nDog'])
    const next = pageTextOf(await office.browser.get(answer.location!))
    assert.match(next, /Booked for Dana Fields: .* with Leo Park/)
    assert.match(next, /marked do_not_service|Do not service|do not service/)
    assert.ok(!slotsOn(await page()).includes(slot!))
  })

  it('creates a new customer and their job in a single change', async () => {
    const answer = await press({
      q: '512 555 0177',
      name: 'Ann Lee Park',
      address: '12 Oak St, Austin TX 78704',
      title: 'No hot water',
    })
    const job = await jobOf(answer)
    const customer = await office.call('customers_get', { id: job['customer_id'] })
    assert.deepEqual(
      [
        customer['first_name'],
        customer['last_name'],
        customer['contacts'][0].phone,
        customer['locations'][0].postal_code,
        job['status'],
      ],
      ['Ann', 'Lee Park', '+15125550177', '78704', 'unscheduled'],
    )
    assert.equal(job['location_id'], customer['locations'][0].id)
    const entries = await office.entries(String(customer['id']))
    assert.deepEqual(
      entries.map(({ tool }) => tool),
      ['jobs.book'],
    )
  })

  it('shows the extra driving per time; the same address can book without a gap, a distant one gets 409', async () => {
    const place = (latitude: number) => ({
      customer_type: 'individual',
      first_name: 'Driven',
      locations: [{ address_line1: '1 Main St', postal_code: '78701', latitude, longitude: -97.7 }],
    })
    const [home, far] = await Promise.all(
      [30.3, 31].map((latitude) => office.call('customers_create', place(latitude))),
    )
    const date = Temporal.Now.plainDateISO('America/Chicago').add({ days: 200 })
    const monday = date.add({ days: 8 - date.dayOfWeek })
    await office.call('jobs_create', {
      customer_id: home!['id'],
      title: 'Visit',
      scheduled_start: `${monday.toString()}T10:00`,
      duration_minutes: 60,
      assignees: [luis],
    })
    const query = `?minutes=60&after=${monday.toString()}&customer_id=`
    const slotLabels = ({ text }: BrowserResponse): string[] =>
      load(text)('.slot:has(input[value$="' + luis + '"])')
        .toArray()
        .map((one) => load(one).text().replace(/\s+/g, ' ').trim())
    const beside = await page(query + String(home!['id']))
    assert.deepEqual(
      slotLabels(beside).map((text) => text.replace(/^.*? (?=\d+:)/, '')),
      ['8:00 AM No extra driving', '9:00 AM No extra driving', '11:00 AM No extra driving'],
    )
    for (const part of ['new', 'times'])
      assert.match(
        pageTextOf(await office.browser.get(office.at('calls', part) + query + String(far!['id']))),
        /About \+\d\d+ min driving/,
      )
    assert.doesNotMatch(pageTextOf(await page(query)), /min driving/)
    const [, , after] = slotsOn(beside)
    assert.equal((await press({ title: 'Next door', when: after! }, query + String(home!['id']))).status, 303)
    const refused = await press({ title: 'Too far', when: after! }, query + String(far!['id']))
    assert.equal(refused.status, 409)
  })

  it('estimates the driving from the ZIP code of a typed address', async () => {
    const date = Temporal.Now.plainDateISO('America/Chicago').add({ days: 250 })
    const monday = date.add({ days: 8 - date.dayOfWeek })
    const { id } = await office.customer('Zipped', {
      locations: [{ address_line1: '1 Main St', city: 'Austin', postal_code: '78701' }],
    })
    await office.call('jobs_create', {
      customer_id: id,
      title: 'Visit',
      scheduled_start: `${monday.toString()}T10:00`,
      assignees: [luis],
    })
    const query = `?after=${monday.toString()}&address=`
    assert.match(
      pageTextOf(await page(`${query}${encodeURIComponent('2 Oak St, Austin TX 78704')}`)),
      /About \+\d+ min driving/,
    )
    assert.match(
      pageTextOf(await page(`${query}${encodeURIComponent('2 Oak St, Austin TX 78701')}`)),
      /No extra driving/,
    )
    assert.doesNotMatch(pageTextOf(await page(`${query}${encodeURIComponent('2 Oak St, Austin')}`)), /driving/)
  })

  it('keeps the full name of a company as the company name', async () => {
    const answer = await press({ q: '512 555 0178', name: 'Park & Sons LLC', is_company: 'yes', title: 'Survey' })
    const { company_name } = await office.call('customers_get', { id: (await jobOf(answer))['customer_id'] })
    assert.equal(company_name, 'Park & Sons LLC')
  })

  it('creates one customer and one job when the form is submitted twice at once and once more', async () => {
    const form = formAt(await page(), office.at('calls', 'new'))
    const typed: [string, string][] = [
      ...form.filter(([name]) => !['q', 'name', 'title'].includes(name)),
      ['q', '512 555 0179'],
      ['name', 'Twice'],
      ['title', 'Once'],
    ]
    const [first, second] = await Promise.all(
      [1, 2].map(() => sendForm(office.browser, office.at('calls', 'new'), typed)),
    )
    const third = await sendForm(office.browser, office.at('calls', 'new'), [...typed, ['anyway', 'yes']])
    assert.deepEqual(new Set([first!, second!, third].map(({ location }) => location)).size, 1)
    assert.equal((await customersNamed('Twice')).length, 1)
  })

  it('asks when the phone number belongs to a customer, and accepts either answer', async () => {
    const typed = { q: '(512) 555-0143', name: 'Dana', title: 'Drain' }
    const asked = await press(typed)
    assert.equal(asked.status, 409)
    assert.match(pageTextOf(asked), /\(512\) 555-0143 is Dana Fields/)
    const hers = await press({ ...typed, customer_id: String(dana.id) })
    assert.equal((await jobOf(hers))['customer_id'], dana.id)
    const another = await press({ ...typed, anyway: 'yes' })
    assert.notEqual((await jobOf(another))['customer_id'], dana.id)
  })

  it("gives a contested time to one caller and offers the other the same technician's next free time", async () => {
    const [slot] = slotsOn(await page())
    const answers = await Promise.all(
      ['A', 'B'].map((name) => press({ q: '', name: `Race ${name}`, title: 'Race', when: slot! })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409])
    const second = answers.find(({ status }) => status === 409)!
    assert.match(pageTextOf(second), /That time was just taken\. The next free time of Leo Park is chosen now/)
    const chosen = load(second.text)('input[name="when"][checked]').attr('value')!
    assert.ok(chosen.endsWith(luis) && chosen !== slot)
    assert.equal((await customersNamed('Race')).length, 1)
  })

  it('creates no customer when the form is refused', async () => {
    for (const [typed, says] of [
      [{ q: '12', name: 'Nobody Half', title: 'X' }, /Enter a phone number with its area code\./],
      [
        { q: '', name: 'Nobody Half', title: 'x'.repeat(201) },
        /What needs to be done\? Enter at most 200 characters\./,
      ],
      [
        { q: '', name: 'Nobody Half', title: 'X', when: 'other', start: '1999-01-01T09:00' },
        /Enter a date between 2000 and 2100\./,
      ],
      [{ q: '', name: '', title: 'X' }, /Enter the caller.s name/],
      [{ q: '', name: 'Nobody Half', title: '' }, /Choose or enter what needs to be done/],
      [{ q: '', name: 'Nobody Half', title: 'X', when: 'other' }, /Enter the day and time/],
      [
        { q: '', name: 'Nobody Half', title: 'X', address: 'y'.repeat(300) },
        /booked yet Address: Enter at most 200 characters\./,
      ],
    ] as [Record<string, string>, RegExp][]) {
      const answer = await press(typed)
      assert.equal(answer.status, 422, String(says))
      assert.match(pageTextOf(answer), says)
    }
    assert.deepEqual(await customersNamed('Nobody Half'), [])
  })

  it('takes the price from the catalog item of that name, and time and technician from the chosen slot', async () => {
    const item = await office.call('catalog_items_create', {
      kind: 'service',
      name: 'Drain cleaning',
      unit_price_cents: 18_900,
    })
    const query = `?customer_id=${dana.id}&start=2027-03-01T09:00&who=${luis}&text=${encodeURIComponent('Smells')}`
    assert.match(pageTextOf(await page(query)), /Drain cleaning/)
    const job = await jobOf(await press({ kind: 'Drain cleaning' }, query))
    assert.deepEqual(
      [job['line_items'][0].catalog_item_id, job['subtotal_cents'], job['instructions']],
      [item.id, 18_900, 'Smells'],
    )
    assert.deepEqual([job['scheduled_start'], job['assignments'][0].user_id], ['2027-03-01T14:00:00.000Z', luis])
  })

  it('refuses a new customer with 403 without permission to add customers', async () => {
    const { browser } = await office.signInMember('tech', {
      'Customers & contacts': 'view',
      'Jobs & scheduling': 'edit',
    })
    const answer = await sendForm(browser, office.at('calls', 'new'), [
      ['name', 'Nobody Else'],
      ['title', 'X'],
    ])
    assert.equal(answer.status, 403)
    assert.deepEqual(await customersNamed('Nobody Else'), [])
  })
})
