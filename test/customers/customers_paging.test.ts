import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { sql } from '../../src/platform/db/database.ts'
import { fold } from '../../src/platform/validation/text/fold.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

let service: TestService
let witness: Witness
let company: Company
let tag: string
/** The thousand customers that exist before any paging, unordered. */
let seeded: Set<string>
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
  tag = (await company.call('tags_create', { name: 'seed' })).id
  // Names that many share, and timestamps that seven share.
  const names = Array.from(
    { length: 1000 },
    (_, n) => ['Page', 'Page Émile', 'page émile', 'Page Zoe', 'Page 愛'][n % 5] + (n % 2 === 0 ? '' : ` ${n % 40}`),
  )
  await witness.rows(`select set_config('app.tenant_id', $1, false)`, company.tenant)
  const rows = await witness.rows(
    `
    insert into customers (tenant_id, id, customer_type, first_name, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields, created_at, updated_at)
    select $1, gen_random_uuid(), 'individual', name, name, folded, folded, case when n % 3 = 0 then 'lead' else 'active' end, false, false, '{}',
      '2025-01-01'::timestamptz + (n / 7) * interval '1 ms', '2025-02-01'::timestamptz + ((n * 37 % 1000) / 7) * interval '1 ms'
    from unnest($2::text[], $3::text[]) with ordinality t (name, folded, n) returning id`,
    company.tenant,
    names,
    names.map(fold),
  )
  seeded = new Set(rows.map(({ id }) => String(id)))
  await service.database.send([
    sql`select enter_tenant(${company.tenant}, null, 0)`,
    sql`insert into customer_tags (tenant_id, customer_id, tag_id)
      select tenant_id, id, ${tag} from customers where tenant_id = ${company.tenant}`,
  ])
})
after(async () => {
  await witness.close()
  await service.stop()
})

/** Reads every page of a list, one after another; `between` runs after each. */
async function pages(
  given: object,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<Result[]> {
  const rows: Result[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await company.call('customers_search', {
      ...given,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    })
    assert.equal(page.hasMore, page.nextCursor !== null)
    assert.equal(page.rows.length === limit || !page.hasMore, true, 'only the last page is short')
    assert.ok(page.nextCursor === null || page.nextCursor.length <= 512)
    rows.push(...page.rows)
    cursor = page.nextCursor
    await between()
  }
  return rows
}

const idsOf = (rows: Result[]): string[] => rows.map(({ id }) => id)
let added = 0
/** Adds customers that sort before, among and after all others. */
const add = (): Promise<unknown> =>
  Promise.all(
    ['Page', 'Page Émile 50', 'Page 愛愛', 'Aaa Page', 'Zzz Page'].map((name) =>
      company.call('customers_create', {
        customer_type: 'individual',
        first_name: name,
        external_id: `added ${++added}`,
        tag_ids: [tag],
        status: added % 2 ? 'lead' : 'active',
      }),
    ),
  )

const orders: [name: string, given: object, count: number, limit: number][] = [
  ['newest first', {}, 1000, 97],
  ['newest first, one status', { status: 'lead' }, 333, 50],
  ['oldest change first', { updated_since: '2025-01-15T00:00:00Z' }, 1000, 93],
  ['oldest change first, with a query', { updated_since: '2025-01-15T00:00:00Z', query: 'page' }, 1000, 100],
  ['by name, the exact ones first', { query: 'page' }, 1000, 89],
  ['by name, nothing exact', { query: 'pag' }, 1000, 100],
  ['by name, of a tag and a status', { query: 'seed', tag: 'seed', status: 'lead' }, 333, 31],
]

describe('paging through customers_search', () => {
  for (const [name, given, count, limit] of orders) {
    it(`returns every row once, ${name}, while others are added`, async () => {
      let pagesSeen = 0
      const ids = idsOf(
        await pages(given, limit, async () => {
          if (pagesSeen++ < 3) await add()
        }),
      )
      const ours = ids.filter((id) => seeded.has(id))
      assert.equal(new Set(ids).size, ids.length, 'none twice')
      assert.equal(ours.length, count, 'all of them')
      assert.deepEqual(
        ours,
        idsOf(await pages(given, 100)).filter((id) => seeded.has(id)),
        'in the order of any other page size',
      )
    })
  }

  it('with a query returns exact names first, then by name and id', async () => {
    const rows = await pages({ query: 'page' }, 100)
    const exact = rows.filter(({ display_name }) => display_name.toLowerCase() === 'page').length
    assert.ok(exact > 50)
    assert.ok(rows.slice(0, exact).every(({ display_name }) => display_name.toLowerCase() === 'page'))
    const expected = await witness.rows(
      `select id from customers where tenant_id = $1 order by sort_name <> 'page', sort_name, id`,
      company.tenant,
    )
    assert.deepEqual(
      idsOf(rows),
      expected.map(({ id }) => id),
    )
  })

  it('one row at a time works for rows with the same name and timestamp', async () => {
    const some: Result[] = (await company.call('customers_search', { query: 'page zoe 33', limit: 100 })).rows
    assert.ok(some.length >= 5)
    assert.deepEqual(idsOf(await pages({ query: 'page zoe 33' }, 1)), idsOf(some))
  })

  it('one row at a time returns exact names before names that sort earlier', async () => {
    const { call } = await makeCompany(service)
    for (const first_name of ['Zed', 'Abe'])
      await call('customers_create', { customer_type: 'individual', first_name, contacts: [{ first_name: 'Ann' }] })
    for (let i = 0; i < 2; i++) await call('customers_create', { customer_type: 'individual', first_name: 'Ann' })
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null && seen.length < 9;) {
      const page = await call('customers_search', {
        query: 'ann',
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      })
      seen.push(page.rows[0].display_name)
      cursor = page.nextCursor
    }
    assert.deepEqual(seen, ['Ann', 'Ann', 'Abe', 'Zed'])
  })

  it('continues with another page size and with q instead of query', async () => {
    const first = await company.call('customers_search', { query: 'page', limit: 3 })
    const second = await company.call('customers_search', { q: 'page', limit: 100, cursor: first.nextCursor })
    assert.equal(new Set(idsOf([...first.rows, ...second.rows])).size, 103)
  })

  it('works for names of maximum length', async () => {
    const { call } = await makeCompany(service)
    for (const n of [1, 2, 3])
      await call('customers_create', { customer_type: 'company', company_name: '愛'.repeat(199) + n })
    for (const n of [1, 2])
      await call('customers_create', { customer_type: 'company', company_name: `愛${'😀'.repeat(198)}${n}` })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await call('customers_search', { query: '愛', limit: 1, ...(cursor && { cursor }) })
      seen.push(page.rows[0].id)
      cursor = page.nextCursor
    } while (cursor)
    assert.equal(new Set(seen).size, 5)
  })
})

