import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { raw, sql } from '../../src/platform/db/database.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let customer: string
let tech: { id: string }
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  tech = await company.member('tech')
  customer = (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' }))[
    'id'
  ] as string
  await add(800, 'Gutter %s cleaning', '2 days')
  await add(1100, 'Filter change', '1 day')
})
after(() => service.stop())

const makeJob = (title: string, given: object = {}): Promise<Result> =>
  company.call('jobs_create', { customer_id: customer, title, ...given })
const titles = async (given: object): Promise<string[]> =>
  (await company.call('jobs_list', given)).rows.map(({ title }: Result) => title)

/** Adds that many jobs of one age; `%s` in the title becomes each job's number. */
async function add(count: number, title: string, age: string): Promise<void> {
  await makeJob('Sample')
  await writeTenant(service.database, { tenant: company.tenant, options: { patient: true } }, (db) =>
    db.run(sql`
    insert into jobs (tenant_id, id, number, customer_id, title, title_folded, status, priority, duration_minutes, all_day, arrival_window_minutes,
      timezone, assignee_ids, line_items, subtotal_cents, fields, created_at)
    select tenant_id, gen_random_uuid(), (select max(number) from jobs) + 1000 + n, customer_id, replace(${title}, '%s', n::text),
      lower(replace(${title}, '%s', n::text)), status, priority, 60, false, 0, timezone, '{}', '[]', 0, '{}', moment() - interval '${raw(age)}'
    from jobs, generate_series(1, ${count}) n where tenant_id = ${db.tenant} and title = 'Sample'`),
  )
  await writeTenant(service.database, { tenant: company.tenant }, (db) =>
    db.run(sql`delete from jobs where tenant_id = ${db.tenant} and title = 'Sample'`),
  )
}

describe('a job title search', () => {
  it('finds one job among many by any part of its title, combined with any sort and filter', async () => {
    const { id } = await makeJob('Zeppelin hangar: cafétéria drain', {
      assignees: [tech.id],
      scheduled_start: '2031-03-04T15:00:00Z',
    })
    const [found] = (await company.call('jobs_list', { title: 'HANGAR: Cafet' })).rows
    assert.equal(found.id, id)
    const by: object[] = [
      { sort: 'scheduled_asc' },
      { sort: 'scheduled_desc' },
      { assignee: tech.id },
      { customer_id: customer },
      { status: ['scheduled'] },
      { scheduled_from: '2031-03-01', scheduled_to: '2031-03-31' },
      { unassigned: false },
      { updated_since: '2020-01-01T00:00Z' },
      { include_total: true },
    ]
    for (const more of by)
      assert.deepEqual(
        await titles({ title: 'zeppelin', ...more }),
        ['Zeppelin hangar: cafétéria drain'],
        JSON.stringify(more),
      )
    const not: object[] = [
      { status: ['done'] },
      { scheduled_from: '2032-01-01' },
      { unassigned: true },
      { assignee: company.owner.id },
      { page: 2 },
    ]
    for (const more of not) assert.deepEqual(await titles({ title: 'zeppelin', ...more }), [], JSON.stringify(more))
  })

  it('finds a renamed job by its current title only', async () => {
    const { id } = await makeJob('Kettle descaling')
    await company.call('jobs_update', { id, title: 'Boiler descaling' })
    assert.deepEqual(await titles({ title: 'kettle' }), [])
    assert.deepEqual(await titles({ title: 'boiler' }), ['Boiler descaling'])
  })

  it('pages and counts many matches', async () => {
    for (const [title, many] of [
      ['filter', 1100],
      ['gutter', 800],
      ['gutter 7', 111],
      ['er', 1900],
    ] as const) {
      const { rows, total, hasMore } = await company.call('jobs_list', {
        title,
        include_total: true,
        limit: 30,
        page: 2,
        updated_since: '2020-01-01T00:00Z',
      })
      assert.deepEqual([rows.length, hasMore], [30, true], title)
      assert.ok(total === many || (title === 'er' && total >= many), `${title}: ${total}`)
    }
    const newest = await company.call('jobs_list', { title: 'gutter 7', limit: 100 })
    const older = await company.call('jobs_list', { title: 'gutter 7', limit: 100, page: 2 })
    assert.deepEqual([newest.rows.length, newest.hasMore, older.rows.length, older.hasMore], [100, true, 11, false])
    assert.equal(new Set([...newest.rows, ...older.rows].map(({ id }: Result) => id)).size, 111)
  })

  it("doesn't match parts that no single title contains", async () => {
    for (const title of ['filter cleaning', 'gutter change', 'ng ch', 'r 801 c', 'zzzzzz', 'q', 'zq'])
      assert.deepEqual(await titles({ title }), [], title)
  })

  it("doesn't match another company's jobs", async () => {
    const stranger = await makeCompany(service)
    for (const title of ['filter', 'gutter 7', 'er'])
      assert.deepEqual((await stranger.call('jobs_list', { title })).rows, [])
  })
})
