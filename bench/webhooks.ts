import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { makeDatabase } from '../test/harness/harness.ts'
import type { Load } from './load.ts'

// node bench/webhooks.ts: ingestion of payments events by this service and by a bare node:http handler with the same insert,
// taking turns in one run, so that a noisy machine is noisy for both. Prints medians and ratios.
const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 32
const SECRET = 'whsec_benchmark_secret_0123456789'
const SERVERS = ['bare', 'callout'] as const

type Name = (typeof SERVERS)[number]
type Usage = { cpu: NodeJS.CpuUsage; rss: number }
type Measure = Load & { cpu: number; rss: number }

const { owner, login, drop } = await makeDatabase()
const running = new Map<Name, { child: ChildProcess; url: string }>()
for (const name of SERVERS) running.set(name, await start(name))
const measures = new Map<Name, Measure[]>(SERVERS.map((name) => [name, []]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const name of round % 2 === 0 ? SERVERS : SERVERS.toReversed()) {
    const measure = await burst(name)
    if (round > 0) measures.get(name)!.push(measure)
  }
}
print(new Map([...measures].map(([name, all]) => [name, middle(all)])))
for (const { child } of running.values()) child.kill()
await drop()

async function start(name: Name): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(new URL(`servers/webhooks_${name}.ts`, import.meta.url), [
    JSON.stringify({ owner, login, secret: SECRET }),
  ])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, url: `http://127.0.0.1:${port}/api/webhooks/payments/connect` }
}

async function burst(name: Name): Promise<Measure> {
  const { child, url } = running.get(name)!
  const before = await usage(child)
  const { stdout } = await promisify(execFile)(process.execPath, [
    new URL('webhook_load.ts', import.meta.url).pathname,
    JSON.stringify({ url, secret: SECRET, seconds: SECONDS, connections: CONNECTIONS }),
  ])
  const load = JSON.parse(stdout) as Load
  const after = await usage(child)
  if (load.failures > 0) throw new Error(`${name}: ${load.failures} requests failed`)
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

function print(medians: Map<Name, Measure>): void {
  const ours = medians.get('callout')!
  console.log(`\npayments ingestion (${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s)`)
  console.table(
    Object.fromEntries(
      [...medians].map(([name, m]) => [
        name,
        {
          'events/s': Math.round(m.rate),
          'p99 ms': m.p99,
          'CPU µs/event': Math.round(m.cpu),
          'RSS MB': Math.round(m.rss / 1e6),
          'callout is': `${(ours.rate / m.rate).toFixed(2)} x`,
        },
      ]),
    ),
  )
}
