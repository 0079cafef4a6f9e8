import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import type { TenantRun } from '../../src/worker/periodic_task.ts'
import { CONTRACT } from '../harness/clients/contract.ts'
import { ARGUMENTS, makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

let service: TestService
let witness: Witness
let company: Company
let of: Records
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
  of = await makeRecords(company, 'Listed')
})
after(async () => {
  await witness.close()
  await service.stop()
})

const lists = [...toolCatalogOf(entities).tools.values()].filter(
  ({ tool }) => tool.verb === 'list' || tool.verb === 'search',
)
const EPOCH = '2000-01-01T00:00:00Z'
const inDays = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()
/** Waits until changes of this millisecond are settled. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 20)
  })

const changed = async (tool: string, given: object = {}): Promise<Result[]> => {
  await settle()
  return (await company.call(tool, { updated_since: EPOCH, include_removed: true, limit: 100, ...given })).rows
}
const removedOf = async (tool: string, given: object = {}): Promise<string[]> =>
  (await changed(tool, given))
    .filter(({ removed }) => removed === true)
    .map((row) => {
      assert.deepEqual(Object.keys(row).toSorted(), ['id', 'removed', 'updated_at'])
      return row['id'] as string
    })

const unstamped = (row: Result): Result => ({ ...row, updated_at: undefined })
const made = async (tool: string, given: object): Promise<string> => (await company.call(tool, given)).id
const customerOf = async (): Promise<Result> =>
  company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    contacts: [{ first_name: 'Kim' }, { first_name: 'Lee' }],
    locations: [{ address_line1: '1 Elm' }, { address_line1: '2 Elm' }],
  })

describe('include_removed', () => {
  for (const { wire } of lists) {
    it(`goes with updated_since alone, and changes nothing where it is left out: ${wire}`, async () => {
      const [given] = ARGUMENTS[wire]!(of)
      assert.equal(
        await company.refusal(wire, { ...given, include_removed: true }),
        'invalid_input: include_removed goes with updated_since; send both, or leave it out',
      )
      assert.deepEqual(
        await company.call(wire, { ...given, include_removed: false }),
        await company.call(wire, { ...given }),
      )
      await settle()
      const without = (await company.call(wire, { ...given, updated_since: EPOCH })).rows
      const rows = (await changed(wire, { ...given })).filter(({ removed }) => removed === undefined)
      assert.ok(rows.length > 0)
      assert.deepEqual(
        rows.map(({ updated_at }) => typeof updated_at),
        rows.map(() => 'string'),
      )
      assert.deepEqual(rows.map(unstamped), without.map(unstamped))
      assert.ok(rows.every(({ updated_at }, i) => i === 0 || updated_at >= rows[i - 1]!['updated_at']))
    })
  }
})

/** How to make a record of each list, and the tool that removes it from the list. */
const leaving: [list: string, make: () => Promise<{ id: string; given?: object }>, by: string][] = [
  ['customers_search', async () => ({ id: (await customerOf())['id'] }), 'customers_archive'],
  [
    'contacts_list',
    async () => {
      const { id, contacts } = await customerOf()
      return { id: contacts[1].id, given: { customer_id: id } }
    },
    'contacts_archive',
  ],
  [
    'locations_list',
    async () => {
      const { id, locations } = await customerOf()
      return { id: locations[1].id, given: { customer_id: id, type: 'service' } }
    },
    'locations_archive',
  ],
  [
    'tags_list',
    async () => ({ id: await made('tags_create', { name: 'Gone' }), given: { query: 'go' } }),
    'tags_delete',
  ],
  [
    'notes_list',
    async () => ({ id: await made('notes_create', { body: 'A gate code' }), given: { query: 'gate' } }),
    'notes_archive',
  ],
  ['notes_list', async () => ({ id: await made('notes_create', { body: 'Another' }) }), 'notes_archive'],
  [
    'invoices_list',
    async () => ({ id: await made('invoices_create', { customer_id: (await customerOf())['id'] }) }),
    'invoices_void',
  ],
  [
    'invoices_list',
    async () => ({
      id: await made('invoices_create', { customer_id: (await customerOf())['id'] }),
      given: { status: ['draft', 'sent'] },
    }),
    'invoices_void',
  ],
  [
    'quotes_list',
    async () => ({ id: await made('quotes_create', { customer_id: (await customerOf())['id'], title: 'Gone' }) }),
    'quotes_archive',
  ],
  [
    'quotes_list',
    async () => ({
      id: await made('quotes_create', { customer_id: (await customerOf())['id'], title: 'Gone' }),
      given: { status: 'draft' },
    }),
    'quotes_archive',
  ],
  [
    'catalog_items_list',
    async () => ({
      id: await made('catalog_items_create', { kind: 'fee', name: 'Gone', unit_price_cents: 1 }),
      given: { kind: 'fee', query: 'gon' },
    }),
    'catalog_items_archive',
  ],
  [
    'catalog_categories_list',
    async () => ({ id: await made('catalog_categories_create', { name: 'Gone' }), given: { parent_id: null } }),
    'catalog_categories_delete',
  ],
  [
    'tax_rates_list',
    async () => ({ id: await made('tax_rates_create', { name: 'Gone', rate_percentage: 1 }) }),
    'tax_rates_archive',
  ],
]

/** The entities that the list above doesn't know leave theirs as their examples say. */
const others = lists
  .filter(({ entity: { name } }) => !(name in CONTRACT))
  .map(({ wire, entity: { name, tools } }): (typeof leaving)[number] => [
    wire,
    async () => ({
      id: await made(`${name}_create`, ARGUMENTS[`${name}_create`]!(of)[0]!),
      given: ARGUMENTS[wire]!(of)[0]!,
    }),
    `${name}_${tools[4].verb}`,
  ])

