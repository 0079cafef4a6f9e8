import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../test/harness/web_client.ts'
import type { Load } from './load.ts'
import { startProcess } from './restart.ts'
import { setUp } from './setup.ts'

// node bench/processes.ts: the service as one process and as two, taking turns in one run. While the database and the load
// generator share the cores, two processes can't answer twice as much. So it also measures the processor time of a request:
// with the database on another machine, one core answers the inverse of it per second.
const [ROUNDS, SECONDS, CONNECTIONS] = [5, 3, 32]
const MAIN = fileURLToPath(new URL('../src/start/main.ts', import.meta.url))

type Service = { url: string; metrics: string; stop(): Promise<unknown> }
type Measure = { rate: number; p99: number; cpu: number }

const { setup, drop } = await setUp(200)
const { user, password, host, database, port: at } = setup.owner
const DATABASE_URL = `postgres://${user}:${encodeURIComponent(String(password ?? ''))}@localhost:${at}/${database}?host=${encodeURIComponent(host!)}`
const ask = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const BODIES = {
  customers_get: ask('tools/call', { name: 'customers_get', arguments: { id: setup.customer } }),
  'tools/list': ask('tools/list', {}),
}

const services = { 'one process': await serve(1), 'two processes': await serve(2) }
for (const [name, body] of Object.entries(BODIES)) {
  const measures: Record<string, Measure[]> = { 'one process': [], 'two processes': [] }
  for (let round = 0; round <= ROUNDS; round++) {
    const turns = Object.entries(services)
    for (const [contender, service] of round % 2 === 0 ? turns : turns.toReversed()) {
      const measure = await burst(service, body)
      if (round > 0) measures[contender]!.push(measure)
    }
  }
  print(name, measures)
}
for (const { stop } of Object.values(services)) await stop()
await drop()

async function serve(processes: number): Promise<Service> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const { stop } = await startProcess(MAIN, [], {
    PROCESSES: String(processes),
    DATABASE_URL,
    PORT: String(port),
    BASE_URL: setup.baseUrl,
    METRICS_PORT: String(metricsPort),
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_CREDENTIAL: '0',
    RATE_LIMIT_PER_TENANT: '0',
    STOP_DELAY: '0',
  })
  return { url: `http://127.0.0.1:${port}/api/mcp`, metrics: `http://127.0.0.1:${metricsPort}/metrics`, stop }
}

/** Returns the processor time of all processes of a service, in microseconds. */
async function processorTime({ metrics }: Service): Promise<number> {
  const text = await (await fetch(metrics)).text()
  return (
    1e6 * [...text.matchAll(/^process_cpu_\w+_seconds_total (\S+)/gm)].reduce((sum, [, part]) => sum + Number(part), 0)
  )
}

async function burst(service: Service, body: string): Promise<Measure> {
  const before = await processorTime(service)
  const request = { url: service.url, credential: setup.key, body, seconds: SECONDS, connections: CONNECTIONS }
  const load = new URL('load.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [load, JSON.stringify(request)])
  const { rate, p99, answers, failures } = JSON.parse(stdout) as Load
  if (failures > 0) throw new Error(`${failures} requests failed`)
  return { rate, p99, cpu: ((await processorTime(service)) - before) / answers }
}

function print(name: string, measures: Record<string, Measure[]>): void {
  const middle = (all: Measure[], of: (one: Measure) => number): number =>
    all.map(of).sort((a, b) => a - b)[Math.floor(all.length / 2)]!
  const rows = Object.entries(measures).map(([contender, all], i) => ({
    contender,
    'requests/s': Math.round(middle(all, ({ rate }) => rate)),
    'p99 ms': middle(all, ({ p99 }) => p99),
    'CPU µs/request': Math.round(middle(all, ({ cpu }) => cpu)),
    'cores × 1 s / CPU': Math.round(((i + 1) * 1e6) / middle(all, ({ cpu }) => cpu)),
  }))
  const [one, two] = rows
  console.log(`\n${name} (${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s)`)
  console.table(rows)
  console.log(
    `two processes: ${(two!['requests/s'] / one!['requests/s']).toFixed(2)} × the requests, ${(two!['cores × 1 s / CPU'] / one!['cores × 1 s / CPU']).toFixed(2)} × by processor time`,
  )
}
