import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let ana: Result
let bob: Result
let tech: Awaited<ReturnType<Company['member']>>
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  tech = await company.member('tech')
  ana = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    locations: [{ address_line1: '1 Elm St' }],
  })
  bob = await company.call('customers_create', { customer_type: 'individual', first_name: 'Bob' })
  const makeJob = (customer: Result, title: string, given: object = {}) =>
    company.call('jobs_create', { customer_id: customer.id, title, ...given })
  await makeJob(ana, 'Furnace tune-up', { scheduled_start: '2027-03-02T09:00', assignees: [tech.id] })
  await makeJob(ana, 'Café 100% check_up', {
    scheduled_start: '2027-03-01T09:00',
    assignees: [tech.id, company.owner.id],
  })
  await makeJob(bob, 'Gutter cleaning')
  await makeJob(bob, 'Roof repair', { scheduled_start: '2027-03-03T09:00' })
  const held = await makeJob(bob, 'Duct cleaning', { scheduled_start: '2027-03-03T23:59:59.999' })
  await company.call('jobs_update', { id: held.id, status: 'on_hold' })
  const done = await makeJob(ana, 'Old visit', { scheduled_start: '2026-03-02T09:00', assignees: [tech.id] })
  await company.call('jobs_update', { id: done.id, status: 'done' })
  const dropped = await makeJob(bob, 'Dropped visit', { scheduled_start: '2027-03-04T00:00' })
  await company.call('jobs_cancel', { id: dropped.id })
})
after(() => service.stop())

const titles = async (given: object = {}): Promise<string[]> =>
  (await company.call('jobs_list', given)).rows.map(({ title }: Result) => title)
const readRefusal = (given: object): Promise<string> => company.refusal('jobs_list', given)

describe('jobs_list rows', () => {
  it('have the compact fields, with customer and assignee names', async () => {
    const {
      rows: [row],
    } = await company.call('jobs_list', { title: 'furnace' })
    const { id, display_number, updated_at, ...rest } = row
    assert.deepEqual(rest, {
      title: 'Furnace tune-up',
      status: 'scheduled',
      priority: 'normal',
      customer_id: ana.id,
      customer_name: 'Ana',
      location_id: ana.locations[0].id,
      location_address: '1 Elm St, US',
      scheduled_start: '2027-03-02T14:00:00.000Z',
      scheduled_end: '2027-03-02T15:00:00.000Z',
      all_day: false,
      assignees: [{ user_id: tech.id, name: 'Test tech' }],
    })
    assert.ok(id && updated_at && /^J-\d+$/.test(display_number))
  })
  it('are newest first, canceled jobs included', async () => {
    assert.deepEqual(await titles(), [
      'Dropped visit',
      'Old visit',
      'Duct cleaning',
      'Roof repair',
      'Gutter cleaning',
      'Café 100% check_up',
      'Furnace tune-up',
    ])
  })
})

