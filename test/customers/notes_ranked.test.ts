import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

// A third of the notes say "pump", some three times. Each note is a minute newer than the one before.
const ALL = 4500
const RANKED = 4000
const matches = Array.from({ length: ALL }, (_, i) => i + 1).filter((n) => n % 3 === 0)
const isBest = (n: number): boolean => n % 90 === 0

let service: TestService
let witness: Witness
let company: Company
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
  const { tenant, owner } = company
  const end = tenant.slice(-6)
  await witness.value(
    `with made as (insert into notes (tenant_id, id, body, words, pinned, created_at, created_by)
      select $1, gen_random_uuid(), n::text, (case when n % 90 = 0 then '${end}pump:1,2,3' when n % 3 = 0 then '${end}pump:1' else '${end}boiler:1' end
        || case when n <= 60 then ' ${end}valve:4' else '' end)::tsvector, n % 100 = 0, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', $2
      from generate_series(1, ${ALL}) n returning 1) select count(*) from made`,
    tenant,
    owner.id,
  )
})
after(async () => {
  await witness.close()
  await service.stop()
})

const numbers = ({ rows }: Result): number[] => rows.map(({ excerpt }: Result) => Number(excerpt))
const newestFirst = (all: number[]): number[] => all.toReversed()
const bestFirst = (all: number[]): number[] => [
  ...newestFirst(all.filter(isBest)),
  ...newestFirst(all.filter((n) => !isBest(n))),
]

/** Returns the numbers of the matching notes, page by page. Calls `between` between pages. */
async function searchNotes(
  given: object,
  limit: number,
  between = async (): Promise<unknown> => undefined,
): Promise<number[]> {
  const found: number[] = []
  let cursor: string | null = null
  do {
    const page: Result = await company.call('notes_list', { ...given, limit, cursor })
    found.push(...numbers(page))
    cursor = page.nextCursor
    await between()
  } while (cursor !== null)
  return found
}

describe('a notes query that matches a third of all notes', () => {
  it('ranks matches among the newest 4,000, then lists older ones newest first', async () => {
    const inside = matches.filter((n) => n > ALL - RANKED + 1)
    const older = matches.filter((n) => n <= ALL - RANKED + 1)
    assert.deepEqual(await searchNotes({ query: 'pump' }, 100), [...bestFirst(inside), ...newestFirst(older)])
  })

  it('ranks all matches if the filters leave fewer', async () => {
    const pinned = matches.filter((n) => n % 100 === 0)
    assert.deepEqual(await searchNotes({ query: 'pump', pinned: true }, 7), bestFirst(pinned))
    assert.deepEqual(
      await searchNotes({ query: 'pump', created_to: '2025-12-31' }, 40),
      bestFirst(matches.filter((n) => n < 300)),
    )
  })

  it('repeats and misses no note across pages while notes are added', async () => {
    const found = await searchNotes({ query: 'pump' }, 100, () =>
      company.call('notes_create', { body: 'pump pump pump pump' }),
    )
    const before = found.filter((n) => !Number.isNaN(n))
    assert.equal(new Set(before).size, before.length)
    assert.deepEqual(new Set(before), new Set(matches))
  })
})

describe('a notes query that matches few of the newest', () => {
  it('ranks all matches', async () => {
    const old = matches.filter((n) => n <= 60)
    assert.deepEqual(await searchNotes({ query: 'valve pump' }, 7), newestFirst(old))
  })
})

describe('a notes_list cursor', () => {
  it('is refused if its timestamps are invalid', async () => {
    const { nextCursor } = await company.call('notes_list', { query: 'pump' })
    const [made, rank, , id] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString('utf8'))
    for (const times of [
      '',
      '2026-01-01',
      '2026-01-01T00:00:00Z ',
      '2026-01-01T00:00:00Z x',
      '2026-01-01T00:00:00Z 2026-01-01T00:00:00Z 2026-01-01T00:00:00Z',
    ]) {
      const cursor = Buffer.from(JSON.stringify([made, rank, times, id])).toString('base64url')
      assert.match(
        await witness.refused(company.owner, 'notes_list', { query: 'pump', cursor }),
        /^invalid_input: cursor must be the nextCursor/,
      )
    }
  })
})
