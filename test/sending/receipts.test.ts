import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { bookReceipt, type Receipt } from '../../src/records/invoices/index.ts'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
import { createSenders } from '../../src/messaging/outbox/senders/senders.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { enrollmentTask } from '../../src/worker/tasks/enrollment.ts'
import { noticeTask } from '../../src/worker/tasks/notices.ts'
import { runDue } from '../../src/worker/worker.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { submit } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { captureLines } from '../harness/processes/workers.ts'
import { SENDERS, openScene, type Scene } from './scene.ts'

let service: TestService
let scene: Scene
before(async () => {
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
})
after(() => service.stop())

const { log, lines } = captureLines()
const work = async (): Promise<void> => {
  const chores = [noticeTask(createSenders(service.config))]
  const now = Temporal.Now.instant().add({ seconds: 5 })
  await runDue({ database: service.database, log, clock: () => now, stopping: new AbortController().signal }, [
    ...chores,
    enrollmentTask(chores),
  ])
  assert.deepEqual(lines, [])
}

const billCustomer = async (name: string): Promise<Result> => {
  const { id } = await scene.customer(name)
  const made = await scene.invoice(id)
  return scene.call('invoices_update', { id: made['id'], status: 'sent' })
}
type Happening = Receipt extends infer One ? (One extends Receipt ? Omit<One, keyof Common> : never) : never
type Common = Pick<Receipt, 'invoice' | 'isAssigned' | 'currency' | 'names' | 'source'>

const happens = (invoice: Result, what: Happening, source = newId()) =>
  writeTenant(service.database, { tenant: scene.id }, (db) => {
    const common: Common = {
      invoice: invoice['id'] as string,
      isAssigned: false,
      currency: 'USD',
      names: [`pi_${String(invoice['id'])}`],
      source,
    }
    return bookReceipt(db, { ...common, ...what })
  })
const sentAbout = async (invoice: Result) =>
  (await scene.listQueued()).filter(({ about_id }) => about_id === invoice['id'])

describe('a failed message to a customer', () => {
  it('is reported to the office once, unless it failed because it was out of date', async () => {
    const { id: customerId } = await scene.customer('Zoe')
    const queue = (subject: string) =>
      writeTenant(service.database, { tenant: scene.id }, (db) =>
        queueMessage(db, {
          channel: 'email',
          to: 'zoe@example.com',
          toName: 'Zoe Vance',
          subject,
          body: subject,
          about: null,
          customerId,
          cause: 'reply',
          by: null,
        }),
      )
    const end = (id: string, reason: string) =>
      writeTenant(service.database, { tenant: scene.id }, (db) =>
        db.run(sql`update outbox set state = 'failed', reason = ${reason}, reply = '550 5.1.1 No such user'
          where tenant_id = ${scene.id} and id = ${id}`),
      )
    for (const reason of ['bounced', 'refused', 'overtaken'])
      await end((await queue(`Your ${reason} visit`)).id, reason)
    await work()
    await work()
    const notices = (await scene.listQueued()).filter(({ cause }) => cause === 'notice')
    assert.deepEqual(
      notices.map(({ recipient }) => recipient),
      [scene.owner.email, scene.owner.email],
    )
    assert.equal(notices[0]!.subject, 'Your message to Zoe Vance didn’t arrive')
    const bodies = notices.map(({ body }) => body).toSorted()
    assert.match(
      bodies[0]!,
      /^Your email “Your bounced visit” to zoe@example\.com didn’t arrive\.\n\n550 5\.1\.1 No such user\n\nOpen/,
    )
    assert.match(bodies[1]!, /Your refused visit/)
    assert.ok(bodies[0]!.includes(`${service.config.baseUrl}/${scene.id}/outbox/`))
  })
})

