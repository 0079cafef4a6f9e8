import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newProtocolClient } from '../harness/clients/protocol.ts'
import type { Browser, BrowserResponse } from '../harness/web_client.ts'
import { decide, formIn, idIn, openScene, planIn, type SceneCompany } from './scene.ts'

let scene: Awaited<ReturnType<typeof openScene>>
let company: SceneCompany
let customer: string
before(async () => {
  scene = await openScene()
  company = await scene.startCompany('Comfort Air')
  const made = await company.acting.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  customer = String(made['id'])
})
after(() => scene.service.stop())

const LINES = [{ name: 'Furnace tune-up', quantity: 1, unit_price_cents: 15_000 }]

/** Returns the fields of a record's form as a browser would send them. */
function recordForm({ text }: BrowserResponse): Map<string, string> {
  const form = /<form class="form record-form"[^]*?<\/form>/.exec(text)?.[0] ?? ''
  const values = new Map<string, string>()
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const [name, value = ''] = [/\bname="([^"]*)"/.exec(tag)?.[1], /\bvalue="([^"]*)"/.exec(tag)?.[1]]
    if (name === undefined || (/type="(?:checkbox|radio)"/.test(tag) && !/ checked/.test(tag))) continue
    values.set(name, value)
  }
  for (const [, name = '', value = ''] of form.matchAll(/<textarea\b[^>]*\bname="([^"]*)"[^>]*>([^<]*)<\/textarea>/g))
    values.set(name, value)
  for (const [, name = '', options = ''] of form.matchAll(/<select\b[^>]*\bname="([^"]*)"[^>]*>([^]*?)<\/select>/g))
    values.set(name, /<option value="([^"]*)" selected/.exec(options)?.[1] ?? '')
  return values
}

async function edit(by: Browser, path: string, changes: Readonly<Record<string, string>>): Promise<BrowserResponse> {
  const values = recordForm(await by.get(path))
  for (const [name, value] of Object.entries(changes)) {
    assert.ok(values.has(name), `${name} is one of ${[...values.keys()].join(', ')}`)
    values.set(name, value)
  }
  return decide(by, path, [...values], scene.service.config.baseUrl)
}

const approve = async (path: string): Promise<BrowserResponse> =>
  decide(
    company.owner,
    path,
    [...formIn(await company.owner.get(path)), ['act', 'approve']],
    scene.service.config.baseUrl,
  )

