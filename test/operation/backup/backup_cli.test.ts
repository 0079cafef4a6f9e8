import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { callerOf } from '../../harness/harness.ts'
import { openWitness } from '../../harness/clients/witness.ts'

const program = fileURLToPath(new URL('../../../bin/callout', import.meta.url))

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-backup-cli-'))
  // The database may run as another user.
  await chmod(folder, 0o755)
})
after(() => rm(folder, { recursive: true, force: true }))

const startProgram = (dataDir: string, typed: readonly string[], env: Record<string, string> = {}) =>
  spawn(process.execPath, [program, ...typed], {
    env: { PATH: process.env['PATH'], DATA_DIR: join(folder, dataDir), ...env },
  })

async function callout(dataDir: string, ...typed: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = startProgram(dataDir, typed)
  const said = { out: '', err: '' }
  child.stdout.on('data', (piece: Buffer) => {
    said.out += piece.toString()
  })
  child.stderr.on('data', (piece: Buffer) => {
    said.err += piece.toString()
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, ...said }
}

async function runCommand<T = Record<string, never>>(dataDir: string, ...typed: string[]): Promise<T> {
  const { code, out, err } = await callout(dataDir, ...typed, '--json')
  assert.deepEqual([code, err], [0, ''], typed.join(' '))
  return JSON.parse(out) as T
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Runs the service on a data directory during `use`. */
async function serving(dataDir: string, use: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort()
  const child = startProgram(dataDir, ['serve'], { PORT: String(port), NODE_ENV: 'production' })
  const ended = once(child, 'exit')
  try {
    await once(child.stdout, 'data')
    await use(`http://127.0.0.1:${port}/api/mcp`)
  } finally {
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  }
}

/** Returns the demo company's records as an API client sees them. */
async function readLists(url: string, key: string): Promise<unknown[]> {
  const { call } = callerOf(url, key)
  const lists = [
    'jobs_list',
    'job_series_list',
    'customers_search',
    'invoices_list',
    'quotes_list',
    'plans_list',
    'catalog_items_list',
    'notes_list',
    'tags_list',
    'tax_rates_list',
  ]
  return Promise.all(lists.map((list) => call(list, { limit: 50 })))
}

describe('callout', () => {
  it('backs up a running service and restores it to a new data directory with the same records and key', async () => {
    await runCommand('old', 'migrate')
    const { tenant_id: tenant, key } = await runCommand<{ tenant_id: string; key: string }>('old', 'demo')
    const [message, path] = [crypto.randomUUID(), join(folder, 'demo.tar.gz')]
    const stored = join('files', tenant, message, message)
    await mkdir(join(folder, 'old', dirname(stored)), { recursive: true })
    await writeFile(join(folder, 'old', stored), 'a file')
    const { connection, stop } = await startEmbedded({ dataDir: join(folder, 'old') })
    const witness = await openWitness({ owner: connection })
    await witness.rows(
      `insert into job_media (tenant_id, id, job_id, file_name, content_type, size_bytes, storage_key)
      select tenant_id, $2, id, 'a.txt', 'text/plain', 6, $3 from jobs where tenant_id = $1 limit 1`,
      tenant,
      message,
      `${tenant}/${message}/${message}`,
    )
    await witness.close()
    await stop()
    let before: unknown[] = []
    await serving('old', async (url) => {
      before = await readLists(url, key)
      const { rows, files, missing, file } = await runCommand<{
        rows: Record<string, number>
        files: number
        missing: string[]
        file: string
      }>('old', 'backup', '--to', path)
      assert.deepEqual([rows['tenants'], files, missing, file], [1, 1, [], path])
    })
    const restored = await callout('new', 'restore', '--from', path)
    assert.deepEqual([restored.code, restored.err], [0, ''])
    assert.match(restored.out, /^Restored +\/.*demo\.tar\.gz\nAs of +\S+Z\nCompanies +1\nRows +\d{3,}\nFiles +1\n$/)
    assert.equal(await readFile(join(folder, 'new', stored), 'utf8'), 'a file')
    await serving('new', async (url) => assert.deepEqual(await readLists(url, key), before))
  })

  it('reports in one line why a restore is refused, and starts no database for an invalid file', async () => {
    for (const [path, says] of [
      [join(folder, 'nowhere'), 'there is no such file'],
      [program, 'it is not a backup, or was changed'],
    ] as const) {
      const { code, out, err } = await callout('none', 'restore', path, '--json')
      assert.deepEqual([code, out, err], [1, '', `callout: ${path} was not restored: ${says}\n`])
    }
    assert.equal(existsSync(join(folder, 'none')), false)
    const { code, err } = await callout('new', 'restore', join(folder, 'demo.tar.gz'))
    assert.deepEqual(
      [code, err],
      [
        1,
        `callout: ${join(folder, 'demo.tar.gz')} was not restored: the database is not empty; set DATABASE_URL or DATA_DIR to a new one\n`,
      ],
    )
    assert.match(
      (await callout('new', 'backup', join(folder, 'demo.tar.gz'))).err,
      /already exists; choose another file\n$/,
    )
  })

  it('exits with 2 if backup or restore gets no file', async () => {
    for (const name of ['backup', 'restore']) assert.deepEqual((await callout('none', name)).code, 2)
  })
})
