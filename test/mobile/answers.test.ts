import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, type Office } from '../harness/identity/people_pages.ts'
import {
  ZONE,
  fieldEvent,
  clock,
  phoneOf,
  snapshotOf,
  listFieldEvents,
  today,
  type Phone,
} from '../harness/messaging/phones.ts'
import { startSite, newBrowser } from '../harness/web_client.ts'

let service: TestService
let office: Office
let luis: Phone
let ann: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing', ZONE)
  luis = await phoneFor(office)
  ann = await office.customer('Ann')
})
after(() => service.stop())

async function phoneFor(at: Office, areas?: Parameters<Office['signInMember']>[1]): Promise<Phone> {
  const { user_id, browser } = await at.signInMember('tech', areas)
  return phoneOf(service, at, user_id, browser)
}
const removeMember = (user: string): Promise<unknown> =>
  writeTenant(service.database, { tenant: office.id }, (db) =>
    db.run(sql`update members set deactivated_at = moment() where tenant_id = ${office.id} and user_id = ${user}`),
  )
const book = (more: object = {}): Promise<Result> =>
  office.call('jobs_create', {
    customer_id: ann.id,
    title: 'Leak',
    scheduled_start: `${today()}T09:00`,
    assignees: [luis.user],
    ...more,
  })
const change = (job: Result, given: object): Promise<Result> => office.call('jobs_update', { id: job.id, ...given })
const jobNow = (job: Result): Promise<Result> => office.call('jobs_get', { id: job.id })
const outcomes = ({ body }: { body: Result }): string[] => (body['acts'] as Result[]).map(({ outcome }) => outcome)

describe('a status event after an office change', () => {
  for (const [what, contradict] of [
    ['by another status', (job: Result) => change(job, { status: 'done' })],
    ['by another time', (job: Result) => change(job, { scheduled_start: `${today()}T15:00` })],
    ['by giving it to nobody', (job: Result) => change(job, { assignees: [] })],
    ['by canceling it', (job: Result) => office.call('jobs_cancel', { id: job.id })],
  ] as const)
    it(`${what} is a conflict, returns the visit as it is now, and writes nothing`, async () => {
      const job = await book()
      const start = fieldEvent('status', job, { to: 'in_progress' })
      await contradict(job)
      const now = await jobNow(job)
      const answer = await luis.do(start)
      assert.deepEqual(
        [answer.outcome, answer.now.id, answer.now.status, answer.now.scheduled_start, answer.now.updated_at],
        ['conflict', job.id, now.status, now.scheduled_start, now.updated_at],
      )
      assert.deepEqual(
        [(await jobNow(job)).updated_at, await listFieldEvents(service, office, job)],
        [now.updated_at, []],
      )
    })

  it('is applied once the user keeps it for the current version, even on a reassigned visit', async () => {
    const job = await book()
    const start = fieldEvent('status', job, { to: 'in_progress' })
    await change(job, { scheduled_start: `${today()}T15:00`, assignees: [] })
    assert.equal((await luis.do({ ...start, decided: 'mine' })).outcome, 'conflict')
    const { now } = await luis.do(start)
    assert.deepEqual(outcomes(await luis.send([{ ...start, decided: 'mine', seen: snapshotOf(now) }])), ['done'])
    assert.equal((await luis.do(start)).outcome, 'done')
    assert.equal((await jobNow(job)).status, 'in_progress')
  })

  it('is a conflict again after another office change, and cannot reopen a canceled visit', async () => {
    const job = await book()
    const start = fieldEvent('status', job, { to: 'in_progress' })
    const { now } = (await change(job, { status: 'on_hold' }), await luis.do(start))
    await office.call('jobs_cancel', { id: job.id })
    const again = { ...start, decided: 'mine', seen: snapshotOf(now) }
    const { outcome, now: after } = await luis.do(again)
    assert.deepEqual([outcome, after.status], ['conflict', 'cancelled'])
    const last = await luis.do({ ...again, seen: snapshotOf(after) })
    assert.deepEqual([last.outcome, last.code], ['refused', 'conflict'])
  })

  it("is applied when the office set the same status, or on another's visit that was seen as such", async () => {
    const job = await book()
    await change(job, { status: 'done' })
    assert.equal((await luis.do(fieldEvent('status', job, { to: 'done' }))).outcome, 'done')
    const other = await book({ assignees: [] })
    const seen = { ...snapshotOf(other), mine: false }
    assert.equal((await luis.do(fieldEvent('status', other, { to: 'en_route', seen }))).outcome, 'done')
  })

  it('holds back later status events on its visit, but no notes and no other visit', async () => {
    const [job, other] = [await book(), await book()]
    await change(job, { status: 'on_hold' })
    const acts = [
      fieldEvent('status', job, { to: 'in_progress' }),
      fieldEvent('note', job, { body: 'After' }),
      fieldEvent('note', other, { body: 'Elsewhere' }),
      fieldEvent('status', job, { to: 'done' }),
    ]
    const sent = await luis.send(acts)
    assert.deepEqual(outcomes(sent), ['conflict', 'done', 'done', 'waits'])
    assert.deepEqual(
      (sent.body['acts'] as Result[]).map(({ id }) => id),
      acts.map(({ id }) => id),
    )
    assert.deepEqual(
      (await listFieldEvents(service, office, job)).map(({ kind }) => kind),
      ['note'],
    )
  })
})

