import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, sendForm, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser, type BrowserResponse } from '../../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

const page = (id: string): string => office.at('customers', id, 'merge')
/** Merges two customers. Retries on 503, which concurrent writers can cause and which changes nothing. */
async function merge(id: string, into: string): Promise<BrowserResponse> {
  const seen = await sendForm(office.browser, page(into), [
    ['with', id],
    ['keep', into],
  ])
  return seen.status === 503 ? merge(id, into) : seen
}
const LINES = { line_items: [{ name: 'Visit', unit_price_cents: 1000 }] }

/** Returns a customer with a record of every kind. */
async function full(name: string, more: object = {}) {
  const customer = await office.customer(name, {
    phone: '512 555 0143',
    locations: [{ address_line1: `1 ${name} St` }, { type: 'billing', address_line1: `2 ${name} St` }],
    ...more,
  })
  const { id: customer_id } = customer
  const [job, draft, sent, paid, gone, quote, plan, series, note] = [
    await office.call('jobs_create', { customer_id, title: `${name} job` }),
    await office.call('invoices_create', { customer_id, ...LINES }),
    await office.call('invoices_create', { customer_id, ...LINES }),
    await office.call('invoices_create', { customer_id, ...LINES }),
    await office.call('invoices_create', { customer_id, ...LINES }),
    await office.call('quotes_create', { customer_id, title: `${name} quote`, ...LINES }),
    await office.call('plans_create', { customer_id, name: `${name} plan`, cadence: 'monthly', ...LINES }),
    await office.call('job_series_create', {
      customer_id,
      title: `${name} series`,
      rrule: 'FREQ=WEEKLY;COUNT=3',
      dtstart: `${Temporal.Now.plainDateISO().add({ days: 2 }).toString()}T09:00`,
    }),
    await office.call('notes_create', { subject_type: 'customer', subject_id: customer_id, body: `${name} note` }),
  ]
  await office.call('invoices_update', { id: sent.id, status: 'sent' })
  await office.call('invoices_update', { id: paid.id, status: 'paid' })
  await office.call('invoices_void', { id: gone.id })
  return { customer, id: customer_id as string, job, invoices: [draft, sent, paid, gone], quote, plan, series, note }
}

const invoicesOf = async (customer_id: string): Promise<Result[]> =>
  (await office.call('invoices_list', { customer_id, status: ['draft', 'sent', 'paid', 'void'] })).rows

