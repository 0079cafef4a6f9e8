import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { startDemoService } from './demo_service.ts'
import type { Load } from './load.ts'
import { startBarePage } from './record_page.ts'

// Requests the demo company's pages repeatedly, as its signed-in owner. Prints requests per second, the service's processor
// time for each, and how many pages per second one core renders at that cost. The goal is 300 for Today, or half the rate of
// a bare server with the same statements and bytes. Reads /proc, so it runs only on Linux.
const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 8
const GOAL = 0.5

const demo = await startDemoService()
const PAGES = { Today: '', Customers: '/customers', Schedule: '/schedule', Invoices: '/invoices' }
try {
  const rows: Record<string, Record<string, number>> = {}
  const today = `/${demo.tenant}`
  for (const [name, path] of Object.entries(PAGES)) rows[name] = await measure(demo, `${today}${path}`)
  const bare = await startBarePage(demo, today)
  rows['Today, bare'] = await measure(bare, today)
  bare.stop()
  console.log(`Pages of the demo company (${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s)`)
  console.table(rows)
  const [ours, floor] = ['Today', 'Today, bare'].map((name) => rows[name]?.['CPU µs/request'] ?? NaN)
  const ratio = (floor ?? NaN) / (ours ?? NaN)
  console.log(`Today in ${bare.trips} round trips: ${ratio.toFixed(2)} of the bare server's pages (goal: ${GOAL})`)
} finally {
  await demo.stop()
}

type MeasuredServer = { pid: number; port: number }

/** Measures a page after a first round that doesn't count. */
async function measure({ pid, port }: MeasuredServer, path: string): Promise<Record<string, number>> {
  const rounds: { rate: number; p99: number; cpu: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const before = processorTime(pid)
    const { rate, p99, answers, failures } = await load(port, path)
    if (failures > 0) throw new Error(`${path}: ${failures} requests failed`)
    if (round > 0) rounds.push({ rate, p99, cpu: (processorTime(pid) - before) / answers })
  }
  const cpu = median(rounds.map((one) => one.cpu))
  return {
    'requests/s': Math.round(median(rounds.map((one) => one.rate))),
    'p99 ms': median(rounds.map((one) => one.p99)),
    'CPU µs/request': Math.round(cpu),
    'pages/s of one core': Math.round(1e6 / cpu),
  }
}

async function load(port: number, path: string): Promise<Load> {
  const request = {
    url: `http://127.0.0.1:${port}${path}`,
    headers: { cookie: demo.cookie, accept: 'text/html', 'accept-encoding': 'gzip, br' },
    seconds: SECONDS,
    connections: CONNECTIONS,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [
    new URL('load.ts', import.meta.url).pathname,
    JSON.stringify(request),
  ])
  return JSON.parse(stdout) as Load
}

/** Returns the microseconds of processor time that the service has used, without its database. */
function processorTime(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return tasks.reduce((sum, task) => sum + timeOf(pid, task), 0)
}

function timeOf(pid: number, task: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'latin1').split(' ')[0]) / 1e3
  } catch {
    return 0
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}
