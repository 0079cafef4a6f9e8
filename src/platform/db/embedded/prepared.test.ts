import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { Client, type QueryResultRow } from 'pg'
import { startEmbedded, type Embedded } from './embedded.ts'
import { packCluster } from './prepared.ts'

const QUICK = { fsync: 'off', wal_recycle: 'off' }
const folders: string[] = []
const servers: Embedded[] = []
let packed: string
let source: Started

type Started = { server: Embedded; dataDir: string; identifier: string }

before(async () => {
  source = await start()
  await ask(source.server, 'create table kept as select 7 as n')
  await source.server.stop()
  packed = join(await makeFolder(), 'packed', 'cluster.tar.gz')
  await packCluster(join(await realpath(join(source.dataDir, 'postgres')), 'data'), packed)
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describe('a cluster from a prepared archive', () => {
  it('has the archived data, with its own identifier and password', async () => {
    const [one, other] = [await start(packed), await start(packed)]
    assert.equal(new Set([source, one, other].map(({ identifier }) => identifier)).size, 3)
    assert.equal(new Set([source, one, other].map(({ server }) => server.connection.password)).size, 3)
    for (const { server } of [one, other]) assert.deepEqual(await ask(server, 'select n from kept'), [{ n: 7 }])
    const guess = new Client({ ...one.server.connection, password: source.server.connection.password, ssl: false })
    await assert.rejects(guess.connect(), { code: '28P01' })
  })

  it('is private and durable, and keeps its data after a restart', async () => {
    const { server, dataDir, identifier } = await start(packed, {})
    const [row] = await ask(server, "select current_setting('fsync') as fsync")
    assert.deepEqual(row, { fsync: 'on' })
    for (const [path, mode] of [
      ['postgres', 0o700],
      ['postgres/password', 0o600],
      ['postgres/data', 0o700],
      ['postgres/data/global/pg_control', 0o600],
    ] as const)
      assert.equal((await stat(join(dataDir, path))).mode & 0o777, mode, path)
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log'])
    await ask(server, 'insert into kept values (8)')
    await ask(server, 'select pg_switch_wal()')
    await server.stop()
    const again = await open(dataDir, {})
    assert.deepEqual(await ask(again.server, 'select n from kept order by n'), [{ n: 7 }, { n: 8 }])
    assert.equal(again.identifier, identifier)
  })

  it('is empty instead when the archive is missing, truncated or invalid', async () => {
    const [folder, whole] = [await makeFolder(), await readFile(packed)]
    const files: Record<string, Buffer> = {
      'cut.tar.gz': whole.subarray(0, whole.length / 2),
      'other.tar.gz': Buffer.from('no cluster'),
      'empty.tar.gz': Buffer.alloc(0),
    }
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    for (const name of [...Object.keys(files), 'missing.tar.gz']) {
      const { server, dataDir } = await start(join(folder, name))
      assert.deepEqual(await ask(server, `select to_regclass('kept') as kept`), [{ kept: null }], name)
      assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log'], name)
      await server.stop()
    }
  })

  it('leaves the archive unchanged and world-readable', async () => {
    assert.equal((await stat(packed)).mode & 0o777, 0o644)
    await chmod(packed, 0o444)
    const before = await readFile(packed)
    await start(packed)
    assert.ok(before.equals(await readFile(packed)))
  })
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-prepared-'))
  folders.push(folder)
  return folder
}

const start = async (file?: string, settings: Record<string, string> = QUICK): Promise<Started> =>
  open(await makeFolder(), settings, file)

async function open(dataDir: string, settings: Record<string, string>, file?: string): Promise<Started> {
  const server = await startEmbedded({ dataDir, settings, prepared: file === undefined ? undefined : async () => file })
  servers.push(server)
  const [row] = await ask(server, 'select system_identifier::text as identifier from pg_control_system()')
  return { server, dataDir, identifier: String(row?.['identifier']) }
}

async function ask({ connection }: Embedded, statement: string): Promise<QueryResultRow[]> {
  const client = new Client({ ...connection, ssl: false })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