describe('jobs_list filters', () => {
  const all = (...names: string[]) => names
  const cases: [given: () => object, expected: string[]][] = [
    [() => ({ status: 'done' }), all('Old visit')],
    [() => ({ status: ['on_hold', 'unscheduled'] }), all('Duct cleaning', 'Gutter cleaning')],
    [() => ({ status: ['cancelled', 'done'] }), all('Dropped visit', 'Old visit')],
    [() => ({ customer_id: ana.id, status: 'scheduled' }), all('Café 100% check_up', 'Furnace tune-up')],
    [() => ({ customer_id: newId() }), []],
    [() => ({ location_id: ana.locations[0].id }), all('Old visit', 'Café 100% check_up', 'Furnace tune-up')],
    [() => ({ assignee: tech.email.toUpperCase() }), all('Old visit', 'Café 100% check_up', 'Furnace tune-up')],
    [() => ({ assignee: company.owner.id }), all('Café 100% check_up')],
    [() => ({ unassigned: true }), all('Dropped visit', 'Duct cleaning', 'Roof repair', 'Gutter cleaning')],
    [() => ({ unassigned: false }), all('Old visit', 'Café 100% check_up', 'Furnace tune-up')],
    [() => ({ title: 'CLEAN' }), all('Duct cleaning', 'Gutter cleaning')],
    [() => ({ title: 'cafe' }), all('Café 100% check_up')],
    [() => ({ title: '0%' }), all('Café 100% check_up')],
    [() => ({ title: 'k_u' }), all('Café 100% check_up')],
    [() => ({ title: '_' }), all('Café 100% check_up')],
    [() => ({ scheduled_from: '2027-03-02' }), all('Furnace tune-up', 'Roof repair', 'Duct cleaning', 'Dropped visit')],
    [
      () => ({ scheduled_from: '2027-03-02', scheduled_to: '2027-03-03' }),
      all('Furnace tune-up', 'Roof repair', 'Duct cleaning'),
    ],
    [() => ({ scheduled_to: '2027-03-01T14:00:00Z' }), all('Old visit', 'Café 100% check_up')],
    [
      () => ({ scheduled_from: '2027-03-01T09:00', scheduled_to: '2027-03-02T09:00' }),
      all('Café 100% check_up', 'Furnace tune-up'),
    ],
    [
      () => ({ scheduled_from: '2027-03-02', sort: 'scheduled_desc', status: 'scheduled' }),
      all('Roof repair', 'Furnace tune-up'),
    ],
    [
      () => ({ assignee: tech.id, scheduled_from: '2027-03-01', status: ['scheduled'] }),
      all('Café 100% check_up', 'Furnace tune-up'),
    ],
  ]
  for (const [given, expected] of cases)
    it(String(given).slice(5, 90), async () => assert.deepEqual(await titles(given()), expected))

  it('follow a reassigned job', async () => {
    const office = await company.member('office')
    const {
      rows: [{ id }],
    } = await company.call('jobs_list', { title: 'roof' })
    await company.call('jobs_update', { id, assignees: [office.id] })
    assert.deepEqual(await titles({ assignee: office.id }), ['Roof repair'])
    await company.call('jobs_update', { id, assignees: [] })
    assert.deepEqual(await titles({ assignee: office.id }), [])
  })
  it('find the jobs of a former member', async () => {
    const gone = await company.member('tech')
    const { id } = await company.call('jobs_create', { customer_id: bob.id, title: 'Parting', assignees: [gone.id] })
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`update members set deactivated_at = moment() where tenant_id = ${db.tenant} and user_id = ${gone.id}`),
    )
    assert.deepEqual(await titles({ assignee: gone.email }), ['Parting'])
    await company.call('jobs_cancel', { id })
  })
  it('find a title whose folded form is too long for the index', async () => {
    await company.call('jobs_create', { customer_id: bob.id, title: `${'ﷺ'.repeat(199)}Z` })
    assert.equal((await titles({ title: 'z' })).filter((title) => title.endsWith('Z')).length, 1)
  })
})

