import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { fieldEvent } from '../harness/messaging/phones.ts'
import { startNotifying, type Notifying } from './scene.ts'

let set: Notifying
let tech: Awaited<ReturnType<Notifying['office']['signInMember']>>
let other: typeof tech
let phone: Awaited<ReturnType<Notifying['turnOn']>>
before(async () => {
  set = await startNotifying()
  tech = await set.office.signInMember('tech')
  other = await set.office.signInMember('tech')
  phone = await set.turnOn(tech, ['visits'])
})
after(() => set.stop())

const later = (hours: number): string => Temporal.Now.instant().add({ hours }).round('minute').toString()

describe('push notifications for a technician', () => {
  beforeEach(() => set.deliver())

  it('announce a new, moved, changed, canceled, assigned or unassigned visit, without its content', async () => {
    const steps: [string, () => Promise<unknown>][] = []
    const job = await set.book([tech.user_id])
    const [told] = await set.deliver()
    assert.deepEqual(told, {
      path: phone.path,
      message: { company: set.office.id, kind: 'visits' },
      topic: told?.topic,
      ttl: String(4 * 3600),
      urgency: 'high',
    })
    assert.match(String(told?.topic), /^[A-Za-z0-9_-]{1,32}$/)
    const update = (change: object) => () => set.office.call('jobs_update', { id: job.id, ...change })
    steps.push(
      ['moved', update({ scheduled_start: later(3) })],
      ['out of sight', update({ scheduled_start: later(200) })],
      ['back in sight', update({ scheduled_start: later(2) })],
      ['changed', update({ instructions: 'Bring the long ladder' })],
      ['taken', update({ assignees: [other.user_id] })],
      ['given', update({ assignees: [other.user_id, tech.user_id] })],
      ['canceled', () => set.office.call('jobs_cancel', { id: job.id, reason: 'Sold the house' })],
    )
    for (const [what, change] of steps) {
      await change()
      assert.equal((await set.deliver()).length, 1, what)
    }
    assert.equal(await set.waiting(), 0)
  })

  it("skip the technician's own changes, status steps, others' visits and days not on the phone", async () => {
    const job = await set.book([tech.user_id])
    await set.deliver()
    const did = await phone.phone.do(fieldEvent('status', job, { to: 'en_route' }))
    assert.equal(did.outcome, 'done')
    await set.office.call('jobs_update', { id: job.id, status: 'in_progress' })
    await set.book([other.user_id])
    await set.book([tech.user_id], { hours: 100 })
    await set.book([tech.user_id], { hours: -100, duration_minutes: 60 })
    assert.deepEqual(await set.deliver(), [])
    assert.equal(await set.waiting(), 0)
  })

  it('do not block a visit change while the browser is being removed', async () => {
    const leaving = await set.turnOn(tech, ['visits'])
    const { endpoint } = leaving.subscription
    await set.run(async (db) => {
      await db.run(sql`delete from push_devices where tenant_id = ${db.tenant} and endpoint = ${endpoint}`)
      await set.book([tech.user_id])
    })
    assert.equal((await set.deliver()).length, 1)
    assert.deepEqual([leaving.messages(), await set.waiting()], [[], 0])
  })

  it('are combined into one for several changes', async () => {
    for (let i = 0; i < 4; i++) await set.book([tech.user_id], { hours: 1 + i })
    assert.equal(await set.waiting(), 4)
    assert.equal((await set.deliver()).length, 1)
    assert.equal(await set.waiting(), 0)
  })

  it('are sent by a running worker', async (test) => {
    const worker = startWorker(set.service.database, pino({ level: 'silent' }), set.tasks)
    try {
      const count = phone.messages().length
      await set.book([tech.user_id])
      const begun = performance.now()
      while (phone.messages().length === count && performance.now() - begun < 60_000)
        await new Promise((resolve) => setTimeout(resolve, 50))
      test.diagnostic(`told after ${Math.round(performance.now() - begun)} ms`)
      assert.equal(phone.messages().length, count + 1)
    } finally {
      await worker.stop()
    }
  })
})

describe('push notifications for the office', () => {
  async function sentQuote() {
    const customer = await set.office.customer('Ana')
    const quote = await set.office.call('quotes_create', {
      customer_id: customer.id,
      title: 'Heater',
      line_items: [{ kind: 'product', name: 'Heater', quantity: 1, unit_price_cents: 100 }],
    })
    return set.office.call('quotes_update', { id: quote.id, status: 'sent' })
  }

  it('announce messages, accepted quotes and late technicians, to each by their chosen kinds', async () => {
    const owner = { user_id: set.office.owner.user_id, browser: set.office.browser }
    const all = await set.turnOn(owner, ['messages', 'quotes', 'late'])
    const clerk = await set.office.signInMember('office')
    const quotesOnly = await set.turnOn(clerk, ['quotes'])
    assert.deepEqual([all.answer.status, quotesOnly.answer.status], [200, 200])
    await set.deliver()

    await set.text()
    const [byCustomer, byOwner] = [await sentQuote(), await sentQuote()]
    await set.run((db) =>
      db.run(sql`update quotes set status = 'accepted', updated_by = null
        where tenant_id = ${db.tenant} and id = ${byCustomer.id}`),
    )
    await set.deliver()
    const kinds = (messages: unknown[]) => messages.map((one) => (one as { kind: string }).kind).sort()
    assert.deepEqual([kinds(all.messages()), kinds(quotesOnly.messages())], [['messages', 'quotes'], ['quotes']])
    await set.office.call('quotes_update', { id: byOwner.id, status: 'accepted' })
    const job = await set.book([tech.user_id])
    const late = await phone.phone.do(fieldEvent('late', job, { minutes: 20, tell_customers: false }))
    assert.equal(late.outcome, 'done')
    await set.deliver()
    assert.deepEqual(
      [kinds(all.messages()), kinds(quotesOnly.messages())],
      [
        ['late', 'messages', 'quotes'],
        ['quotes', 'quotes'],
      ],
    )
  })

  it('skip a message received three days ago', async () => {
    const before = await set.waiting()
    await set.run((db) =>
      db.run(sql`insert into communications (tenant_id, id, channel, direction, status, provider, sender, sender_address, recipients, occurred_at)
        values (${db.tenant}, ${newId()}, 'email', 'inbound', 'received', 'test', 'a', 'a@example.com', '{}', now() - interval '3 days')`),
    )
    assert.equal(await set.waiting(), before)
  })
})
