import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { StaleAccess, readTenant, sql, writeTenant, type Database } from '../../src/platform/db/tenant.ts'
import { freeSlots, requireFree, type FreeMember, type SlotSearch } from '../../src/scheduling/availability.ts'
import { addExceptions, hoursOf, removeException, saveCompanyWeek, saveMemberWeek } from '../../src/scheduling/hours.ts'
import { estimateMinutes } from '../../src/scheduling/travel/estimate.ts'
import { saveDrives } from '../../src/scheduling/travel/travel_times.ts'
import { DEFAULT_WEEK, readSpans, type WorkWeek } from '../../src/scheduling/week.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

const ZONE = 'America/New_York'
/** Monday with no bookings but the tests' own. */
const MONDAY = '2027-03-01'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

/** Makes a company with one technician, and how to book and ask there. */
async function opened() {
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
      freeSlots(db, ZONE, {
        minutes,
        from: Temporal.PlainDateTime.from(at).toZonedDateTime(ZONE).toInstant(),
        most: 2,
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

describe('the next free times', () => {
  it('lie in the usual week from 8 to 17, start at a quarter of an hour, and go on after the weekend', async () => {
    const { slots } = await opened()
    assert.deepEqual(await slots(120, `${MONDAY}T08:03`), [`${MONDAY}T08:15`, `${MONDAY}T10:15`])
    assert.deepEqual(await slots(120, '2027-03-05T15:01'), ['2027-03-08T08:00', '2027-03-08T10:00'])
    assert.deepEqual(await slots(600, MONDAY + 'T08:00'), [])
  })

  it('leave what is open on the schedule, with a quarter of an hour for the way, and take what is done or cancelled', async () => {
    const { book, slots, company } = await opened()
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

  it('leave the whole days of a visit at any time, and one that began days ago', async () => {
    const { book, slots } = await opened()
    await book(`${MONDAY}T00:00`, { all_day: true })
    await book('2027-03-02T09:00', { duration_minutes: 2 * 1440 })
    assert.deepEqual(await slots(30, `${MONDAY}T08:00`), ['2027-03-02T08:00', '2027-03-04T09:15'])
  })

  it("follow the company's week, a member's own, and days off of either, the nearest word first", async () => {
    const { slots, write, tech, by } = await opened()
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
    await write((db) => saveCompanyWeek(db, split, 0, by))
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
    const { exceptions } = await readTenant(service.database, { tenant: (await opened()).company.tenant }, (db) =>
      hoursOf(db, null, '2027-01-01'),
    )
    assert.deepEqual(exceptions, [])
  })

  it('keep to the clocks on the night they change', async () => {
    const { slots, write, by } = await opened()
    const nights = DEFAULT_WEEK.map((_, i) => (i === 6 ? [{ from: 60, to: 240 }] : []))
    await write((db) => saveCompanyWeek(db, nights, 0, by))
    assert.deepEqual(await slots(120, '2027-03-14T00:00'), ['2027-03-14T01:00', '2027-03-21T01:00'])
    assert.deepEqual(await slots(240, '2027-11-07T00:00'), ['2027-11-07T01:00'])
  })

  it('are of technicians, of whoever has hours of their own, and of everybody where there is neither', async () => {
    const { company, free, write, by } = await opened()
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
      freeSlots(db, ZONE, { minutes: 60 }),
    )
    assert.deepEqual(
      found.map(({ name }) => name),
      ['Test owner'],
    )
  })

  it('are read in one round trip, and in two where a routing server gave drives', async () => {
    const { free, book, address, write } = await opened()
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
  })
})

const [HOME, NEAR, FAR] = [
  { latitude: 40.7, longitude: -74 },
  { latitude: 40.75, longitude: -74 },
  { latitude: 41.2, longitude: -74 },
]

const at = async (address: (position: object) => Promise<string>, position: object) => ({
  location_id: await address(position),
})

describe('free times at a place', () => {
  const shortOf = (found: FreeMember[]) =>
    found[0]!.slots.map(({ start, driving }) => [
      Temporal.Instant.from(start).toZonedDateTimeISO(ZONE).toPlainTime().toString({ smallestUnit: 'minute' }),
      driving,
    ])

  it('keep the drives free, rounded up to five minutes, and tell what a visit adds', async () => {
    const { book, free, address } = await opened()
    await book(`${MONDAY}T10:00`, await at(address, HOME))
    const drive = Math.ceil(estimateMinutes(HOME, FAR) / 5) * 5
    assert.ok(drive > 60 && drive < 120, String(drive))
    const far = await free(60, `${MONDAY}T08:00`, { place: { location: await address(FAR) }, most: 1 })
    const first = Temporal.PlainTime.from('11:00').add({ minutes: Math.ceil(drive / 15) * 15 })
    assert.deepEqual(shortOf(far), [[first.toString({ smallestUnit: 'minute' }), { minutes: drive, isEstimate: true }]])
    const beside = await free(60, `${MONDAY}T08:00`, { place: { location: await address(HOME) } })
    assert.deepEqual(shortOf(beside), [
      ['08:00', { minutes: 0, isEstimate: true }],
      ['09:00', { minutes: 0, isEstimate: true }],
    ])
  })

  it('go by what a routing server gave, each way by its own', async () => {
    const { book, free, address, write } = await opened()
    await book(`${MONDAY}T10:00`, await at(address, HOME))
    await write((db) =>
      saveDrives(
        db,
        [HOME, NEAR],
        [
          [0, 41],
          [22, 0],
        ],
      ),
    )
    const place = { location: await address(NEAR) }
    const times = async (minutes: number, from: string) =>
      shortOf(await free(minutes, `${MONDAY}T${from}`, { place, most: 1 }))
    assert.deepEqual(await times(90, '08:00'), [['08:00', { minutes: 25, isEstimate: false }]])
    assert.deepEqual(await times(105, '08:00'), [['11:45', { minutes: 45, isEstimate: false }]])
  })

  it('add only the detour between two visits', async () => {
    const { book, free, address } = await opened()
    await book(`${MONDAY}T08:00`, await at(address, HOME))
    await book(`${MONDAY}T15:00`, await at(address, FAR))
    const place = { location: await address(NEAR) }
    const [slot] = (await free(60, `${MONDAY}T08:00`, { place }))[0]!.slots
    const detour = estimateMinutes(HOME, NEAR) + estimateMinutes(NEAR, FAR) - estimateMinutes(HOME, FAR)
    assert.deepEqual(slot!.driving, { minutes: Math.ceil(detour / 5) * 5, isEstimate: true })
  })

  it('are those of the ZIP code of an address, and of the fixed travel time where a place is not known', async () => {
    const { book, free, address } = await opened()
    await book(`${MONDAY}T10:00`, await at(address, { postal_code: '10001' }))
    const zip = (postal_code: string) => ({ place: { address: { postal_code, country: 'US' } }, most: 1 })
    assert.deepEqual(shortOf(await free(120, `${MONDAY}T08:00`, zip('10001'))), [
      ['08:00', { minutes: 0, isEstimate: true }],
    ])
    assert.deepEqual(shortOf(await free(120, `${MONDAY}T08:00`, zip('00000'))), [['11:15', undefined]])
    const { book: elsewhere, free: freeThere, address: addressThere } = await opened()
    await elsewhere(`${MONDAY}T10:00`, await at(addressThere, {}))
    assert.deepEqual(shortOf(await freeThere(120, `${MONDAY}T08:00`, zip('10001'))), [
      ['11:15', { minutes: 15, isEstimate: true }],
    ])
  })

  it('have no driving on a day without another visit, nor of the day before', async () => {
    const { book, free, address } = await opened()
    await book(`${MONDAY}T16:00`, await at(address, HOME))
    const place = { location: await address(FAR) }
    assert.deepEqual(shortOf(await free(60, '2027-03-02T08:00', { place, most: 1 })), [['08:00', undefined]])
  })

  it('count the drive to a time that is held before a later visit', async () => {
    const { book, free, address, write, tech } = await opened()
    await book(`${MONDAY}T15:00`, await at(address, FAR))
    const place = { location: await address(HOME) }
    const driving = async () => shortOf(await free(60, `${MONDAY}T08:00`, { place, most: 1 }))[0]![1]
    const toVisit = Math.ceil(estimateMinutes(HOME, FAR) / 5) * 5
    assert.deepEqual(await driving(), { minutes: toVisit, isEstimate: true })
    await write((db) =>
      db.run(sql`insert into booking_holds (tenant_id, id, user_id, starts_at, ends_at, expires_at)
        values (${db.tenant}, gen_random_uuid(), ${tech.id}, ${`${MONDAY}T17:00:00Z`}, ${`${MONDAY}T18:00:00Z`},
          moment() + interval '10 minutes')`),
    )
    assert.deepEqual(await driving(), { minutes: 15, isEstimate: true })
  })

  it("leave another company's locations unknown", async () => {
    const { book, free, address } = await opened()
    await book(`${MONDAY}T10:00`, await at(address, HOME))
    const other = await opened()
    const place = { location: await other.address(HOME) }
    assert.deepEqual(shortOf(await free(120, `${MONDAY}T08:00`, { place, most: 1 })), [['11:15', undefined]])
  })
})

describe('a slot that is wanted', () => {
  it('is refused once it is taken, the way there included', async () => {
    const { book, tech, write } = await opened()
    await book(`${MONDAY}T10:00`)
    const wanted = (start: string) => write((db) => requireFree(db, ZONE, { user: tech.id, start, minutes: 60 }))
    await assert.rejects(wanted(`${MONDAY}T14:30:00Z`), { code: 'conflict' })
    await assert.rejects(wanted(`${MONDAY}T16:05:00Z`), { code: 'conflict' })
    await wanted(`${MONDAY}T16:15:00Z`)
  })

  it('is refused where the drive from the visit before is longer, and free where it is shorter', async () => {
    const { book, tech, write, address } = await opened()
    await book(`${MONDAY}T10:00`, await at(address, HOME))
    const [near, far] = [await address(HOME), await address(FAR)]
    const wanted = (start: string, location: string) =>
      write((db) => requireFree(db, ZONE, { user: tech.id, start, minutes: 60, place: { location } }))
    await assert.rejects(wanted(`${MONDAY}T17:00:00Z`, far), { code: 'conflict' })
    await wanted(`${MONDAY}T18:00:00Z`, far)
    await wanted(`${MONDAY}T16:00:00Z`, near)
    await assert.rejects(wanted(`${MONDAY}T15:55:00Z`, near), { code: 'conflict' })
  })

  it('of nobody who works there is refused', async () => {
    const { write } = await opened()
    const stranger = await makeCompany(service)
    await assert.rejects(
      write((db) => requireFree(db, ZONE, { user: stranger.owner.id, start: `${MONDAY}T14:30:00Z`, minutes: 60 })),
      { code: 'not_found' },
    )
  })
})

describe('hours', () => {
  it('are changed by owners and the office alone, and every change is in the audit', async () => {
    const { company, tech, write, by } = await opened()
    const office = await company.member('office')
    await write((db) => saveCompanyWeek(db, DEFAULT_WEEK, 30, { user: office.id }))
    await assert.rejects(
      write((db) => saveCompanyWeek(db, DEFAULT_WEEK, 45, { user: tech.id })),
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

  it('that make no sense are refused with the day', () => {
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

  it('of days that are no days, or too many, are refused', async () => {
    const { write, by } = await opened()
    const off = (from: string, to: string) =>
      write((db) => addExceptions(db, null, { from, to, hours: [], note: null }, by))
    await assert.rejects(off('2027-02-30', '2027-03-01'), { code: 'invalid_input' })
    await assert.rejects(off('2027-03-02', '2027-03-01'), { code: 'invalid_input' })
    await assert.rejects(off('2027-03-01', '2028-03-01'), { code: 'invalid_input' })
  })
})
