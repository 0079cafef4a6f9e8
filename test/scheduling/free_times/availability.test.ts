import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, writeTenant, type Database } from '../../../src/platform/db/tenant.ts'
import { findFreeSlots, type SlotSearch } from '../../../src/scheduling/availability.ts'
import { addExceptions, hoursOf, saveCompanyWeek, saveMemberWeek } from '../../../src/scheduling/hours.ts'
import { saveDrives } from '../../../src/scheduling/travel/travel_times.ts'
import { DEFAULT_WEEK, readSpans, type WorkWeek } from '../../../src/scheduling/week.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'

const ZONE = 'America/New_York'
/** Monday with no bookings except the tests' own. */
const MONDAY = '2027-03-01'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

/** Makes a company with one technician, and helpers to book and search there. */
async function openCompany() {
  const company: Company = await makeCompany(service)
  const tech = await company.member('tech')
  const customer = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ann' })
  const book = (start: string, more: object = {}): Promise<Result> =>
    company.call('jobs_create', {
      customer_id: customer.id,
      title: 'Visit',
      scheduled_start: start,
      duration_minutes: 60,
      assignees: [tech.id],
      ...more,
    })
  const free = async (
    minutes: number,
    at: string,
    more: Partial<SlotSearch> = {},
    database: Database = service.database,
  ) =>
    readTenant(database, { tenant: company.tenant }, (db) =>
      findFreeSlots(db, ZONE, {
        minutes,
        from: Temporal.PlainDateTime.from(at).toZonedDateTime(ZONE).toInstant(),
        limit: 2,
        ...more,
      }),
    )
  const slots = async (minutes: number, at: string, more: Partial<SlotSearch> = {}): Promise<string[]> =>
    (await free(minutes, at, more))[0]!.slots.map(({ start }) =>
      Temporal.Instant.from(start).toZonedDateTimeISO(ZONE).toPlainDateTime().toString({ smallestUnit: 'minute' }),
    )
  const write = <T>(work: Parameters<typeof writeTenant<T>>[2]) =>
    writeTenant(service.database, { tenant: company.tenant }, work)
  const address = async (position: object): Promise<string> => {
    const location = { customer_id: customer.id, address_line1: '1 Main St', ...position }
    return String((await company.call('locations_create', location)).id)
  }
  return { company, tech, book, free, slots, write, address, by: { user: company.owner.id } }
}

const [HOME, NEAR] = [
  { latitude: 40.7, longitude: -74 },
  { latitude: 40.75, longitude: -74 },
]

const at = async (address: (position: object) => Promise<string>, position: object) => ({
  location_id: await address(position),
})

