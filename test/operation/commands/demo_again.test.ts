import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { makeDemo, resetDemo, type Demo } from '../../../src/cli/installation/demo_company.ts'
import { newDemoReset } from '../../../src/cli/installation/demo_reset.ts'
import { findMember, listMembers, removeMember } from '../../../src/identity/people/people.ts'
import { raw } from '../../../src/platform/db/database.ts'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import { deleteDemo } from '../../../src/privacy/erase/demo_company.ts'
import { callerOf, type TestService } from '../../harness/harness.ts'
import { createCompany, startSite, newBrowser } from '../../harness/web_client.ts'

let service: TestService
let demo: Demo
let second: Demo
before(async () => {
  service = await startSite()
  demo = await makeDemo(service.database, service.config)
  second = await makeDemo(service.database, service.config)
})
after(() => service.stop())

const place = () => ({ ...service.config, storage: openStorage(service.config.storage) })

/** Counts a company's rows in every table with at least one. */
async function countRows(tenant: string): Promise<Record<string, number>> {
  return readTenant(service.database, { tenant }, async (db) => {
    const tables = await db.all<{ name: string }>(sql`select distinct table_name::text as name
      from information_schema.columns where column_name = 'tenant_id' and table_schema = 'public' order by 1`)
    const counts: [string, number][] = []
    for (const { name } of tables) {
      const { count } = await db.one<{ count: number }>(
        sql`select count(*)::int as count from ${raw(name)} where tenant_id = ${tenant}`,
      )
      if (count > 0) counts.push([name, count])
    }
    return Object.fromEntries(counts)
  })
}

const RECORDS = [
  'customers',
  'contacts',
  'locations',
  'jobs',
  'job_series',
  'quotes',
  'invoices',
  'payments',
  'plans',
  'notes',
  'tags',
  'catalog_items',
  'communications',
  'job_media',
  'time_entries',
  'logos',
  'mailboxes',
  'managed_numbers',
  'members',
]

const recordsOf = (counts: Record<string, number>) => Object.fromEntries(RECORDS.map((name) => [name, counts[name]]))

/** Maximum time in milliseconds that a statement waits for a lock. */
const MAX_LOCK_MS = 5_000

const countWhitakers = async (): Promise<number> =>
  (await callerOf(service.url, demo.key).call('customers_search', { query: 'June Whitaker' })).rows.length

describe('a demo company', () => {
  it('has its original records after a reset, with the same people, password and key', async () => {
    const before = recordsOf(await countRows(demo.tenant.id))
    const other = await countRows(second.tenant.id)
    assert.ok((before['customers'] ?? 0) > 10)
    const { call } = callerOf(service.url, demo.key)
    await call('customers_create', { customer_type: 'individual', first_name: 'Zed', last_name: 'Newcomer' })
    const { rows } = await call('customers_search', { query: 'June Whitaker' })
    await call('customers_update', { id: rows[0].id, first_name: 'Changed' })
    const luis = await findMember(service.database, { tenant: demo.tenant.id }, 'luis@bartonridge.example')
    await removeMember(service.database, { tenant: demo.tenant.id }, luis.user_id)

    await resetDemo(service.database, demo.tenant.id, place())

    assert.deepEqual(recordsOf(await countRows(demo.tenant.id)), before)
    assert.equal((await call('customers_search', { query: 'Newcomer' })).rows.length, 0)
    assert.equal((await call('customers_search', { query: 'June Whitaker' })).rows.length, 1)
    const { rows: invoices } = await call('invoices_list', { limit: 1 })
    assert.match(String(invoices[0].number), /^10\d\d$/)
    assert.equal((await listMembers(service.database, { tenant: demo.tenant.id })).length, 6)
    assert.equal((await newBrowser(service).signIn(demo.owner.email, '/', demo.owner.password)).status, 303)
    assert.deepEqual(await countRows(second.tenant.id), other, 'another company stays as it is')
  })

  it('is reset correctly by two processes at once; an unknown company is rejected', async () => {
    const { connection } = service.database
    const [one, another] = [
      newDemoReset({ ...service.config, connection }),
      newDemoReset({ ...service.config, connection }),
    ]
    await Promise.all([one(demo.tenant.id), another(demo.tenant.id)])
    assert.equal(await countWhitakers(), 1)
    await assert.rejects(one(newId()), /A demo could not be reset: .*isn't a demo company/s)
  })

  it("is reset after another process's reset, even past the lock timeout", async () => {
    const other = new Client(service.login)
    await other.connect()
    await other.query(`select pg_advisory_lock(hashtext('demo reset'), hashtext($1))`, [demo.tenant.id])
    const reset = newDemoReset({ ...service.config, connection: service.database.connection })(demo.tenant.id)
    await Promise.race([reset, sleep(MAX_LOCK_MS + 1_000)])
    await other.end()
    await reset
    assert.equal(await countWhitakers(), 1)
  })

  it("is removed with all its data when deleted; a real company can't be deleted or reset", async () => {
    const kept = await countRows(demo.tenant.id)
    await deleteDemo(service.database, second.tenant.id, place().storage)
    assert.deepEqual(await countRows(second.tenant.id), {})
    const [left] = await service.database.send([sql`select from users where email like '%+2@bartonridge.example'`])
    assert.equal(left.count, 0)
    assert.equal((await newBrowser(service).signIn(second.owner.email, '/', second.owner.password)).status, 422)
    assert.deepEqual(await countRows(demo.tenant.id), kept)

    const real = await createCompany(service, 'Alder Plumbing')
    await assert.rejects(deleteDemo(service.database, real.id, place().storage), /isn't a demo company/)
    await assert.rejects(resetDemo(service.database, real.id, place()), /isn't a demo company/)
    assert.ok((await countRows(real.id))['members'] === 1)
  })
})
