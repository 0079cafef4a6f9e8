import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { StaleAccess, readTenant, sql, writeTenant, type Database } from '../../../src/platform/db/tenant.ts'
import { findFreeSlots, type SlotSearch } from '../../../src/scheduling/availability.ts'
import { addExceptions, hoursOf, removeException, saveCompanyWeek } from '../../../src/scheduling/hours.ts'
import { DEFAULT_WEEK, readSpans } from '../../../src/scheduling/week.ts'
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

describe('working hours', () => {
  it('can be changed by owners and office members only, and every change is audited', async () => {
    const { company, tech, write, by } = await openCompany()
    const office = await company.member('office')
    await write((db) => saveCompanyWeek(db, DEFAULT_WEEK, { travel_minutes: 30 }, { user: office.id }))
    await assert.rejects(
      write((db) => saveCompanyWeek(db, DEFAULT_WEEK, { travel_minutes: 45 }, { user: tech.id })),
      StaleAccess,
    )
    await write((db) => addExceptions(db, null, { from: MONDAY, to: '2027-03-03', hours: [], note: null }, by))
    const { exceptions } = await write((db) => hoursOf(db, null, MONDAY))
    assert.deepEqual(
      exceptions.map(({ day }) => day),
      [MONDAY, '2027-03-02', '2027-03-03'],
    )
    await write((db) => removeException(db, null, exceptions[1]!.id, by))
    const audit = await write((db) =>
      db.all<{ changed: object }>(
        sql`select changed from audit where tenant_id = ${db.tenant} and tool = 'companies.set' order by id`,
      ),
    )
    assert.deepEqual(
      audit.map(({ changed }) => changed),
      [
        { travel_minutes: [15, 30] },
        { [`working_on ${MONDAY} to 2027-03-03`]: [null, 'off'] },
        { 'working_on 2027-03-02': ['off', null] },
      ],
    )
  })

  it('are rejected if incomplete, reversed or overlapping, with the day in the message', () => {
    assert.throws(() => readSpans([['08:00', '']], 'monday'), /monday needs a start and an end/)
    assert.throws(() => readSpans([['17:00', '08:00']], 'monday'), /monday must end after it starts/)
    assert.throws(
      () =>
        readSpans(
          [
            ['08:00', '12:00'],
            ['11:00', '13:00'],
          ],
          'friday',
        ),
      /friday has times that overlap/,
    )
    assert.throws(() => readSpans([['25:00', '26:00']], 'friday'), /friday needs a start and an end/)
    assert.deepEqual(
      readSpans(
        [
          ['22:00', '00:00'],
          ['', ''],
        ],
        'friday',
      ),
      [{ from: 1320, to: 1440 }],
    )
  })

  it("can't have exceptions with invalid, reversed or too many dates", async () => {
    const { write, by } = await openCompany()
    const off = (from: string, to: string) =>
      write((db) => addExceptions(db, null, { from, to, hours: [], note: null }, by))
    await assert.rejects(off('2027-02-30', '2027-03-01'), { code: 'invalid_input' })
    await assert.rejects(off('2027-03-02', '2027-03-01'), { code: 'invalid_input' })
    await assert.rejects(off('2027-03-01', '2028-03-01'), { code: 'invalid_input' })
  })
})
