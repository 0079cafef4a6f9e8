import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { createSenders } from '../../src/messaging/outbox/senders/senders.ts'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
import { remindOfInvoice } from '../../src/messaging/reminders/invoice_reminder.ts'
import { enrollmentTask } from '../../src/worker/tasks/enrollment.ts'
import { sendingTasks } from '../../src/worker/tasks/sending.ts'
import { runDue } from '../../src/worker/worker.ts'
import type { TestService } from '../harness/harness.ts'
import { startMailServer, type ReceivedMail } from '../harness/messaging/mail_server.ts'
import { startSite } from '../harness/web_client.ts'
import { captureLines } from '../harness/processes/workers.ts'
import { SENDERS, openScene, type Scene } from './scene.ts'

const OUTSIDE = 'https://callout.example'

let server: Awaited<ReturnType<typeof startMailServer>>
let service: TestService
let scene: Scene
before(async () => {
  server = await startMailServer()
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
})
after(async () => {
  await service.stop()
  await server.stop()
})

const { log, lines } = captureLines()

/** Sends the queued messages with a public https address. */
async function send(baseUrl = OUTSIDE): Promise<ReceivedMail[]> {
  const senders = createSenders({ mailServer: server.config, smsAccount: null, smsFrom: null, baseUrl })
  const chores = sendingTasks(senders, () =>
    Promise.resolve(() => Promise.resolve({ name: 'x.pdf', type: 'application/pdf', content: new Uint8Array([1]) })),
  )
  const now = Temporal.Now.zonedDateTimeISO('America/New_York').add({ days: 1 }).with({ hour: 12 }).toInstant()
  server.taken.length = 0
  await runDue({ database: service.database, log, clock: () => now, stopping: new AbortController().signal }, [
    ...chores,
    enrollmentTask(chores),
  ])
  assert.deepEqual(lines, [])
  return [...server.taken]
}

const remind = (invoice: unknown) =>
  writeTenant(service.database, { tenant: scene.id }, (db) =>
    remindOfInvoice(db, invoice as string, {
      user: scene.owner.user_id,
      senders: createSenders(service.config),
      today: '2030-01-01',
    }),
  )

async function billCustomer(name: string, more: object = {}): Promise<{ customer: string; invoice: unknown }> {
  const { id } = await scene.customer(name, more)
  const { id: invoice } = await scene.invoice(id)
  await scene.call('invoices_update', { id: invoice, status: 'sent' })
  return { customer: id, invoice }
}

/** Returns the path of an email's List-Unsubscribe header. */
const pathOf = ({ raw }: ReceivedMail): string =>
  /^List-Unsubscribe:\s*<https:\/\/callout\.example(\/unsubscribe\/[\w-]{64})>\r?$/m.exec(
    raw.replaceAll(/\r\n[ \t]+/g, ' '),
  )![1]!

const visit = (path: string, init: RequestInit = {}) =>
  fetch(service.config.baseUrl + path, { redirect: 'manual', ...init })

/** Posts like a mail provider: without cookies or Origin (RFC 8058, 3.1). */
const oneClick = (path: string) =>
  visit(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })

const listExclusions = async (): Promise<string[]> =>
  (
    await readTenant(service.database, { tenant: scene.id }, (db) =>
      db.all<{ customer_id: string }>(sql`select customer_id from reminder_exclusions where tenant_id = ${db.tenant}`),
    )
  ).map(({ customer_id }) => customer_id)

