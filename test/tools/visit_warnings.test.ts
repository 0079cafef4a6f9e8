import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { writeTenant, type Db } from '../../src/platform/db/tenant.ts'
import { addExceptions, saveMemberWeek } from '../../src/scheduling/hours.ts'
import { DEFAULT_WEEK } from '../../src/scheduling/week.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

/** Warnings about the time of a visit (docs/spec/scheduling.md#visit-warnings). */
let service: TestService
let company: Company
let customer_id: string
let by: { user: string }
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  const made = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  customer_id = made['id']
  by = { user: (await company.member('owner')).id }
})
after(() => service.stop())

const TUESDAY = '2027-03-02'
const write = (work: (db: Db) => Promise<void>): Promise<void> =>
  writeTenant(service.database, { tenant: company.tenant }, work)
const takeOff = (user: string | null, day: string, note: string | null = null, to = day): Promise<void> =>
  write((db) => addExceptions(db, user, { from: day, to, hours: [], note }, by))
const warningsOf = (record: Result): string[] => record['warnings'] ?? []
const book = (more: object): Promise<Result> =>
  company.call('jobs_create', { customer_id, title: 'Roof', duration_minutes: 60, ...more })
const bookWarned = async (more: object): Promise<string[]> => warningsOf(await book(more))
const tech = async (): Promise<string> => (await company.member('tech')).id

