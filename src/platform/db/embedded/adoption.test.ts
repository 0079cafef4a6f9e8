import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import {
  queryServer,
  openEmbeddedClusters,
  processOf,
  startForeignServer,
} from '../../../../test/harness/database/embedded_clusters.ts'
import { ownerOf } from './user.ts'

const { makeFolder, clusterFolder, start, stopServers, removeFolders } = openEmbeddedClusters()
afterEach(stopServers)
after(removeFolders)

describe('adopting an embedded server', () => {
  test('adopts the server of a killed process', async () => {
    const dataDir = await clusterFolder()
    const starter = await startForeignServer(dataDir)
    starter.kill('SIGKILL')
    await once(starter, 'exit')
    const server = await start({ dataDir })
    assert.equal(server.isAdopted, true)
    assert.deepEqual(await queryServer(server, 'select 1 as n'), [{ n: 1 }])
    await server.stop()
    await assert.rejects(queryServer(server, 'select 1'), { code: 'ENOENT' })
  })

  test('starts one server for concurrent starters, and the last one to leave stops it', async () => {
    const dataDir = await makeFolder()
    const several = await Promise.all([1, 2, 3].map(() => start({ dataDir })))
    assert.equal(several.filter(({ isAdopted }) => isAdopted).length, 2)
    for (const server of several) assert.deepEqual(await queryServer(server, 'select 1 as n'), [{ n: 1 }])
    await several[0]!.stop()
    assert.deepEqual(await queryServer(several[1]!, 'select 1 as n'), [{ n: 1 }])
    await Promise.all(several.map((server) => server.stop()))
    await assert.rejects(queryServer(several[1]!, 'select 1'), { code: 'ENOENT' })
  })

  test('serves a process that starts while the server is being stopped', async () => {
    const dataDir = await clusterFolder()
    const first = await start({ dataDir })
    const [, second] = await Promise.all([first.stop(), start({ dataDir })])
    assert.deepEqual(await queryServer(second, 'select 1 as n'), [{ n: 1 }])
  })
})

describe('stopping an embedded server', () => {
  test('keeps it running while another client is connected', async () => {
    const dataDir = await clusterFolder()
    const server = await start({ dataDir })
    const client = new Client({ ...server.connection, ssl: false })
    await client.connect()
    await server.stop()
    assert.deepEqual((await client.query('select 1 as n')).rows, [{ n: 1 }])
    await client.end()
    assert.equal((await start({ dataDir })).isAdopted, true)
  })
})

describe('recovery of an embedded server', () => {
  test('restarts a killed server with the committed data', async () => {
    const server = await start({ dataDir: await clusterFolder() })
    await queryServer(server, 'create table saved as select 7 as n')
    process.kill(await processOf(server), 'SIGKILL')
    assert.deepEqual(await eventually(() => queryServer(server, 'select n from saved')), [{ n: 7 }])
  })

  test('replaces the lock of a dead server whose process id belongs to another process now', async () => {
    const dataDir = await clusterFolder()
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
    assert.equal(server.isAdopted, false)
    assert.match(lines.join(), new RegExp(`process ${stranger.pid} isn't a database`))
  })

  test('replaces lock files that a power cut left empty', async () => {
    const dataDir = await clusterFolder()
    await writeFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), '')
    await writeFile(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), '')
    assert.equal((await start({ dataDir })).isAdopted, false)
  })

  test('starts a new server when the old one and its user were killed', async () => {
    const dataDir = await clusterFolder()
    const starter = await startForeignServer(dataDir)
    const pid = Number((await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
    starter.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    await once(starter, 'exit')
    const server = await start({ dataDir })
    assert.equal(server.isAdopted, false)
    assert.notEqual(await processOf(server), pid)
  })
})

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
