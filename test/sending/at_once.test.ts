import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../harness/harness.ts'
import { formAt, pageTextOf, sendForm } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { SENDERS, openScene, type Queued, type Scene } from './scene.ts'

let service: TestService
let scene: Scene
let dora: Result
before(async () => {
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
  dora = await scene.customer('Dora')
})
after(() => service.stop())

const of = async (id: string): Promise<Queued[]> => (await scene.listQueued()).filter(({ about_id }) => about_id === id)
const idIn = (location: string | null): string => /[0-9a-f-]{36}(?=$|\/send$)/.exec(location ?? '')![0]

/** Returns the form of a new quote, filled in for Create and send. */
async function quoteForm(customer: Result, title: string): Promise<[string, string][]> {
  const opened = await scene.browser.get(scene.at('quotes', `new?customer_id=${customer.id}`))
  return [
    ...formAt(opened, scene.at('quotes', 'new')).filter(([name]) => name !== 'title'),
    ['title', title],
    ['then', 'send'],
  ]
}

describe('a new quote with Create and send', () => {
  it('is sent from its form with link and PDF, and has status sent', async () => {
    const { location } = await sendForm(scene.browser, scene.at('quotes', 'new'), await quoteForm(dora, 'Repipe'))
    const id = idIn(location)
    assert.equal(location, scene.at('quotes', id))
    assert.match(pageTextOf(await scene.browser.get(location!)), /Q-\d+ is on its way to dora@example\.com\./)
    assert.equal((await scene.call('quotes_get', { id })).status, 'sent')
    const [message, ...more] = await of(id)
    assert.deepEqual(
      [more.length, message!.recipient, message!.cause, message!.attachments],
      [0, 'dora@example.com', 'sent', [{ document: 'quotes', id }]],
    )
    assert.match(message!.body, /^Hi Dora,[^]*\/c\/[\w-]{22}/)
  })

  it('is created and sent once for three concurrent submissions', async () => {
    const form = await quoteForm(dora, 'Drain')
    const answers = await Promise.all([1, 2, 3].map(() => sendForm(scene.browser, scene.at('quotes', 'new'), form)))
    const [id, ...others] = new Set(answers.map(({ location }) => idIn(location)))
    assert.equal(others.length, 0)
    assert.equal((await of(id!)).length, 1)
  })

  it('stays a draft with the send page open if no contact can be written to', async () => {
    const pia = await scene.customer('Pia', { email: null, phone: null })
    const odd = await scene.customer('Odd', { email_opt_out: true, sms_opt_out: true })
    for (const customer of [pia, odd]) {
      const made = await sendForm(scene.browser, scene.at('quotes', 'new'), await quoteForm(customer, 'Leak'))
      const id = idIn(made.location)
      assert.equal(made.location, scene.at('quotes', id, 'send'))
      assert.match(pageTextOf(await scene.browser.get(made.location!)), /Created Q-\d+ Leak/)
      assert.equal((await scene.call('quotes_get', { id })).status, 'draft')
      assert.deepEqual(await of(id), [])
    }
  })
})

describe('Done, bill and send on a job', () => {
  const job = (): Promise<Result> =>
    scene.call('jobs_create', {
      customer_id: dora.id,
      title: 'Boiler',
      line_items: [{ name: 'Boiler', unit_price_cents: 90_000 }],
    })
  const press = async (id: string, form: [string, string][]) =>
    sendForm(scene.browser, scene.at('jobs', id, 'do', 'invoices_create-send'), form)

  it('completes the job and opens the send page of one invoice, even when submitted twice', async () => {
    const { id } = await job()
    const page = await scene.browser.get(scene.at('jobs', id))
    assert.match(pageTextOf(page), /Done, bill and send/)
    const form = formAt(page, scene.at('jobs', id, 'do', 'invoices_create-send'))
    const [first, second] = [await press(id, form), await press(id, form)]
    assert.equal(second.location, first.location)
    const invoice = idIn(first.location)
    assert.equal(first.location, scene.at('invoices', invoice, 'send'))
    assert.match(pageTextOf(await scene.browser.get(first.location!)), /Send INV-\d+/)
    const { status, total_cents, job_ids } = await scene.call('invoices_get', { id: invoice })
    assert.deepEqual([status, total_cents, job_ids], ['draft', 90_000, [id]])
    assert.equal((await scene.call('jobs_get', { id })).status, 'done')
    assert.deepEqual(await of(invoice), [])
    assert.doesNotMatch(pageTextOf(await scene.browser.get(scene.at('jobs', id))), /[Bb]ill and send/)
  })

  it("is offered as Bill and send on a completed job, and not to members who can't bill", async () => {
    const { id } = await job()
    await scene.call('jobs_update', { id, status: 'done' })
    assert.match(pageTextOf(await scene.browser.get(scene.at('jobs', id))), /Create invoice .*Bill and send/)
    const { browser } = await scene.signInMember('tech')
    assert.doesNotMatch(pageTextOf(await browser.get(scene.at('jobs', id))), /[Bb]ill and send/)
    const refused = await sendForm(browser, scene.at('jobs', id, 'do', 'invoices_create-send'), [])
    assert.equal(refused.status, 404)
  })
})

