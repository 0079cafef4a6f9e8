import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import pg from 'pg'
import { currentSchemaHash } from '../../src/platform/db/migrations/migrate.ts'
import { makeDatabase } from '../harness/harness.ts'
import { startTestServer } from '../harness/server.ts'

/** Returns the database server's host of another run. */
async function hostOf(run: string): Promise<string> {
  const code = `const { startRun } = await import(${JSON.stringify(new URL('../harness/server.ts', import.meta.url).href)})
    const { startTestServer } = await import(${JSON.stringify(new URL('../harness/server.ts', import.meta.url).href)})
    const run = await startRun()
    const server = await startTestServer()
    process.stdout.write(server.connection.host)
    await server.stop()
    await run.end()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CALLOUT_TEST_RUN: run },
  })
  let said = ''
  child.stdout.on('data', (piece) => {
    said += String(piece)
  })
  assert.deepEqual(await once(child, 'close'), [0, null])
  return said
}

describe('the test database server', () => {
  it('is a separate one for each run', async () => {
    const own = await startTestServer()
    const hosts = [own.connection.host, await hostOf('one'), await hostOf('two')]
    await own.stop()
    assert.equal(new Set(hosts).size, 3)
    for (const host of hosts) assert.match(host, /callout/)
  })

  it('creates databases from the template of the current migrations, despite leftover templates', async () => {
    const server = await startTestServer()
    const admin = new pg.Client(server.connection)
    await admin.connect()
    const names = async (): Promise<string[]> =>
      (
        await admin.query<{ datname: string }>(`select datname from pg_database where datname like 'template\\_%'`)
      ).rows.map(({ datname }) => datname)
    await admin.query('drop database if exists template_of_another_branch')
    await admin.query('create database template_of_another_branch')
    const { drop } = await makeDatabase()
    await drop()
    assert.ok((await names()).includes(`template_${await currentSchemaHash()}`))
    await admin.query('drop database template_of_another_branch')
    await admin.end()
    await server.stop()
  })
})
