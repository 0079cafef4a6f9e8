import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let ana: Result
let ids: { ben: string; cleo: string }
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  ana = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  const bob = await company.call('customers_create', { customer_type: 'individual', first_name: 'Bob' })
  const [ben, cleo] = [(await company.member('tech')).id, (await company.member('tech')).id]
  ids = { ben, cleo }
  const makeJob = (title: string, assignees: string[], given: object = {}) =>
    company.call('jobs_create', { customer_id: ana['id'], title, assignees, ...given })
  const updateJob = async ({ id }: Result, given: object) => company.call('jobs_update', { id, ...given })
  const at = (day: number): string => `2027-03-0${day}T09:00`
  const soon = Temporal.Now.plainDateISO().add({ days: 2 }).toString()
  await makeJob('stays', [ben], { scheduled_start: at(1) })
  await makeJob('is of both', [ben, cleo], { scheduled_start: at(2) })
  await makeJob('is of Bob', [ben], { scheduled_start: at(2), customer_id: bob['id'] })
  await updateJob(await makeJob('is done', [ben], { scheduled_start: at(3) }), { status: 'done' })
  await updateJob(await makeJob('is held', [ben], { scheduled_start: at(3) }), { status: 'on_hold' })
  await updateJob(await makeJob('moves to the 5th', [ben], { scheduled_start: at(4) }), { scheduled_start: at(5) })
  await updateJob(await makeJob('loses its day', [ben], { scheduled_start: at(4) }), { status: 'unscheduled' })
  await updateJob(await makeJob('gets a day', [ben]), { scheduled_start: at(6) })
  await updateJob(await makeJob('goes over to Cleo', [ben], { scheduled_start: at(6) }), { assignees: [cleo] })
  await updateJob(await makeJob("is nobody's", [ben], { scheduled_start: at(7) }), { assignees: [] })
  await updateJob(
    await updateJob(await makeJob('moves and goes over', [cleo]), { assignees: [ben], scheduled_start: at(7) }),
    { status: 'en_route' },
  )
  await company.call('jobs_cancel', { id: (await makeJob('is cancelled', [ben], { scheduled_start: at(8) }))['id'] })
  const { id } = await company.call('job_series_create', {
    customer_id: ana['id'],
    title: 'every day',
    rrule: 'FREQ=DAILY;COUNT=3',
    dtstart: `${soon}T09:00`,
    assignees: [cleo],
  })
  await company.call('job_series_update', { id, assignees: [ben], dtstart: `${soon}T10:00` })
})
after(() => service.stop())

const list = async (given: object): Promise<Result[]> =>
  (await company.call('jobs_list', { limit: 100, ...given }))['rows']

describe('jobs_list by assignee', () => {
  const filters: [given: object, least: number][] = [
    [{}, 9],
    [{ sort: 'scheduled_asc' }, 9],
    [{ sort: 'scheduled_desc' }, 9],
    [{ scheduled_from: '2027-03-02', scheduled_to: '2027-03-07' }, 6],
    [{ scheduled_to: '2027-03-05', sort: 'created_desc' }, 4],
    [{ status: ['scheduled', 'on_hold'] }, 5],
    [{ status: 'done' }, 1],
    [{ status: 'cancelled' }, 1],
    [{ status: ['unscheduled', 'en_route', 'cancelled'], sort: 'scheduled_desc' }, 3],
    [{ title: 'is ' }, 4],
    [{ unassigned: false }, 9],
    [{ updated_since: '2020-01-01T00:00:00Z' }, 9],
    [{ title: 'every day', sort: 'scheduled_asc' }, 3],
  ]
  for (const [given, least] of filters) {
    it(`returns the member's jobs of the full list: ${JSON.stringify(given)}`, async () => {
      for (const member of [ids.ben, ids.cleo]) {
        const expected = (await list(given)).filter(({ assignees }) =>
          assignees.some(({ user_id }: Result) => user_id === member),
        )
        const { rows, total } = await company.call('jobs_list', {
          limit: 100,
          include_total: true,
          assignee: member,
          ...given,
        })
        assert.deepEqual(rows, expected)
        assert.equal(total, expected.length)
        assert.ok(member === ids.cleo || expected.length >= least, `${expected.length}`)
      }
    })
  }

  it('continues across pages and combines with a customer filter', async () => {
    const all = await list({ assignee: ids.ben })
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => list({ assignee: ids.ben, page, limit: 3 })))
    assert.deepEqual(pages.flat(), all)
    const ofAna = await list({ assignee: ids.ben, customer_id: ana['id'] })
    assert.deepEqual(
      ofAna,
      all.filter(({ customer_name }) => customer_name === 'Ana'),
    )
    assert.equal(ofAna.length, all.length - 1)
  })
})