describe('Done, bill and send on an accepted quote', () => {
  const makeAcceptedQuote = async (more: object = {}): Promise<Result> => {
    const { id } = await scene.call('quotes_create', {
      customer_id: dora.id,
      title: 'Valve',
      line_items: [{ name: 'Valve', unit_price_cents: 12_000 }],
      ...more,
    })
    await scene.call('quotes_update', { id, status: 'sent' })
    return scene.call('quotes_update', { id, status: 'accepted' })
  }
  const action = (id: string): string => scene.at('quotes', id, 'do', 'invoices_create-send')

  it('creates a completed job and its invoice once', async () => {
    const { id } = await makeAcceptedQuote()
    const form = formAt(await scene.browser.get(scene.at('quotes', id)), action(id))
    const [first, second] = [
      await sendForm(scene.browser, action(id), form),
      await sendForm(scene.browser, action(id), form),
    ]
    const invoice = idIn(first.location)
    assert.equal(first.location, scene.at('invoices', invoice, 'send'))
    assert.ok(second.location === first.location || second.status === 404)
    const { status, total_cents, job_ids, quote_id } = await scene.call('invoices_get', { id: invoice })
    assert.deepEqual([status, total_cents, job_ids.length, quote_id], ['draft', 12_000, 1, id])
    const job = await scene.call('jobs_get', { id: job_ids[0] })
    assert.deepEqual([job.status, job.quote_id], ['done', id])
    assert.doesNotMatch(pageTextOf(await scene.browser.get(scene.at('quotes', id))), /Done, bill and send/)
  })

  it("returns 404 to members who can't bill", async () => {
    const { id } = await makeAcceptedQuote()
    const { browser } = await scene.signInMember('tech')
    assert.equal((await sendForm(browser, action(id), [])).status, 404)
    assert.equal((await scene.call('quotes_get', { id })).converted_job_id, null)
  })
})

describe('a booked call', () => {
  const book = async (customer: Result, fields: [string, string][]) => {
    const path = scene.at('calls', 'new')
    const opened = await scene.browser.get(`${path}?customer_id=${customer.id}`)
    const typed: [string, string][] = [
      ['customer_id', customer.id],
      ['title', 'Leak'],
      ['when', 'other'],
      ['start', '2027-03-01T09:00'],
      ...fields,
    ]
    const names = new Set(typed.map(([name]) => name))
    const form: [string, string][] = [...formAt(opened, path).filter(([name]) => !names.has(name)), ...typed]
    const [first, second] = [await sendForm(scene.browser, path, form), await sendForm(scene.browser, path, form)]
    assert.equal(second.location, first.location)
    return { id: idIn(first.location), words: pageTextOf(await scene.browser.get(first.location!)) }
  }

  it('sends its confirmation once if Confirm is checked', async () => {
    const { id, words } = await book(dora, [['confirm', 'yes']])
    assert.match(words, /Booked for Dora Vance: .*is on its way to dora@example\.com\. job J-/)
    const [message, ...more] = await of(id)
    assert.deepEqual([more.length, message!.recipient], [0, 'dora@example.com'])
  })

  it("sends none if Confirm isn't checked, and offers to", async () => {
    const { id, words } = await book(dora, [])
    assert.match(words, /Booked for Dora Vance: .* AM Send confirmation job J-/)
    assert.deepEqual(await of(id), [])
  })

  it('is booked and offers a confirmation if the customer has no address', async () => {
    const { id, words } = await book(await scene.customer('Mute', { email: null, phone: null }), [['confirm', 'yes']])
    assert.match(words, /Booked for Mute Vance: .* AM Send confirmation job J-/)
    assert.deepEqual(await of(id), [])
  })
})
