import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { callerOf } from '../test/harness/harness.ts'
import { freePort } from '../test/harness/web_client.ts'

/**
 * Runs the service, writes one note per second, kills the database and deletes DATA_DIR meanwhile, restores it as
 * docs/operating/backup.md describes, and prints how much was lost.
 *
 *   node bench/disk_dies.ts [minutes to write, 8]
 */
const minutes = Number(process.argv[2] ?? 8)
const program = fileURLToPath(new URL('../bin/callout', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'callout-disk-'))
await chmod(folder, 0o755)
const dataDir = join(folder, 'data')
const port = await freePort()
const env = {
  PATH: process.env['PATH'],
  CALLOUT_ENV_FILE: '',
  DATA_DIR: dataDir,
  PORT: String(port),
  LOG_LEVEL: 'warn',
}

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args], {
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function callout(...args: string[]): Promise<string> {
  const child = start(...args)
  let text = ''
  child.stdout?.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}`)
  return text
}

async function serve(): Promise<ChildProcess> {
  const child = start('serve')
  if (child.stdout) await once(child.stdout, 'data')
  return child
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
function textIn(json: string, name: string): string {
  const value: unknown = JSON.parse(json)
  return isRecord(value) ? String(value[name]) : ''
}

let service = await serve()
const tenant = textIn(
  await callout('tenant', 'create', '--name', 'Acme', '--owner-email', 'a@acme.example', '--json'),
  'id',
)
const key = textIn(
  await callout('key', 'create', '--tenant', tenant, '--user', 'a@acme.example', '--scopes', 'all', '--json'),
  'key',
)
const { call } = callerOf(`http://127.0.0.1:${port}/api/mcp`, key)
const [begun, written] = [Date.now(), [] as { n: number; at: number }[]]
for (let n = 0; Date.now() - begun < minutes * 60_000; n++) {
  await call('notes_create', { body: `Note ${n}` })
  written.push({ n, at: Date.now() })
  await sleep(1_000)
}
const home = await realpath(join(dataDir, 'postgres'))
const postmaster = Number((await readFile(join(home, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
const diedAt = Date.now()
process.kill(postmaster, 'SIGKILL')
service.kill('SIGKILL')
await once(service, 'exit')
for (const path of [home, dataDir]) await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
process.stdout.write(
  `${written.length} notes written in ${minutes} min; ${dataDir} deleted (still exists: ${existsSync(dataDir)})\n`,
)

const since = performance.now()
process.stdout.write(await callout('restore', '--until', 'latest'))
process.stdout.write(`restored in ${((performance.now() - since) / 1000).toFixed(1)} s\n`)
service = await serve()
const bodies = new Set<string>()
for (let cursor: string | undefined, more = true; more;) {
  const page = await call('notes_list', { limit: 100, ...(cursor && { cursor }) })
  for (const [note] of JSON.stringify(page.rows).matchAll(/Note \d+/g)) bodies.add(note)
  cursor = page['nextCursor'] ? String(page['nextCursor']) : undefined
  more = cursor !== undefined
}
const restored = written.filter(({ n }) => bodies.has(`Note ${n}`))
const last = restored.at(-1)
const hasGap = restored.length > 0 && restored.length !== (last?.n ?? 0) + 1
process.stdout.write(
  `${restored.length} of ${written.length} notes restored${hasGap ? ', WITH A GAP' : ', without a gap'}; ` +
    `lost: the last ${((diedAt - (last?.at ?? begun)) / 1000).toFixed(0)} s\n`,
)
service.kill('SIGTERM')
await once(service, 'exit')
await rm(folder, { recursive: true, force: true })
