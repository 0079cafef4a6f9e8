import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'
import { schemaText } from '../../../scripts/schema.ts'
import { restoreBackup, readManifest } from '../../../src/backup/archive/restore.ts'
import { takeBackup } from '../../../src/backup/archive/take.ts'
import { makeDemo, type Demo } from '../../../src/cli/installation/demo_company.ts'
import { databaseFindings } from '../../../src/cli/doctor/doctor_database.ts'
import { currentSteps, findMigrationsBefore } from '../../../src/platform/db/migrations/baseline.ts'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { migrate, missingMigrations } from '../../../src/platform/db/migrations/migrate.ts'
import { openServiceDatabase } from '../../../src/platform/db/open.ts'
import { openStorage } from '../../../src/platform/storage/open_storage.ts'
import { makeEmptyDatabase, type EmptyDatabase } from '../../harness/database/empty_database.ts'
import { callerOf, makeDatabase } from '../../harness/harness.ts'
import { copyRowsBefore, layOutBefore } from '../../harness/database/schema_before.ts'
import { freePort } from '../../harness/web_client.ts'
import { openWitness } from '../../harness/clients/witness.ts'

const program = fileURLToPath(new URL('../../../bin/callout', import.meta.url))
const schema = await readFile(new URL('../../../docs/schema.sql', import.meta.url), 'utf8')
const old = await findMigrationsBefore()
const later = await namesAbove('093_customer_imports')

let folder: string
let demo: Demo
let kept: State
let columns: Row[] | undefined
const backup = (): string => join(folder, 'before.tar.gz')
const storage = () => openStorage({ kind: 'directory', directory: join(folder, 'files') })

type Row = Record<string, unknown>
type State = { rows: Row[]; steps: Row[] }

async function queryRows(owner: ClientConfig, query: string): Promise<Row[]> {
  const witness = await openWitness({ owner })
  return witness.rows(query).finally(() => witness.close())
}

const stepsOf = (owner: ClientConfig): Promise<Row[]> =>
  queryRows(owner, 'select name, checksum, applied_at from migrations order by name collate "C"')

/**
 * Returns digests of the rows in the earlier columns, by table. The removed table has its own test
 * (`one_importer.test.ts`).
 */
async function rowsOf(owner: ClientConfig): Promise<Row[]> {
  columns ??= await queryRows(
    owner,
    `select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list
    from information_schema.columns where table_schema = 'public' and table_name not in ('migrations', 'customer_imports') group by 1 order by 1`,
  )
  const digests = columns
    .map(({ name, list }) => [String(name), String(list)] as const)
    .map(
      ([name, list]) =>
        `select '${name}' as name, count(*), md5(string_agg(r::text, ',' order by r::text)) from (select ${list} from ${name}) r`,
    )
  return queryRows(owner, `${digests.join(' union all ')} order by 1`)
}

const namesOf = (steps: readonly Row[]): string[] => steps.map(({ name }) => String(name))

/** Opens the database of the data directory during `use`. */
async function within<T>(use: (owner: ClientConfig) => Promise<T>): Promise<T> {
  const { connection, stop } = await startEmbedded({ dataDir: join(folder, 'data') })
  return use(connection).finally(stop)
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-upgrade-'))
  // The database may run as another user.
  await chmod(folder, 0o755)
  await within(async (owner) => {
    await layOutBefore(owner, old)
    await openServiceDatabase(owner, null).then((database) => database.close())
    const present = await makeDatabase()
    try {
      demo = await makeDemo(present.database, { baseUrl: 'http://callout.test' })
      await copyRowsBefore(present.owner, owner)
    } finally {
      await present.drop()
    }
    await takeBackup(owner, storage(), backup())
    kept = { rows: await rowsOf(owner), steps: await stepsOf(owner) }
  })
})
after(() => rm(folder, { recursive: true, force: true }))

/** Runs the service on the data directory during `use`. */
async function serving<T>(use: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort()
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), PORT: String(port), NODE_ENV: 'production' },
  })
  const ended = once(child, 'exit')
  try {
    await once(child.stdout, 'data')
    return await use(`http://127.0.0.1:${port}/api/mcp`)
  } finally {
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  }
}

/** Returns the current migrations after the baseline, in order. */
async function namesAbove(baseline: string): Promise<string[]> {
  const names: string[] = []
  for await (const path of glob('**/[0-9][0-9][0-9]_*.sql', { cwd: new URL('../../../src/', import.meta.url) }))
    names.push(basename(path, '.sql'))
  return names.filter((name) => name > baseline).sort()
}

