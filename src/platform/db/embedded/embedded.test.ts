import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type QueryResultRow } from 'pg'
import { EmbeddedError, startEmbedded, type Embedded } from './embedded.ts'
import { isOpenTo, isRoot, ownerOf, serverAccount } from './user.ts'

const quick = { fsync: 'off' }
const folders: string[] = []
let made: string | undefined
const servers: Embedded[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describe('started', () => {
  test('a new cluster is durable, private and speaks UTF-8 and UTC', async () => {
    const dataDir = await folder()
    const server = await start({ dataDir, settings: {} })
    assert.equal(server.adopted, false)
    const [row] = await ask(
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
    await assert.rejects(ask(server, 'select 1'), { code: 'ENOENT' })
  })

  test('nobody enters without the password', async () => {
    const server = await start({ dataDir: await existing() })
    const guess = new Client({ ...server.connection, password: 'guess', ssl: false })
    await assert.rejects(guess.connect(), { code: '28P01' })
  })

  test('what was written is there at the next start', async () => {
    const dataDir = await existing()
    const first = await start({ dataDir })
    await ask(first, 'create table kept as select 7 as n')
    await first.stop()
    const second = await start({ dataDir })
    assert.equal(second.adopted, false)
    assert.deepEqual(await ask(second, 'select n from kept'), [{ n: 7 }])
  })

  test('in a folder too deep for the path of a socket', async () => {
    const dataDir = join(await folder(), 'deep'.repeat(20), 'deeper'.repeat(20))
    const server = await start({ dataDir })
    assert.ok(server.connection.host.length < 90)
    assert.deepEqual(await ask(server, 'select 1 as n'), [{ n: 1 }])
    await server.stop()
    await assert.rejects(lstat(server.connection.host), { code: 'ENOENT' })
  })

  test('after a first start that was cut short', async () => {
    const dataDir = await folder()
    await mkdir(join(dataDir, 'postgres.new-1'))
    await start({ dataDir })
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log'])
  })
})

describe('adopted', () => {
  test('the server of a killed process', async () => {
    const dataDir = await existing()
    const starter = await startElsewhere(dataDir)
    starter.kill('SIGKILL')
    await once(starter, 'exit')
    const server = await start({ dataDir })
    assert.equal(server.adopted, true)
    assert.deepEqual(await ask(server, 'select 1 as n'), [{ n: 1 }])
    await server.stop()
    await assert.rejects(ask(server, 'select 1'), { code: 'ENOENT' })
  })

  test('by all but one of those who start at the same time; the last to leave stops it', async () => {
    const dataDir = await folder()
    const several = await Promise.all([1, 2, 3].map(() => start({ dataDir })))
    assert.equal(several.filter(({ adopted }) => adopted).length, 2)
    for (const server of several) assert.deepEqual(await ask(server, 'select 1 as n'), [{ n: 1 }])
    await several[0]!.stop()
    assert.deepEqual(await ask(several[1]!, 'select 1 as n'), [{ n: 1 }])
    await Promise.all(several.map((server) => server.stop()))
    await assert.rejects(ask(several[1]!, 'select 1'), { code: 'ENOENT' })
  })

  test('by a process that comes while the server is being stopped', async () => {
    const dataDir = await existing()
    const first = await start({ dataDir })
    const [, second] = await Promise.all([first.stop(), start({ dataDir })])
    assert.deepEqual(await ask(second, 'select 1 as n'), [{ n: 1 }])
  })
})

describe('left running', () => {
  test('while another client is connected', async () => {
    const dataDir = await existing()
    const server = await start({ dataDir })
    const client = new Client({ ...server.connection, ssl: false })
    await client.connect()
    await server.stop()
    assert.deepEqual((await client.query('select 1 as n')).rows, [{ n: 1 }])
    await client.end()
    assert.equal((await start({ dataDir })).adopted, true)
  })
})

describe('recovered', () => {
  test('a killed server comes back with what was committed, for those who use it', async () => {
    const server = await start({ dataDir: await existing() })
    await ask(server, 'create table saved as select 7 as n')
    process.kill(await processOf(server), 'SIGKILL')
    assert.deepEqual(await eventually(() => ask(server, 'select n from saved')), [{ n: 7 }])
  })

  test('the lock of a dead server whose process number is now borne by something else', async () => {
    const dataDir = await existing()
    const home = join(dataDir, 'postgres')
    await (await start({ dataDir })).stop()
    const account = await ownerOf(home)
    const stranger = spawn('sleep', ['60'], account ? { uid: account.uid, gid: account.gid } : {})
    await once(stranger, 'spawn')
    const lock = `${stranger.pid}\n${home}/data\n1700000000\n5432\n..\n`
    await writeFile(join(home, 'data', 'postmaster.pid'), `${lock}\n  1234 1\nready\n`)
    await writeFile(join(home, '.s.PGSQL.5432.lock'), lock)
    const lines: string[] = []
    const server = await start({ dataDir, log: (line) => lines.push(line) })
    stranger.kill()
    assert.equal(server.adopted, false)
    assert.match(lines.join(), new RegExp(`process ${stranger.pid}, which is no database`))
  })

  test('locks that a power cut left empty', async () => {
    const dataDir = await existing()
    await writeFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), '')
    await writeFile(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), '')
    assert.equal((await start({ dataDir })).adopted, false)
  })

  test('a killed server whose users are gone too', async () => {
    const dataDir = await existing()
    const starter = await startElsewhere(dataDir)
    const pid = Number((await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
    starter.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    await once(starter, 'exit')
    const server = await start({ dataDir })
    assert.equal(server.adopted, false)
    assert.notEqual(await processOf(server), pid)
  })
})

describe('refused', () => {
  test('a setting PostgreSQL does not take, in its own words', async () => {
    const settings = { shared_buffers: 'plenty' }
    await assert.rejects(startEmbedded({ dataDir: await existing(), settings }), (error) => {
      assert.ok(error instanceof EmbeddedError)
      assert.match(error.message, /did not start: .*invalid value for parameter "shared_buffers"/)
      return true
    })
  })

  test('a data folder that is a file', async () => {
    const dataDir = join(await folder(), 'file')
    await writeFile(dataDir, '')
    await assert.rejects(startEmbedded({ dataDir }), {
      name: 'EmbeddedError',
      message: new RegExp(`can't use ${dataDir}`),
    })
  })

  for (const [written, steps] of [
    [
      '17',
      /Nothing was changed\. Set POSTGRES_PREVIOUS to the directory of the release of Callout that was used before, and start this one again: it takes the data over\.$/,
    ],
    ['9.6', /PostgreSQL 9, and this release of Callout comes with PostgreSQL 18/],
    ['19', /Start the later release of Callout that was used before\.$/],
  ] as const) {
    test(`a cluster of PostgreSQL ${written}, which is left as it is`, async () => {
      const dataDir = await clusterOf(written)
      await assert.rejects(startEmbedded({ dataDir, settings: quick }), (error) => {
        assert.ok(error instanceof EmbeddedError)
        assert.match(
          error.message,
          new RegExp(`^The database in ${dataDir}/postgres is of PostgreSQL ${parseInt(written)}, `),
        )
        assert.match(error.message, steps)
        return true
      })
      assert.deepEqual(await readdir(dataDir), ['postgres'])
      assert.deepEqual(await readdir(join(dataDir, 'postgres', 'data')), ['PG_VERSION'])
    })
  }

  test('a link to a cluster that is gone', async () => {
    const dataDir = await folder()
    await symlink('/nowhere/postgres', join(dataDir, 'postgres'))
    await assert.rejects(startEmbedded({ dataDir }), /can't be followed/)
  })
})

if (isRoot()) {
  describe('as root', () => {
    test('the server runs as another user', async () => {
      const dataDir = await existing()
      const server = await start({ dataDir })
      const account = await serverAccount(dataDir)
      assert.equal((await stat(`/proc/${await processOf(server)}`)).uid, account!.uid)
    })

    test('a data folder that user cannot reach has its cluster elsewhere, and says so', async () => {
      const closed = await folder()
      await chmod(closed, 0o700)
      const dataDir = join(closed, 'data')
      const lines: string[] = []
      const first = await start({ dataDir, log: (line) => lines.push(line) })
      const elsewhere = await realpath(join(dataDir, 'postgres'))
      folders.push(elsewhere)
      assert.match(lines.join(), new RegExp(`The database lies in ${elsewhere}`))
      await ask(first, 'create table kept as select 7 as n')
      await first.stop()
      assert.deepEqual(await ask(await start({ dataDir }), 'select n from kept'), [{ n: 7 }])
    })

    test('the folder of a plain user is served as that user, who can go on alone', async () => {
      const dataDir = await folder()
      const account = (await serverAccount(dataDir))!
      await chown(dataDir, account.uid, account.gid)
      await (await start({ dataDir })).stop()
      assert.equal((await stat(join(dataDir, 'postgres'))).uid, account.uid)
      if (!(await isOpenTo(process.execPath, account)) || !(await isOpenTo(import.meta.filename, account))) return
      const plain = await startElsewhere(dataDir, account)
      const server = await start({ dataDir })
      assert.equal(server.adopted, true)
      plain.kill('SIGKILL')
      await once(plain, 'exit')
    })
  })
}

/** Makes a folder that others may pass through, so that nothing of root's needs to move unless a test wants it to. */
async function folder(): Promise<string> {
  const made = await realpath(await mkdtemp(join(tmpdir(), 'callout-')))
  await chmod(made, 0o755)
  folders.push(made)
  return made
}

/** Returns a folder with as much of a cluster as says which version wrote it. */
async function clusterOf(version: string): Promise<string> {
  const dataDir = await folder()
  await mkdir(join(dataDir, 'postgres', 'data'), { recursive: true })
  await chmod(join(dataDir, 'postgres'), 0o755)
  await writeFile(join(dataDir, 'postgres', 'password'), 'secret\n')
  await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), `${version}\n`)
  const account = await serverAccount(dataDir)
  if (account) await chown(join(dataDir, 'postgres'), account.uid, account.gid)
  return dataDir
}