describe('the unsubscribe link of a reminder', () => {
  it('stops reminders with one click, and changes nothing when it is opened', async () => {
    const { customer, invoice } = await billCustomer('Anna')
    assert.equal(await remind(invoice), undefined)
    const [mail] = await send()
    const path = pathOf(mail!)
    assert.match(mail!.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
    assert.ok(mail!.mail.text!.includes(`Stop these reminders: ${OUTSIDE}${path}`))
    assert.ok((mail!.mail.html as string).includes(`<a href="${OUTSIDE}${path}">Stop these reminders</a>`))

    for (const method of ['GET', 'HEAD']) assert.equal((await visit(path, { method })).status, 200)
    const page = await (await visit(path)).text()
    assert.match(page, /<form class="form" method="post">[^]*<button[^>]*>Stop these reminders<\/button>/)
    assert.deepEqual(await listExclusions(), [])

    for (let i = 0; i < 2; i++) {
      const done = await oneClick(path)
      assert.equal(done.status, 200)
      assert.match(await done.text(), /You won’t get any more reminders/)
    }
    assert.deepEqual(await listExclusions(), [customer])
    assert.deepEqual(await remind(invoice), { ...(await remind(invoice)), left_out: 'excluded' })
  })

  it('covers every customer with the address and queued reminders, but not other email', async () => {
    const shared = { email: 'manager@example.com' }
    const [first, second] = [await billCustomer('Berta', shared), await billCustomer('Carla', shared)]
    await remind(first.invoice)
    const [mail] = await send()
    await remind(second.invoice)
    assert.equal((await oneClick(pathOf(mail!))).status, 200)
    const now = await listExclusions()
    assert.ok(now.includes(first.customer) && now.includes(second.customer))
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      queueMessage(db, {
        channel: 'email',
        to: 'manager@example.com',
        subject: 'Hello',
        body: 'Hello',
        about: null,
        customerId: first.customer,
        cause: 'reply',
        by: null,
      }),
    )
    const sent = await send()
    assert.deepEqual(
      sent.map(({ mail: { subject } }) => subject),
      ['Hello'],
    )
    assert.ok(!/^List-Unsubscribe/m.test(sent[0]!.raw))
    const waiting = (await scene.listQueued()).find(({ about_id }) => about_id === second.invoice)
    assert.equal(waiting!.state, 'cancelled')
  })

  it('has no one-click header without TLS', async () => {
    const { invoice } = await billCustomer('Dora')
    await remind(invoice)
    const [mail] = await send('http://callout.example')
    assert.match(mail!.raw, /^List-Unsubscribe:/m)
    assert.doesNotMatch(mail!.raw, /^List-Unsubscribe-Post:/m)
  })

  it('returns 404 for a token that is tampered with, malformed or of another company', async () => {
    const { customer, invoice } = await billCustomer('Emma')
    await remind(invoice)
    const [mail] = await send()
    const bytes = Buffer.from(pathOf(mail!).slice('/unsubscribe/'.length), 'base64url')
    const other = await openScene(service, 'Birch Heating')
    const flipBit = (at: number) => Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)))
    const strange = [
      flipBit(0),
      flipBit(20),
      flipBit(47),
      Buffer.concat([Buffer.from(other.id.replaceAll('-', ''), 'hex'), bytes.subarray(16)]),
    ].map((token) => token.toString('base64url'))
    for (const token of [...strange, 'x', 'A'.repeat(64), 'A'.repeat(5_000), '%00', `${'A'.repeat(63)}%2F`]) {
      assert.equal((await visit(`/unsubscribe/${token}`)).status, 404, token.slice(0, 80))
      assert.equal((await oneClick(`/unsubscribe/${token}`)).status, 404, token.slice(0, 80))
    }
    assert.ok(!(await listExclusions()).includes(customer))
  })

  it('limits the body size and rejects other methods', async () => {
    const { customer, invoice } = await billCustomer('Fay')
    await remind(invoice)
    const [mail] = await send()
    const path = pathOf(mail!)
    assert.equal((await visit(path, { method: 'POST', body: 'x'.repeat(5_000) })).status, 413)
    assert.equal((await visit(path, { method: 'PUT' })).status, 405)
    assert.ok(!(await listExclusions()).includes(customer))
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    assert.equal((await visit(path, { method: 'POST', body: form })).status, 200)
    assert.ok((await listExclusions()).includes(customer))
  })
})