describe('the merge page', () => {
  it('suggests customers with the same phone, finds others by name, and compares two side by side', async () => {
    const one = await office.customer('Same', { phone: '512 555 0199', external_id: 'QB-1' })
    const [other, third] = [await office.customer('Another', { phone: '512 555 0199' }), await office.customer('Third')]
    const found = await office.browser.get(page(one.id))
    assert.ok(found.text.includes(`href="${page(one.id)}?with=${other.id}"`) && !found.text.includes(third.id))
    assert.ok((await office.browser.get(`${page(one.id)}?customer=third`)).text.includes(`?with=${third.id}`))
    const both = pageTextOf(await office.browser.get(`${page(one.id)}?with=${other.id}`))
    for (const part of [
      'This one: Same',
      'The other one: Another',
      'QB-1',
      '(512) 555-0199',
      'Balance due $0.00 $0.00',
      "can't be undone",
    ])
      assert.ok(both.includes(part), part)
  })

  it('is open to owners and office members who can edit customers, and refuses everyone else', async () => {
    const [one, other] = [await office.customer('Held'), await office.customer('Held too')]
    const clerk = await office.signInMember('office')
    assert.equal((await clerk.browser.get(page(one.id))).status, 200)
    assert.ok((await clerk.browser.get(office.at('customers', one.id))).text.includes(page(one.id)))
    const stranger = await openOffice(service, 'North Cleaning')
    for (const { browser } of [
      await office.signInMember('tech', { 'Customers & contacts': 'edit' }),
      await office.signInMember('office', { 'Customers & contacts': 'view' }),
      stranger,
    ]) {
      assert.equal((await browser.get(page(one.id))).status, 404)
      assert.equal(
        (
          await sendForm(browser, page(one.id), [
            ['with', other.id],
            ['keep', one.id],
          ])
        ).status,
        404,
      )
    }
    assert.equal((await newBrowser(service).get(page(one.id))).status, 303)
    assert.equal(
      (
        await office.browser.post(
          page(one.id),
          { with: other.id, keep: one.id },
          { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        )
      ).status,
      403,
    )
    assert.equal((await office.call('customers_search', { query: 'held' })).rows.length, 2)
  })
})

describe('merging customers', () => {
  it('moves jobs, invoices, quotes, plans, series and notes to the kept customer unchanged', async () => {
    const [gone, kept] = [await full('Gone'), await full('Kept')]
    const bills = new Map([...gone.invoices, ...kept.invoices].map(({ id, display_number }) => [id, display_number]))
    const before = await invoicesOf(gone.id)
    assert.equal(
      (await submit(office.browser, `${page(kept.id)}?with=${gone.id}`, {}, page(kept.id))).location,
      office.at('customers', kept.id),
    )

    for (const [tool, { id }] of [
      ['jobs_get', gone.job],
      ['quotes_get', gone.quote],
      ['plans_get', gone.plan],
      ['job_series_get', gone.series],
    ] as const) {
      assert.deepEqual(
        [(await office.call(tool, { id })).customer_id, (await office.call(tool, { id })).customer_name],
        [kept.id, 'Kept'],
        tool,
      )
    }
    const after = await invoicesOf(kept.id)
    assert.equal(after.length, 8)
    for (const { id, status, total_cents, balance_due_cents } of before) {
      const now = after.find((invoice) => invoice['id'] === id)
      assert.deepEqual(
        [now?.['status'], now?.['display_number'], now?.['total_cents'], now?.['balance_due_cents']],
        [status, bills.get(id), total_cents, balance_due_cents],
      )
    }
    assert.equal((await office.call('jobs_list', { customer_id: kept.id, seriesId: gone.series.id })).rows.length, 3)
    assert.deepEqual(
      [
        (await office.call('plans_get', { id: gone.plan.id })).status,
        (await office.call('job_series_get', { id: gone.series.id })).status,
      ],
      ['active', 'active'],
    )
    assert.equal((await office.call('notes_get', { id: gone.note.id })).subject_id, kept.id)
    assert.match((await office.send('customers_get', { id: gone.id })).text, /^not_found/)
  })

  it('leaves one primary contact, and one primary location per type', async () => {
    const one = await office.customer('One', {
      phone: '512 555 0101',
      locations: [{ address_line1: '1 A' }, { type: 'billing', address_line1: '1 B' }],
    })
    const two = await office.customer('Two', {
      phone: '512 555 0102',
      locations: [{ address_line1: '2 A' }, { address_line1: '2 C' }],
    })
    const bare = await office.customer('Bare')
    await merge(one.id, two.id)
    const { contacts, locations } = await office.call('customers_get', { id: two.id })
    assert.deepEqual(
      contacts.map(({ phone, is_primary }: never) => [phone, is_primary]),
      [
        ['+15125550102', true],
        ['+15125550101', false],
      ],
    )
    assert.deepEqual(
      locations
        .filter(({ is_primary }: never) => is_primary)
        .map(({ type, address_line1 }: Result) => [type, address_line1].join(' '))
        .sort(),
      ['billing 1 B', 'service 2 A'],
    )
    assert.equal((await office.call('customers_search', { query: '5550101' })).rows[0].id, two.id)
    await merge(two.id, bare.id)
    assert.deepEqual(
      (await office.call('customers_get', { id: bare.id })).contacts.map(({ is_primary }: never) => is_primary),
      [true, false],
    )
  })

  it('adds missing tags, custom fields, external ID and warning to the kept customer', async () => {
    const [red, blue] = await Promise.all(['Red', 'Blue'].map((name) => office.call('tags_create', { name })))
    const gone = await office.customer('Rich', {
      tag_ids: [red!.id, blue!.id],
      fields: { Gate: '1', Dog: 'yes' },
      external_id: 'QB-7',
      do_not_service: true,
      payment_terms_days: 10,
    })
    const kept = await office.customer('Poor', { tag_ids: [blue!.id], fields: { Gate: '2' }, status: 'lead' })
    await merge(gone.id, kept.id)
    const now = await office.call('customers_get', { id: kept.id })
    assert.deepEqual(
      [
        now.tags.map(({ name }: never) => name),
        now.fields,
        now.external_id,
        now.do_not_service,
        now.status,
        now.payment_terms_days,
      ],
      [['Blue', 'Red'], { Gate: '2', Dog: 'yes' }, 'QB-7', true, 'active', null],
    )
    assert.deepEqual(
      (await office.call('customers_search', { tag: 'Red' })).rows.map(({ id }: never) => id),
      [kept.id],
    )
    const another = await office.customer('Numbered', { external_id: 'QB-8' })
    await merge(another.id, kept.id)
    assert.equal((await office.call('customers_get', { id: kept.id })).external_id, 'QB-7')
    assert.match(
      (await office.send('customers_create', { customer_type: 'individual', first_name: 'X', external_id: 'QB-7' }))
        .text,
      /^conflict/,
    )
  })

  it("records the merge on both customers, and redirects the merged customer's page to the kept one", async () => {
    const [gone, kept] = [await full('Away'), await office.customer('Home')]
    await merge(gone.id, kept.id)
    const [left, came] = [(await office.entries(gone.id)).at(-1)!, (await office.entries(kept.id)).at(-1)!]
    assert.deepEqual([left.tool, came.tool], ['customers.merge', 'customers.merge'])
    assert.deepEqual(left.changed['merged_into'], [[], [{ id: kept.id, name: 'Home' }]])
    assert.ok(left.changed['archived_at']![1])
    assert.deepEqual(came.changed['merged'], [[], [{ id: gone.id, name: 'Away' }]])
    assert.deepEqual(came.changed['invoice_ids'], [[], gone.invoices.map(({ id }) => id).sort()])
    assert.deepEqual([came.changed['plan_ids']![1], came.changed['note_ids']![1]], [[gone.plan.id], [gone.note.id]])
    const shown = await office.browser.get(office.at('customers', kept.id))
    assert.match(pageTextOf(shown), /Ana Ruiz merged Away into it\. Arrived with it: .*4 invoices/)
    assert.equal((await office.browser.get(office.at('customers', gone.id))).location, office.at('customers', kept.id))
    const last = await office.customer('Last')
    await merge(kept.id, last.id)
    assert.equal((await office.browser.get(office.at('customers', kept.id))).location, office.at('customers', last.id))
    const stranger = await openOffice(service, 'North Cleaning')
    assert.equal((await stranger.browser.get(stranger.at('customers', gone.id))).status, 404)
  })

  it('is refused for the same, an unknown, archived or foreign customer, and over the custom field limit', async () => {
    const one = await office.customer('Self', {
      fields: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`a${i}`, i])),
    })
    const itself = await sendForm(office.browser, page(one.id), [
      ['with', one.id],
      ['keep', one.id],
    ])
    assert.equal(itself.status, 409)
    assert.match(pageTextOf(itself), /That didn't work Choose a different customer to merge with\. /)
    for (const fields of [
      [],
      [
        ['with', 'nobody'],
        ['keep', one.id],
      ],
      [['with', (await office.customer('Undecided')).id]],
    ] as [string, string][][])
      assert.equal((await sendForm(office.browser, page(one.id), fields)).status, 404)
    const stranger = await openOffice(service, 'North Cleaning')
    const foreign = await stranger.customer('Foreign')
    assert.equal((await merge(foreign.id, one.id)).status, 404)
    const archived = await office.customer('Archived')
    await office.call('customers_archive', { id: archived.id })
    assert.equal((await merge(archived.id, one.id)).status, 404)
    assert.equal((await merge(one.id, archived.id)).status, 404)
    const many = await office.customer('Many', {
      fields: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`b${i}`, i])),
    })
    const full = await merge(many.id, one.id)
    assert.equal(full.status, 409)
    assert.match(
      pageTextOf(full),
      /Together they have 60 custom fields\. A customer can have up to 50, so remove some first\. /,
    )
    assert.equal((await office.call('customers_get', { id: many.id })).display_name, 'Many')
  })
})

