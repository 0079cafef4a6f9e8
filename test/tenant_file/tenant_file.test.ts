import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { thawCompany } from '../../src/identity/companies/freeze.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { exportTenant } from '../../src/cli/tenant_file/export.ts'
import { EXPORT_RULES, OMITTED_TABLES } from '../../src/cli/tenant_file/export_rules.ts'
import { importTenant } from '../../src/cli/tenant_file/import.ts'
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import { makeEmptyDatabase } from '../harness/database/empty_database.ts'
import { makeRecords } from '../harness/clients/every_tool.ts'
import { callerOf, makeCompany } from '../harness/harness.ts'
import { openWitness } from '../harness/clients/witness.ts'
import { textColumns } from '../privacy/searching.ts'
import { BYTES, digestsOf, readEntries, openMoveScene, type Moving } from './move_scene.ts'

let moving: Moving
before(async () => {
  moving = await openMoveScene()
})
after(() => moving.close())

describe('the schema', () => {
  it('has no table and no text column without an export rule', async () => {
    const there = await textColumns(moving.from.owner)
    const forgotten = [...there].flatMap(([table, columns]) => {
      if (table in OMITTED_TABLES) return table in EXPORT_RULES ? [`${table} is in both lists`] : []
      const carried = EXPORT_RULES[table]
      if (carried === undefined)
        return [`${table}: say in src/cli/tenant_file/export_rules.ts whether its rows go along`]
      const seen = new Set([...carried.unchanged, ...Object.keys(carried.replacements)])
      return columns.filter((column) => !seen.has(column)).map((column) => `${table}.${column}`)
    })
    assert.deepEqual(forgotten, [])
    const witness = await openWitness(moving.from)
    const columns = await witness.rows(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
    )
    await witness.close()
    const known = new Set(columns.map(({ name }) => String(name)))
    const gone = Object.entries(EXPORT_RULES).flatMap(([table, { unchanged, replacements }]) =>
      [...unchanged, ...Object.keys(replacements)]
        .map((column) => `${table}.${column}`)
        .filter((column) => !known.has(column)),
    )
    assert.deepEqual([gone, Object.keys(OMITTED_TABLES).filter((table) => !there.has(table))], [[], []])
  })
})

describe("a company's file", () => {
  it('imports with every row and file, next to other companies, and is usable', async () => {
    const { from, into, company, key, records } = moving
    const other = await makeCompany(into)
    await makeRecords(other, 'There')
    const theirs = await digestsOf(into, other.tenant)
    const ours = await digestsOf(from, company.tenant)
    const made = await importTenant(into.owner, into.storage, await moving.exported())
    assert.deepEqual(
      [made.tenant, made.frozen, made.files, made.missing, made.people],
      [company.tenant, false, 1, [], { made: 1, known: 0 }],
    )
    assert.deepEqual(await digestsOf(into, company.tenant), ours)
    assert.deepEqual(await digestsOf(into, other.tenant), theirs)
    assert.ok((await bytesOf(into.storage, key)).equals(BYTES))

    await thawCompany(into.owner, company.tenant)
    const there = callerOf(into.url, await keyFor(company.owner.id))
    for (const [tool, id] of [
      ['customers_get', records.customer],
      ['invoices_get', records.invoice],
      ['jobs_get', records.job],
      ['quotes_get', records.quote],
      ['plans_get', records.plan],
    ] as const)
      assert.deepEqual(await there.call(tool, { id }), await company.call(tool, { id }), tool)
    const given = { customer_id: records.customer, title: 'The next one' }
    const [here, elsewhere] = [await there.call('jobs_create', given), await company.call('jobs_create', given)]
    assert.equal(here['number'], elsewhere['number'])
  })

  it('has no password hashes, keys or key hashes', async () => {
    const { from, company } = moving
    const witness = await openWitness(from)
    await witness.rows(`update users set password_hash = 'scrypt-of-a-password' where id = $1`, company.owner.id)
    const hashes = await witness.rows(
      `select encode(hash, 'hex') as hash from key_hashes where tenant_id = $1`,
      company.tenant,
    )
    await witness.close()
    const text = (await readEntries(await moving.exported()))
      .map(({ name, bytes }) => `${name} ${bytes.toString('latin1')}`)
      .join('\n')
    assert.ok(hashes.length > 0 && text.includes(company.owner.email))
    for (const secret of ['scrypt-of-a-password', company.owner.key, ...hashes.map(({ hash }) => String(hash))])
      assert.ok(!text.includes(secret), secret)
    const key = text.split('\n').find((line) => line.includes(company.owner.credential) && line.includes('user_key'))
    assert.match(key ?? '', /\t20\d\d-\d\d-\d\d [0-9:.]+\+00\t/, 'a key that has ended')
  })

  it('is a snapshot that excludes later writes', async () => {
    const { from, company } = moving
    const before = await digestsOf(from, company.tenant)
    const slow: Storage = {
      ...from.storage,
      get: async (key) => {
        await company.call('notes_create', { body: 'Too late' })
        return from.storage.get(key)
      },
    }
    const path = moving.newPath()
    await exportTenant(from.owner, slow, path, { tenant: company.tenant, freezes: false })
    await withHouse(async (house) => {
      await importTenant(house.owner, moving.storageIn('moment'), path)
      assert.deepEqual(await digestsOf(house, company.tenant), before)
    })
  })

  it('can be imported by an ordinary database owner only with the right to set session_replication_role', async () => {
    const { from, company } = moving
    const path = await moving.exported()
    await withHouse(
      async (first) => {
        const refused = importTenant(first.owner, moving.storageIn('first'), path)
        await assert.rejects(refused, {
          message: `${path} was not imported: the database's owner can't set session_replication_role; run as a superuser: grant set on parameter session_replication_role to ${first.owner.user}`,
        })
        const superuser = { owner: { ...from.owner, database: first.owner.database } }
        const witness = await openWitness(superuser)
        try {
          await witness.rows(`grant set on parameter session_replication_role to ${first.owner.user}`)
          await importTenant(first.owner, moving.storageIn('first'), path)
          assert.deepEqual(await digestsOf(superuser, company.tenant), await digestsOf(from, company.tenant))
          const again = moving.newPath()
          const made = await exportTenant(first.owner, moving.storageIn('first'), again, {
            tenant: company.tenant,
            freezes: false,
          })
          await withHouse(async (second) => {
            await importTenant(second.owner, moving.storageIn('second'), again)
            assert.deepEqual(
              [await digestsOf(second, company.tenant), made.frozen],
              [await digestsOf(from, company.tenant), true],
            )
          })
          await witness.rows(`revoke set on parameter session_replication_role from ${first.owner.user}`)
        } finally {
          await witness.close()
        }
      },
      { ordinary: true },
    )
  })
})

/** Provides a temporary database without a company. */
async function withHouse(
  use: (house: Awaited<ReturnType<typeof makeEmptyDatabase>>) => Promise<void>,
  as = { ordinary: false },
): Promise<void> {
  const empty = await makeEmptyDatabase(as)
  try {
    await migrate(empty.owner)
    await use(empty)
  } finally {
    await empty.drop()
  }
}

async function keyFor(user: string): Promise<string> {
  const { into, company } = moving
  return (
    await createKey(into.database, { tenant: company.tenant }, { user, name: 'here', scopes: SCOPES, expires_at: null })
  ).key
}

const bytesOf = async (storage: Storage, key: string): Promise<Buffer> =>
  Buffer.from(await new Response(await storage.get(key)).arrayBuffer())
