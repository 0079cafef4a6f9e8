import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { newProviderId } from '../harness/money/payments.ts'
import { shownMethod } from '../harness/money/saved_objects.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { fieldValueOf } from '../customer_portal/portal_scene.ts'
import { openSavedScene, type SavedScene } from './saved_scene.ts'

let scene: SavedScene
before(async () => void (scene = await openSavedScene()))
after(() => scene.stop())

const savedText = async ({
  path,
  browser,
}: {
  path: string
  browser: { get(path: string): Promise<{ text: string }> }
}) => pageTextOf(await browser.get(`${path}/saved`))
const customerSheet = async (id: string): Promise<string> =>
  pageTextOf(await scene.office.browser.get(scene.office.at('customers', id)))
const rowsOf = (customer: string) =>
  scene.all<{
    state: string
    removed_by: string | null
    is_detached: boolean
    consent: string
    link_id: string
    address: string
  }>(
    sql`select state, removed_by, is_detached, consent, link_id, address from payment_methods
      where customer_id = ${customer} order by consented_at`,
  )

describe('a card on file', () => {
  it("is saved on the provider's page after consent, which is stored with its time and IP address", async () => {
    const one = await scene.customer()
    assert.match(await savedText(one), /I allow Acme Plumbing to charge this card or bank account/)
    const setup = await scene.startSetup(one)
    assert.equal(setup.asked['customer_creation'], 'always')
    assert.equal(setup.asked['customer_email'], `ana1@example.com`)
    assert.match(await customerSheet(one.id), /Nothing on file/)
    scene.saved.completeSetup(setup)
    await one.browser.get(`${one.path}/saved/done`)
    const page = await savedText(one)
    assert.match(page, /Visa ending in 4242 Good until 08\/2034/)
    assert.match(await customerSheet(one.id), /Visa ending in 4242 Good until 08\/2034 Agreed on/)
    const [row] = await rowsOf(one.id)
    assert.match(row!.consent, /^I allow Acme Plumbing to charge this card or bank account for invoices/)
    assert.equal(row!.address, one.browser.address)
    assert.equal(row!.state, 'active')
    const tools = (await scene.office.entries(one.id)).map(({ tool }) => tool)
    assert.ok(tools.includes('customers.save_payment_method_by_link'))
  })

  it("is saved from the provider's event if the customer never returns", async () => {
    const one = await scene.customer()
    const setup = await scene.startSetup(one)
    const begin = scene.saved.events.length
    scene.saved.completeSetup(setup, {
      type: 'us_bank_account',
      about: { bank_name: 'STRIPE TEST BANK', last4: '6789' },
    })
    const events = scene.saved.events.slice(begin)
    await scene.sendEvents([...events, ...events])
    await scene.workOn(0)
    assert.match(await savedText(one), /STRIPE TEST BANK ending in 6789/)
    assert.equal((await rowsOf(one.id)).length, 1)
  })

  it('stays pending while the bank verifies the account', async () => {
    const one = await scene.customer()
    const setup = await scene.startSetup(one)
    scene.saved.completeSetup(setup)
    const intent = scene.saved.setupIntents.get(setup.setupIntent!)!
    intent.status = 'requires_action'
    const back = await one.browser.get(`${one.path}/saved/done`)
    assert.equal(back.status, 303)
    assert.match(await savedText(one), /Your bank is checking the account/)
    assert.equal((await rowsOf(one.id))[0]!.state, 'open')
    intent.status = 'succeeded'
    await scene.workOn(0)
    assert.match(await savedText(one), /Visa ending in 4242/)
  })

  it('replaces the previous card, which is detached at the provider', async () => {
    const one = await scene.customerWithCard()
    const next = await scene.startSetup(one)
    assert.equal(next.asked['customer'], one.method.customer)
    const second = scene.saved.completeSetup(next, { about: { brand: 'amex', last4: '0005' } })
    await one.browser.get(`${one.path}/saved/done`)
    assert.match(await savedText(one), /American Express ending in 0005/)
    await scene.workOn(0)
    assert.equal(one.method.customer, null)
    assert.notEqual(second.customer, null)
    assert.deepEqual(
      (await rowsOf(one.id)).map(({ state, removed_by, is_detached }) => [state, removed_by, is_detached]),
      [
        ['removed', 'replaced', true],
        ['active', null, false],
      ],
    )
  })

  it('can be removed by the customer and by the office', async () => {
    const [one, other] = [await scene.customerWithCard(), await scene.customerWithCard()]
    const answer = await one.browser.post(`${one.path}/saved`, { act: 'remove' })
    assert.equal(answer.status, 303)
    assert.match(await savedText(one), /Removed\. It isn’t charged anymore\..*Save a card or bank account/)
    assert.equal(
      (await scene.office.browser.post(scene.office.at('customers', other.id, 'saved'), { act: 'remove', id: '' }))
        .status,
      303,
    )
    assert.match(await customerSheet(other.id), /Nothing on file/)
    await scene.workOn(0)
    assert.deepEqual([one.method.customer, other.method.customer], [null, null])
    const by = async (id: string) => (await rowsOf(id)).map(({ removed_by }) => removed_by)
    assert.deepEqual([await by(one.id), await by(other.id)], [['customer'], ['office']])
  })

  it('is shown as unusable to customer and office after the provider detaches it', async () => {
    const one = await scene.customerWithCard()
    const begin = scene.saved.events.length
    scene.saved.detach(one.method)
    await scene.sendEvents(scene.saved.events.slice(begin))
    assert.match(await savedText(one), /Visa ending in 4242 can’t be used anymore/)
    assert.match(await customerSheet(one.id), /Visa ending in 4242 can’t be charged anymore/)
  })

  it("gets the new expiry date from the provider's update event", async () => {
    const one = await scene.customerWithCard()
    one.method.about = { brand: 'visa', last4: '4243', exp_month: 1, exp_year: 2039 }
    await scene.sendEvents([
      {
        id: newProviderId('evt'),
        type: 'payment_method.automatically_updated',
        account: one.method.account,
        livemode: false,
        data: { object: shownMethod(one.method) },
      },
    ])
    assert.match(await savedText(one), /Visa ending in 4243 Good until 01\/2039/)
  })

  it('ignores events for unknown payment methods, which are only stored', async () => {
    for (const type of ['payment_method.detached', 'setup_intent.succeeded', 'payment_method.updated']) {
      const id = newProviderId('evt')
      const metadata = { payment_method_id: newId() }
      await scene.sendEvents([
        { id, type, account: 'acct_ours', livemode: false, data: { object: { id: newProviderId('pm'), metadata } } },
      ])
      const [answer] = await scene.service.database.send([
        sql<{ state: string; reason: string | null }>`select state, reason from payment_events where event_id = ${id}`,
      ])
      assert.deepEqual({ ...answer.rows[0] }, { state: 'stored', reason: null }, type)
    }
  })

  it("creates one setup page per form token, with the consent text in the customer's language", async () => {
    const one = await scene.customer()
    const page = await one.browser.get(`${one.path}/saved`)
    const press = fieldValueOf(page.text, 'press')
    const answers = [await one.browser.post(`${one.path}/saved`, { act: 'save', press })]
    answers.push(await one.browser.post(`${one.path}/saved`, { act: 'save', press }))
    assert.equal(new Set(answers.map(({ headers }) => headers.get('location'))).size, 1)
    assert.equal((await rowsOf(one.id)).length, 1)
    const spanish = await one.browser.send(`${one.path}/saved`, { headers: { 'accept-language': 'es' } })
    assert.match(pageTextOf(spanish), /Autorizo a Acme Plumbing a cobrar en esta tarjeta o cuenta bancaria/)
  })

  it("returns 404 for a quote link, and when the company doesn't allow saved cards", async () => {
    const { path } = await scene.quoteLink()
    assert.equal((await scene.browser().get(`${path}/saved`)).status, 404)
    const one = await scene.customer()
    await scene.allow({ saves_methods: null, offers_autopay: null })
    try {
      assert.equal((await one.browser.get(`${one.path}/saved`)).status, 404)
      assert.equal((await one.browser.post(`${one.path}/saved`, { act: 'save', press: newId() })).status, 404)
      assert.doesNotMatch(pageTextOf(await one.browser.get(one.path)), /Save a card/)
    } finally {
      await scene.allow({ saves_methods: 'yes', offers_autopay: 'yes' })
    }
  })

  it('moves to the other customer on a merge, unless that customer has one', async () => {
    const [one, other] = [await scene.customerWithCard(), await scene.customerWithCard()]
    const lone = await scene.customer()

    await scene.run(sql`update customers set archived_at = moment(), merged_into = ${other.id} where id = ${one.id}`)
    assert.deepEqual((await rowsOf(other.id)).map(({ state, removed_by }) => [state, removed_by]).sort(), [
      ['active', null],
      ['removed', 'merged'],
    ])
    await scene.run(sql`update customers set archived_at = moment(), merged_into = ${lone.id} where id = ${other.id}`)
    assert.match(await savedText(lone), /Visa ending in 4242/)
  })

  it("can't be seen or removed through an expired link", async () => {
    const one = await scene.customerWithCard()
    await scene.run(
      sql`update customer_links set expires_at = moment() - interval '1 second' where customer_id = ${one.id}`,
    )
    for (const answer of [
      await one.browser.get(`${one.path}/saved`),
      await one.browser.post(`${one.path}/saved`, { act: 'remove' }),
    ])
      assert.equal(answer.status, 410)
    assert.equal((await rowsOf(one.id))[0]!.state, 'active')
  })
})