/** Returns a folder with a cluster that tests share which need no new one; none is running there. */
async function existing(): Promise<string> {
  if (made) return made
  made = await folder()
  await (await startEmbedded({ dataDir: made, settings: quick })).stop()
  return made
}

async function start(options: Parameters<typeof startEmbedded>[0]): Promise<Embedded> {
  const server = await startEmbedded({ settings: quick, ...options })
  servers.push(server)
  return server
}

/** Starts the server in another process, and stays. */
async function startElsewhere(dataDir: string, account?: { uid: number; gid: number }): Promise<ChildProcess> {
  const script = `import { startEmbedded } from ${JSON.stringify(new URL('embedded.ts', import.meta.url).href)}
    await startEmbedded(${JSON.stringify({ dataDir, settings: quick })})
    console.log('started')
    setInterval(() => {}, 1000)`
  const as = account ? { uid: account.uid, gid: account.gid } : {}
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...as,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => assert.fail('it ended'))])
  return child
}

async function ask<T extends QueryResultRow>(server: Embedded, query: string): Promise<T[]> {
  const client = new Client({ ...server.connection, ssl: false })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<T>(query).finally(() => client.end())
  return rows
}

async function processOf(server: Embedded): Promise<number> {
  const [row] = await ask<{ pid: number }>(
    server,
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid",
  )
  return row!.pid
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === 6_000) throw error
      await sleep(20)
    }
  }
}
