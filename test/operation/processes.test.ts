import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLoad, startProcess } from '../../bench/restart.ts'
import { revokeKey } from '../../src/identity/credentials/keys.ts'
import { VERSION } from '../../src/platform/version.ts'
import { makeCompany, makeDatabase, type Company, type TestDatabase } from '../harness/harness.ts'
import { freePort } from '../harness/web_client.ts'

const MAIN = new URL('../../src/start/main.ts', import.meta.url).pathname

let db: TestDatabase
let env: Record<string, string>
let port: number
let metricsPort: number
let company: Company
let service: Awaited<ReturnType<typeof startProcess>>

/** Returns the settings of a service with two processes on the test's own database. */
function settings(more: Record<string, string>): Record<string, string> {
  const { user, password, host, database, port: at } = db.owner
  const url = `postgres://${user}:${encodeURIComponent(String(password ?? ''))}@localhost:${at}/${database}?host=${encodeURIComponent(host!)}`
  return {
    PROCESSES: '2',
    DATABASE_URL: url,
    DATABASE_CONNECTIONS: '4',
    NODE_ENV: 'production',
    STOP_DELAY: '2',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_CREDENTIAL: '40',
    ...more,
  }
}

/** Sends a request on a new connection, so that either process may answer. */
async function sendRequest(
  path: string,
  { headers, ...init }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { ...headers, connection: 'close' },
  })
  return { status: response.status, text: await response.text() }
}

const asTool = (key: string): Promise<{ status: number; text: string }> =>
  sendRequest('/api/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tags_list', arguments: {} } }),
  })

/** Returns the value of one sample on the metrics page. */
async function metric(line: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  const lines = (await response.text()).split('\n').filter((one) => one.startsWith(`${line} `))
  assert.equal(lines.length, 1, line)
  return Number(lines[0]!.slice(line.length + 1))
}

/** Returns the living child processes of a process. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text
    .split(' ')
    .map(Number)
    .filter((child) => child > 0)
}

/** Waits until a condition holds. The runner's time limit ends the wait. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(100)
}

before(async () => {
  db = await makeDatabase()
  ;[port, metricsPort] = [await freePort(), await freePort()]
  env = settings({ PORT: String(port), METRICS_PORT: String(metricsPort) })
  service = await startProcess(MAIN, [], env)
  company = await makeCompany({ database: db.database, url: `http://127.0.0.1:${port}/api/mcp` })
})
after(async () => {
  if (service.child.exitCode === null) await service.stop()
  await db.drop()
})

describe('two processes on one port', () => {
  it('merge their metrics into one page', async () => {
    assert.equal((await childrenOf(service.child.pid!)).length, 2)
    const before = await metric('callout_database_connections_max')
    assert.equal(before, 8)
    for (let i = 0; i < 30; i++) assert.equal((await sendRequest('/sign-in')).status, 200)
    assert.equal(await metric('callout_requests_total{edge="page",status="200"}'), 30)
    assert.equal(await metric(`callout_build_info{version="${VERSION}",node="${process.version}"}`), 1)
  })

  it('share the rate limit of a credential', async () => {
    const { key } = await company.tenantKey()
    const answers = await Promise.all(Array.from({ length: 60 }, () => asTool(key)))
    const admitted = answers.filter(({ status }) => status === 200).length
    assert.ok(admitted <= 40 && admitted >= 20, String(admitted))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 429])
  })

  it('both reject a revoked key from the next call on', async () => {
    const { key, credential } = await company.tenantKey()
    for (let i = 0; i < 8; i++) assert.equal((await asTool(key)).status, 200)
    await revokeKey(db.database, { tenant: company.tenant }, credential)
    for (let i = 0; i < 8; i++) assert.equal((await asTool(key)).status, 401)
  })

  it('keep answering when one is killed, and a new one replaces it', async () => {
    const [first] = await childrenOf(service.child.pid!)
    process.kill(first!, 'SIGKILL')
    await until(async () => !(await childrenOf(service.child.pid!)).includes(first!))
    for (let i = 0; i < 10; i++) assert.equal((await sendRequest('/health/ready')).status, 200)
    do assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status, 200)
    while ((await childrenOf(service.child.pid!)).length !== 2)
    assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status, 200)
    await until(async () => (await childrenOf(service.child.pid!)).length === 2)
    await until(async () => (await metric('callout_database_connections_max').catch(() => 0)) === 8)
  })

  it('stop together on a signal without losing a request', async () => {
    // The load generator stops sending once they close: a connection opened at that moment can't be answered.
    const asking = { method: 'GET', path: '/health/live' }
    const load = openLoad([port], asking, { keepAlive: false, workers: 8, healthCheckMs: 50 })
    await until(async () => load.tally.answered > 50)
    const processes = await childrenOf(service.child.pid!)
    assert.equal(await service.stop(), 0)
    const { answered, lost } = await load.end()
    assert.ok(answered > 50, String(answered))
    assert.deepEqual(Object.keys(lost), ['no service left'])
    for (const pid of processes) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  })
})

describe("processes that can't start", () => {
  const runToExit = async (more: Record<string, string>): Promise<{ code: number; said: string }> => {
    const child = spawn(process.execPath, [MAIN], { env: { ...process.env, ...env, ...more } })
    let said = ''
    child.stderr.on('data', (piece: Buffer) => {
      said += String(piece)
    })
    const [code] = (await once(child, 'close')) as [number]
    return { code, said }
  }

  it('report once that the port is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', () => resolve()))
    assert.deepEqual(await runToExit({}), {
      code: 1,
      said: `callout: Port ${port} on 127.0.0.1 is in use; set PORT to another one\n`,
    })
    other.close()
  })

  it('report an invalid PROCESSES setting', async () => {
    assert.deepEqual(await runToExit({ PROCESSES: 'all' }), {
      code: 2,
      said: "callout: PROCESSES must be a whole number from 1 to 256 (got 'all')\n",
    })
  })
})