describe('merging during concurrent writes', () => {
  it('leaves nothing on the merged customer, loses no write, and updates to moved records succeed', async () => {
    for (let round = 0; round < 3; round++) {
      const [gone, kept] = [await full('Racing'), await office.customer('Standing')]
      const {
        contacts: [contact],
      } = gone.customer
      const writes = Array.from({ length: 6 }, (_, i): [tool: string, given: object][] => [
        ['jobs_update', { id: gone.job.id, description: `d${i}` }],
        ['invoices_update', { id: gone.invoices[0]!.id, subject: `s${i}` }],
        ['quotes_update', { id: gone.quote.id, message: `m${i}` }],
        ['plans_update', { id: gone.plan.id, description: `d${i}` }],
        ['job_series_update', { id: gone.series.id, description: `d${i}` }],
        ['contacts_update', { id: contact.id, notes: `n${i}` }],
        ['jobs_create', { customer_id: gone.id, title: `New ${i}` }],
        ['invoices_create', { customer_id: gone.id, ...LINES }],
        ['notes_create', { subject_type: 'customer', subject_id: gone.id, body: `b${i}` }],
        ['contacts_create', { customer_id: gone.id, first_name: `c${i}` }],
      ]).flat()
      const [merged, ...answers] = await Promise.all([
        merge(gone.id, kept.id),
        ...writes.map(([tool, given]) => office.send(tool, given)),
      ])
      assert.equal(merged.location, office.at('customers', kept.id))
      answers.forEach(({ text, isError }, i) => {
        if (isError)
          assert.match(
            `${writes[i]![0]}: ${text}`,
            /^(jobs|invoices|notes|contacts)_create: not_found: customer not found/,
          )
      })
      const made = answers.filter(({ isError }, i) => !isError && writes[i]![0].endsWith('_create')).length
      const left = await readTenant(service.database, { tenant: office.id }, (db) =>
        db.one<Record<string, number>>(sql`select
        (select count(*) from jobs where customer_id = ${gone.id}) + (select count(*) from invoices where customer_id = ${gone.id}) + (select count(*) from contacts where customer_id = ${gone.id})
          + (select count(*) from notes where subject_id = ${gone.id}) as behind,
        (select count(*) from jobs where customer_id = ${kept.id}) + (select count(*) from invoices where customer_id = ${kept.id}) + (select count(*) from contacts where customer_id = ${kept.id})
          + (select count(*) from notes where subject_id = ${kept.id}) as there`),
      )
      assert.deepEqual(left, { behind: 0, there: made + 1 + 3 + 4 + 1 + 1 })
    }
  })

  it('lets one of three simultaneous merges of the same two customers succeed, in either direction', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, other] = [await office.customer('Left'), await office.customer('Right')]
      const answers = await Promise.all([merge(one.id, other.id), merge(other.id, one.id), merge(one.id, other.id)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404])
      const live = await Promise.all([one, other].map(({ id }) => office.send('customers_get', { id })))
      assert.equal(live.filter(({ isError }) => !isError).length, 1)
    }
  })
})