describe('editing a waiting call', () => {
  it('returns 409 and keeps the other edit when someone else edited it meanwhile', async () => {
    const agent = await company.keyOf(company.ownerId)
    const sent = await agent.send('invoices_create', { customer_id: customer, subject: 'Tune-up', line_items: LINES })
    const path = `${planIn(sent)}/calls/1`
    const stale = recordForm(await company.owner.get(path))
    assert.equal((await edit(company.owner, path, { subject: 'Fall tune-up' })).status, 303)
    stale.set('message', 'Thank you')
    const { baseUrl } = scene.service.config
    const late = await decide(company.owner, path, [...stale], baseUrl)
    assert.equal(late.status, 409)
    assert.match(late.text, /Somebody else edited this meanwhile/)
    const page = await company.owner.get(planIn(sent))
    assert.match(page.text, /Fall tune-up/)
    assert.doesNotMatch(page.text, /Thank you/)
    await decide(company.owner, planIn(sent), [['act', 'decline']], baseUrl)
  })

  it('runs the edited version on approval and tells the connection which arguments changed', async () => {
    const agent = await company.keyOf(company.ownerId)
    const given = { customer_id: customer, subject: 'Tune-up', line_items: LINES, idempotency_key: 'edited' }
    const sent = await agent.send('invoices_create', given)
    const [path, id] = [planIn(sent), idIn(sent)]
    const page = await company.owner.get(path)
    assert.match(page.text, new RegExp(`href="${path}/calls/1"`))
    const saved = await edit(company.owner, `${path}/calls/1`, { subject: 'Fall tune-up', message: 'Thank you' })
    assert.equal(saved.status, 303, saved.text)
    const after = await company.owner.get(path)
    assert.match(after.text, /Fall tune-up/)
    assert.match(after.text, /Edited/)
    assert.doesNotMatch(after.text, /has changed since/)
    assert.match(await agent.refusal('invoices_get', { id }), /was only proposed/)

    assert.equal((await approve(path)).status, 303)
    const invoice = await agent.call('invoices_get', { id })
    assert.deepEqual(
      [invoice['subject'], invoice['message'], invoice['total_cents']],
      ['Fall tune-up', 'Thank you', 15_000],
    )
    assert.equal((await agent.call('invoices_create', given))['id'], id)
    const { text } = await agent.send('customers_update', { id: customer, first_name: 'Anna' })
    assert.match(
      text,
      /was approved; a person edited these calls before they ran: 1 invoices_create \((?=.*subject)(?=.*message)/,
    )
    const uri = `callout://plans/${path.split('/').at(-1)}`
    const { result } = await newProtocolClient(scene.service.url, agent.key).handshake('resources/read', { uri })
    assert.match(result!['contents'][0].text, /approved, edited by a person: .*subject/)
  })

  it("keeps the fields that weren't edited and lets dependent calls go through", async () => {
    const agent = await company.keyOf(company.ownerId)
    const made = await agent.send('customers_create', {
      customer_type: 'individual',
      first_name: 'Bo',
      last_name: 'Li',
    })
    const [path, id] = [planIn(made), idIn(made)]
    await agent.send('customers_update', { id, last_name: 'Lee' })
    assert.equal((await edit(company.owner, `${path}/calls/1`, { first_name: 'Beau' })).status, 303)
    const [, ...picks] = [...(await company.owner.get(path)).text.matchAll(/name="pick" value="(\d)"/g)]
    assert.equal(picks.length, 1)
    const form: [string, string][] = formIn(await company.owner.get(path)).filter(([name]) => name !== 'pick')
    const all: [string, string][] = [...form, ['pick', '1'], ['pick', '2'], ['act', 'approve']]
    assert.equal((await decide(company.owner, path, all, scene.service.config.baseUrl)).status, 303)
    const customerNow = await agent.call('customers_get', { id })
    assert.equal(customerNow['display_name'], 'Beau Lee')
  })

  it('returns 422 with the error at its field and leaves the call unchanged', async () => {
    const agent = await company.keyOf(company.ownerId)
    const path = planIn(
      await agent.send('invoices_create', { customer_id: customer, subject: 'As it was', line_items: LINES }),
    )
    const { issue_date } = Object.fromEntries(recordForm(await company.owner.get(`${path}/calls/1`)))
    assert.ok(issue_date)
    const refused = await edit(company.owner, `${path}/calls/1`, { due_date: '2020-01-01' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /The due date can’t be before the invoice date/)
    const { text } = await company.owner.get(path)
    assert.match(text, /As it was/)
    assert.doesNotMatch(text, /Edited/)
  })

  it('returns 404 to other companies, to members who may not approve it, and once decided', async () => {
    const agent = await company.keyOf(company.ownerId)
    const path = planIn(await agent.send('invoices_create', { customer_id: customer, line_items: LINES }))
    const other = await scene.startCompany('Elsewhere')
    const viewer = await company.hire('office', { Invoices: 'view' })
    for (const { status } of [
      await other.owner.get(`${path}/calls/1`),
      await viewer.browser.get(`${path}/calls/1`),
      await viewer.browser.post(`${path}/calls/1`, { subject: 'Mine' }),
      await company.owner.get(`${path}/calls/2`),
    ])
      assert.equal(status, 404)
    assert.equal((await approve(path)).status, 303)
    assert.equal((await company.owner.get(`${path}/calls/1`)).status, 404)
    assert.equal((await company.owner.post(`${path}/calls/1`, { subject: 'Late' })).status, 404)
  })

  it("isn't offered for a call that archives a record", async () => {
    const agent = await company.keyOf(company.ownerId)
    const { id } = await company.acting.call('customers_create', { customer_type: 'individual', first_name: 'Gone' })
    const path = planIn(await agent.send('customers_archive', { id }))
    assert.doesNotMatch((await company.owner.get(path)).text, /calls\/1/)
    assert.equal((await company.owner.get(`${path}/calls/1`)).status, 404)
  })
})
