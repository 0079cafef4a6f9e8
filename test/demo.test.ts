import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findCaller } from '../src/access/caller.ts'
import { hashOf } from '../src/access/keys.ts'
import { verifyPassword } from '../src/access/passwords.ts'
import { listMembers } from '../src/access/people.ts'
import { SCOPES } from '../src/access/scopes.ts'
import { makeDemo } from '../src/cli/demo_company.ts'
import type { Demo } from '../src/cli/demo_company.ts'
import { sql } from '../src/db/tenant.ts'
import { callerOf, startTestService } from './harness.ts'
import type { Result, TestService } from './harness.ts'

let service: TestService
let demo: Demo
let second: Demo
before(async () => {
  service = await startTestService()
  demo = await makeDemo(service.database, service.config)
  second = await makeDemo(service.database, service.config)
})
after(() => service.stop())

/** Every row of a cursor list. */
async function all({ key }: Demo, tool: string): Promise<Result[]> {
  const { call } = callerOf(service.url, key)
  const rows: Result[] = []
  for (let cursor: string | undefined; ;) {
    const page = await call(tool, { limit: 100, ...(cursor === undefined ? {} : { cursor }) })
    rows.push(...page['rows'])
    if (page['nextCursor'] === null) return rows
    cursor = page['nextCursor']
  }
}

describe('ok', () => {
  it('is a company with an owner who can sign in, an office and four technicians', async () => {
    assert.deepEqual([demo.tenant.timezone, demo.tenant.currency, demo.tenant.country], ['America/Chicago', 'USD', 'US'])
    const [stored] = await service.database.send([sql`select password_hash from users where id = ${demo.owner.id} and email = ${demo.owner.email}`])
    assert.equal(await verifyPassword(demo.owner.password, String(stored!.rows[0]!['password_hash'])), true)
    const members = await listMembers(service.database, { tenant: demo.tenant.id })
    assert.deepEqual(members.map(({ role }) => role), ['owner', 'office', 'tech', 'tech', 'tech', 'tech'])
  })

  it('has a key of the owner for everything', async () => {
    const caller = await findCaller(service.database, hashOf(demo.key))
    assert.ok(typeof caller === 'object')
    assert.deepEqual([caller.user, caller.role, caller.scopes.size], [demo.owner.id, 'owner', SCOPES.length])
  })

  it('has some thirty customers of every kind, each with a phone kept for fiction and an address', async () => {
    const rows = await all(demo, 'customers_search')
    assert.ok(rows.length >= 28 && rows.length <= 36, `${rows.length} customers`)
    assert.deepEqual([...new Set(rows.map(({ customer_type }) => customer_type))].sort((a, b) => a < b ? -1 : 1), ['company', 'individual'])
    assert.deepEqual([...new Set(rows.map(({ status }) => status))].sort((a, b) => a < b ? -1 : 1), ['active', 'inactive', 'lead'])
    for (const { display_name, primary_phone, primary_address } of rows) {
      assert.match(primary_phone, /^\+151255501\d\d$/, display_name)
      assert.match(primary_address, /, TX 78\d{3}, US$/, display_name)
    }
    assert.equal(new Set(rows.map(({ primary_phone }) => primary_phone)).size, rows.length)
    const { tags } = await callerOf(service.url, demo.key).call('customers_get', { id: rows.find(({ display_name }) => display_name === 'Ngozi Okafor')!.id })
    assert.deepEqual(tags.map(({ name }: Result) => name), ['Maintenance plan', 'VIP'])
  })

  it('has notes by the office and the technicians on its customers', async () => {
    const rows = await all(demo, 'notes_list')
    assert.ok(rows.length >= 20 && rows.length <= 30, `${rows.length} notes`)
    assert.equal(new Set(rows.map(({ author_name }) => author_name)).size, 6)
    assert.ok(rows.every(({ excerpt }) => !/undefined|\$\{/.test(excerpt)))
  })

  it('is the same each time, beside the first, with other people\'s e-mails', async () => {
    // Sorted, because records of one millisecond stand in any order.
    const told = (rows: Result[]) => rows.map(({ display_name, excerpt, primary_phone, author_name }) =>
      [display_name, excerpt, primary_phone, author_name].join()).sort((a, b) => a < b ? -1 : 1)
    for (const tool of ['customers_search', 'notes_list']) assert.deepEqual(told(await all(second, tool)), told(await all(demo, tool)))
    assert.deepEqual([demo.owner.email, second.owner.email], ['dana@bartonridge.example', 'dana+2@bartonridge.example'])
    assert.notEqual(second.owner.id, demo.owner.id)
  })
})