describe('a data directory from before the baseline', () => {
  it("has that state's migrations and rows", () => {
    assert.deepEqual([old.length, namesOf(kept.steps)], [69, old.map(({ name }) => name)])
    const empty = kept.rows.filter(({ count }) => count === '0').map(({ name }) => name)
    for (const name of ['customers', 'jobs', 'invoices', 'payments', 'communications', 'audit', 'key_hashes'])
      assert.ok(!empty.includes(name), name)
  })

  it('needs only later migrations and is upgraded with every row unchanged', () =>
    within(async (owner) => {
      assert.deepEqual([await missingMigrations(owner), await stepsOf(owner)], [later, kept.steps])
      assert.deepEqual((await Promise.all([migrate(owner), migrate(owner), migrate(owner)])).flat().sort(), later)
      assert.deepEqual(await rowsOf(owner), kept.rows)
      assert.equal(await schemaText(owner), schema)
      const steps = await stepsOf(owner)
      assert.deepEqual(await migrate(owner), [])
      assert.deepEqual(await stepsOf(owner), steps)
    }))

  it('is served with old and new records, also after a second start', async () => {
    const made = await serving(async (url) => {
      const { call } = callerOf(url, demo.key)
      const {
        rows: [invoice],
      } = await call('invoices_list', { limit: 1 })
      const {
        rows: [customer],
      } = await call('customers_search', { limit: 1 })
      assert.equal((await call('invoices_get', { id: invoice.id })).id, invoice.id)
      return call('jobs_create', { customer_id: customer.id, title: 'After the upgrade' })
    })
    const steps = await within(stepsOf)
    await serving(async (url) =>
      assert.equal((await callerOf(url, demo.key).call('jobs_get', { id: made['id'] })).title, 'After the upgrade'),
    )
    assert.deepEqual(await within(stepsOf), steps)
  })
})

async function withEmpty(use: (empty: EmptyDatabase) => Promise<void>, as = { ordinary: false }): Promise<void> {
  const empty = await makeEmptyDatabase(as)
  await use(empty).finally(() => empty.drop())
}

describe('a backup from before the baseline', () => {
  it('is restored with every row unchanged', () =>
    withEmpty(async ({ owner }) => {
      assert.deepEqual(
        (await readManifest(backup())).migrations,
        old.map(({ name, checksum }) => ({ name, checksum })),
      )
      const { migrated } = await restoreBackup(owner, storage(), backup())
      assert.deepEqual([migrated, await rowsOf(owner)], [later, kept.rows])
      assert.equal(await schemaText(owner), schema)
      assert.deepEqual(await migrate(owner), [])
    }))

  it('maps to the baseline only, without later migrations', () => {
    const present = [
      { name: '001_tenants', checksum: 'a' },
      { name: '093_customer_imports', checksum: 'b' },
      { name: '200_later', checksum: 'c' },
    ]
    assert.deepEqual(currentSteps(old, present), present.slice(0, 2))
    assert.deepEqual(currentSteps(present, present), present)
  })
})

describe('a database', () => {
  it('of an ordinary role is upgraded too', () =>
    withEmpty(
      async ({ owner }) => {
        await layOutBefore(owner, old)
        assert.deepEqual(await migrate(owner), later)
        assert.equal(await schemaText(owner), schema)
      },
      { ordinary: true },
    ))

  it('from before the baseline gets the remaining old migrations first, and so does its backup', () =>
    withEmpty(async ({ owner }) => {
      await layOutBefore(owner, old.slice(0, 12))
      const rest = [...namesOf(old.slice(12)), ...later]
      assert.deepEqual(await missingMigrations(owner), rest)
      const path = join(folder, 'stopped.tar.gz')
      await takeBackup(owner, storage(), path)
      assert.deepEqual((await Promise.all([migrate(owner), migrate(owner)])).flat().sort(), rest.toSorted())
      assert.equal(await schemaText(owner), schema)
      await withEmpty(async (empty) => {
        assert.deepEqual((await restoreBackup(empty.owner, storage(), path)).migrated, rest)
        assert.equal(await schemaText(empty.owner), schema)
      })
    }))

  it('between two releases is refused unchanged, and so is its backup', () =>
    withEmpty(async ({ owner }) => {
      await layOutBefore(owner, [...old.slice(0, 10), ...old.slice(11, 12)])
      const before = await stepsOf(owner)
      const says = `The schema ends at ${old[11]!.name}, a state that no release had`
      const mend =
        'start it once with an intermediate release, commit 89b919e (git checkout 89b919e && npm ci && npm start), whose last step is 176_catalog_items_changed; then start this one'
      await assert.rejects(migrate(owner), { message: `${says}; to fix it: ${mend}` })
      assert.deepEqual(
        (await databaseFindings(owner, null, 'external')).filter(({ ok }) => !ok),
        [{ check: 'migrations', ok: false, says, mend }],
      )
      assert.deepEqual(await stepsOf(owner), before)
      const path = join(folder, 'between.tar.gz')
      await takeBackup(owner, storage(), path)
      await withEmpty((empty) =>
        assert.rejects(restoreBackup(empty.owner, storage(), path), {
          message: `${path} was not restored: ${says}; to fix it: ${mend}`,
        }),
      )
    }))

  it('with a changed or missing migration is refused', () =>
    withEmpty(async ({ owner }) => {
      const [, second] = await migrate(owner)
      const witness = await openWitness({ owner })
      await witness.rows('update migrations set checksum = $1 where name = $2', 'other', second)
      await assert.rejects(migrate(owner), {
        message: `Migration ${second} was changed after it was applied; to fix it: restore its text and make the change in a new migration`,
      })
      await witness.rows('delete from migrations where name = $1', second)
      const last = namesOf(await stepsOf(owner)).at(-1)
      await assert.rejects(migrate(owner), {
        message: `Migration ${second} is missing, but ${last} was already applied; to fix it: give it the highest number`,
      })
      await witness.close()
    }))
})
