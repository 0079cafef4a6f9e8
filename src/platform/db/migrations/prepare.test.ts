import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startEmbedded } from '../embedded/embedded.ts'
import { findMigrations, migrate } from './migrate.ts'
import { openConfiguredDatabase } from '../open.ts'
import { prepareDatabase, preparedFile } from './prepare.ts'
import { withClient } from '../transaction.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-prepare-'))
})
after(() => rm(folder, { recursive: true }))

describe('a prepared database', () => {
  it('has the current schema, no data and no earlier release start', async () => {
    await writeFile(join(folder, 'of-an-earlier-schema.tar.gz'), '')
    const file = await prepareDatabase(folder)
    assert.deepEqual(await readdir(folder), [file.slice(folder.length + 1)])
    const dataDir = join(folder, 'data')
    const { connection, stop } = await startEmbedded({
      dataDir,
      settings: { fsync: 'off' },
      prepared: () => Promise.resolve(file),
    })
    try {
      const since = new Date()
      assert.deepEqual(await migrate(connection), [])
      const { rows } = await withClient(connection, (client) =>
        client.query(
          `select (select count(*)::int from tenants) as tenants, (select count(*)::int from users) as users,
            (select count(*)::int from callout_owner.logins) as logins,
            array(select started_at from releases) as started`,
        ),
      )
      const { started, ...counts } = rows[0]
      assert.deepEqual(counts, { tenants: 0, users: 0, logins: 0 })
      assert.equal(started.length, 1)
      assert.ok(started[0] >= new Date(since.getTime() - 5), `${String(started[0])} is before ${since.toISOString()}`)
    } finally {
      await stop()
    }
  })

  it('is used for a new service once the install script has made one', async () => {
    if (!existsSync(await preparedFile(await findMigrations()))) await prepareDatabase()
    const since = new Date()
    const { owner, close } = await openConfiguredDatabase(
      {
        databaseUrl: null,
        databaseAppUrl: null,
        dataDir: join(folder, 'service'),
        databaseConnections: 2,
        backup: { to: null },
      },
      { migrates: true },
    )
    try {
      const { rows } = await withClient(owner, (client) =>
        client.query<{ last: Date }>('select max(applied_at) as last from migrations'),
      )
      assert.ok(rows[0]!.last < since, 'it was migrated now')
    } finally {
      await close()
    }
  })

  it('has another file name for other migrations', async () => {
    const migrations = await findMigrations()
    const files = await Promise.all([migrations, migrations.slice(1)].map((list) => preparedFile(list, folder)))
    assert.equal(new Set(files).size, 2)
  })
})
