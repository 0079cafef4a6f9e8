import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { findCaller, type Caller } from '../../src/identity/credentials/caller.ts'
import { hashOf } from '../../src/identity/credentials/secret_hash.ts'
import { dayPlan } from '../../src/mcp/resources/plan.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { planCompanyDay, type DayComparison } from '../../src/scheduling/day_plan/plan_company_day.ts'
import { readDay } from '../../src/scheduling/day_plan/read_day.ts'
import { newProtocolClient } from '../harness/clients/protocol.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'

const ZONE = 'America/New_York'

let service: TestService
let company: Company
let leo: { id: string; key: string }
let mia: { id: string; key: string }
before(async () => {
  service = await startTestService()
})
after(() => service.stop())
beforeEach(async () => {
  company = await makeCompany(service)
  leo = await company.member('tech')
  mia = await company.member('tech')
})

/** Monday in at least eight days: a working day in the future. */
const DAY = (() => {
  const today = Temporal.Now.plainDateISO(ZONE)
  return today.add({ days: 15 - today.dayOfWeek })
})()

const [NORTH, SOUTH] = [
  { latitude: 40.9, longitude: -74 },
  { latitude: 40.5, longitude: -74 },
]

/** Books a visit of one hour and returns the job id. */
async function book(time: string, position: object, users: string[], more: object = {}): Promise<string> {
  const location = { address_line1: '1 Main St', ...position }
  const customer = { customer_type: 'individual', first_name: 'Ana', locations: [location] }
  const { id: customer_id } = await company.call('customers_create', customer)
  const start = DAY.toZonedDateTime({ timeZone: ZONE, plainTime: time })
  const job = await company.call('jobs_create', {
    customer_id,
    title: 'Visit',
    scheduled_start: start.toInstant().toString(),
    scheduled_end: start.add({ hours: 1 }).toInstant().toString(),
    assignees: users,
    ...more,
  })
  return String(job.id)
}

const planOf = async (absentUser?: string): Promise<DayComparison> => {
  const day = await readTenant(service.database, { tenant: company.tenant }, (db) => readDay(db, ZONE, DAY))
  return planCompanyDay(company.tenant, day, { absentUser })
}

const changesOf = ({ changes }: DayComparison) => changes.map(({ visit, to, reason }) => [visit.id, to, reason])

describe('the day plan', () => {
  it('is computed for an agent after the database connection is released', async () => {
    await book('09:00', NORTH, [leo.id])
    const caller = (await findCaller(service.database, hashOf(leo.key))) as Caller
    const by = { caller, baseUrl: '', tools: new Map(), may: () => true }
    const entry = { tenant: company.tenant }
    const read = await readTenant(service.database, entry, (db) =>
      dayPlan.read({ ...by, db }, { date: DAY.toString() }),
    )
    assert.ok(typeof read === 'function')
    assert.equal((await read()).title, `Plan for ${DAY.toString()}`)
  })

  it('swaps visits across town and shows the driving time saved', async () => {
    await book('09:00', NORTH, [leo.id])
    await book('09:00', SOUTH, [mia.id])
    await book('11:00', SOUTH, [leo.id])
    await book('11:00', NORTH, [mia.id])
    const plan = await planOf()
    assert.deepEqual(
      plan.changes.map(({ from, to, reason }) => [from, to, reason]).sort(),
      [
        [leo.id, mia.id, 'less_driving'],
        [mia.id, leo.id, 'less_driving'],
      ].sort(),
    )
    assert.deepEqual([plan.drivingAfter, plan.unplaced, plan.isEstimate], [0, [], true])
    assert.ok(plan.drivingBefore > 60, String(plan.drivingBefore))
  })

  it('leaves crew visits, all-day visits and started visits unchanged', async () => {
    await book('09:00', NORTH, [leo.id])
    const crew = await book('11:00', SOUTH, [leo.id, mia.id])
    const begun = await book('13:00', SOUTH, [leo.id])
    await company.call('jobs_update', { id: begun, status: 'en_route' })
    await book('11:00', NORTH, [leo.id])
    await book('00:00', NORTH, [mia.id], { all_day: true })
    const plan = await planOf()
    assert.deepEqual(
      changesOf(plan).filter(([, to]) => to !== null),
      [],
    )
    const stops = plan.people.find(({ user_id }) => user_id === leo.id)?.after.stops.map(({ visit }) => visit.id)
    assert.deepEqual(stops?.slice(-2), [crew, begun])
  })

  it('shows late arrivals and missed windows, and reassigns a visit to keep its window', async () => {
    await book('09:00', NORTH, [leo.id])
    const late = await book('10:00', SOUTH, [leo.id])
    const far = await book('11:00', { latitude: 42.9, longitude: -78.8 }, [leo.id])
    const plan = await planOf()
    const stops = plan.people.find(({ user_id }) => user_id === leo.id)?.before.stops ?? []
    const byId = new Map(stops.map((stop) => [stop.visit.id, stop]))
    assert.ok((byId.get(late)?.late ?? 0) > 20 && byId.get(late)?.isWindowBroken === false)
    assert.equal(byId.get(far)?.isWindowBroken, true)
    assert.deepEqual(
      changesOf(plan).filter(([job]) => job === far),
      [[far, mia.id, 'window_kept']],
    )
  })

  it("reassigns the visits of a sick technician and lists the ones that don't fit", async () => {
    const [first, second] = [await book('09:00', NORTH, [leo.id]), await book('09:30', SOUTH, [leo.id])]
    await book('09:00', NORTH, [mia.id])
    const third = await book('14:00', NORTH, [leo.id])
    const plan = await planOf(leo.id)
    const changes = changesOf(plan)
    assert.ok(changes.some(([job, to, reason]) => job === third && to === mia.id && reason === 'person_off'))
    assert.deepEqual(new Set(changes.map(([job]) => job)), new Set([first, second, third]))
    assert.ok(plan.people.every(({ user_id, after }) => user_id !== leo.id || after.stops.length === 0))
    const moved = changes.filter(([, to]) => to !== null).length
    assert.equal(moved + plan.unplaced.length, 3)
  })

  it('is the same for the same day', async () => {
    for (const time of ['09:00', '10:30', '12:00', '14:00']) await book(time, time < '11' ? NORTH : SOUTH, [leo.id])
    assert.deepEqual(await planOf(), await planOf())
  })
})

