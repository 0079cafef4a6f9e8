import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import type { AboutKind, OutgoingMessage } from '../../src/messaging/outbox/outgoing.ts'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
import { createSenders } from '../../src/messaging/outbox/senders/senders.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { sendingTasks } from '../../src/worker/tasks/sending.ts'
import { runDue } from '../../src/worker/worker.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { startMailServer } from '../harness/messaging/mail_server.ts'
import { pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { captureLines } from '../harness/processes/workers.ts'
import { SENDERS, openScene, type Scene } from './scene.ts'

let service: TestService
let server: Awaited<ReturnType<typeof startMailServer>>
let scene: Scene
let dora: Result
before(async () => {
  server = await startMailServer()
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
  dora = await scene.customer('Dora')
})
after(async () => {
  await service.stop()
  await server.stop()
})
beforeEach(() => void server.taken.splice(0))

const { log, lines } = captureLines()

/** Runs the sending tasks, without quiet hours. */
async function work(): Promise<void> {
  const senders = createSenders({
    mailServer: server.config,
    smsAccount: null,
    smsFrom: null,
    baseUrl: 'http://callout.test',
  })
  const now = Temporal.Now.instant().add({ seconds: 5 })
  await writeTenant(service.database, { tenant: scene.id }, (db) =>
    db.run(
      sql`insert into outbox_limits (tenant_id, quiet_from, quiet_until) values (${scene.id}, '00:00', '00:00') on conflict do nothing`,
    ),
  )
  await runDue(
    { database: service.database, log, clock: () => now, stopping: new AbortController().signal },
    sendingTasks(senders),
  )
  assert.deepEqual(lines, [])
}

const queue = (cause: OutgoingMessage['cause'], kind: AboutKind, id: string): Promise<{ id: string }> =>
  writeTenant(service.database, { tenant: scene.id }, (db) =>
    queueMessage(db, {
      channel: 'email',
      to: 'dora@example.com',
      subject: 'From us',
      body: `About it (${newId()})`,
      about: { kind, id },
      customerId: dora['id'],
      cause,
      by: cause === 'reminder' ? null : scene.owner.user_id,
    }),
  )

const state = async (id: string): Promise<string> => (await scene.listQueued()).find((one) => one.id === id)!.state

const makeSentInvoice = async (): Promise<string> => {
  const { id } = await scene.invoice(dora['id'], { due_date: '2099-01-01' })
  await scene.call('invoices_update', { id, status: 'sent' })
  return id
}
const makeSentQuote = async (): Promise<string> => {
  const line_items = [{ name: 'Drain', unit_price_cents: 20_000 }]
  const { id } = await scene.call('quotes_create', { customer_id: dora['id'], title: 'Drain', line_items })
  await scene.call('quotes_update', { id, status: 'sent' })
  return id
}
const TOMORROW = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 }).toString()
const bookJob = async (): Promise<string> => {
  const visit = { customer_id: dora['id'], title: 'Drain', scheduled_start: `${TOMORROW}T09:00` }
  return (await scene.call('jobs_create', visit)).id
}
const makePlan = async (): Promise<string> => {
  const plan = { customer_id: dora['id'], name: 'Yearly', cadence: 'annual', start_date: TOMORROW }
  const line_items = [{ name: 'Check', unit_price_cents: 5_000 }]
  return (await scene.call('plans_create', { ...plan, line_items })).id
}
const paid = (id: string, amount_cents: string): Promise<unknown> =>
  submit(scene.browser, scene.at('invoices', id, 'payment'), { amount_cents, method: 'cash' })

type Case = [
  what: string,
  cause: OutgoingMessage['cause'],
  kind: AboutKind,
  make: () => Promise<string>,
  meanwhile: (id: string) => Promise<unknown>,
]

