import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../harness/harness.ts'
import { errorAt, formAt, pageTextOf, sendForm, submit } from '../harness/identity/people_pages.ts'
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
const status = async (tool: string, id: string): Promise<string> => (await scene.call(`${tool}_get`, { id })).status

describe('sending an invoice', () => {
  it('queues one email with link and PDF, and sets the status to sent', async () => {
    const { id, display_number } = await scene.invoice(dora.id)
    const page = scene.at('invoices', id, 'send')
    assert.match((await scene.browser.get(scene.at('invoices', id))).text, new RegExp(`href="${page}"`))
    const form = Object.fromEntries(formAt(await scene.browser.get(page), page))
    assert.equal(form['to'], 'dora@example.com')
    assert.equal(form['subject'], `Invoice ${display_number} from Alder Plumbing`)
    assert.match(form['body']!, /^Hi Dora,\n\n.*\$2,000\.00, due .*\{link\}/s)
    const sent = await submit(scene.browser, page)
    assert.equal(sent.location, scene.at('invoices', id))
    assert.match(
      pageTextOf(await scene.browser.get(sent.location)),
      /is on its way to dora@example\.com.*Sent messages .*Waiting to be sent dora@example\.com/,
    )
    assert.equal(await status('invoices', id), 'sent')
    const [message, ...more] = await of(id)
    assert.equal(more.length, 0)
    assert.deepEqual(
      [message!.channel, message!.cause, message!.recipient, message!.attachments],
      ['email', 'sent', 'dora@example.com', [{ document: 'invoices', id }]],
    )
    const [, secret] = /\n(?:http:\/\/localhost:\d+)(\/c\/[\w-]{22})\n/.exec(message!.body) ?? []
    assert.ok(secret, message!.body)
    assert.equal((await scene.browser.get(secret)).status, 200)
  })

  it('queues one message for three concurrent submissions', async () => {
    const { id } = await scene.invoice(dora.id)
    const page = scene.at('invoices', id, 'send')
    const form = formAt(await scene.browser.get(page), page)
    const answers = await Promise.all([1, 2, 3].map(() => sendForm(scene.browser, page, form)))
    assert.deepEqual(
      answers.map(({ status, location }) => [status, location]),
      [1, 2, 3].map(() => [303, scene.at('invoices', id)]),
    )
    assert.equal((await of(id)).length, 1)
  })

  it('resends it by text to another number', async () => {
    const { id } = await scene.invoice(dora.id)
    await scene.call('invoices_update', { id, status: 'sent' })
    const page = scene.at('invoices', id, 'send')
    const opened = await scene.browser.get(`${page}?by=sms`)
    assert.match(pageTextOf(opened), /Resend INV-/)
    const fields = Object.fromEntries(formAt(opened, page))
    assert.equal(fields['to'], '+16175550142')
    const sent = await sendForm(
      scene.browser,
      page,
      Object.entries({ ...fields, to: 'other', other: '(617) 555-0177' }),
    )
    assert.equal(sent.status, 303)
    const [message] = await of(id)
    assert.deepEqual([message!.channel, message!.recipient, message!.subject], ['sms', '+16175550177', null])
  })

  it('is refused with a reason if it was voided in the meantime', async () => {
    const { id, display_number } = await scene.invoice(dora.id)
    const page = scene.at('invoices', id, 'send')
    const form = formAt(await scene.browser.get(page), page)
    await scene.call('invoices_void', { id })
    const refused = await sendForm(scene.browser, page, form)
    assert.equal(refused.status, 409)
    assert.match(pageTextOf(refused), new RegExp(`${display_number} was voided, so it can’t be sent`))
    assert.match(pageTextOf(await scene.browser.get(page)), /There is nothing to send/)
    assert.deepEqual(await of(id), [])
  })

  it('is refused if it changed after the page was opened', async () => {
    const { id } = await scene.invoice(dora.id)
    const page = scene.at('invoices', id, 'send')
    const form = formAt(await scene.browser.get(page), page)
    await scene.call('invoices_update', { id, subject: 'Two boilers' })
    const refused = await sendForm(scene.browser, page, form)
    assert.equal(refused.status, 409)
    assert.match(pageTextOf(refused), /It was changed after you opened this page/)
    assert.equal(await status('invoices', id), 'draft')
    assert.deepEqual(await of(id), [])
  })

  it("uses the customer's language", async () => {
    const luz = await scene.customer('Luz', {}, { preferred_language: 'es-MX' })
    const { id } = await scene.invoice(luz.id, { due_date: '2027-03-04', issue_date: '2027-03-01' })
    const page = scene.at('invoices', id, 'send')
    const form = Object.fromEntries(formAt(await scene.browser.get(page), page))
    assert.match(form['subject']!, /^Factura INV-\d+ de Alder Plumbing$/)
    assert.match(form['body']!, /^Hola Luz:.*4 de marzo de 2027/s)
  })
})