describe('callout://plan/{date}', () => {
  const read = async (uri: string, key: string) =>
    await newProtocolClient(service.url, key).handshake('resources/read', { uri })

  it('has the order, arrivals, driving time and suggested changes', async () => {
    await book('09:00', NORTH, [leo.id])
    await book('09:00', SOUTH, [mia.id])
    await book('11:00', SOUTH, [leo.id])
    await book('11:00', NORTH, [mia.id])
    const { result } = await read(`callout://plan/${DAY.toString()}.json`, company.owner.key)
    const sheet = JSON.parse(result?.['contents'][0].text)
    assert.equal(sheet.parts?.stops?.rows?.length ?? sheet.stops?.rows?.length ?? sheet.stops?.length, 4)
    const text = String(
      (await read(`callout://plan/${DAY.toString()}`, company.owner.key)).result?.['contents'][0].text,
    )
    assert.match(text, /Driving takes about \d+ minutes as scheduled and 0 with the plan/)
    assert.match(text, /less driving/)
  })

  it("with /without/{user_id} shows who can take that person's visits", async () => {
    const job = await company.call('jobs_get', { id: await book('14:00', NORTH, [leo.id]) })
    await book('09:00', NORTH, [mia.id])
    const uri = `callout://plan/${DAY.toString()}/without/${leo.id}`
    const text = String((await read(uri, company.owner.key)).result?.['contents'][0].text)
    assert.match(text, /# Plan for \d{4}-\d\d-\d\d without /)
    assert.match(text, new RegExp(`^\\|${String(job['display_number'])}\\|.*\\|person is off`, 'm'))
    const other = await makeCompany(service)
    for (const user of [other.owner.id, 'x'])
      assert.ok((await read(`callout://plan/${DAY.toString()}/without/${user}`, company.owner.key)).error)
    assert.ok((await read(uri, other.owner.key)).error)
  })

  it('returns an error without access to jobs or for an invalid date, and is empty for another company', async () => {
    const { key } = await company.tenantKey(['read:invoices'])
    assert.ok((await read(`callout://plan/${DAY.toString()}`, key)).error)
    assert.ok((await read('callout://plan/tomorrowish', company.owner.key)).error)
    await book('09:00', NORTH, [leo.id])
    const other = await makeCompany(service)
    const text = (await read(`callout://plan/${DAY.toString()}`, other.owner.key)).result?.['contents'][0].text
    assert.match(String(text), /Nothing is scheduled/)
  })
})
