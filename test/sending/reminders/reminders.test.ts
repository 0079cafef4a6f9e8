import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import type { Result } from '../../harness/harness.ts'
import { pageTextOf, submit } from '../../harness/identity/people_pages.ts'
import { CHANGE, YEAR, ZONE, march, openReminderScene, type ReminderScene } from './reminder_scene.ts'

let { service, begin, workAt, stop } = {} as ReminderScene
before(async () => void ({ service, begin, workAt, stop } = await openReminderScene()))
after(() => stop())

describe("reminders that aren't turned on", () => {
  it('send nothing', async () => {
    const { visitOn, makeSentInvoice, abouts, logPage } = await begin('Quiet Plumbing')
    await visitOn(march(3))
    await makeSentInvoice(march(1))
    await workAt(march(2), '18:00')
    assert.deepEqual(await abouts(), [])
    assert.match(await logPage(), /No reminders yet/)
  })
})

describe('a visit reminder', () => {
  it('is sent once, the day before at the configured hour', async () => {
    const { scene, visitOn, abouts, logPage } = await begin('Alder Plumbing', {
      visit_on_off: 'yes',
      visit_hour: '16',
      visit_channel: 'sms',
    })
    const { id } = await visitOn(march(3))
    await workAt(march(2), '15:59')
    assert.deepEqual(await abouts(), [])
    await workAt(march(2), '16:00')
    assert.deepEqual(await abouts(), [id])
    const [message] = await scene.listQueued()
    assert.deepEqual([message!.channel, message!.cause, message!.recipient], ['sms', 'reminder', '+16175550142'])
    assert.match(message!.body, /^Alder Plumbing: see you on \w+, March 3, between 9:00\sAM and 11:00\sAM, for Drain\./)
    for (const time of ['17:00', '18:00', '23:00']) await workAt(march(2), time)
    await workAt(march(3), '08:00')
    assert.deepEqual(await abouts(), [id])
    assert.match(
      await logPage(),
      /J-\d+ Dora Vance the day before the visit of Mar 3, \d{4} Waiting to be sent \(617\) 555-0142/,
    )
  })

  it('is sent again after a reschedule, and never for a visit that is canceled, started or past', async () => {
    const { scene, dora, visitOn, abouts } = await begin('Moving Plumbing', { visit_on_off: 'yes', visit_hour: '16' })
    const [moved, canceled, begun] = [await visitOn(march(3)), await visitOn(march(3)), await visitOn(march(3))]
    await scene.call('jobs_create', { customer_id: dora.id, title: 'Someday' })
    await scene.call('jobs_cancel', { id: canceled.id })
    await scene.call('jobs_update', { id: begun.id, status: 'in_progress' })
    await workAt(march(2), '16:00')
    await scene.call('jobs_update', { id: moved.id, scheduled_start: `${march(4).toString()}T09:00` })
    await workAt(march(3), '16:00')
    assert.deepEqual(await abouts(), [moved.id, moved.id])
    const late = await visitOn(march(6))
    await workAt(march(6), '09:30')
    assert.ok(!(await abouts()).includes(late.id))
  })

  it('is sent at the same local hour around a DST change', async () => {
    const { visitOn, abouts } = await begin('Spring Plumbing', { visit_on_off: 'yes', visit_hour: '16' })
    const [on, following] = [await visitOn(march(CHANGE)), await visitOn(march(CHANGE + 1))]
    await workAt(march(CHANGE - 1), '15:59')
    assert.deepEqual(await abouts(), [])
    await workAt(march(CHANGE - 1), '16:00')
    assert.deepEqual(await abouts(), [on.id])
    await workAt(march(CHANGE), '15:59')
    assert.deepEqual(await abouts(), [on.id])
    await workAt(march(CHANGE), '16:00')
    assert.deepEqual(await abouts(), [on.id, following.id])
  })
})