describe('the next free times', () => {
  it('are within 8:00 to 17:00 on weekdays and start on a quarter hour', async () => {
    const { slots } = await openCompany()
    assert.deepEqual(await slots(120, `${MONDAY}T08:03`), [`${MONDAY}T08:15`, `${MONDAY}T10:15`])
    assert.deepEqual(await slots(120, '2027-03-05T15:01'), ['2027-03-08T08:00', '2027-03-08T10:00'])
    assert.deepEqual(await slots(600, MONDAY + 'T08:00'), [])
  })

  it('exclude open visits with 15 minutes of travel, but not completed or canceled ones', async () => {
    const { book, slots, company } = await openCompany()
    const visit = await book(`${MONDAY}T10:00`)
    assert.deepEqual(await slots(120, `${MONDAY}T08:00`), [`${MONDAY}T11:15`, `${MONDAY}T13:15`])
    assert.deepEqual(await slots(105, `${MONDAY}T08:00`), [`${MONDAY}T08:00`, `${MONDAY}T11:15`])
    for (const status of ['en_route', 'in_progress', 'on_hold']) {
      await company.call('jobs_update', { id: visit.id, status })
      assert.deepEqual(await slots(120, `${MONDAY}T08:00`), [`${MONDAY}T11:15`, `${MONDAY}T13:15`], status)
    }
    await company.call('jobs_update', { id: visit.id, status: 'done' })
    assert.deepEqual(await slots(120, `${MONDAY}T08:00`), [`${MONDAY}T08:00`, `${MONDAY}T10:00`])
    const other = await book(`${MONDAY}T08:00`)
    await company.call('jobs_cancel', { id: other.id })
    assert.deepEqual(await slots(120, `${MONDAY}T08:00`), [`${MONDAY}T08:00`, `${MONDAY}T10:00`])
  })

  it('exclude all-day visits and visits that span several days', async () => {
    const { book, slots } = await openCompany()
    await book(`${MONDAY}T00:00`, { all_day: true })
    await book('2027-03-02T09:00', { duration_minutes: 2 * 1440 })
    assert.deepEqual(await slots(30, `${MONDAY}T08:00`), ['2027-03-02T08:00', '2027-03-04T09:15'])
  })

  it("follow the member's hours and days off first, then the company's", async () => {
    const { slots, write, tech, by } = await openCompany()
    const split: WorkWeek = DEFAULT_WEEK.map((_, i) =>
      i === 0
        ? readSpans(
            [
              ['07:00', '09:00'],
              ['13:00', '15:00'],
            ],
            'monday',
          )
        : [],
    )
    await write((db) => saveCompanyWeek(db, split, { travel_minutes: 0 }, by))
    assert.deepEqual(await slots(120, `${MONDAY}T00:00`), [`${MONDAY}T07:00`, `${MONDAY}T13:00`])
    await write((db) => addExceptions(db, null, { from: MONDAY, to: MONDAY, hours: [], note: 'Holiday' }, by))
    assert.deepEqual(await slots(120, `${MONDAY}T00:00`), ['2027-03-08T07:00', '2027-03-08T13:00'])
    await write((db) =>
      addExceptions(db, tech.id, { from: MONDAY, to: MONDAY, hours: [{ from: 600, to: 720 }], note: null }, by),
    )
    assert.deepEqual(await slots(120, `${MONDAY}T00:00`), [`${MONDAY}T10:00`, '2027-03-08T07:00'])
    await write((db) =>
      saveMemberWeek(
        db,
        tech.id,
        DEFAULT_WEEK.map((_, i) => (i === 6 ? [{ from: 0, to: 1440 }] : [])),
        by,
      ),
    )
    assert.deepEqual(await slots(120, `${MONDAY}T12:00`), ['2027-03-07T00:00', '2027-03-07T02:00'])
    const { exceptions } = await readTenant(service.database, { tenant: (await openCompany()).company.tenant }, (db) =>
      hoursOf(db, null, '2027-01-01'),
    )
    assert.deepEqual(exceptions, [])
  })

  it('are correct in the nights of a DST change', async () => {
    const { slots, write, by } = await openCompany()
    const nights = DEFAULT_WEEK.map((_, i) => (i === 6 ? [{ from: 60, to: 240 }] : []))
    await write((db) => saveCompanyWeek(db, nights, { travel_minutes: 0 }, by))
    assert.deepEqual(await slots(120, '2027-03-14T00:00'), ['2027-03-14T01:00', '2027-03-21T01:00'])
    assert.deepEqual(await slots(240, '2027-11-07T00:00'), ['2027-11-07T01:00'])
  })

  it('are for technicians and members with their own hours, or for everyone if there are none', async () => {
    const { company, free, write, by } = await openCompany()
    const office = await company.member('office')
    assert.deepEqual(
      (await free(60, `${MONDAY}T08:00`)).map(({ name }) => name),
      ['Test tech'],
    )
    await write((db) => saveMemberWeek(db, office.id, DEFAULT_WEEK, by))
    assert.deepEqual(
      (await free(60, `${MONDAY}T08:00`)).map(({ name }) => name),
      ['Test tech', 'Test office'],
    )
    const alone = await makeCompany(service)
    const found = await readTenant(service.database, { tenant: alone.tenant }, (db) =>
      findFreeSlots(db, ZONE, { minutes: 60 }),
    )
    assert.deepEqual(
      found.map(({ name }) => name),
      ['Test owner'],
    )
  })

  it('take one query round trip, two with a place, and up to three with routed drives', async () => {
    const { free, book, address, write } = await openCompany()
    let sent = 0
    const counting: Database = {
      ...service.database,
      send: (statements, options) => (sent++, service.database.send(statements, options)),
    }
    await free(60, `${MONDAY}T08:00`, {}, counting)
    assert.equal(sent, 1)
    const place = { location: await address(NEAR) }
    await book(`${MONDAY}T10:00`, await at(address, HOME))
    await free(60, `${MONDAY}T08:00`, { place }, counting)
    assert.equal(sent, 2)
    await write((db) =>
      saveDrives(
        db,
        [HOME, NEAR],
        [
          [0, 7],
          [8, 0],
        ],
      ),
    )
    await free(60, `${MONDAY}T08:00`, { place }, counting)
    assert.equal(sent, 4)
    await book(`${MONDAY}T15:00`, await at(address, HOME))
    await free(60, `${MONDAY}T08:00`, { place }, counting)
    assert.equal(sent, 7)
  })
})
