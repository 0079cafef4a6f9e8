import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { startDemoService } from './demo_service.ts'
import type { Load } from './load.ts'

// Asks the demo company's pages over and over, as its signed-in owner. Prints requests a second, the processor time of the
// service for each, and how many pages a second one core renders at that cost: 300 of Today are the goal. It reads /proc, so
// it runs on Linux alone.
const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 8

const demo = await startDemoService()
const PAGES = { Today: '', Customers: '/customers', Schedule: '/schedule', Invoices: '/invoices' }
try {
  const rows: Record<string, Record<string, number>> = {}
  for (const [name, path] of Object.entries(PAGES)) rows[name] = await measure(`/${demo.tenant}${path}`)
  console.log(`Pages of the demo company (${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s)`)
  console.table(rows)
} finally {
  await demo.stop()
}

/** Measures a page after a first round that doesn't count. */
async function measure(path: string): Promise<Record<string, number>> {
  const rounds: { rate: number; p99: number; cpu: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const before = processorTime()
    const { rate, p99, answers, failures } = await load(path)
    if (failures > 0) throw new Error(`${path}: ${failures} requests failed`)
    if (round > 0) rounds.push({ rate, p99, cpu: (processorTime() - before) / answers })
  }
  const cpu = median(rounds.map((one) => one.cpu))
  return {
    'requests/s': Math.round(median(rounds.map((one) => one.rate))),
    'p99 ms': median(rounds.map((one) => one.p99)),
    'CPU µs/request': Math.round(cpu),
    'pages/s of one core': Math.round(1e6 / cpu),
  }
}

async function load(path: string): Promise<Load> {
  const asked = {
    url: `http://127.0.0.1:${demo.port}${path}`,
    headers: { cookie: demo.cookie, accept: 'text/html', 'accept-encoding': 'gzip, br' },
    seconds: SECONDS,
    connections: CONNECTIONS,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [
    new URL('load.ts', import.meta.url).pathname,
    JSON.stringify(asked),
  ])
  return JSON.parse(stdout) as Load
}

/** Returns the microseconds of processor time that the service has used, without its database. */
function processorTime(): number {
  const tasks = readdirSync(`/proc/${demo.pid}/task`)
  return tasks.reduce((sum, task) => sum + timeOf(task), 0)
}

function timeOf(task: string): number {
  try {
    return Number(readFileSync(`/proc/${demo.pid}/task/${task}/schedstat`, 'latin1').split(' ')[0]) / 1e3
  } catch {
    return 0
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}