describe('an invoice reminder', () => {
  it('is sent at each step with its own template until the invoice is paid', async () => {
    const { scene, makeSentInvoice, subjects } = await begin('Birch Plumbing', {
      invoice_on_off: 'yes',
      invoice_hour: '10',
      invoice_before: '3',
      invoice_on: 'yes',
      invoice_after: ['7', '14', '30'],
    })
    const { id, display_number } = await makeSentInvoice(march(10))
    for (const day of [6, 7, 8, 10, 17, 24]) await workAt(march(day), '10:00')
    const due = `March 10, ${YEAR}`
    assert.deepEqual(await subjects(), [
      `Invoice ${display_number} is due ${due}`,
      `Invoice ${display_number} is due today`,
      `Invoice ${display_number} is past due`,
      `Second notice: invoice ${display_number} is past due`,
    ])
    await scene.call('invoices_update', { id, status: 'paid' })
    await workAt(march(10).add({ days: 30 }), '12:00')
    assert.equal((await subjects()).length, 4)
    const [first] = await scene.listQueued()
    assert.deepEqual(first!.attachments, [{ document: 'invoices', id }])
    assert.match(first!.body, /\/c\/[\w-]{22}/)
  })

  it("isn't sent for a draft, void, uncollectible or paid invoice", async () => {
    const { scene, dora, makeSentInvoice, abouts } = await begin('Cedar Plumbing', {
      invoice_on_off: 'yes',
      invoice_hour: '10',
      invoice_on: 'yes',
    })
    await scene.invoice(dora.id, { issue_date: march(1).toString(), due_date: march(9).toString() })
    for (const status of ['uncollectible', 'paid']) {
      const { id } = await makeSentInvoice(march(9))
      await scene.call('invoices_update', { id, status })
    }
    const { id } = await makeSentInvoice(march(9))
    await scene.call('invoices_void', { id })
    await workAt(march(9), '12:00')
    assert.deepEqual(await abouts(), [])
  })

  it('starts with the next step if the invoice was marked as sent after a step', async () => {
    const { scene, makeSentInvoice, abouts } = await begin('Brought Plumbing', {
      invoice_on_off: 'yes',
      invoice_hour: '10',
      invoice_after: ['3', '7'],
    })
    const { id } = await makeSentInvoice(march(1))
    // This step came due yesterday and would otherwise be sent late.
    const at = march(5).toZonedDateTime({ timeZone: ZONE, plainTime: '08:00' }).toInstant().toString()
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(sql`update invoices set sent_at = ${at} where tenant_id = ${db.tenant} and id = ${id}`),
    )
    await workAt(march(5), '12:00')
    assert.deepEqual(await abouts(), [])
    await workAt(march(8), '12:00')
    assert.deepEqual(await abouts(), [id])
  })

  it("isn't sent for steps from before it was turned on, or days after a worker outage", async () => {
    const { scene, makeSentInvoice, abouts } = await begin('Dogwood Plumbing', {})
    const today = Temporal.Now.plainDateISO(ZONE)
    await makeSentInvoice(today.subtract({ days: 7 }))
    await submit(scene.browser, scene.at('settings', 'reminders'), {
      invoice_on_off: 'yes',
      invoice_hour: '7',
      invoice_on: 'yes',
      invoice_after: ['7', '14'],
    })
    await makeSentInvoice(march(3))
    const late = await makeSentInvoice(march(8))
    await workAt(march(9), '08:00')
    assert.deepEqual(await abouts(), [late.id], 'a day late is made up for, six days are not')
    await workAt(march(15), '08:00')
    assert.deepEqual(await abouts(), [late.id, late.id])
  })
})

describe('a quote reminder', () => {
  it('is sent at the configured interval and number of times while the quote is open', async () => {
    const { scene, dora, abouts } = await begin('Elm Plumbing', {
      quote_on_off: 'yes',
      quote_hour: '10',
      quote_days: '4',
      quote_times: '2',
    })
    const valid_until = march(30).toString()
    const [{ id }, { id: accepted }] = (await Promise.all(
      [1, 2].map(() => scene.call('quotes_create', { customer_id: dora.id, title: 'Repipe', valid_until })),
    )) as [Result, Result]
    const { sent_at } = await scene.call('quotes_update', { id, status: 'sent' })
    await scene.call('quotes_update', { id: accepted, status: 'sent' })
    await scene.call('quotes_update', { id: accepted, status: 'accepted' })
    const sent = Temporal.Instant.from(sent_at).toZonedDateTimeISO(ZONE).toPlainDate()
    for (const days of [3, 4, 5, 8, 12]) await workAt(sent.add({ days }), '21:00')
    assert.deepEqual(await abouts(), [id, id])
  })
})

describe('a plan reminder', () => {
  it('is sent the configured number of days before the plan ends', async () => {
    const { scene, dora, subjects, abouts } = await begin('Fir Plumbing', {
      plan_on_off: 'yes',
      plan_hour: '10',
      plan_days: '14',
    })
    const { id } = await scene.call('plans_create', {
      customer_id: dora.id,
      name: 'Boiler care',
      cadence: 'monthly',
      start_date: march(1).toString(),
      end_date: march(28).toString(),
      auto_invoice: 'none',
      line_items: [{ name: 'Care', unit_price_cents: 2_000 }],
    })
    await workAt(march(14), '09:00')
    assert.deepEqual(await abouts(), [])
    await workAt(march(14), '10:00')
    assert.deepEqual(await abouts(), [id])
    assert.deepEqual(await subjects(), [`Your Boiler care ends March 28, ${YEAR}`])
  })
})

describe('concurrent reminder runs', () => {
  it('send a reminder once, and the log rejects a duplicate entry', async () => {
    const { scene, makeSentInvoice, abouts } = await begin('Juniper Plumbing', {
      invoice_on_off: 'yes',
      invoice_hour: '10',
      invoice_on: 'yes',
    })
    const { id } = await makeSentInvoice(march(26))
    await assert.rejects(
      writeTenant(service.database, { tenant: scene.id }, (db) =>
        db.run(sql`insert into reminders (tenant_id, id, kind, record_id, occasion, step, left_out)
          select tenant_id, gen_random_uuid(), 'invoice', id, due_date, 0, 'refused' from invoices i, generate_series(1, 2)
          where i.tenant_id = ${scene.id} and i.id = ${id}`),
      ),
      /reminders_once/,
    )
    await Promise.all([workAt(march(26), '10:00'), workAt(march(26), '10:00')])
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(sql`select ask_chore(${scene.id}, 'reminders')`),
    )
    await workAt(march(26), '10:30')
    assert.deepEqual(await abouts(), [id])
  })
})

describe('the reminder settings', () => {
  it('reject invalid days and hours', async () => {
    const { scene } = await begin('Kapok Plumbing', {})
    const page = scene.at('settings', 'reminders')
    for (const typed of [
      { visit_days: 'x' },
      { visit_days: '0' },
      { quote_days: '99999999' },
      { invoice_on: [], invoice_before: '', invoice_after: [] },
      { invoice_after: ['400'] },
      { plan_hour: '3' },
      { plan_hour: '-1' },
    ]) {
      const refused = await submit(scene.browser, page, typed)
      assert.equal(refused.status, 422, JSON.stringify(typed))
      assert.match(pageTextOf(refused), /That didn't work/)
    }
  })
})
