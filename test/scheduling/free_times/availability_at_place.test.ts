import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql, writeTenant, type Database } from '../../../src/platform/db/tenant.ts'
import { findFreeSlots, requireFree, type FreeMember, type SlotSearch } from '../../../src/scheduling/availability.ts'
import { estimateMinutes } from '../../../src/scheduling/travel/estimate.ts'
import { saveDrives } from '../../../src/scheduling/travel/travel_times.ts'
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

  it('leave room for drives, rounded up to five minutes, and show the added driving', async () => {
    const { book, free, address } = await openCompany()
    await book(`${MONDAY}T10:00`, await at(address, HOME))
    const drive = Math.ceil(estimateMinutes(HOME, FAR) / 5) * 5
    assert.ok(drive > 60 && drive < 120, String(drive))
    const far = await free(60, `${MONDAY}T08:00`, { place: { location: await address(FAR) }, limit: 1 })
    const first = Temporal.PlainTime.from('11:00').add({ minutes: Math.ceil(drive / 15) * 15 })
    assert.deepEqual(shortOf(far), [[first.toString({ smallestUnit: 'minute' }), { minutes: drive, isEstimate: true }]])
    const beside = await free(60, `${MONDAY}T08:00`, { place: { location: await address(HOME) } })
    assert.deepEqual(shortOf(beside), [
      ['08:00', { minutes: 0, isEstimate: true }],
      ['09:00', { minutes: 0, isEstimate: true }],
    ])
  })

  it("use the routing server's times for each direction", async () => {
    const { book, free, address, write } = await openCompany()
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
      shortOf(await free(minutes, `${MONDAY}T${from}`, { place, limit: 1 }))
    assert.deepEqual(await times(90, '08:00'), [['08:00', { minutes: 25, isEstimate: false }]])
    assert.deepEqual(await times(105, '08:00'), [['11:45', { minutes: 45, isEstimate: false }]])
  })

  it('count only the detour between two visits', async () => {
    const { book, free, address } = await openCompany()
    await book(`${MONDAY}T08:00`, await at(address, HOME))
    await book(`${MONDAY}T15:00`, await at(address, FAR))
    const place = { location: await address(NEAR) }
    const [slot] = (await free(60, `${MONDAY}T08:00`, { place }))[0]!.slots
    const detour = estimateMinutes(HOME, NEAR) + estimateMinutes(NEAR, FAR) - estimateMinutes(HOME, FAR)
    assert.deepEqual(slot!.driving, { minutes: Math.ceil(detour / 5) * 5, isEstimate: true })
  })

  it('subtract the routed drive between the previous and the next visit', async () => {
    const { book, free, address, write } = await openCompany()
    await book(`${MONDAY}T08:00`, { ...(await at(address, HOME)), duration_minutes: 120 })
    await book(`${MONDAY}T08:30`, { ...(await at(address, NEAR)), duration_minutes: 30 })
    await book(`${MONDAY}T15:00`, await at(address, FAR))
    const matrix = [
      [0, 20, 41],
      [22, 0, 30],
      [40, 33, 0],
    ]
    await write((db) => saveDrives(db, [HOME, NEAR, FAR], matrix))
    const place = { location: await address(NEAR) }
    assert.deepEqual(shortOf(await free(60, `${MONDAY}T08:00`, { place, limit: 1 })), [
      ['10:30', { minutes: 10, isEstimate: false }],
    ])
  })

  it('use the ZIP code of an address, or the fixed travel time if the place is unknown', async () => {
    const { book, free, address } = await openCompany()
    await book(`${MONDAY}T10:00`, await at(address, { postal_code: '10001' }))
    const zip = (postal_code: string) => ({ place: { address: { postal_code, country: 'US' } }, limit: 1 })
    assert.deepEqual(shortOf(await free(120, `${MONDAY}T08:00`, zip('10001'))), [
      ['08:00', { minutes: 0, isEstimate: true }],
    ])
    assert.deepEqual(shortOf(await free(120, `${MONDAY}T08:00`, zip('00000'))), [['11:15', undefined]])
    const { book: elsewhere, free: freeThere, address: addressThere } = await openCompany()
    await elsewhere(`${MONDAY}T10:00`, await at(addressThere, {}))
    assert.deepEqual(shortOf(await freeThere(120, `${MONDAY}T08:00`, zip('10001'))), [
      ['11:15', { minutes: 15, isEstimate: true }],
    ])
  })

  it('have no driving on a day without other visits', async () => {
    const { book, free, address } = await openCompany()
    await book(`${MONDAY}T16:00`, await at(address, HOME))
    const place = { location: await address(FAR) }
    assert.deepEqual(shortOf(await free(60, '2027-03-02T08:00', { place, limit: 1 })), [['08:00', undefined]])
  })

  it('count the drive to a held time before a later visit', async () => {
    const { book, free, address, write, tech } = await openCompany()
    await book(`${MONDAY}T15:00`, await at(address, FAR))
    const place = { location: await address(HOME) }
    const driving = async () => shortOf(await free(60, `${MONDAY}T08:00`, { place, limit: 1 }))[0]![1]
    const toVisit = Math.ceil(estimateMinutes(HOME, FAR) / 5) * 5
    assert.deepEqual(await driving(), { minutes: toVisit, isEstimate: true })
    await write((db) =>
      db.run(sql`insert into booking_holds (tenant_id, id, user_id, starts_at, ends_at, expires_at)
        values (${db.tenant}, gen_random_uuid(), ${tech.id}, ${`${MONDAY}T17:00:00Z`}, ${`${MONDAY}T18:00:00Z`},
          moment() + interval '10 minutes')`),
    )
    assert.deepEqual(await driving(), { minutes: 15, isEstimate: true })
  })

  it("treat another company's location as unknown", async () => {
    const { book, free, address } = await openCompany()
    await book(`${MONDAY}T10:00`, await at(address, HOME))
    const other = await openCompany()
    const place = { location: await other.address(HOME) }
    assert.deepEqual(shortOf(await free(120, `${MONDAY}T08:00`, { place, limit: 1 })), [['11:15', undefined]])
  })
})

