import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, sendForm, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, type Browser } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let other: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  other = await openOffice(service, 'Northside Heating')
  await other.customer('Zelda', { last_name: 'Elsewhere', phone: '512-555-0177' })
})
after(() => service.stop())

/** Returns the global search results for a text: link names by group. */
async function findResults(typed: string, browser: Browser = office.browser): Promise<Record<string, string[]>> {
  const { status, text } = await browser.get(`${office.at('search', 'results')}?q=${encodeURIComponent(typed)}`)
  assert.equal(status, 200)
  const $ = load(text)
  return Object.fromEntries(
    $('[role=group]')
      .get()
      .map((group) => [
        $(group).attr('aria-label')!,
        $(group)
          .find('a b')
          .get()
          .map((name) => $(name).text()),
      ]),
  )
}

const customers = async (typed: string): Promise<string[]> => (await findResults(typed))['Customers'] ?? []

describe('global search', () => {
  it('finds a customer by name, contact, phone, email and address', async () => {
    const { id } = await office.customer('Maribel', {
      last_name: "O'Hará",
      phone: '(512) 555-0143',
      email: 'mo.hara@brook.example',
      locations: [{ address_line1: '410 Cedar Bluff', city: 'Austin', region: 'TX', postal_code: '78701' }],
    })
    await office.call('contacts_create', { customer_id: id, first_name: 'Wendeline', phone: '512-555-0188' })
    for (const typed of [
      'maribel',
      'MARIBEL HARA',
      'hara',
      'mari o',
      '0143',
      '5550143',
      '(512) 555-0143',
      'mo.hara@brook',
      'brook.example',
      '410 cedar',
      'maribel cedar',
      'wendel',
      '0188',
    ])
      assert.deepEqual(await customers(typed), ["Maribel O'Hará"], typed)
    for (const typed of ['aribel', '410 elm', '0144', 'maribel elm'])
      assert.deepEqual(await customers(typed), [], typed)
  })

  it('finds jobs, quotes and invoices by number, title and customer', async () => {
    const { id } = await office.customer('Ottoline')
    const job = await office.call('jobs_create', { customer_id: id, title: 'Sump pump Ärger' })
    const quote = await office.call('quotes_create', { customer_id: id, title: 'New sump pump' })
    const invoice = await office.call('invoices_create', { customer_id: id, subject: 'Sump pump, March' })
    assert.deepEqual(await findResults('sump pump'), {
      Jobs: [`${job['display_number']} · Sump pump Ärger`],
      Quotes: [`${quote['display_number']} · New sump pump`],
      Invoices: [`${invoice['display_number']} · Sump pump, March`],
      New: ['Book a job for sump pump', 'New customer sump pump'],
    })
    assert.deepEqual((await findResults('ottoline arger'))['Jobs'], [`${job['display_number']} · Sump pump Ärger`])
    for (const typed of [job['display_number'], String(job['display_number']).replace('-', ' ').toLowerCase()])
      assert.deepEqual(Object.keys(await findResults(String(typed))), ['Jobs', 'New'])
    assert.deepEqual((await findResults(String(invoice['number'])))['Invoices'], [
      `${invoice['display_number']} · Sump pump, March`,
    ])
  })

  it('reflects renames, new titles, merges and archiving', async () => {
    const { id } = await office.customer('Philippa', { last_name: 'Before' })
    await office.call('contacts_create', { customer_id: id, phone: '512-555-0166' })
    const job = await office.call('jobs_create', { customer_id: id, title: 'Gutter' })
    await office.call('customers_update', { id, last_name: 'Afterward' })
    assert.deepEqual(await customers('before'), [])
    assert.deepEqual(await customers('afterward'), ['Philippa Afterward'])
    assert.deepEqual((await findResults('afterward gutter'))['Jobs'], [`${job['display_number']} · Gutter`])
    await office.call('jobs_update', { id: job.id, title: 'Downspout' })
    assert.equal((await findResults('philippa gutter'))['Jobs'], undefined)
    assert.deepEqual((await findResults('philippa downspout'))['Jobs'], [`${job['display_number']} · Downspout`])
    const into = await office.customer('Rosalind', { last_name: 'Keeper' })
    await sendForm(office.browser, office.at('customers', into.id, 'merge'), [
      ['with', id],
      ['keep', into.id],
    ])
    assert.deepEqual(await customers('philippa'), [])
    assert.deepEqual(await customers('0166'), ['Rosalind Keeper'])
    assert.deepEqual((await findResults('rosalind downspout'))['Jobs'], [`${job['display_number']} · Downspout`])
    await office.call('customers_archive', { id: into.id })
    assert.deepEqual(await customers('rosalind'), [])
    assert.deepEqual(await customers('0166'), [])
  })

  it('gets the same index entries when they are rebuilt with fill_search', async () => {
    const entries = () =>
      readTenant(service.database, { tenant: office.id }, (db) =>
        db.all<object>(
          sql`select kind, id, customer_id, words from search_entries where tenant_id = ${db.tenant} order by kind, id`,
        ),
      )
    const kept = await entries()
    const [filled] = await service.database
      .send([
        sql`begin`,
        sql`select enter_tenant(${office.id}, null, 0)`,
        sql`delete from search_entries where tenant_id = ${office.id}`,
        sql`select fill_search(${office.id})`,
        sql`select kind, id, customer_id, words from search_entries where tenant_id = ${office.id} order by kind, id`,
        sql`rollback`,
      ])
      .then((answers) => answers.slice(4))
    assert.ok(kept.length > 5)
    assert.deepEqual(filled!.rows, kept)
  })

  it('finds nothing of another company, and returns 404 to non-members', async () => {
    assert.deepEqual(await customers('zelda'), [])
    assert.deepEqual(await customers('0177'), [])
    for (const path of ['search', 'keys']) assert.equal((await office.browser.get(other.at(path))).status, 404)
    assert.equal((await office.browser.get(`${other.at('search', 'results')}?q=zelda`)).status, 404)
  })

  it('shows only the kinds of records the user can view', async () => {
    const { id } = await office.customer('Quentina')
    await office.call('jobs_create', { customer_id: id, title: 'Quentina drain' })
    await office.call('invoices_create', { customer_id: id, subject: 'Quentina work' })
    const bookkeeper = await office.signInMember('office', {
      'Jobs & scheduling': 'none',
      'Customers & contacts': 'none',
    })
    assert.deepEqual(Object.keys(await findResults('quentina', bookkeeper.browser)), ['Invoices'])
    const viewer = await office.signInMember('tech', { 'Jobs & scheduling': 'view', 'Customers & contacts': 'view' })
    assert.deepEqual(Object.keys(await findResults('quentina', viewer.browser)), ['Customers', 'Jobs'])
  })

  it('passes the typed text on to a new call and a new customer', async () => {
    const { text } = await office.browser.get(`${office.at('search')}?q=${encodeURIComponent('(512) 555-0999')}`)
    const $ = load(text)
    assert.match($('.make-from a').first().attr('href')!, /\/calls\/new\?q=%28512%29\+555-0999$/)
    assert.match($('.make-from a').last().attr('href')!, /\/customers\/new\?phone=%28512%29\+555-0999$/)
    assert.match($('main').text(), /No matches/)
  })

  it('returns 200 for any input, however long or malformed', async () => {
    for (const typed of [
      "'; drop table customers; --",
      '%',
      '\\',
      '\u0000',
      'a'.repeat(5000),
      '\ud800',
      '((((',
      '🙂🙂',
    ])
      assert.equal(
        (await office.browser.get(`${office.at('search')}?q=${encodeURIComponent(typed.toWellFormed())}`)).status,
        200,
      )
  })
})
