import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, chown, lstat, mkdir, readdir, realpath, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { Client } from 'pg'
import {
  queryServer,
  openEmbeddedClusters,
  processOf,
  QUICK,
  startForeignServer,
} from '../../../../test/harness/database/embedded_clusters.ts'
import { EmbeddedError, startEmbedded } from './embedded.ts'
import { isOpenTo, isRoot, serverAccount } from './user.ts'

const { folders, makeFolder, clusterFolder, start, stopServers, removeFolders } = openEmbeddedClusters()
afterEach(stopServers)
after(removeFolders)

describe('startEmbedded', () => {
  test('creates a durable and private cluster with UTF-8 and UTC', async () => {
    const dataDir = await makeFolder()
    const server = await start({ dataDir, settings: {} })
    assert.equal(server.isAdopted, false)
    const [row] = await queryServer(
      server,
      `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
      current_setting('timezone') as timezone, current_setting('listen_addresses') as addresses, lower('ÄÖ') as lower,
      pg_encoding_to_char(encoding) as encoding, datlocale from pg_database where datname = 'postgres'`,
    )
    assert.deepEqual(row, {
      fsync: 'on',
      checksums: 'on',
      timezone: 'UTC',
      addresses: '',
      lower: 'äö',
      encoding: 'UTF8',
      datlocale: 'C.UTF-8',
    })
    assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700)
    assert.equal((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777, 0o600)
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log'])
    await server.stop()
    await assert.rejects(queryServer(server, 'select 1'), { code: 'ENOENT' })
  })

  test('rejects a wrong password', async () => {
    const server = await start({ dataDir: await clusterFolder() })
    const guess = new Client({ ...server.connection, password: 'guess', ssl: false })
    await assert.rejects(guess.connect(), { code: '28P01' })
  })

  test('keeps the data until the next start', async () => {
    const dataDir = await clusterFolder()
    const first = await start({ dataDir })
    await queryServer(first, 'create table kept as select 7 as n')
    await first.stop()
    const second = await start({ dataDir })
    assert.equal(second.isAdopted, false)
    assert.deepEqual(await queryServer(second, 'select n from kept'), [{ n: 7 }])
  })

  test('works in a folder too deep for a socket path', async () => {
    const dataDir = join(await makeFolder(), 'deep'.repeat(20), 'deeper'.repeat(20))
    const server = await start({ dataDir })
    assert.ok(server.connection.host.length < 90)
    assert.deepEqual(await queryServer(server, 'select 1 as n'), [{ n: 1 }])
    await server.stop()
    await assert.rejects(lstat(server.connection.host), { code: 'ENOENT' })
  })

  test('cleans up after an interrupted first start', async () => {
    const dataDir = await makeFolder()
    await mkdir(join(dataDir, 'postgres.new-1'))
    await start({ dataDir })
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log'])
  })
})

describe('startEmbedded: errors', () => {
  test("throws EmbeddedError with PostgreSQL's message for an invalid setting", async () => {
    const settings = { shared_buffers: 'plenty' }
    await assert.rejects(startEmbedded({ dataDir: await clusterFolder(), settings }), (error) => {
      assert.ok(error instanceof EmbeddedError)
      assert.match(error.message, /did not start: .*invalid value for parameter "shared_buffers"/)
      return true
    })
  })

  test('throws for a data folder that is a file', async () => {
    const dataDir = join(await makeFolder(), 'file')
    await writeFile(dataDir, '')
    await assert.rejects(startEmbedded({ dataDir }), {
      name: 'EmbeddedError',
      message: new RegExp(`can't use ${dataDir}`),
    })
  })

  for (const [written, steps] of [
    [
      '17',
      /Nothing was changed\. Set POSTGRES_PREVIOUS to the directory of the Callout release that you used before, and start this one again: it migrates the data\.$/,
    ],
    ['9.6', /PostgreSQL 9, but this release of Callout includes PostgreSQL 18/],
    ['19', /Start the newer Callout release that you used before\.$/],
  ] as const) {
    test(`throws for a cluster of PostgreSQL ${written}, and leaves it unchanged`, async () => {
      const dataDir = await clusterOf(written)
      await assert.rejects(startEmbedded({ dataDir, settings: QUICK }), (error) => {
        assert.ok(error instanceof EmbeddedError)
        assert.match(
          error.message,
          new RegExp(`^The database in ${dataDir}/postgres is from PostgreSQL ${parseInt(written)}, `),
        )
        assert.match(error.message, steps)
        return true
      })
      assert.deepEqual(await readdir(dataDir), ['postgres'])
      assert.deepEqual(await readdir(join(dataDir, 'postgres', 'data')), ['PG_VERSION'])
    })
  }

  test('throws for a dangling link to a cluster', async () => {
    const dataDir = await makeFolder()
    await symlink('/nowhere/postgres', join(dataDir, 'postgres'))
    await assert.rejects(startEmbedded({ dataDir }), /can't open .*postgres: the database was moved/)
  })
})

if (isRoot()) {
  describe('startEmbedded as root', () => {
    test('runs the server as another user', async () => {
      const dataDir = await clusterFolder()
      const server = await start({ dataDir })
      const account = await serverAccount(dataDir)
      assert.equal((await stat(`/proc/${await processOf(server)}`)).uid, account!.uid)
    })

    test("moves the cluster elsewhere and logs it when that user can't reach the data folder", async () => {
      const closed = await makeFolder()
      await chmod(closed, 0o700)
      const dataDir = join(closed, 'data')
      const lines: string[] = []
      const first = await start({ dataDir, log: (line) => lines.push(line) })
      const elsewhere = await realpath(join(dataDir, 'postgres'))
      folders.push(elsewhere)
      assert.match(lines.join(), new RegExp(`The database is in ${elsewhere}`))
      await queryServer(first, 'create table kept as select 7 as n')
      await first.stop()
      assert.deepEqual(await queryServer(await start({ dataDir }), 'select n from kept'), [{ n: 7 }])
    })

    test("runs a plain user's folder as that user, who can also start it alone", async () => {
      const dataDir = await makeFolder()
      const account = (await serverAccount(dataDir))!
      await chown(dataDir, account.uid, account.gid)
      await (await start({ dataDir })).stop()
      assert.equal((await stat(join(dataDir, 'postgres'))).uid, account.uid)
      if (!(await isOpenTo(process.execPath, account)) || !(await isOpenTo(import.meta.filename, account))) return
      const plain = await startForeignServer(dataDir, account)
      const server = await start({ dataDir })
      assert.equal(server.isAdopted, true)
      plain.kill('SIGKILL')
      await once(plain, 'exit')
    })
  })
}

/** Returns a folder with only the version file of a cluster. */
async function clusterOf(version: string): Promise<string> {
  const dataDir = await makeFolder()
  await mkdir(join(dataDir, 'postgres', 'data'), { recursive: true })
  await chmod(join(dataDir, 'postgres'), 0o755)
  await writeFile(join(dataDir, 'postgres', 'password'), 'secret\n')
  await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), `${version}\n`)
  const account = await serverAccount(dataDir)
  if (account) await chown(join(dataDir, 'postgres'), account.uid, account.gid)
  return dataDir
}