const OVERTAKEN: readonly Case[] = [
  ['an invoice that was voided', 'sent', 'invoices', makeSentInvoice, (id) => scene.call('invoices_void', { id })],
  [
    'an invoice that is a draft again',
    'sent',
    'invoices',
    makeSentInvoice,
    (id) => scene.call('invoices_update', { id, status: 'draft' }),
  ],
  ['a reminder of an invoice that was paid', 'reminder', 'invoices', makeSentInvoice, (id) => paid(id, '2000')],
  ['a reminder of an invoice of which a part was paid', 'reminder', 'invoices', makeSentInvoice, (id) => paid(id, '5')],
  [
    'a quote that was declined',
    'sent',
    'quotes',
    makeSentQuote,
    (id) => scene.call('quotes_update', { id, status: 'declined' }),
  ],
  [
    'a reminder of a quote that was accepted',
    'reminder',
    'quotes',
    makeSentQuote,
    (id) => scene.call('quotes_update', { id, status: 'accepted' }),
  ],
  [
    'a visit that moved',
    'sent',
    'jobs',
    bookJob,
    (id) => scene.call('jobs_update', { id, scheduled_start: `${TOMORROW}T11:00` }),
  ],
  ['a reminder of a visit that was canceled', 'reminder', 'jobs', bookJob, (id) => scene.call('jobs_cancel', { id })],
  [
    'on my way to a visit that is done',
    'on_my_way',
    'jobs',
    bookJob,
    (id) => scene.call('jobs_update', { id, status: 'done' }),
  ],
  ['a reminder of a plan that was canceled', 'reminder', 'plans', makePlan, (id) => scene.call('plans_cancel', { id })],
]

const STILL_TRUE: readonly Case[] = [
  [
    'an invoice',
    'sent',
    'invoices',
    makeSentInvoice,
    (id) => scene.call('notes_create', { subject_type: 'invoice', subject_id: id, body: 'Called' }),
  ],
  ['an invoice of which a part was paid', 'sent', 'invoices', makeSentInvoice, (id) => paid(id, '5')],
  [
    'a quote that was accepted',
    'sent',
    'quotes',
    makeSentQuote,
    (id) => scene.call('quotes_update', { id, status: 'accepted' }),
  ],
  [
    'a reminder of a visit with another title',
    'reminder',
    'jobs',
    bookJob,
    (id) => scene.call('jobs_update', { id, title: 'Sink' }),
  ],
  ['an answer about a visit that was canceled', 'reply', 'jobs', bookJob, (id) => scene.call('jobs_cancel', { id })],
]

const pressAgain = (id: string) => scene.browser.post(scene.at('outbox', id), { act: 'again' })

describe('a queued message', () => {
  for (const [what, cause, kind, make, meanwhile] of OVERTAKEN)
    it(`isn't sent: ${what}`, async () => {
      const record = await make()
      const { id } = await queue(cause, kind, record)
      await meanwhile(record)
      await work()
      assert.deepEqual(server.taken, [])
      assert.equal(await state(id), cause === 'reminder' ? 'cancelled' : 'failed')
      const page = await scene.browser.get(scene.at('outbox', id))
      assert.match(pageTextOf(page), /before it was sent/)
      assert.doesNotMatch(page.text, /value="again"/)
      assert.equal(
        page.text.includes(`href="${scene.at(kind, record, 'send')}"`),
        kind !== 'plans' && ['sent', 'reminder'].includes(cause),
      )
      assert.match(pageTextOf(await pressAgain(id)), /This message is out of date\. Write a new one\./)
    })

  for (const [what, cause, kind, make, meanwhile] of STILL_TRUE)
    it(`is sent: ${what}`, async () => {
      const record = await make()
      const { id } = await queue(cause, kind, record)
      await meanwhile(record)
      await work()
      assert.equal(server.taken.length, 1)
      assert.equal(await state(id), 'handed_over')
    })

  it("isn't sent after 15 minutes if it is an on-my-way message", async () => {
    const { id } = await queue('on_my_way', 'jobs', await bookJob())
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(
        sql`update outbox set created_at = moment() - interval '16 minutes' where tenant_id = ${scene.id} and id = ${id}`,
      ),
    )
    await work()
    assert.deepEqual(server.taken, [])
    assert.match(pageTextOf(await scene.browser.get(scene.at('outbox', id))), /Failed.*It was too late to send it/)
    assert.match(pageTextOf(await pressAgain(id)), /It’s too late to send this message\./)
  })
})

describe('a failed message', () => {
  const failMessage = async (id: string): Promise<unknown> =>
    writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(sql`update outbox set state = 'failed', reason = 'gave_up' where tenant_id = ${scene.id} and id = ${id}`),
    )

  it('can be resent only while its content is still true', async () => {
    const record = await makeSentQuote()
    const { id } = await queue('sent', 'quotes', record)
    await failMessage(id)
    const again = await pressAgain(id)
    assert.deepEqual([again.status, again.location === scene.at('outbox', id)], [303, false])
    await failMessage(again.location!.split('/').at(-1)!)
    await scene.call('quotes_update', { id: record, status: 'declined' })
    const refused = await pressAgain(id)
    assert.equal(refused.status, 422)
    assert.match(pageTextOf(refused), /This message is out of date\. Write a new one\./)
    assert.equal((await scene.listQueued()).filter(({ about_id }) => about_id === record).length, 2)
  })
})