describe('a visit while a member is off', () => {
  it('warns when it is created, moved, assigned or reopened, but not on unrelated changes', async () => {
    const who = await tech()
    await takeOff(who, TUESDAY)
    const off = [`Test tech has time off on ${TUESDAY}`]
    assert.deepEqual(await bookWarned({ scheduled_start: `${TUESDAY}T09:00`, assignees: [who] }), off)
    const job = await book({ scheduled_start: '2027-03-03T09:00', assignees: [who] })
    assert.deepEqual(warningsOf(job), [])
    const update = async (change: object) => warningsOf(await company.call('jobs_update', { id: job['id'], ...change }))
    assert.deepEqual(await update({ scheduled_start: `${TUESDAY}T11:00` }), off)
    assert.deepEqual(await update({ title: 'Gutter' }), [])
    assert.deepEqual(await update({ assignees: [] }), [])
    assert.deepEqual(await update({ assignees: [who] }), off)
    assert.deepEqual(await update({ status: 'done' }), [])
    assert.deepEqual(await update({ status: 'scheduled' }), off)
    assert.deepEqual(await update({ status: 'unscheduled' }), [])
  })

  it('warns for any day it covers, all-day visits included, but not for the day after', async () => {
    const who = await tech()
    await takeOff(who, '2027-03-04')
    const off = ['Test tech has time off on 2027-03-04']
    const given = { assignees: [who] }
    assert.deepEqual(await bookWarned({ ...given, scheduled_start: '2027-03-03T09:00', duration_minutes: 3360 }), off)
    const wholeDays = { ...given, all_day: true, scheduled_start: '2027-03-03T00:00' }
    assert.deepEqual(await bookWarned({ ...wholeDays, duration_minutes: 2880 }), off)
    const job = await book({ ...wholeDays, duration_minutes: 1440 })
    assert.deepEqual(warningsOf(job), [])
    assert.deepEqual(warningsOf(await company.call('jobs_update', { id: job['id'], title: 'Gutter' })), [])
  })

  it('warns of a company holiday unless the assignee has own hours that day', async () => {
    const [one, two, three] = [await tech(), await tech(), await tech()]
    await takeOff(null, '2027-12-24', 'Christmas» ask nobody')
    const holiday = ['the company is closed on 2027-12-24 («Christmas› ask nobody»)']
    const visit = { scheduled_start: '2027-12-24T09:00' }
    assert.deepEqual(await bookWarned({ ...visit, assignees: [one, two] }), holiday)
    assert.deepEqual(await bookWarned(visit), holiday)
    await write((db) =>
      addExceptions(
        db,
        three,
        { from: '2027-12-24', to: '2027-12-24', hours: [{ from: 480, to: 720 }], note: null },
        by,
      ),
    )
    assert.deepEqual(await bookWarned({ ...visit, assignees: [three] }), [])
    assert.deepEqual(await bookWarned({ scheduled_start: '2027-12-24T13:00', assignees: [three] }), [
      'outside the working hours of Test tech: 2027-12-24 08:00 to 12:00, local time',
    ])
  })

  it('warns by name for at most three members', async () => {
    const people = [await tech(), await tech(), await tech(), await tech()]
    for (const who of people) {
      await write((db) =>
        saveMemberWeek(
          db,
          who,
          DEFAULT_WEEK.map((_, i) => (i === 0 ? [] : [{ from: 480, to: 540 + people.indexOf(who) }])),
          by,
        ),
      )
    }
    const warnings = await bookWarned({ scheduled_start: `${TUESDAY}T15:00`, assignees: people })
    assert.equal(warnings.length, 4)
    assert.match(warnings[3]!, /^other people don't work at that time either/)
  })
})

describe('a visit at an unusual time', () => {
  it('warns when its start or end is outside working hours, to the minute', async () => {
    const outside = [`outside the working hours of Test tech: ${TUESDAY} 08:00 to 17:00, local time`]
    const at = async (time: string, more: object = {}) =>
      bookWarned({ scheduled_start: `${TUESDAY}T${time}`, assignees: [await tech()], ...more })
    assert.deepEqual(await at('07:59'), outside)
    assert.deepEqual(await at('08:00'), [])
    assert.deepEqual(await at('16:00'), [])
    assert.deepEqual(await at('16:01', { duration_minutes: 60, assignees: [] }), [
      `outside the company's working hours: ${TUESDAY} 08:00 to 17:00, local time`,
    ])
    assert.deepEqual(await at('22:00', { duration_minutes: 300, assignees: [] }), [
      `outside the company's working hours: ${TUESDAY} 08:00 to 17:00, local time`,
    ])
  })

  it('warns for a day without working hours, all-day visits included', async () => {
    const who = await tech()
    const sunday = ['Test tech does not work on 2027-03-07']
    assert.deepEqual(await bookWarned({ scheduled_start: '2027-03-07T10:00', assignees: [who] }), sunday)
    const whole = { all_day: true, duration_minutes: 1440, assignees: [who] }
    assert.deepEqual(await bookWarned({ ...whole, scheduled_start: '2027-03-07T00:00' }), sunday)
    assert.deepEqual(await bookWarned({ ...whole, scheduled_start: '2027-03-08T00:00' }), [])
    assert.deepEqual(await bookWarned({ scheduled_start: '2027-03-07T10:00' }), [
      'the company does not work on 2027-03-07',
    ])
  })

  it('warns in the past, but not for today and not for work in progress', async () => {
    const past = ['the visit is in the past: 2026-05-12 09:00, local time']
    const job = await book({ scheduled_start: '2026-05-12T09:00' })
    assert.deepEqual(warningsOf(job), past)
    const { id } = await book({ scheduled_start: '2027-05-11T09:00' })
    assert.deepEqual(warningsOf(await company.call('jobs_update', { id, scheduled_start: '2026-05-12T09:00' })), past)
    assert.deepEqual(warningsOf(await company.call('jobs_update', { id, title: 'Gutter' })), [])
    const under = { id, scheduled_start: '2026-05-12T10:00', status: 'in_progress' }
    assert.deepEqual(warningsOf(await company.call('jobs_update', under)), [])
    const whole = { all_day: true, duration_minutes: 1440 }
    const today = Temporal.Now.plainDateISO('America/New_York')
    const isPast = async (day: Temporal.PlainDate) =>
      (await bookWarned({ ...whole, scheduled_start: `${day.toString()}T00:00` })).some((one) => one.includes('past'))
    assert.equal(await isPast(today), false)
    assert.equal(await isPast(today.subtract({ days: 1 })), true)
  })
})