describe('sending a quote', () => {
  it('works again after a revision', async () => {
    const { id } = await scene.call('quotes_create', { customer_id: dora.id, title: 'Repipe' })
    const page = scene.at('quotes', id, 'send')
    assert.equal((await submit(scene.browser, page)).status, 303)
    assert.equal(await status('quotes', id), 'sent')
    await scene.call('quotes_update', { id, status: 'draft' })
    await scene.call('quotes_update', { id, title: 'Repipe and drain' })
    assert.equal((await submit(scene.browser, page)).status, 303)
    assert.equal(await status('quotes', id), 'sent')
    assert.equal((await of(id)).length, 2)
  })

  it("is refused for another member's draft", async () => {
    const { id } = await scene.call('quotes_create', { customer_id: dora.id, title: 'Repipe' })
    const { browser } = await scene.signInMember('office')
    const page = scene.at('quotes', id, 'send')
    const refused = await sendForm(browser, page, formAt(await scene.browser.get(page), page))
    assert.equal(refused.status, 404)
    assert.equal(await status('quotes', id), 'draft')
    assert.deepEqual(await of(id), [])
  })

  it("shows why a declined quote can't be sent", async () => {
    const { id } = await scene.call('quotes_create', { customer_id: dora.id, title: 'Repipe' })
    await scene.call('quotes_update', { id, status: 'declined' })
    assert.match(
      pageTextOf(await scene.browser.get(scene.at('quotes', id, 'send'))),
      /was declined\. Put it back to draft/,
    )
  })
})

describe('sending a visit confirmation', () => {
  it('includes the date, the arrival window and the job title', async () => {
    const { id } = await scene.call('jobs_create', {
      customer_id: dora.id,
      title: 'Drain',
      scheduled_start: '2027-03-05T09:00',
      arrival_window_minutes: 120,
    })
    assert.equal((await submit(scene.browser, scene.at('jobs', id, 'send'))).status, 303)
    const [message] = await of(id)
    assert.equal(message!.subject, 'Your visit on Friday, March 5')
    assert.match(message!.body, /Drain\.\n\nWhen: Friday, March 5, between 9:00\sAM and 11:00\sAM/)
    assert.deepEqual(message!.attachments, [])
  })

  it('shows that a visit without a time must be scheduled first', async () => {
    const { id } = await scene.call('jobs_create', { customer_id: dora.id, title: 'Drain' })
    assert.match(
      pageTextOf(await scene.browser.get(scene.at('jobs', id, 'send'))),
      /has no time yet\. Schedule it first/,
    )
  })
})

