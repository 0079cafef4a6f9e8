import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { sweepField } from '../../src/mobile/sweeping.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, sendForm, type Office } from '../harness/identity/people_pages.ts'
import { ZONE, fieldEvent, clock, phoneOf, snapshotOf, today, type Phone } from '../harness/messaging/phones.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let luis: Phone
before(async () => {
  service = await startSite({ SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'office@alder.example' })
  office = await openOffice(service, 'Alder Plumbing', ZONE)
  const { user_id, browser } = await office.signInMember('tech')
  luis = phoneOf(service, office, user_id, browser)
})
after(() => service.stop())

const book = (customer: Result, at: string): Promise<Result> =>
  office.call('jobs_create', {
    customer_id: customer.id,
    title: `At ${at}`,
    scheduled_start: `${today()}T${at}`,
    assignees: [luis.user],
  })
const readOutbox = (): Promise<Result[]> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all<Result>(sql`select o.recipient, o.cause, m.body from outbox o join communications m on m.tenant_id = o.tenant_id and m.id = o.id
      where o.tenant_id = ${office.id} order by o.created_at, o.id`),
  )

describe('running late', () => {
  it('notifies the office, and each upcoming customer once where the company allows it', async () => {
    const people = await Promise.all(
      ['ann', 'bob', 'cat', 'dan'].map((name) => office.customer(name, { email: `${name}@example.com` })),
    )
    const [ann, bob, cat, dan] = people as [Result, Result, Result, Result]
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`update contacts set email_opt_out = true where tenant_id = ${office.id} and customer_id = ${cat.id}`),
    )
    await book(dan, '07:00')
    const here = await book(ann, '09:00')
    for (const [one, at] of [
      [bob, '11:00'],
      [cat, '13:00'],
    ] as const)
      await book(one, at)
    await office.call('jobs_update', { id: here.id, status: 'in_progress' })
    const late = (more: object = {}): Result => fieldEvent('late', here, { minutes: 30, tell_customers: true, ...more })

    assert.equal((await luis.do(late({ tell_customers: false }))).outcome, 'done')
    assert.equal((await luis.do(late())).outcome, 'done')
    assert.deepEqual(await readOutbox(), [])
    const settings = office.at('settings', 'messages')
    await sendForm(office.browser, settings, [
      ['about', 'delays'],
      ['late_customers', 'yes'],
    ])
    assert.match(pageTextOf(await office.browser.get(settings)), /Let technicians notify the next customers/)

    const again = late()
    for (let i = 0; i < 2; i++) assert.equal((await luis.do(again)).outcome, 'done')
    assert.equal((await luis.do(late({ minutes: 45 }))).outcome, 'done')
    const [one, ...more] = await readOutbox()
    assert.deepEqual([one!.recipient, one!.cause, more], ['bob@example.com', 'late', []])
    assert.match(one!.body, /We are running late and expect to be with you about 30 minutes later/)
    const home = pageTextOf(await office.browser.get(office.at()))
    assert.match(home, /Running late/)
    assert.match(home, /About 45 minutes/)
    assert.ok((await office.entries(here.id)).filter(({ tool }) => tool === 'jobs.late').length === 4)
    assert.match(pageTextOf(await office.browser.get(office.at('jobs', here.id))), /said they run late/)
  })

  it('is refused for an invalid number of minutes, on another day or without permission', async () => {
    const ann = await office.customer('Ann')
    const here = await book(ann, '09:00')
    for (const minutes of [4, 481, 1.5, 'some'])
      assert.match(
        (await luis.do(fieldEvent('late', here, { minutes, tell_customers: false }))).description,
        /^Enter a whole number from 5 to 480\.$/,
      )
    const old = { ...fieldEvent('late', here, { minutes: 30, tell_customers: false }), at: clock({ hours: -48 }) }
    assert.equal((await luis.do(old)).code, 'conflict')
    const seen = { ...snapshotOf(here), mine: false }
    const ida = await office.signInMember('tech', { 'Jobs & scheduling': 'view' })
    const phone = phoneOf(service, office, ida.user_id, ida.browser)
    const refused = await phone.do(fieldEvent('late', here, { minutes: 30, tell_customers: false, seen }))
    assert.equal(refused.code, 'insufficient_scope')
  })
})

describe('the cleanup of phone data', () => {
  it('deletes upload pieces after 7 days and event ids after 90', async () => {
    const ann = await office.customer('Ann')
    const job = await book(ann, '09:00')
    await luis.do(fieldEvent('note', job, { body: 'Kept' }))
    await luis.ask(`photos/${newId()}?from=0`, { method: 'PUT', body: 'x' })
    const counts = (): Promise<Result> =>
      readTenant(service.database, { tenant: office.id }, (db) =>
        db.one<Result>(sql`select (select count(*) from field_acts where tenant_id = ${office.id} and job_id = ${job.id}) as acts,
          (select count(*) from field_pieces where tenant_id = ${office.id}) as pieces`),
      )
    const sweep = (days: number): Promise<number> =>
      writeTenant(service.database, { tenant: office.id }, (db) =>
        sweepField(db, Temporal.Now.instant().add({ hours: 24 * days, minutes: 1 }), 10),
      )
    await sweep(6)
    assert.deepEqual(await counts(), { acts: 1, pieces: 1 })
    await sweep(7)
    assert.deepEqual(await counts(), { acts: 1, pieces: 0 })
    await sweep(90)
    assert.deepEqual(await counts(), { acts: 0, pieces: 0 })
  })
})