describe('a customers_search cursor', () => {
  const changed = 'invalid_input: cursor belongs to a list with other filters; start again without it'
  const broken = 'invalid_input: cursor must be the nextCursor of an earlier response, unchanged'

  it('is refused with invalid_input if the filters changed', async () => {
    const { nextCursor: cursor } = await company.call('customers_search', { query: 'page', status: 'lead', limit: 1 })
    for (const given of [
      {},
      { query: 'page' },
      { query: 'pag', status: 'lead' },
      { query: 'page', status: 'active' },
      { query: 'page', status: 'lead', tag: 'seed' },
      { query: 'page', status: 'lead', customer_type: 'individual' },
    ]) {
      assert.equal(
        await witness.refused(company.owner, 'customers_search', { ...given, cursor }),
        given.query === undefined ? broken : changed,
      )
    }
    const since = await company.call('customers_search', { updated_since: '2025-01-15T00:00:00Z', limit: 1 })
    assert.equal(
      await company.refusal('customers_search', {
        updated_since: '2025-01-15T00:00:00.001Z',
        cursor: since.nextCursor,
      }),
      changed,
    )
  })

  it('is refused with invalid_input if tampered with, and never causes a database error', async () => {
    const lists = [{}, { query: 'page' }, { updated_since: '2025-01-15T00:00:00Z' }]
    const cursors: string[] = await Promise.all(
      lists.map(async (given) => (await company.call('customers_search', { ...given, limit: 1 })).nextCursor),
    )
    for (const [i, given] of lists.entries()) {
      const parts: string[] = JSON.parse(Buffer.from(cursors[i]!, 'base64url').toString())
      const forged = [
        [parts[0]],
        [parts[0], 0, 'x\u0000', newId()],
        [parts[0], 0, parts[2], 'x'],
        [parts[0], '0', parts[2], parts[3]],
        [parts[0], 0, { a: 1 }, parts[3]],
        [null, ...parts.slice(1)],
        'text',
        null,
      ]
      for (const made of forged) {
        const text = await witness.refused(company.owner, 'customers_search', {
          ...given,
          cursor: Buffer.from(JSON.stringify(made)).toString('base64url'),
        })
        assert.ok(text === broken || text === changed, text)
      }
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '=', '+', ' '),
          async (position, letter) => {
            const at = position % cursors[i]!.length
            const { text, isError } = await company.owner.send('customers_search', {
              ...given,
              limit: 1,
              cursor: cursors[i]!.slice(0, at) + letter + cursors[i]!.slice(at + 1),
            })
            assert.ok(!isError || text === broken || text === changed, text)
          },
        ),
        { numRuns: 60 },
      )
    }
  })
})