describe('a requested slot', () => {
  it('is rejected if it is taken, including travel time', async () => {
    const { book, tech, write } = await openCompany()
    await book(`${MONDAY}T10:00`)
    const requireSlot = (start: string) => write((db) => requireFree(db, ZONE, { user: tech.id, start, minutes: 60 }))
    await assert.rejects(requireSlot(`${MONDAY}T14:30:00Z`), { code: 'conflict' })
    await assert.rejects(requireSlot(`${MONDAY}T16:05:00Z`), { code: 'conflict' })
    await requireSlot(`${MONDAY}T16:15:00Z`)
  })

  it('is rejected if the drive from the previous visit is too long, and accepted otherwise', async () => {
    const { book, tech, write, address } = await openCompany()
    await book(`${MONDAY}T10:00`, await at(address, HOME))
    const [near, far] = [await address(HOME), await address(FAR)]
    const requireSlot = (start: string, location: string) =>
      write((db) => requireFree(db, ZONE, { user: tech.id, start, minutes: 60, place: { location } }))
    await assert.rejects(requireSlot(`${MONDAY}T17:00:00Z`, far), { code: 'conflict' })
    await requireSlot(`${MONDAY}T18:00:00Z`, far)
    await requireSlot(`${MONDAY}T16:00:00Z`, near)
    await assert.rejects(requireSlot(`${MONDAY}T15:55:00Z`, near), { code: 'conflict' })
  })

  it("is rejected for someone who isn't a member", async () => {
    const { write } = await openCompany()
    const stranger = await makeCompany(service)
    await assert.rejects(
      write((db) => requireFree(db, ZONE, { user: stranger.owner.id, start: `${MONDAY}T14:30:00Z`, minutes: 60 })),
      { code: 'not_found' },
    )
  })
})
