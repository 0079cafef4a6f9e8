import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import pino from 'pino'
import { restoreBackup } from '../../../src/backup/archive/restore.ts'
import { takeBackup } from '../../../src/backup/archive/take.ts'
import type { SchemaStep } from '../../../src/platform/db/migrations/baseline.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { loginOf } from '../../../src/platform/db/connections/login.ts'
import { createSchema, migrate } from '../../../src/platform/db/migrations/migrate.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import type { Storage } from '../../../src/platform/storage/storage.ts'
import { startService } from '../../../src/start/service.ts'
import { KEYS, REGION, startBucket } from '../../harness/files/bucket.ts'
import type { EmptyDatabase } from '../../harness/database/empty_database.ts'
import { callerOf, makeDatabase, type Company, type TestService } from '../../harness/harness.ts'
import { openWitness } from '../../harness/clients/witness.ts'
import { BYTES, digestOf, readEntries, openArchives, withEmpty, type Archives } from './archives.ts'

let folder: string
let service: TestService
let company: Company
let customer: string
let files: Storage
let key: string
let backup: string
let directory: Archives['directory']
let read: Archives['read']
let stop: Archives['stop']
before(async () => {
  ;({ folder, service, company, customer, files, key, backup, directory, read, stop } = await openArchives())
})
after(() => stop())

/** Removes the tool use counts, which the service writes with a delay. */
function omitToolUses(rows: Record<string, number>): Record<string, number> {
  const { tool_uses: _, ...others } = rows
  return others
}