describe('a payment', () => {
  it('sends one automatic receipt and one notice to the office', async () => {
    const invoice = await billCustomer('Anna')
    const source = newId()
    for (let i = 0; i < 2; i++) await happens(invoice, { kind: 'charge', amount_cents: 200_000 }, source)
    await work()
    await work()
    const [receipt, notice, ...more] = (await sentAbout(invoice)).toSorted((a, b) => (a.cause < b.cause ? 1 : -1))
    assert.deepEqual(more, [])
    assert.deepEqual([receipt!.cause, receipt!.recipient, receipt!.channel], ['receipt', 'anna@example.com', 'email'])
    assert.match(receipt!.body, /We received \$2,000\.00 for invoice/)
    assert.ok(!receipt!.body.includes('$0.00'))
    assert.deepEqual([notice!.cause, notice!.recipient], ['notice', scene.owner.email])
    assert.match(notice!.body, /^Anna Vance paid \$2,000\.00 for invoice \S+\. The invoice is paid in full\./)
  })

  it('by bank sends the office one notice while pending, and the customer nothing', async () => {
    const invoice = await billCustomer('Petra')
    for (const session of ['cs_1', null])
      await happens(invoice, { kind: 'pending', session, pending_cents: 200_000, at: null })
    await work()
    const written = (await scene.listQueued()).filter(({ body }) => body.includes('Petra'))
    assert.deepEqual(
      written.map(({ cause }) => cause),
      ['notice'],
    )
    assert.match(written[0]!.body, /^Petra Vance is paying \$2,000\.00 by bank\. No reminder goes out/)
  })

  it('that failed, was refunded or disputed notifies the office only', async () => {
    const invoice = await billCustomer('Berta')
    await happens(invoice, {
      kind: 'failed',
      attempt: newId(),
      tried_cents: 200_000,
      code: 'x',
      message: 'Card declined',
      at: null,
    })
    await happens(invoice, { kind: 'charge', amount_cents: 200_000 })
    await work()
    const before = (await sentAbout(invoice)).length
    const refund = { refund: newId(), failed: false, at: null, made_at: null }
    await happens(invoice, { kind: 'refund', amount_cents: 50_000, ...refund })
    await happens(invoice, { kind: 'dispute_opened', dispute: newId(), disputed_cents: 150_000, reason: null })
    await work()
    const all = await sentAbout(invoice)
    assert.deepEqual(
      all.slice(before).map(({ cause }) => cause),
      ['notice', 'notice'],
    )
    const subjects = all.map(({ subject }) => subject ?? '').join('\n')
    for (const words of [/A payment for invoice \S+ failed/, /\$500\.00 refunded/, /Berta Vance disputed a payment/])
      assert.match(subjects, words)
  })

  it('sends no receipt to customers who opted out, or after an owner turned receipts off', async () => {
    const { id } = await scene.customer('Cora', { email_opt_out: true, sms_opt_out: true })
    const made = await scene.invoice(id)
    const invoice = await scene.call('invoices_update', { id: made['id'], status: 'sent' })
    await happens(invoice, { kind: 'charge', amount_cents: 1_000 })
    await work()
    assert.ok((await sentAbout(invoice)).every(({ cause }) => cause === 'notice'))
    const settings = scene.at('settings', 'messages')
    assert.equal((await submit(scene.browser, settings, { about: 'money' })).status, 303)
    const other = await billCustomer('Dora')
    await happens(other, { kind: 'charge', amount_cents: 1_000 })
    await work()
    assert.deepEqual(await sentAbout(other), [])
  })

  it('still sends its receipt after a run that was rolled back', async () => {
    await submit(scene.browser, scene.at('settings', 'messages'), { about: 'money', receipts: 'on' })
    const invoice = await billCustomer('Edith')
    await happens(invoice, { kind: 'charge', amount_cents: 1_000 })
    await assert.rejects(
      writeTenant(service.database, { tenant: scene.id }, async (db) => {
        await db.run(sql`delete from notice_tasks where tenant_id = ${scene.id}`)
        throw new Error('killed')
      }),
      /killed/,
    )
    await work()
    assert.deepEqual(
      (await sentAbout(invoice)).map(({ cause }) => cause),
      ['receipt'],
    )
  })
})

describe('an address that bounced', () => {
  it('is shown on the customer and their documents, to members with access to customers', async () => {
    const { id: customerId } = await scene.customer('Yara')
    const { id: invoice } = await scene.invoice(customerId)
    const pages = [scene.at('customers', customerId), scene.at('invoices', invoice as string)]
    const bounceNotice = /Messages to [^<]*yara@example\.com[^<]* bounced/
    for (const page of pages) assert.doesNotMatch((await scene.browser.get(page)).text, bounceNotice)
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(
        sql`select suppress(${scene.id}, 'email', array['yara@example.com']::text[], 'bounced', '550 No such user')`,
      ),
    )
    for (const page of pages) {
      const { text } = await scene.browser.get(page)
      assert.match(text, bounceNotice)
      assert.match(text, /550 No such user/)
    }
    const { browser } = await scene.signInMember('office', { 'Customers & contacts': 'none' })
    const { status, text } = await browser.get(pages[1]!)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /yara@example\.com/)
  })
})
