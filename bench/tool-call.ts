import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Load } from './load.ts'
import { setUp, type Setup } from './setup.ts'

// npm run bench: this service, a bare node:http handler with the same SQL, and a server of the official SDK per request,
// taking turns in one run, so that a noisy machine is noisy for all; then two creates, and this service by API key and by
// access token. Prints medians and ratios, and each ratio beside its goal. `npm run bench -- 'by credential'` runs the
// comparisons of that name alone.
const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 32
const SERVERS = ['bare', 'callout', 'sdk'] as const
/** Same path as in bin/callout. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/callout', import.meta.url))

type Name = (typeof SERVERS)[number]
type Usage = { cpu: NodeJS.CpuUsage; rss: number }
type Measure = Load & { cpu: number; rss: number }
/** One of the servers that take turns, with the credential and body to send. */
type Contender = { server: Name; credential: string; body: string }
/** Compares every contender with the `measured` one. */
type Comparison = { contenders: Record<string, Contender>; measured: string; rounds: number }

const { setup, drop } = await setUp(2_000)
const call = (name: string, args: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
const GET = call('customers_get', { id: setup.customer })
const ofServers = (body: string): Comparison => ({
  contenders: Object.fromEntries(SERVERS.map((server) => [server, { server, credential: setup.key, body }])),
  measured: 'callout',
  rounds: ROUNDS,
})
const ofWrites = (body: string): Comparison => ({
  contenders: Object.fromEntries(
    (['bare', 'callout'] as const).map((server) => [server, { server, credential: setup.key, body }]),
  ),
  measured: 'callout',
  rounds: ROUNDS,
})
const LINES = [
  { name: 'Labor', quantity: '2', unit_price_cents: 9_500 },
  { name: 'Filter', quantity: '1', unit_price_cents: 4_250 },
]
const COMPARISONS: Record<string, Comparison> = {
  customers_get: ofServers(GET),
  customers_search: ofServers(call('customers_search', { query: 'last19', limit: 25 })),
  'tools/list': ofServers(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })),
  'customers_get by credential': {
    contenders: {
      'API key': { server: 'callout', credential: setup.key, body: GET },
      'access token': { server: 'callout', credential: setup.token, body: GET },
    },
    measured: 'access token',
    rounds: 2 * ROUNDS,
  },
  // Writes come last: a customer with thousands of jobs is slower to read.
  jobs_create: ofWrites(
    call('jobs_create', { customer_id: setup.customer, title: 'Furnace check', idempotency_key: 'job [<id>]' }),
  ),
  invoices_create: ofWrites(
    call('invoices_create', { customer_id: setup.customer, line_items: LINES, idempotency_key: 'invoice [<id>]' }),
  ),
}

/** Ratio of the measured contender's rate to another's, at least. */
const GOALS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  customers_get: { bare: 0.8, sdk: 6 },
  customers_search: { bare: 0.88 },
  'tools/list': { bare: 0.65 },
  'customers_get by credential': { 'API key': 0.97 },
  jobs_create: { bare: 0.6 },
  invoices_create: { bare: 0.6 },
}

const chosen = Object.entries(COMPARISONS).filter(([name]) => name.includes(process.argv[2] ?? ''))
const needed = new Set(chosen.flatMap(([, { contenders }]) => Object.values(contenders).map(({ server }) => server)))
const running = new Map<Name, { child: ChildProcess; url: string }>()
for (const server of needed) running.set(server, await start(server, setup))
const reached: Record<string, { ratio: string; goal: number; reached: string }> = {}
for (const [name, comparison] of chosen) {
  const medians = await compare(comparison)
  print(name, comparison, medians)
  for (const [other, goal] of Object.entries(GOALS[name] ?? {})) {
    const ratio = medians.get(comparison.measured)!.rate / medians.get(other)!.rate
    reached[`${name}, of ${other}`] = { ratio: ratio.toFixed(2), goal, reached: ratio >= goal ? 'yes' : 'no' }
  }
}
console.log('\nGoals')
console.table(reached)
for (const { child } of running.values()) child.kill()
await drop()

/** Returns the medians of the rounds. The first doesn't count, and the order alternates. */
async function compare({ contenders, rounds }: Comparison): Promise<Map<string, Measure>> {
  const names = Object.keys(contenders)
  for (const contender of Object.values(contenders)) await requireSuccess(contender)
  const measures = new Map<string, Measure[]>(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const measure = await burst(contenders[name]!)
      if (round > 0) measures.get(name)!.push(measure)
    }
  }
  return new Map([...measures].map(([name, all]) => [name, middle(all)]))
}

async function start(name: Name, setup: Setup): Promise<{ child: ChildProcess; url: string }> {
  const begun = performance.now()
  const child = fork(new URL(`servers/${name}.ts`, import.meta.url), [JSON.stringify(setup)], {
    env: { ...process.env, NODE_COMPILE_CACHE },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  console.log(`${name} started in ${Math.round(performance.now() - begun)} ms`)
  return { child, url: `http://127.0.0.1:${port}/api/mcp` }
}

/** Throws if a contender refuses the call: a refusal is fast, and has status 200 too. */
async function requireSuccess({ server, credential, body }: Contender): Promise<void> {
  const headers = {
    authorization: `Bearer ${credential}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const text = await (await fetch(running.get(server)!.url, { method: 'POST', headers, body })).text()
  if (!text.includes('"result":') || text.includes('"isError":true'))
    throw new Error(`${server}: ${text.slice(0, 300)}`)
}

async function burst({ server, credential, body }: Contender): Promise<Measure> {
  const { child, url } = running.get(server)!
  const before = await usage(child)
  const request = { url, credential, body, seconds: SECONDS, connections: CONNECTIONS }
  const { stdout } = await promisify(execFile)(process.execPath, [
    new URL('load.ts', import.meta.url).pathname,
    JSON.stringify(request),
  ])
  const load = JSON.parse(stdout) as Load
  const after = await usage(child)
  if (load.failures > 0) throw new Error(`${server}: ${load.failures} requests failed`)
  return {
    ...load,
    cpu: (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / load.answers,
    rss: after.rss,
  }
}

async function usage(child: ChildProcess): Promise<Usage> {
  child.send('usage')
  return (await once(child, 'message'))[0] as Usage
}

function middle(all: Measure[]): Measure {
  const of = (value: (one: Measure) => number): number =>
    all.map(value).sort((a, b) => a - b)[Math.floor(all.length / 2)]!
  return {
    rate: of((m) => m.rate),
    p99: of((m) => m.p99),
    answers: of((m) => m.answers),
    failures: 0,
    cpu: of((m) => m.cpu),
    rss: of((m) => m.rss),
  }
}

function print(name: string, { measured, rounds }: Comparison, medians: Map<string, Measure>): void {
  const ours = medians.get(measured)!
  console.log(`\n${name} (${CONNECTIONS} connections, medians of ${rounds} rounds of ${SECONDS} s)`)
  console.table(
    Object.fromEntries(
      [...medians].map(([contender, m]) => [
        contender,
        {
          'requests/s': Math.round(m.rate),
          'p99 ms': m.p99,
          'CPU µs/request': Math.round(m.cpu),
          'RSS MB': Math.round(m.rss / 1e6),
          [`${measured} is`]: `${(ours.rate / m.rate).toFixed(2)} x`,
        },
      ]),
    ),
  )
}