describe('a record that leaves a list', () => {
  for (const [list, make, by] of [...leaving, ...others]) {
    it(`is told of in the order of changes, once it has left: ${list}, ${by}`, async () => {
      const { id, given = {} } = await make()
      const mine = async (): Promise<Result> => (await changed(list, given)).find((row) => row['id'] === id)!
      const earlier = await mine()
      assert.equal(earlier['removed'], undefined)
      const { total } =
        list.includes('search') || list === 'notes_list'
          ? { total: 0 }
          : await company.call(list, { ...given, updated_since: EPOCH, include_removed: true, include_total: true })
      await company.call(by, { id })
      const row = await mine()
      assert.deepEqual(row, { id, removed: true, updated_at: row['updated_at'] })
      assert.ok(row['updated_at'] > earlier['updated_at'])
      assert.equal((await changed(list, given)).at(-1)!['id'], id, 'nothing has changed since')
      const since = await changed(list, { ...given, updated_since: row['updated_at'] })
      assert.deepEqual(
        since.map((one) => one['id']),
        [id],
      )
      assert.ok(
        !(await company.call(list, { ...given, updated_since: EPOCH, limit: 100 })).rows.some(
          (one: Result) => one['id'] === id,
        ),
      )
      assert.ok(!(await company.call(list, { ...given, limit: 100 })).rows.some((one: Result) => one['id'] === id))
      if (total > 0)
        assert.equal(
          (await company.call(list, { ...given, updated_since: EPOCH, include_removed: true, include_total: true }))
            .total,
          total,
        )
    })
  }

  it('has not left a list that shows it: archived rates, void invoices, archived quotes that are asked for', async () => {
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
      const row = (await changed(list, given)).find((one) => one['id'] === id)
      assert.equal(row!['removed'], undefined, list)
      assert.ok(Object.keys(row!).length > 3)
    }
  })

  it('is told of to a list of what is overdue, which it left by being void', async () => {
    const invoice = await made('invoices_create', {
      customer_id: (await customerOf())['id'],
      line_items: [{ name: 'Call', unit_price_cents: 5 }],
      issue_date: inDays(-9),
      due_date: inDays(-3),
    })
    await company.call('invoices_update', { id: invoice, status: 'sent' })
    assert.ok((await changed('invoices_list', { overdue: true })).some(({ id }) => id === invoice))
    await company.call('invoices_void', { id: invoice })
    assert.ok((await removedOf('invoices_list', { overdue: true })).includes(invoice))
  })

  it('goes with its customer: contacts and places of one that is archived', async () => {
    const { id: customer_id, contacts, locations } = await customerOf()
    const given = { customer_id }
    await company.call('contacts_archive', { id: contacts[1].id })
    assert.deepEqual(await removedOf('contacts_list', given), [contacts[1].id])
    const seen = (await changed('contacts_list', given)).at(-1)!['updated_at']
    await company.call('customers_archive', { id: customer_id })
    assert.deepEqual(
      (await removedOf('contacts_list', given)).toSorted(),
      contacts.map(({ id }: Result) => id).toSorted(),
    )
    assert.ok(
      (await removedOf('contacts_list', { ...given, updated_since: seen })).includes(contacts[0].id),
      "also of those that didn't change themselves",
    )
    assert.deepEqual(
      (await removedOf('locations_list', given)).toSorted(),
      locations.map(({ id }: Result) => id).toSorted(),
    )
    assert.match(await company.refusal('contacts_list', { ...given, updated_since: EPOCH }), /^not_found/)
    assert.match(await company.refusal('contacts_list', given), /^not_found/)
  })

  it('was taken back by its series: told to the lists it was in, and to no other', async () => {
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
    for (const given of yes)
      assert.deepEqual((await removedOf('jobs_list', given)).toSorted(), gone, JSON.stringify(given))
    const no: object[] = [
      { customer_id: (await customerOf())['id'] },
      { assignee: company.owner.id },
      { title: 'monthly' },
      { status: 'done' },
      { scheduled_to: inDays(2) },
      { unassigned: true },
    ]
    for (const given of no) assert.deepEqual(await removedOf('jobs_list', given), [], JSON.stringify(given))
    for (const id of gone) assert.match(await company.refusal('jobs_get', { id }), /^not_found/)
  })

  it("isn't told of as gone where only a filter fits it no more", async () => {
    const id = await made('jobs_create', { customer_id: (await customerOf())['id'], title: 'Stays' })
    await company.call('jobs_cancel', { id })
    assert.ok(!(await removedOf('jobs_list', { status: 'unscheduled' })).includes(id))
    assert.equal((await changed('jobs_list')).find((row) => row['id'] === id)!['status'], 'cancelled')
  })

  it('comes page by page, in one order with the others, each once', async () => {
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

  it('is not passed where its transaction commits later', async () => {
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
    assert.deepEqual(await changed('tags_list', { updated_since: since }), [])
    mayEnd.resolve()
    await underWay
    assert.deepEqual(
      (await changed('tags_list', { updated_since: since })).map(({ id, removed }) => [id, removed]),
      [
        [slow['id'], true],
        [quick['id'], true],
      ],
    )
  })

  it("is forgotten 30 days after it was deleted, in the worker's sweep", async () => {
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

  it('leaves of what was deleted only what lists filter by', async () => {
    const id = await made('tags_create', { name: 'Bare', color: '#112233' })
    await company.call('tags_delete', { id })
    assert.deepEqual(await witness.value('select record from removals where id = $1', id), { name_folded: 'bare' })
  })
})