describe('jobs_list order', () => {
  it('by schedule puts unscheduled jobs last, ascending and descending', async () => {
    const [up, down] = [
      await titles({ sort: 'scheduled_asc', customer_id: bob.id, status: ['scheduled', 'on_hold', 'unscheduled'] }),
      await titles({ sort: 'scheduled_desc', customer_id: bob.id, status: ['scheduled', 'on_hold', 'unscheduled'] }),
    ]
    assert.deepEqual(up.slice(0, 3), ['Roof repair', 'Duct cleaning', 'Gutter cleaning'])
    assert.deepEqual(
      down.filter((title) => up.slice(0, 3).includes(title)),
      ['Duct cleaning', 'Roof repair', 'Gutter cleaning'],
    )
  })
  it('is by change with updated_since', async () => {
    const {
      rows: [{ id, updated_at }],
    } = await company.call('jobs_list', { title: 'gutter' })
    const { updated_at: later } = await company.call('jobs_update', { id, priority: 'low' })
    assert.ok(later > updated_at)
    assert.deepEqual(await titles({ updated_since: later }), ['Gutter cleaning'])
    const changes = (await company.call('jobs_list', { updated_since: updated_at })).rows.map(
      ({ updated_at }: Result) => updated_at,
    )
    assert.deepEqual(changes, changes.toSorted())
  })
  it('is stable across pages, with a total on request', async () => {
    const first = await company.call('jobs_list', { limit: 3, include_total: true, status: ['scheduled', 'on_hold'] })
    assert.deepEqual([first.rows.length, first.page, first.limit, first.hasMore, first.total], [3, 1, 3, true, 4])
    const second = await company.call('jobs_list', { limit: 3, page: 2, status: ['scheduled', 'on_hold'] })
    assert.deepEqual([second.rows.length, second.hasMore, second.total], [1, false, undefined])
  })
  it('reports at most 10,000 as total, with total_capped', async () => {
    const big = await makeCompany(service)
    const { id } = await big.call('customers_create', { customer_type: 'individual', first_name: 'Big' })
    await big.call('jobs_create', { customer_id: id, title: 'First' })
    for (let part = 0; part < 10; part++)
      await writeTenant(service.database, { tenant: big.tenant, options: { patient: true } }, (db) =>
        db.run(sql`
      insert into jobs (tenant_id, id, number, customer_id, title, title_folded, status, priority, duration_minutes, all_day, arrival_window_minutes,
        timezone, assignee_ids, line_items, subtotal_cents, fields)
      select tenant_id, gen_random_uuid(), ${2000 + 1000 * part} + n, customer_id, 'Bulk', 'bulk', status, priority, 60, false, 0, timezone, '{}', '[]', 0, '{}'
      from jobs, generate_series(1, 1000) n where tenant_id = ${db.tenant} and title = 'First'`),
      )
    const { total, total_capped } = await big.call('jobs_list', { include_total: true, limit: 1 })
    assert.deepEqual([total, total_capped], [10_000, true])
    assert.equal((await big.call('jobs_list', { include_total: true, title: 'bulk', limit: 1 })).total, 10_000)
  })
})

describe('jobs_list: invalid_input', () => {
  const cases: [given: object, sentence: RegExp][] = [
    [{ status: 'finished' }, /status\[0\] must be one of unscheduled, /],
    [{ status: [] }, /status must have at least 1/],
    [{ sort: 'newest' }, /sort must be one of scheduled_asc, scheduled_desc, created_desc/],
    [{ limit: 101 }, /limit must be a whole number from 1 to 100/],
    [{ page: 101, limit: 100 }, /page x limit must be at most 10000/],
    [{ scheduled_from: 'today' }, /scheduled_from must be a date/],
    [{ assignee: 'nobody@example.com' }, /assignee is not a member of this account \(got nobody@example\.com\)/],
    [{ assignee: newId() }, /assignee is not a member of this account/],
    [
      { assignee: 'bob' },
      /assignee is not a member of this account \(got bob\); use the user id, exact email or exact name of a member, such as \w+/,
    ],
    [{ assignee: newId(), unassigned: true }, /assignee and unassigned can't be combined/],
    [{ seriesId: newId(), series_id: newId() }, /series_id is an alias of seriesId and differs/],
    [{ sort: 'created_desc', updated_since: '2027-01-01T00:00Z' }, /sort can't be combined with updated_since/],
    [{ series: newId() }, /unknown field 'series' \(did you mean 'seriesId'\?\)/],
    [{ cursor: 'x' }, /unknown field 'cursor'/],
  ]
  for (const [given, sentence] of cases)
    it(JSON.stringify(given).slice(0, 80), async () =>
      assert.match(await readRefusal(given), new RegExp(`^invalid_input: .*${sentence.source}`)),
    )
})

describe('tenant isolation of jobs_list', () => {
  it('hides jobs and members from another company', async () => {
    const stranger = await makeCompany(service)
    assert.deepEqual((await stranger.call('jobs_list')).rows, [])
    assert.match(await stranger.refusal('jobs_list', { assignee: tech.id }), /^invalid_input: assignee is not a member/)
  })
})
