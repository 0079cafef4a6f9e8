import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { callerOf, type Result, type TestService } from '../../harness/harness.ts'
import { toolHeaders } from '../../harness/http.ts'
import {
  errorAt,
  formAt,
  readKeptForm,
  openOffice,
  pageTextOf,
  sendForm,
  submit,
  type Office,
} from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
let priya: Awaited<ReturnType<Office['signInMember']>>
let hers: ReturnType<typeof callerOf>
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance' })
  priya = await office.signInMember('office')
  const { key } = await createKey(
    service.database,
    { tenant: office.id },
    { user: priya.user_id, name: 'Priya', scopes: SCOPES, expires_at: null },
  )
  hers = callerOf(service.url, key)
})
after(() => service.stop())

const quoteOf = (more: object = {}, by = office.call): Promise<Result> =>
  by('quotes_create', {
    customer_id: customer.id,
    title: 'New boiler',
    line_items: [{ name: 'Boiler', unit_price_cents: 200_000 }],
    ...more,
  })
const actionsOn = (page: { text: string }): string[] =>
  [...page.text.matchAll(/\/do\/([\w-]+)"/g)].map(([, action]) => action!)

describe('the quote page', () => {
  it('shows lines, owner, validity, message and terms', async () => {
    const { id, display_number } = await quoteOf({
      message: 'As said',
      terms: 'Half before',
      valid_until: '2099-03-01',
    })
    const read = pageTextOf(await office.browser.get(office.at('quotes', id)))
    for (const part of [
      `${display_number} New boiler`,
      'Draft',
      'Dora Vance',
      'Sun, Mar 1, 2099',
      'Owner Ana Ruiz',
      'Boiler 1 $2,000.00',
      'As said',
      'Half before',
    ])
      assert.ok(read.includes(part), part)
  })

  it('offers only the actions of the current status, and changes status with them', async () => {
    const { id } = await quoteOf()
    const at = office.at('quotes', id)
    const actions = async (): Promise<string[]> => actionsOn(await office.browser.get(at))
    const press = (action: string, fields = {}) => office.browser.post(`${at}/do/${action}`, fields)
    assert.deepEqual(await actions(), [
      'quotes_ask_deposit',
      'quotes_update-sent',
      'quotes_update-accepted',
      'quotes_update-declined',
      'quotes_set_optional_lines',
      'quotes_add_option',
      'quotes_save_template',
      'quotes_use_template',
      'quotes_delete_template',
      'quotes_archive',
    ])
    await press('quotes_update-sent')
    assert.deepEqual(await actions(), [
      'quotes_update-accepted',
      'quotes_update-declined',
      'quotes_update-draft',
      'quotes_update-expired',
      'quotes_add_option',
      'quotes_save_template',
      'quotes_archive',
    ])
    await press('quotes_update-declined', { decline_reason: 'Too dear' })
    assert.match(pageTextOf(await office.browser.get(at)), /Declined .*Too dear/)
    await press('quotes_update-draft')
    assert.equal((await office.call('quotes_get', { id })).status, 'draft')
    assert.equal((await press('quotes_update-expired')).status, 404)
    assert.equal((await press('quotes_archive')).location, office.at('quotes'))
    assert.equal((await office.browser.get(at)).status, 404)
    assert.ok((await office.browser.get(`${office.at('quotes')}?status=archived`)).text.includes('New boiler'))
  })

  it('resends an expired quote only with a new valid-until date', async () => {
    const { id } = await quoteOf()
    await office.call('quotes_update', { id, status: 'sent' })
    await office.call('quotes_update', { id, status: 'expired', valid_until: '2026-01-01' })
    const action = office.at('quotes', id, 'do', 'quotes_update-sent')
    assert.ok(pageTextOf(await office.browser.get(action)).includes('It has expired'))
    assert.equal((await submit(office.browser, action)).status, 409)
    assert.equal((await submit(office.browser, action, { valid_until: '2099-06-01' })).status, 303)
    assert.deepEqual(
      [(await office.call('quotes_get', { id })).status, (await office.call('quotes_get', { id })).valid_until],
      ['sent', '2099-06-01'],
    )
  })

  it('edits only valid-until, message and custom fields once the quote is sent, and says why', async () => {
    const { id } = await quoteOf()
    await office.call('quotes_update', { id, status: 'sent' })
    const edit = office.at('quotes', id, 'edit')
    const page = await office.browser.get(edit)
    assert.match(pageTextOf(page), /The customer has seen it \(Sent\)\. Put it back to draft/)
    assert.deepEqual(
      formAt(page, edit)
        .map(([name]) => name)
        .filter((name) => !['expected_updated_at', 'customer_id'].includes(name))
        .sort(),
      ['fields', 'message', 'valid_until'],
    )
    assert.equal((await submit(office.browser, edit, { message: 'See you soon', fields: 'Color: red' })).status, 303)
    const { message, fields } = await office.call('quotes_get', { id })
    assert.deepEqual([message, fields], ['See you soon', { Color: 'red' }])
  })

  it('creates and edits a quote with a form, and shows errors at the field', async () => {
    const page = `${office.at('quotes', 'new')}?customer_id=${customer.id}`
    const refused = await submit(
      office.browser,
      page,
      { title: '', 'line_items.0.name': 'Pump', 'line_items.0.price': '12' },
      office.at('quotes', 'new'),
    )
    assert.equal(refused.status, 422)
    assert.equal(errorAt(refused, 'title'), 'Enter a title.')
    const { location } = await submit(
      office.browser,
      page,
      { title: 'Pump', 'line_items.0.name': 'Pump', 'line_items.0.price': '12', tax_rate_id: 'none' },
      office.at('quotes', 'new'),
    )
    const { status } = await submit(office.browser, `${location}/edit`, {
      'line_items.0.quantity': '3',
      'discount.value': '50',
    })
    assert.equal(status, 303)
    const made = await office.call('quotes_get', { id: location!.split('/').at(-1)! })
    assert.deepEqual([made.subtotal_cents, made.discount_cents, made.tax_rate_id], [3_600, 1_800, null])
  })

  it('saves nothing when unchanged, and keeps the line of an archived catalog item', async () => {
    const item = await office.call('catalog_items_create', { kind: 'product', name: 'Old pump', unit_price_cents: 900 })
    const { id } = await quoteOf({
      line_items: [{ catalog_item_id: item.id }],
      discount: { type: 'percent', value: 12.5 },
    })
    await office.call('catalog_items_archive', { id: item.id })
    const before = await office.call('quotes_get', { id })
    await submit(office.browser, office.at('quotes', id, 'edit'))
    assert.deepEqual(await office.call('quotes_get', { id }), before)
    assert.equal(
      (await submit(office.browser, office.at('quotes', id, 'edit'), { 'line_items.0.quantity': '2' })).status,
      303,
    )
    const [line] = (await office.call('quotes_get', { id })).line_items
    assert.deepEqual(
      [line.name, line.quantity, line.unit_price_cents, line.kind, line.catalog_item_id],
      ['Old pump', 2, 900, 'product', null],
    )
  })
})

describe("another member's quote", () => {
  it('is read-only', async () => {
    const { id } = await quoteOf()
    const page = await priya.browser.get(office.at('quotes', id))
    assert.match(pageTextOf(page), /This is Ana Ruiz's quote Only they can change it/)
    assert.deepEqual(actionsOn(page), [])
    assert.ok(!page.text.includes('/edit"'))
    assert.equal((await priya.browser.get(office.at('quotes', id, 'edit'))).status, 404)
    assert.equal((await priya.browser.post(office.at('quotes', id, 'do', 'quotes_update-sent'), {})).status, 404)
  })

  it('can be taken over by an account owner, who can then edit it, and the change is audited', async () => {
    const { id } = await quoteOf({}, hers.call)
    const at = office.at('quotes', id)
    const page = await office.browser.get(at)
    assert.match(pageTextOf(page), /This is Leo Park's quote As an owner, you can take it over/)
    assert.deepEqual(actionsOn(page), ['quotes_take_over'])
    assert.match(pageTextOf(await office.browser.get(`${at}/do/quotes_take_over`)), /It becomes yours/)
    assert.equal((await office.browser.post(`${at}/do/quotes_take_over`, {})).location, at)
    assert.equal((await office.call('quotes_get', { id })).owner_id, office.owner.user_id)
    assert.match(await hers.refusal('quotes_update', { id, title: 'Mine still' }), /only the owner of quote/)
    await office.call('quotes_update', { id, title: 'Ours' })
    const entry = (await office.entries(id)).find(({ tool }) => tool === 'quotes.take_over')!
    assert.deepEqual(
      [entry.user_id, entry.changed['owner_id']],
      [office.owner.user_id, [priya.user_id, office.owner.user_id]],
    )
    assert.match(pageTextOf(await office.browser.get(at)), /Ana Ruiz took it over/)
  })

  it("can't be taken over by a non-owner, nor with a tool call", async () => {
    const { id } = await quoteOf()
    const { status, text } = await priya.browser.post(office.at('quotes', id, 'do', 'quotes_take_over'), {})
    assert.equal(status, 422)
    assert.match(text, /Only an owner of the account can take over a quote\./)
    const { key } = await createKey(
      service.database,
      { tenant: office.id },
      { user: office.owner.user_id, name: 'x', scopes: SCOPES, expires_at: null },
    )
    const answer = await fetch(service.url, {
      method: 'POST',
      headers: toolHeaders(key),
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'quotes_take_over', arguments: { id } },
      }),
    })
    assert.match(await answer.text(), /quotes_take_over/)
    assert.equal((await office.call('quotes_get', { id })).owner_id, office.owner.user_id)
    assert.ok(
      !(
        await (
          await fetch(service.url, {
            method: 'POST',
            headers: toolHeaders(key),
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
          })
        ).text()
      ).includes('quotes_take_over'),
    )
  })
})

describe('the quote list', () => {
  it('filters by status, owner and date', async () => {
    const theirs = await quoteOf({ title: 'By Priya' }, hers.call)
    const titles = async (query: string): Promise<string> =>
      pageTextOf(await office.browser.get(`${office.at('quotes')}?${query}`))
    assert.ok((await titles(`owner_id=${priya.user_id}`)).includes(theirs.display_number))
    assert.ok(!(await titles(`owner_id=${office.owner.user_id}`)).includes(theirs.display_number))
    assert.ok(!(await titles('created_to=2020-01-01')).includes(theirs.display_number))
    assert.ok((await titles('status=draft')).includes(theirs.display_number))
    assert.match((await office.browser.get(`${office.at('quotes')}?status=sent`)).text, /aria-current="true">Waiting/)
  })
})

describe('a quote form sent without a session', () => {
  it('keeps what was typed on the sign-in page', async () => {
    const { id } = await quoteOf()
    const edit = office.at('quotes', id, 'edit')
    const fields = formAt(await office.browser.get(edit), edit).map(([name, value]): [string, string] => [
      name,
      name === 'message' ? 'Typed for an hour' : value,
    ])
    const kept = new Map(office.browser.jar)
    office.browser.jar.clear()
    const page = await sendForm(office.browser, edit, fields)
    assert.equal(page.status, 401)
    assert.ok(readKeptForm(page).includes('Typed+for+an+hour'))
    for (const [name, value] of kept) office.browser.jar.set(name, value)
  })
})