describe('an additive field event', () => {
  it('is accepted on a moved, reassigned or canceled visit; a part on those becomes a note', async () => {
    const item = await office.call('catalog_items_create', { kind: 'product', name: 'Valve', unit_price_cents: 2500 })
    const part = (job: Result): Result => fieldEvent('part', job, { catalog_item_id: item['id'], quantity: 2.5 })
    const [job, gone] = [await book(), await book()]
    const acts = [part(job), part(gone), fieldEvent('note', gone, { body: 'Was there' })]
    await change(job, { scheduled_start: `${today()}T15:00`, assignees: [] })
    await office.call('jobs_cancel', { id: gone.id })
    assert.deepEqual(outcomes(await luis.send(acts)), ['done', 'done', 'done'])
    assert.deepEqual(outcomes(await luis.send(acts)), ['done', 'done', 'done'])
    const [line, ...more] = (await jobNow(job)).line_items
    assert.deepEqual([line.name, line.quantity, more], ['Valve', 2.5, []])
    const { rows } = await office.call('notes_list', { subject_type: 'job', subject_id: gone.id })
    assert.deepEqual(
      (rows as Result[]).map(({ excerpt }) => excerpt),
      ['Was there', 'Used, though the visit was canceled: 2.5 × Valve'],
    )
  })

  it('is refused with an explanation for an unknown catalog item or an invalid quantity', async () => {
    const job = await book()
    const part = async (catalog_item_id: unknown, quantity: unknown): Promise<string> => {
      const { outcome, description } = await luis.do(fieldEvent('part', job, { catalog_item_id, quantity }))
      assert.equal(outcome, 'refused')
      return description
    }
    assert.match(await part(newId(), 1), /^This item isn’t in your catalog anymore\. Choose another one\.$/)
    assert.match(await part('valve', 1), /^Choose from the list\.$/)
    assert.match(await part(newId(), true), /^Enter a number, such as 2\.5\.$/)
  })
})

