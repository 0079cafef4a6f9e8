import { execFile, fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Load } from './load.ts'
import { setUp } from './setup.ts'
import type { Setup } from './setup.ts'

// npm run bench: this service, a bare node:http handler with the same SQL, and a server of the official SDK per request,
// taking turns in one run, so that a noisy machine is noisy for all. Prints medians and ratios.
const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 32
const SERVERS = ['bare', 'callout', 'sdk'] as const
/** As bin/callout has it. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/callout', import.meta.url))

type Name = (typeof SERVERS)[number]
type Usage = { cpu: NodeJS.CpuUsage; rss: number }
type Measure = Load & { cpu: number; rss: number }

const { setup, drop } = await setUp(2_000)
const call = (name: string, given: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })
const REQUESTS: Record<string, string> = {
  customers_get: call('customers_get', { id: setup.customer }),
  customers_search: call('customers_search', { query: 'last19', limit: 25 }),
  'tools/list': JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
}

const running = new Map<Name, { child: ChildProcess; url: string }>()
for (const name of SERVERS) running.set(name, await start(name, setup))
for (const [request, body] of Object.entries(REQUESTS)) {
  const measures = new Map<Name, Measure[]>(SERVERS.map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of SERVERS) {
      const measure = await burst(name, body)
      if (round > 0) measures.get(name)!.push(measure)
    }
  }
  print(request, new Map([...measures].map(([name, all]) => [name, middle(all)])))
}
for (const { child } of running.values()) child.kill()
await drop()

async function start(name: Name, setup: Setup): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(new URL(`servers/${name}.ts`, import.meta.url), [JSON.stringify(setup)], { env: { ...process.env, NODE_COMPILE_CACHE } })
  const [{ port }] = await once(child, 'message') as [{ port: number }]
  return { child, url: `http://127.0.0.1:${port}/api/mcp` }
}

async function burst(name: Name, body: string): Promise<Measure> {
  const { child, url } = running.get(name)!
  const before = await usage(child)
  const given = { url, key: setup.key, body, seconds: SECONDS, connections: CONNECTIONS }
  const { stdout } = await promisify(execFile)(process.execPath, [new URL('load.ts', import.meta.url).pathname, JSON.stringify(given)])
  const load = JSON.parse(stdout) as Load
  const after = await usage(child)
  if (load.failures > 0) throw new Error(`${name}: ${load.failures} requests failed`)
  return { ...load, cpu: (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / load.answers, rss: after.rss }
}

async function usage(child: ChildProcess): Promise<Usage> {
  child.send('usage')
  return (await once(child, 'message'))[0] as Usage
}

function middle(all: Measure[]): Measure {
  const of = (value: (one: Measure) => number): number => all.map(value).sort((a, b) => a - b)[Math.floor(all.length / 2)]!
  return { rate: of((m) => m.rate), p99: of((m) => m.p99), answers: of((m) => m.answers), failures: 0, cpu: of((m) => m.cpu), rss: of((m) => m.rss) }
}

function print(request: string, medians: Map<Name, Measure>): void {
  const ours = medians.get('callout')!
  console.log(`\n${request} (${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s)`)
  console.table(Object.fromEntries([...medians].map(([name, m]) => [name, {
    'requests/s': Math.round(m.rate), 'p99 ms': m.p99, 'CPU µs/request': Math.round(m.cpu), 'RSS MB': Math.round(m.rss / 1e6), 'callout is': `${(ours.rate / m.rate).toFixed(2)} x`,
  }])))
}