describe('the recipient', () => {
  it("can't be a contact who opted out: the option is disabled and the submission rejected", async () => {
    const rita = await scene.customer('Rita', { email_opt_out: true, phone: null })
    const { id } = await scene.invoice(rita.id)
    const page = scene.at('invoices', id, 'send')
    const opened = await scene.browser.get(`${page}?by=email`)
    assert.match(pageTextOf(opened), /rita@example\.com Can't be written to: This contact doesn’t want email/)
    assert.match(opened.text, /value="rita@example\.com" disabled/)
    const refused = await submit(scene.browser, page, { to: 'rita@example.com', by: 'email' })
    assert.equal(refused.status, 409)
    assert.equal(await status('invoices', id), 'draft', 'the status and the message are one transaction')
    assert.deepEqual(await of(id), [])
  })

  it('must be one address on one line', async () => {
    const { id } = await scene.invoice(dora.id)
    const page = scene.at('invoices', id, 'send')
    for (const other of [
      'a@example.com, b@example.com',
      'a@example.com\r\nBcc: b@example.com',
      '"a\r\nBcc: x" <b@example.com>',
      'a@example.com;b@example.com',
      `${'a'.repeat(300)}@example.com`,
      '',
    ]) {
      const refused = await submit(scene.browser, page, { to: 'other', other })
      assert.equal(refused.status, 422, other)
      assert.ok(errorAt(refused, 'other'), other)
    }
    assert.equal(await status('invoices', id), 'draft')
    assert.deepEqual(await of(id), [])
  })
})

describe('the message text', () => {
  const readRefusal = async (typed: Record<string, string>): Promise<string> => {
    const { id } = await scene.invoice(dora.id)
    const refused = await submit(scene.browser, scene.at('invoices', id, 'send'), typed)
    assert.equal(refused.status, 422)
    assert.equal(await status('invoices', id), 'draft')
    assert.deepEqual(await of(id), [])
    return pageTextOf(refused)
  }

  it('needs a subject on one line', async () => {
    assert.match(
      await readRefusal({ subject: 'Invoice\r\nBcc: eve@example.com' }),
      /Nothing was sent Remove unusual or invisible characters from this text\. /,
    )
    assert.match(await readRefusal({ subject: '' }), /Nothing was sent Enter a subject\. /)
  })

  it('allows only known placeholders, not nested, at most 40, and 5,000 characters', async () => {
    assert.match(
      await readRefusal({ body: 'Pay {balanse}' }),
      /There is no placeholder \{balanse\}\. Did you mean \{balance\}\?/,
    )
    assert.match(await readRefusal({ body: '{{{{link}}}}' }), /Use braces only for placeholders/)
    assert.match(await readRefusal({ body: '{link}'.repeat(41) }), /up to 40 placeholders/)
    assert.match(
      await readRefusal({ body: 'x'.repeat(5001) }),
      /The message is too long\. Use at most 5,000 characters\./,
    )
  })

  it('is rejected with 413 at 10 MB', async () => {
    const { id } = await scene.invoice(dora.id)
    const page = scene.at('invoices', id, 'send')
    const answer = await sendForm(scene.browser, page, [['body', 'x'.repeat(10 * 2 ** 20)]])
    assert.equal(answer.status, 413)
  })

  it('is sent literally: markup stays text, and braces in a name are no placeholder', async () => {
    const odd = await scene.customer('Odd', { first_name: '{link} <b>' })
    const { id } = await scene.invoice(odd.id)
    const page = scene.at('invoices', id, 'send')
    const opened = await scene.browser.get(page)
    assert.match(Object.fromEntries(formAt(opened, page))['body']!, /^Hi \(link\) <b>,/)
    assert.ok(!opened.text.includes('<b>,'))
    await submit(scene.browser, page, { body: 'Hi {customer_first_name}: <script>alert(1)</script> {link}' })
    const [message] = await of(id)
    assert.match(message!.body, /^Hi \(link\) <b>: <script>alert\(1\)<\/script> http:\S+\/c\/[\w-]{22}$/)
  })
})

describe('without a configured sender', () => {
  it('the page says so before sending, and says afterwards that the message waits in the outbox', async (t) => {
    const bare = await startSite()
    t.after(() => bare.stop())
    const there = await openScene(bare, 'Cedar Plumbing')
    const nora = await there.customer('Nora')
    const { id, display_number } = await there.invoice(nora.id)
    const page = there.at('invoices', id, 'send')
    assert.match(pageTextOf(await there.browser.get(`${page}?by=email`)), /No email sender is set up/)
    assert.match(pageTextOf(await there.browser.get(`${page}?by=sms`)), /No sender of text messages is set up/)
    const sent = await submit(there.browser, page)
    assert.match(
      pageTextOf(await there.browser.get(sent.location!)),
      new RegExp(`The message about ${display_number} waits in the Outbox until a sender is set up`),
    )
    assert.equal((await there.listQueued()).length, 1)
  })
})

describe('the send page', () => {
  it('returns 404 to technicians and other companies', async () => {
    const { id } = await scene.invoice(dora.id)
    const { browser } = await scene.signInMember('tech')
    assert.equal((await browser.get(scene.at('invoices', id, 'send'))).status, 404)
    const other = await openScene(service, 'Birch Plumbing')
    assert.equal((await other.browser.get(scene.at('invoices', id, 'send'))).status, 404)
    assert.equal((await other.browser.get(other.at('invoices', id, 'send'))).status, 404)
  })
})