describe('a payment on site', () => {
  const invoiceOf = async (job: Result): Promise<Result> => {
    const { id } = await office.call('invoices_create', {
      customer_id: ann.id,
      job_ids: [job.id],
      line_items: [{ name: 'Repair', unit_price_cents: 12_000, quantity: 1 }],
    })
    return office.call('invoices_update', { id, status: 'sent' })
  }

  it('is recorded once for an invoice of the visit, with invoice permission only', async () => {
    const job = await book()
    const invoice = await invoiceOf(job)
    const pay = fieldEvent('payment', job, {
      invoice_id: invoice.id,
      amount_cents: 5_000,
      method: 'check',
      reference: '1042',
    })
    assert.equal((await luis.do(pay)).code, 'insufficient_scope')
    const mia = await phoneFor(office, { Invoices: 'edit' })
    const { invoices } = (await mia.day())['visits'].find(({ id }: Result) => id === job.id)
    const { id, display_number } = invoice
    assert.deepEqual(invoices, [
      { id, display_number, status: 'sent', total_cents: 12_000, due_cents: 12_000, receipt_to: null },
    ])
    const own = { ...pay, id: newId() }
    for (let i = 0; i < 2; i++) assert.equal((await mia.do(own)).outcome, 'done')
    assert.equal((await office.call('invoices_get', { id: invoice.id })).balance_due_cents, 7_000)
    const more = await mia.do({ ...own, id: newId(), amount_cents: 7_001 })
    assert.match(more.description, /^Enter at most \$70\.00, the amount that is still owed\.$/)
  })

  it("is refused for a void invoice, another customer's invoice or a zero amount", async () => {
    const job = await book()
    const mia = await phoneFor(office, { Invoices: 'edit' })
    const invoice = await invoiceOf(job)
    const bob = await office.customer('Bob')
    const his = await office.call('jobs_create', { customer_id: bob.id, title: 'Drain' })
    const pay = (on: Result, amount_cents: number): Promise<Result> =>
      mia.do(fieldEvent('payment', on, { invoice_id: invoice.id, amount_cents, method: 'cash' }))
    assert.match((await pay(his, 100)).description, /^Choose one of this customer’s invoices\./)
    assert.match((await pay(job, 0)).description, /^Enter a number above 0\.$/)
    await office.call('invoices_void', { id: invoice.id })
    const { outcome, description } = await pay(job, 100)
    assert.deepEqual([outcome, /void/.test(description)], ['refused', true])
  })
})

describe('a device clock', () => {
  for (const hours of [-9, 9])
    it(`that is off by ${hours} hours still gives the right time of an event`, async () => {
      const job = await book()
      const skew = { hours }
      const note = { ...fieldEvent('note', job, { body: 'Late' }), at: clock({ minutes: hours * 60 - 30 }) }
      const before = Temporal.Now.instant().subtract({ minutes: 30 }).subtract({ seconds: 1 })
      assert.deepEqual(outcomes(await luis.send([note], skew)), ['done'])
      const [taken] = await listFieldEvents(service, office, job)
      const after = Temporal.Now.instant().subtract({ minutes: 30 }).add({ seconds: 1 })
      assert.ok(before.toString() <= taken!.at && taken!.at <= after.toString(), taken!.at)
    })

  it('cannot date an event in the future, and an event older than 30 days is refused', async () => {
    const job = await book()
    const future = { ...fieldEvent('note', job, { body: 'Future' }), at: clock({ hours: 2 }) }
    assert.equal((await luis.do(future)).outcome, 'done')
    const [taken] = await listFieldEvents(service, office, job)
    assert.ok(Date.parse(taken!.at) <= Date.parse(taken!.taken_at))
    const old = await luis.do({ ...fieldEvent('note', job, { body: 'Old' }), at: clock({ hours: -24 * 31 }) })
    assert.match(old.description, /^This was done more than 30 days ago/)
    assert.equal(
      (await luis.do({ ...fieldEvent('note', job, { body: 'So' }), at: clock({ hours: -24 * 29 }) })).outcome,
      'done',
    )
    for (const at of ['2027-03-31T09:00', 'yesterday', '', 7])
      assert.equal((await luis.do({ ...fieldEvent('note', job, { body: 'When' }), at })).outcome, 'refused')
  })
})