describe('a backup', () => {
  it('restores every row, file and migration, and the service accepts the same API key', () =>
    withEmpty(async (empty) => {
      const storage = directory('restored')
      const { rows, files: count, missing, migrated } = await restoreBackup(empty.owner, storage, backup)
      assert.deepEqual(await digestOf(empty), await digestOf(service))
      assert.deepEqual([rows['tenants'], rows['communications'], count, missing, migrated], [2, 2, 1, [], []])
      assert.ok((await read(storage))!.equals(BYTES))
      const database = openDatabase(await loginOf(empty.owner))
      const restored = await startService({ ...service.config, port: 0 }, database, pino({ level: 'silent' }), null)
      try {
        const { call } = callerOf(`http://127.0.0.1:${restored.port}/api/mcp`, company.owner.key)
        assert.deepEqual(
          await call('customers_get', { id: customer }),
          await company.call('customers_get', { id: customer }),
        )
        assert.equal((await call('jobs_list', { title: 'kept job' })).rows.length, 1)
        assert.equal((await call('notes_create', { body: 'New' }))['body'], 'New')
      } finally {
        await restored.stop(0)
        await database.close()
      }
    }))

  it('restores constraints, triggers, policies and indexes as the schema defines them', () =>
    withEmpty(async (empty) => {
      await restoreBackup(empty.owner, directory('schema'), backup)
      const schemaOf = async (of: Pick<EmptyDatabase, 'owner'>) => {
        const witness = await openWitness(of)
        const parts = [
          `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as is, convalidated, obj_description(oid, 'pg_constraint') as says from pg_constraint
          where connamespace = 'public'::regnamespace order by 1, 2`,
          `select tgrelid::regclass::text as of, tgname, tgenabled, pg_get_triggerdef(oid) as is from pg_trigger where not tgisinternal order by 1, 2`,
          `select relname, relrowsecurity, relforcerowsecurity, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`,
          `select tablename, policyname, qual, with_check from pg_policies order by 1, 2`,
          `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
        ]
        const found = []
        for (const part of parts) found.push(await witness.rows(part))
        await witness.close()
        return found
      }
      assert.deepEqual(await schemaOf(empty), await schemaOf(service))
    }))

  it('works with databases whose owner is an ordinary role', () =>
    withEmpty(
      async (first) => {
        await restoreBackup(first.owner, directory('first'), backup)
        const again = join(folder, 'again.tar.gz')
        const { rows } = await takeBackup(first.owner, directory('first'), again)
        const { rows: same } = await takeBackup(service.owner, files, join(folder, 'same.tar.gz'))
        assert.deepEqual(omitToolUses(rows), omitToolUses(same))
        await withEmpty(
          async (second) => {
            await restoreBackup(second.owner, directory('second'), again)
            const superuser = { owner: { ...service.owner, database: second.owner.database } }
            assert.deepEqual(await digestOf(superuser), await digestOf(service))
          },
          { ordinary: true },
        )
      },
      { ordinary: true },
    ))

  it('reads files from a bucket and restores them to one with their content types', () =>
    withEmpty(async (empty) => {
      const bucket = await startBucket()
      try {
        const inBucket = (prefix: string): Storage =>
          openStorage({
            kind: 'bucket',
            endpoint: bucket.endpoint,
            bucket: 'files',
            prefix,
            region: REGION,
            ...KEYS,
            sessionToken: null,
          })
        await inBucket('old').save(key, BYTES, 'application/pdf')
        const path = join(folder, 'bucket.tar.gz')
        await takeBackup(service.owner, inBucket('old'), path)
        await restoreBackup(empty.owner, inBucket('new'), path)
        assert.deepEqual(bucket.objects.get(`/files/new/${key}`), { type: 'application/pdf', bytes: BYTES })
      } finally {
        await bucket.stop()
      }
    }))

  it('splits a large table into parts of whole rows', () =>
    withEmpty(async (empty) => {
      const large = await makeDatabase()
      try {
        await writeTenant(large.database, { tenant: company.tenant, options: { patient: true } }, async (db) => {
          await db.run(
            sql`insert into tenants (id, name, timezone, currency, country) values (${db.tenant}, 'Large', 'UTC', 'USD', 'US')`,
          )
          await db.run(
            sql`insert into notes (tenant_id, id, body, words) select ${db.tenant}, gen_random_uuid(), repeat(md5(n::text), n % 60), '' from generate_series(1, 14000) n`,
          )
        })
        const path = join(folder, 'large.tar.gz')
        await takeBackup(large.owner, files, path)
        const parts = (await readEntries(path)).filter(({ name }) => name.startsWith('tables/notes/'))
        assert.deepEqual(
          parts.map(({ name }) => name),
          [
            'tables/notes/000001.copy',
            'tables/notes/000002.copy',
            'tables/notes/000003.copy',
            'tables/notes/000004.copy',
          ],
        )
        assert.ok(parts.every(({ bytes }) => bytes.at(-1) === 0x0a))
        await restoreBackup(empty.owner, directory('large'), path)
        assert.deepEqual(await digestOf(empty), await digestOf(large))
      } finally {
        await large.drop()
      }
    }))

  it('is a snapshot that excludes later writes', () =>
    withEmpty(async (empty) => {
      const { rows: before } = await digestOf(service)
      const path = join(folder, 'moment.tar.gz')
      const slow: Storage = {
        ...files,
        get: async (from) => {
          await company.call('notes_create', { body: 'Too late' })
          return files.get(from)
        },
      }
      await takeBackup(service.owner, slow, path)
      await restoreBackup(empty.owner, directory('moment'), path)
      assert.deepEqual((await digestOf(empty)).rows, before)
      assert.notDeepEqual((await digestOf(service)).rows, before)
    }))

  it('lists files that are missing from storage', () =>
    withEmpty(async (empty) => {
      const path = join(folder, 'lacking.tar.gz')
      assert.deepEqual((await takeBackup(service.owner, directory('nothing'), path)).missing, [key])
      const { missing, files: count } = await restoreBackup(empty.owner, directory('lacking'), path)
      assert.deepEqual([missing, count], [[key], 0])
    }))

  it('is readable by its owner only', async () => assert.equal((await stat(backup)).mode & 0o777, 0o600))

  it('restores over the same file in storage', () =>
    withEmpty(async (empty) => {
      await restoreBackup(empty.owner, files, backup)
      assert.ok((await read(files))!.equals(BYTES))
    }))

  it('of an earlier version is migrated to the current schema', () =>
    withEmpty((earlier) =>
      withEmpty(async (empty) => {
        const client = new Client(earlier.owner)
        await client.connect()
        await client.query('begin')
        await createSchema(client, (await digestOf(service)).steps.slice(0, 12) as SchemaStep[])
        await client.query(
          `insert into tenants (id, name, timezone, currency, country) values ('${company.tenant}', 'Early', 'UTC', 'EUR', 'FR')`,
        )
        await client.query('commit')
        await client.end()
        const path = join(folder, 'earlier.tar.gz')
        await takeBackup(earlier.owner, files, path)
        const { migrated } = await restoreBackup(empty.owner, directory('earlier'), path)
        assert.equal(migrated.length, (await digestOf(service)).steps.length - 12)
        assert.deepEqual(await migrate(empty.owner), [])
        const witness = await openWitness(empty)
        assert.deepEqual(await witness.rows('select id, name from tenants'), [{ id: company.tenant, name: 'Early' }])
        await witness.close()
      }),
    ))
})
