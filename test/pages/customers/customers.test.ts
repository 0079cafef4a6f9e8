import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser } from '../../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

const HOSTILE = '<script>alert(1)</script>"\'&'

describe('the customer list', () => {
  it("shows each customer's phone, address and tag color, and escapes HTML", async () => {
    const tag = await office.call('tags_create', { name: 'VIP', color: '#1f6f4a' })
    await office.call('customers_create', {
      customer_type: 'company',
      company_name: `Birch ${HOSTILE}`,
      email: 'desk@birch.example',
      phone: '(512) 555-0143',
      tag_ids: [tag.id],
      locations: [{ address_line1: '1 Main St', city: 'Austin' }],
    })
    const page = await office.browser.get(office.at('customers'))
    assert.ok(!page.text.includes('<script>alert'))
    assert.ok(pageTextOf(page).includes(`Birch ${HOSTILE}`))
    for (const part of ['href="tel:+15125550143"', '(512) 555-0143', '1 Main St, Austin</td>'])
      assert.ok(page.text.includes(part), part)
    assert.match(page.text, /<rect\s+width="10" height="10" rx="2" fill="#1F6F4A"\/>/)
  })

  it('is searched and filtered by status, tag and type, and says when nothing matches', async () => {
    const tag = await office.call('tags_create', { name: 'Net 30' })
    await office.customer('Narrow', { last_name: 'One', status: 'lead', tag_ids: [tag.id] })
    await office.customer('Narrow', { last_name: 'Two' })
    const names = async (query: string): Promise<string[]> =>
      [...(await office.browser.get(`${office.at('customers')}?${query}`)).text.matchAll(/>(Narrow \w+)<\/a>/g)]
        .map(([, name]) => name!)
        .sort()
    assert.deepEqual(await names('query=narrow'), ['Narrow One', 'Narrow Two'])
    assert.deepEqual(await names('query=narrow&status=lead'), ['Narrow One'])
    assert.deepEqual(await names(`tag=${tag.id}`), ['Narrow One'])
    assert.deepEqual(await names('query=narrow&customer_type=company'), [])
    assert.ok(
      pageTextOf(await office.browser.get(`${office.at('customers')}?query=nobodyatall`)).includes('No matches'),
    )
  })
})

describe('the customer page', () => {
  it('shows contacts, locations, jobs, balance and history of a customer created through the API', async () => {
    const tag = await office.call('tags_create', { name: 'Dog on site' })
    const { id } = await office.call('customers_create', {
      customer_type: 'company',
      company_name: 'Cedar HOA',
      payment_terms_days: 30,
      tax_exempt: true,
      preferred_language: 'es-MX',
      external_id: 'QB-9',
      lead_source: 'Web',
      do_not_service: true,
      fields: { Gate: '4417' },
      tag_ids: [tag.id],
      contacts: [
        {
          first_name: 'Joyce',
          last_name: 'Lindell',
          phone: '512.555.0148 x12',
          email: 'joyce@cedar.example',
          sms_opt_out: true,
        },
        { first_name: 'Omar' },
      ],
      locations: [{ address_line1: '1501 Brushy Bend Dr', city: 'Cedar Park', access_notes: 'Gate left\ndog right' }],
    })
    const job = await office.call('jobs_create', { customer_id: id, title: 'Backflow test' })
    const invoice = await office.call('invoices_create', {
      customer_id: id,
      line_items: [{ name: 'Visit', unit_price_cents: 12_500 }],
    })
    await office.call('invoices_update', { id: invoice.id, status: 'sent' })
    const page = await office.browser.get(office.at('customers', id))
    const read = pageTextOf(page)
    for (const part of [
      'Cedar HOA',
      'Do not service',
      'Company',
      '30 days',
      'Exempt',
      'es-MX',
      'QB-9',
      'Web',
      'Dog on site',
      'Joyce Lindell Primary',
      'No texts',
      '(512) 555-0148 x12',
      'Gate 4417',
      'Balance due $125.00',
      'J-1',
      'Backflow test',
      'with the key Agent',
    ])
      assert.ok(read.includes(part), part)
    assert.ok(page.text.includes('Gate left\ndog right'))
    assert.match(
      page.text,
      /href="https:\/\/www\.openstreetmap\.org\/search\?query=1501\+Brushy[^"]*" rel="noreferrer"/,
    )
    for (const href of [
      office.at('jobs', job.id),
      office.at('invoices', invoice.id),
      `${office.at('jobs')}?customer_id=${id}`,
      `${office.at('invoices', 'new')}?customer_id=${id}`,
    ]) {
      assert.ok(page.text.includes(`href="${href}"`), href)
    }
  })

  it("hides sections and actions that the member's permissions don't cover", async () => {
    const { id } = await office.customer('Dana')
    const { browser } = await office.signInMember('tech', {
      'Jobs & scheduling': 'view',
      Quotes: 'none',
      Notes: 'none',
    })
    const page = pageTextOf(await browser.get(office.at('customers', id)))
    assert.ok(page.includes('Visits'))
    for (const hidden of [
      'Balance due',
      'Invoices',
      'Quotes',
      'Money',
      'Plans',
      'Notes',
      'New job',
      'Edit',
      'Merge',
      'Archive',
      'New contact',
    ])
      assert.ok(!page.includes(hidden), hidden)
  })

  it('redirects signed-out users, and returns 404 without access, in another company or once archived', async () => {
    const { id } = await office.customer('Hidden')
    assert.equal(
      (await newBrowser(service).get(office.at('customers', id))).location,
      `/sign-in?to=${encodeURIComponent(office.at('customers', id))}`,
    )
    const { browser } = await office.signInMember('office', { 'Customers & contacts': 'none' })
    const other = await openOffice(service, 'North Cleaning')
    for (const path of [
      office.at('customers'),
      office.at('customers', id),
      office.at('customers', id, 'edit'),
      office.at('customers', 'new'),
      office.at('customers', id, 'merge'),
    ]) {
      assert.equal((await browser.get(path)).status, 404, path)
      assert.equal((await other.browser.get(path)).status, 404, path)
    }
    assert.equal((await other.browser.get(other.at('customers', id))).status, 404)
    assert.equal(
      (await office.browser.post(office.at('customers', id, 'do', 'customers_archive'), {})).location,
      office.at('customers'),
    )
    assert.equal((await office.browser.get(office.at('customers', id))).status, 404)
  })
})
