import pg from 'pg'
import { sql, type Sql } from '../src/platform/db/database.ts'
import { APPLICATION_ROLE } from '../src/platform/db/connections/login.ts'
import type { Db } from '../src/platform/db/tenant.ts'
import { queryCondition } from '../src/records/customers/search/matching.ts'
import { searchCustomers } from '../src/records/customers/search/search.ts'
import { listNotes } from '../src/records/notes/listing.ts'
import { toTsquery } from '../src/records/notes/note.ts'
import { makeDatabase } from '../test/harness/harness.ts'
import { fill, type Filled } from './customer_search/fill.ts'
import { timeWrites } from './customer_search/time_writes.ts'

// Fills a company with 100,000 customers and notes, then compares the statements of its searches with a scan of all rows and with
// ranking all matches. Fails if a search or a write exceeds its limit. A name search that no index helps may take little more than
// the scan.
const ROUNDS = 15
const MAX_RATIO = 1.3
const EXTRA_MS = 4
const MAX_WRITE_RATIO = 1.3
const CALLER = { tenant: { country: 'US', timezone: 'UTC' } } as Parameters<typeof searchCustomers>[1]

type Case = { statement: (db: Db) => Promise<Sql>; against: (db: Db) => Sql; maxMs?: number }

const testDatabase = await makeDatabase()
const client = new pg.Client({ ...testDatabase.owner, options: '-c timezone=UTC -c jit=off' })
await client.connect()
try {
  const filled = await fill(client)
  const slow = [...(await searches(filled)), ...(await writes(filled.tenant))]
  console.log(slow.length > 0 ? `Slow: ${slow.join(', ')}` : 'Every search and every write is within its limit.')
  if (slow.length > 0) process.exitCode = 1
} finally {
  await client.end()
  await testDatabase.drop()
}

async function searches({ tenant, ...of }: Filled): Promise<string[]> {
  const rows: Record<string, Record<string, number>> = {}
  const slow: string[] = []
  for (const [name, { statement, against, maxMs }] of Object.entries(cases(of))) {
    const db = { tenant } as Db
    const now = await explainStatement(tenant, await statement(db))
    const before = await explainStatement(tenant, against(db))
    rows[name] = { ms: now.ms, 'pages read': now.pages, 'ms, scan': before.ms, 'pages read, scan': before.pages }
    if (now.ms > (maxMs ?? before.ms * MAX_RATIO + EXTRA_MS)) slow.push(name)
  }
  console.table(rows)
  return slow
}

function cases({ phone, email, name }: Omit<Filled, 'tenant'>): Record<string, Case> {
  const [before, host] = email.split('@') as [string, string]
  return {
    'the last four digits of a phone': customers(phone.slice(-4), 5),
    'the last six digits': customers(phone.slice(-6), 5),
    'part of an email': customers(`${before.slice(-5)}@${host.slice(0, 3)}`, 5),
    'a part that a fifth have': customers(host.slice(-8), 5),
    'a whole email': customers(email),
    'no match': customers('submarine', 5),
    'no phone': customers('11223344', 5),
    'a first and a last name': customers(name.split(' ').slice(0, 2).join(' ')),
    'a first name that one in eighty have': customers('mara'),
    'one at the end of the alphabet': customers('wilo'),
    'one at its beginning': customers('bela'),
    'a last name that one in 200 have': customers('norden'),
    'one letter': customers('z'),
    'notes: no match': notes('submarine', 30),
    'notes: a rare word': notes('zeppelin', 30),
    'notes: 5,000 matches': notes('word117', 30),
    'notes: 45,000 matches': notes('word11', 30),
    'notes: all match': notes('word', 30),
  }
}

function customers(query: string, maxMs?: number): Case {
  return {
    statement: (db) => captureStatement(db, (inside) => searchCustomers(inside, CALLER, { query, limit: 25 })),
    against: (db) => sql`select c.id from customers c
      where c.tenant_id = ${db.tenant} and c.archived_at is null and ${queryCondition(query)} order by c.sort_name, c.id limit 26`,
    ...(maxMs === undefined ? {} : { maxMs }),
  }
}

function notes(query: string, maxMs?: number): Case {
  return {
    statement: (db) => captureStatement(db, (inside) => listNotes(inside, CALLER, { query, limit: 25 })),
    against: (db) => sql`select n.id from notes_matching(${toTsquery(db.tenant, query)}, null) n
      where n.tenant_id = ${db.tenant} order by n.rank desc, n.created_at desc, n.id desc limit 26`,
    ...(maxMs === undefined ? {} : { maxMs }),
  }
}

/** Returns the one statement that is sent. */
async function captureStatement(db: Db, ask: (db: Db) => Promise<unknown>): Promise<Sql> {
  let sent: Sql | undefined
  await ask({ ...db, all: async (statement) => ((sent = statement), []) })
  return sent!
}

/** Returns the cost of a statement under its generic plan: the fastest round, because the machine may be busy. */
async function explainStatement(tenant: string, { text, values }: Sql): Promise<{ ms: number; pages: number }> {
  await client.query(`begin; set local role ${APPLICATION_ROLE}; set local plan_cache_mode = force_generic_plan`)
  await client.query('select enter_tenant($1, null, 0)', [tenant])
  await client.query(`prepare explained as ${text}`)
  const args = values.map((value) =>
    value === null
      ? 'null'
      : pg.escapeLiteral(Array.isArray(value) ? arrayOf(value) : String(value as string | number)),
  )
  let fastest = { ms: Infinity, pages: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const { rows } = await client.query(
      `explain (analyze, buffers, timing off, format json) execute explained(${args.join(', ')})`,
    )
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN']
    if (ms < fastest.ms) fastest = { ms, pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] }
  }
  await client.query('rollback; deallocate all')
  return { ...fastest, ms: Math.round(fastest.ms * 10) / 10 }
}

function arrayOf(values: readonly string[]): string {
  return `{${values.map((value) => JSON.stringify(value)).join(',')}}`
}

async function writes(tenant: string): Promise<string[]> {
  const took = Object.entries(await timeWrites(client, tenant)).map(
    ([name, { with: indexed, without }]) => [name, indexed / without, indexed] as const,
  )
  console.table(
    Object.fromEntries(
      took.map(([name, ratio, ms]) => [name, { ms: ms.toFixed(2), 'ratio to without the index': ratio.toFixed(2) }]),
    ),
  )
  return took.filter(([, ratio]) => ratio > MAX_WRITE_RATIO).map(([name]) => name)
}
