import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import type { TenantRun } from '../../src/worker/periodic_task.ts'
import { makeRecords } from '../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'
import { EPOCH, listsOf, settle } from './listing.ts'

let service: TestService
let witness: Witness
let company: Company
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
  await makeRecords(company, 'Listed')
})
after(async () => {
  await witness.close()
  await service.stop()
})

const { listChanges, removedOf, made, customerOf } = listsOf(() => company)
const inDays = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()

describe('include_removed', () => {
  it("doesn't report archived rates, void invoices or archived quotes if the list includes them", async () => {
    const customer_id = (await customerOf())['id']
    const rate = await made('tax_rates_create', { name: 'Old', rate_percentage: 2 })
    const invoice = await made('invoices_create', { customer_id })
    const quote = await made('quotes_create', { customer_id, title: 'Old' })
    for (const [tool, id] of [
      ['tax_rates_archive', rate],
      ['invoices_void', invoice],
      ['quotes_archive', quote],
    ] as const)
      await company.call(tool, { id })
    for (const [list, given, id] of [
      ['tax_rates_list', { include_archived: true }, rate],
      ['invoices_list', { status: ['void'] }, invoice],
      ['quotes_list', { status: ['draft', 'archived'] }, quote],
    ] as const) {
      const row = (await listChanges(list, given)).find((one) => one['id'] === id)
      assert.equal(row!['removed'], undefined, list)
      assert.ok(Object.keys(row!).length > 3)
    }
  })

  it('reports a voided invoice as removed from the overdue list', async () => {
    const invoice = await made('invoices_create', {
      customer_id: (await customerOf())['id'],
      line_items: [{ name: 'Call', unit_price_cents: 5 }],
      issue_date: inDays(-9),
      due_date: inDays(-3),
    })
    await company.call('invoices_update', { id: invoice, status: 'sent' })
    assert.ok((await listChanges('invoices_list', { overdue: true })).some(({ id }) => id === invoice))
    await company.call('invoices_void', { id: invoice })
    assert.ok((await removedOf('invoices_list', { overdue: true })).includes(invoice))
  })

  it('reports the contacts and locations of an archived customer as removed', async () => {
    const { id: customer_id, contacts, locations } = await customerOf()
    const filter = { customer_id }
    await company.call('contacts_archive', { id: contacts[1].id })
    assert.deepEqual(await removedOf('contacts_list', filter), [contacts[1].id])
    const seen = (await listChanges('contacts_list', filter)).at(-1)!['updated_at']
    await company.call('customers_archive', { id: customer_id })
    assert.deepEqual(
      (await removedOf('contacts_list', filter)).toSorted(),
      contacts.map(({ id }: Result) => id).toSorted(),
    )
    assert.ok(
      (await removedOf('contacts_list', { ...filter, updated_since: seen })).includes(contacts[0].id),
      "also of those that didn't change themselves",
    )
    assert.deepEqual(
      (await removedOf('locations_list', filter)).toSorted(),
      locations.map(({ id }: Result) => id).toSorted(),
    )
    assert.match(await company.refusal('contacts_list', { ...filter, updated_since: EPOCH }), /^not_found/)
    assert.match(await company.refusal('contacts_list', filter), /^not_found/)
  })

  it('reports jobs removed by a series update only to lists whose filters matched them', async () => {
    const { id: customer_id } = await customerOf()
    const tech = await company.member('tech')
    const series = await company.call('job_series_create', {
      customer_id,
      title: 'Weekly',
      rrule: 'FREQ=DAILY;COUNT=4',
      dtstart: `${inDays(2)}T09:00`,
      assignees: [tech.id],
    })
    const visits = (await company.call('jobs_list', { seriesId: series['id'], sort: 'scheduled_asc' })).rows.map(
      ({ id }: Result) => id,
    )
    const { regeneration } = await company.call('job_series_update', { id: series['id'], rrule: 'FREQ=DAILY;COUNT=2' })
    assert.deepEqual([regeneration.removed, regeneration.kept], [2, 2])
    const gone = visits.slice(2).toSorted()
    const yes: object[] = [
      {},
      { seriesId: series['id'] },
      { customer_id },
      { assignee: tech.id },
      { assignee: tech.email, title: 'weekly' },
      { status: 'scheduled' },
      { scheduled_from: inDays(3) },
      { unassigned: false },
    ]
    for (const filter of yes)
      assert.deepEqual((await removedOf('jobs_list', filter)).toSorted(), gone, JSON.stringify(filter))
    const no: object[] = [
      { customer_id: (await customerOf())['id'] },
      { assignee: company.owner.id },
      { title: 'monthly' },
      { status: 'done' },
      { scheduled_to: inDays(2) },
      { unassigned: true },
    ]
    for (const filter of no) assert.deepEqual(await removedOf('jobs_list', filter), [], JSON.stringify(filter))
    for (const id of gone) assert.match(await company.refusal('jobs_get', { id }), /^not_found/)
  })

  it("doesn't report a job that merely no longer matches a filter", async () => {
    const id = await made('jobs_create', { customer_id: (await customerOf())['id'], title: 'Stays' })
    await company.call('jobs_cancel', { id })
    assert.ok(!(await removedOf('jobs_list', { status: 'unscheduled' })).includes(id))
    assert.equal((await listChanges('jobs_list')).find((row) => row['id'] === id)!['status'], 'cancelled')
  })

  it('pages removed and remaining records in one order of changes, each once', async () => {
    const other = await makeCompany(service)
    const tags = await Promise.all(Array.from({ length: 9 }, (_, i) => other.call('tags_create', { name: `tag ${i}` })))
    const customers = await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        other.call('customers_create', { customer_type: 'individual', first_name: `Ana ${i}` }),
      ),
    )
    for (const i of [1, 4, 5])
      await Promise.all([
        other.call('tags_delete', { id: tags[i]!['id'] }),
        other.call('customers_archive', { id: customers[i]!['id'] }),
      ])
    await other.call('tags_update', { id: tags[0]!['id'], color: '#112233' })
    await settle()
    const paged: Result[] = []
    const continued: Result[] = []
    for (let page = 1; page < 6; page++)
      paged.push(
        ...(await other.call('tags_list', { updated_since: EPOCH, include_removed: true, limit: 2, page })).rows,
      )
    for (let cursor: string | undefined | null; cursor !== null;) {
      const { rows, nextCursor } = await other.call('customers_search', {
        updated_since: EPOCH,
        include_removed: true,
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      })
      continued.push(...rows)
      cursor = nextCursor
    }
    for (const [rows, all] of [
      [paged, tags],
      [continued, customers],
    ] as const) {
      assert.deepEqual(rows.map(({ id }) => id).toSorted(), all.map(({ id }) => id).toSorted())
      assert.deepEqual(
        rows.filter(({ removed }) => removed).map(({ id }) => id),
        [1, 4, 5].map((i) => all[i]!['id']),
      )
      const keys = rows.map(({ updated_at, id }) => `${updated_at} ${id}`)
      assert.deepEqual(keys, keys.toSorted())
    }
    assert.match(
      await other.refusal('customers_search', {
        updated_since: EPOCH,
        limit: 2,
        cursor: (await other.call('customers_search', { updated_since: EPOCH, include_removed: true, limit: 2 }))[
          'nextCursor'
        ],
      }),
      /^invalid_input: cursor belongs to a list with other filters/,
    )
    assert.deepEqual(
      (await company.call('tags_list', { updated_since: EPOCH, include_removed: true, limit: 100 })).rows.filter(
        ({ id }: Result) => tags.some((tag) => tag['id'] === id),
      ),
      [],
    )
  })

  it("doesn't miss a removal whose transaction commits late", async () => {
    const [slow, quick] = [
      await company.call('tags_create', { name: 'slow' }),
      await company.call('tags_create', { name: 'quick' }),
    ]
    const since = new Date(Date.parse(quick['updated_at']) + 1).toISOString()
    const [removed, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const underWay = writeTenant(service.database, { tenant: company.tenant }, async (db) => {
      await db.run(sql`delete from tags where tenant_id = ${db.tenant} and id = ${slow['id']}`)
      removed.resolve()
      await mayEnd.promise
    })
    await removed.promise
    await company.call('tags_delete', { id: quick['id'] })
    assert.deepEqual(await listChanges('tags_list', { updated_since: since }), [])
    mayEnd.resolve()
    await underWay
    assert.deepEqual(
      (await listChanges('tags_list', { updated_since: since })).map(({ id, removed }) => [id, removed]),
      [
        [slow['id'], true],
        [quick['id'], true],
      ],
    )
  })

  it("stops reporting a deleted record 30 days later, after the worker's sweep", async () => {
    const chore = PERIODIC_TASKS.find(({ name }) => name === 'removal_sweep')!
    assert.equal(chore.of, 'tenant')
    const id = await made('tags_create', { name: 'Forgotten' })
    await company.call('tags_delete', { id })
    const sweep = (days: number): Promise<unknown> =>
      chore.run({
        now: Temporal.Now.instant().add({ hours: 24 * days }),
        tenant: { id: company.tenant } as TenantRun['tenant'],
        write: (work) => writeTenant(service.database, { tenant: company.tenant }, work),
        conclude: () => assert.fail(),
        each: () => Promise.resolve(),
      })
    await sweep(29)
    assert.ok((await removedOf('tags_list')).includes(id))
    await sweep(31)
    assert.deepEqual(await removedOf('tags_list'), [])
    assert.equal(await witness.value('select count(*)::int from removals where tenant_id = $1', company.tenant), 0)
  })

  it('stores only the filter fields of a deleted record', async () => {
    const id = await made('tags_create', { name: 'Bare', color: '#112233' })
    await company.call('tags_delete', { id })
    assert.deepEqual(await witness.value('select record from removals where id = $1', id), { name_folded: 'bare' })
  })
})