describe('access from a phone', () => {
  it('returns a JSON error to a signed-out user or a removed member', async () => {
    const mia = await phoneFor(office)
    const job = await book()
    const stranger = phoneOf(service, office, mia.user, newBrowser(service))
    const readErrors = async (phone: Phone): Promise<[number, string][]> =>
      (
        await Promise.all([
          phone.ask('day.json'),
          phone.send([fieldEvent('note', job, { body: 'Hello' })]),
          phone.ask(`photos/${newId()}`),
          phone.ask(`photos/${newId()}?from=0`, { method: 'PUT', body: 'x' }),
        ])
      ).map(({ status, body }) => [status, body['error']])
    assert.deepEqual(
      await readErrors(stranger),
      Array.from({ length: 4 }, () => [401, 'signed_out']),
    )
    await removeMember(mia.user)
    const removed = await readErrors(mia)
    assert.deepEqual(
      removed,
      Array.from({ length: 4 }, () => [403, 'not_a_member']),
    )
    assert.deepEqual(await listFieldEvents(service, office, job), [])
  })

  it('shows the day to a read-only member, and refuses all their events', async () => {
    const ida = await phoneFor(office, { 'Jobs & scheduling': 'view', Notes: 'view' })
    const job = await book()
    const { may, catalog } = await ida.day()
    assert.deepEqual([Object.values(may), catalog], [Array(10).fill(false), []])
    for (const sent of [
      fieldEvent('status', job, { to: 'en_route', seen: { ...snapshotOf(job), mine: false } }),
      fieldEvent('note', job, { body: 'No' }),
    ]) {
      const { outcome, code } = await ida.do(sent)
      assert.deepEqual([outcome, code], ['refused', 'insufficient_scope'])
    }
    const nobody = await phoneFor(office, { 'Jobs & scheduling': 'none' })
    assert.deepEqual((await nobody.day())['visits'], [])
    assert.equal((await nobody.do(fieldEvent('note', job, { body: 'No' }))).code, 'insufficient_scope')
  })

  it('keeps two companies apart: each day has its own visits, and no event reaches the other', async () => {
    const other = await openOffice(service, 'Birch Heating')
    const [job, leo] = [await book(), await phoneFor(other)]
    const answer = await leo.do(fieldEvent('note', job, { body: 'From elsewhere' }))
    assert.deepEqual([answer.outcome, answer.code], ['refused', 'not_found'])
    assert.equal(answer.description, 'This isn’t here anymore. It may have been archived or deleted.')
    assert.deepEqual((await leo.day())['visits'], [])
    assert.deepEqual(await listFieldEvents(service, office, job), [])
    const elsewhere = phoneOf(service, other, luis.user, luis.browser)
    assert.equal((await elsewhere.ask('day.json')).status, 403)
  })

  it("requires JSON from the service's own pages, at most 256 KiB", async () => {
    const job = await book()
    const body = { user_id: luis.user, sent_at: clock(), acts: [fieldEvent('note', job, { body: 'x' })] }
    const large = { ...body, acts: [fieldEvent('note', job, { body: 'x'.repeat(257 * 1024) })] }
    const status = async (sent: object, headers: Record<string, string> = {}): Promise<number> =>
      (await luis.post(sent, headers)).status
    assert.equal(await status(large), 413)
    assert.equal(await status({ ...body, acts: [] }, { 'content-type': 'text/plain' }), 415)
    for (const wrong of [
      {},
      { ...body, acts: [] },
      { ...body, acts: [{}] },
      { ...body, user_id: 'me' },
      { ...body, sent_at: 'now' },
    ])
      assert.equal(await status(wrong), 422)
    assert.equal(await status(body, { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }), 403)
    const kind = await luis.do(fieldEvent('dance', job))
    assert.match(kind.description, /^This app is out of date\./)
    assert.equal((await luis.ask('acts')).status, 405)
    assert.equal((await luis.ask('day.json', { method: 'PUT', body: '{}' })).status, 405)
    assert.ok(pageTextOf({ text: JSON.stringify(await luis.day()) }).includes('Leak'))
  })
})
