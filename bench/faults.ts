import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openDatabase } from '../src/db/database.ts'
import { makeCompany, type TestService } from '../test/harness/harness.ts'
import { rpc, toolHeaders } from '../test/harness/http.ts'
import { setUp } from './setup.ts'

// node bench/faults.ts [burst] [lock] [freeze] [--freeze 30]: what one company's trouble is to another, on one service. A quiet
// company reads all the time, as it did just before; a table says how its reads fared, as ratios to its usual.
const READERS = 2
const USUAL_SECONDS = 5

const {
  positionals,
  values: { freeze },
} = parseArgs({ allowPositionals: true, options: { freeze: { type: 'string', default: '30' } } })

type Answer = { begun: number; ms: number; outcome: 'done' | '503' | '429' | 'internal' | 'refused' | 'no answer' }
type Ask = () => Promise<Answer>
type Table = Record<string, readonly Answer[]>

const { setup, drop } = await setUp(200)
const child = fork(new URL('servers/callout.ts', import.meta.url), [JSON.stringify(setup)])
const [{ port }] = (await once(child, 'message')) as [{ port: number }]
const url = `http://127.0.0.1:${port}/api/mcp`
const database = openDatabase(setup.login)
const {
  owner: { key: quietKey },
} = await makeCompany({ database, url } as TestService)
const admin = new pg.Client(setup.owner)
await admin.connect()

const asking =
  (key: string, tool: string, given: object = {}): Ask =>
  async () => {
    const begun = performance.now()
    const outcome = await fetch(url, {
      method: 'POST',
      headers: toolHeaders(key),
      body: rpc('tools/call', { name: tool, arguments: given }),
      signal: AbortSignal.timeout(60_000),
    }).then(outcomeOf, () => 'no answer' as const)
    return { begun, ms: performance.now() - begun, outcome }
  }

async function outcomeOf(response: Response): Promise<Answer['outcome']> {
  const text = await response.text()
  if (response.status === 503 && response.headers.has('retry-after')) return '503'
  if (response.status === 429) return '429'
  if (response.status !== 200 || text.includes('"text":"internal: ')) return 'internal'
  return text.includes('"isError":true') ? 'refused' : 'done'
}

/** Asks over and over, so many at a time, until the signal; a client that was told to wait waits a little. */
async function over(ask: Ask, atOnce: number, ended: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = []
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (!ended.aborted) {
        const answer = await ask()
        answers.push(answer)
        if (answer.outcome !== 'done') await sleep(100)
      }
    }),
  )
  return answers
}

/** The quiet company reads while something happens. */
async function beside<T>(trouble: () => Promise<T>): Promise<[quiet: Answer[], of: T]> {
  const ended = new AbortController()
  const reading = over(quiet, READERS, ended.signal)
  const of = await trouble().finally(() => ended.abort())
  return [await reading, of]
}

const quiet = asking(quietKey, 'tags_list')

/** Makes 300 invoices at once by one company. */
async function burst(): Promise<Table> {
  const create = asking(setup.key, 'invoices_create', { customer_id: setup.customer })
  const [reads, creates] = await beside(() => Promise.all(Array.from({ length: 300 }, create)))
  return { 'burst: 300 creates': creates, 'burst: quiet reads': reads }
}

/** One company's records are locked for ten seconds, and 24 of its writers want them, beside twenty that read. */
async function lock(): Promise<Table> {
  await admin.query('begin')
  await admin.query('select from customers where tenant_id = $1 for update', [setup.tenant])
  const ended = AbortSignal.timeout(10_000)
  const [reads, [writes, others]] = await beside(() =>
    Promise.all([
      over(asking(setup.key, 'customers_update', { id: setup.customer, lead_source: 'bench' }), 24, ended),
      over(asking(setup.key, 'tags_list'), 10 * READERS, ended),
    ]),
  )
  await admin.query('rollback')
  return { 'lock: its writes': writes, 'lock: its reads': others, 'lock: quiet reads': reads }
}

/** The database is stopped, and goes on after a while. */
async function frozen(): Promise<Table> {
  let [from, to] = [0, 0]
  const [reads, writes] = await beside(async () => {
    const ended = new AbortController()
    const writing = over(asking(setup.key, 'invoices_create', { customer_id: setup.customer }), 4, ended.signal)
    await sleep(2_000)
    const pids = await processes()
    pids.forEach((pid) => process.kill(pid, 'SIGSTOP'))
    from = performance.now()
    await sleep(Number(freeze) * 1000)
    pids.forEach((pid) => process.kill(pid, 'SIGCONT'))
    to = performance.now()
    await sleep(10_000)
    ended.abort()
    return writing
  })
  const isDuring = ({ begun, ms }: Answer): boolean => begun < to && begun + ms > from
  return {
    'freeze: writes during': writes.filter(isDuring),
    'freeze: reads during': reads.filter(isDuring),
    'freeze: writes outside': writes.filter((one) => !isDuring(one)),
    'freeze: quiet reads outside': reads.filter((one) => !isDuring(one)),
  }
}

/** Returns the server's main process and all that it made. */
async function processes(): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    "select pid from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
  )
  const {
    rows: [own],
  } = await admin.query<{ pid: number }>('select pg_backend_pid() as pid')
  const status = await readFile(`/proc/${own!.pid}/status`, 'utf8')
  return [Number(/^PPid:\s*(\d+)$/m.exec(status)![1]), ...rows.map(({ pid }) => pid)]
}

const SCENARIOS: Record<string, () => Promise<Table>> = { burst, lock, freeze: frozen }

const part = (answers: readonly Answer[], share: number): number =>
  answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.ceil(answers.length * share) - 1] ?? Number.NaN

function rowOf(answers: readonly Answer[], usual: readonly Answer[] | undefined): Record<string, number | string> {
  const count = (outcome: Answer['outcome']): number => answers.filter((one) => one.outcome === outcome).length
  const [p50, p99] = [part(answers, 0.5), part(answers, 0.99)]
  const times = (share: number): string =>
    usual === undefined ? '' : `${(part(answers, share) / part(usual, share)).toFixed(1)} x`
  return {
    requests: answers.length,
    done: count('done'),
    503: count('503'),
    internal: count('internal'),
    other: count('429') + count('refused') + count('no answer'),
    'p50 ms': Math.round(p50),
    'p99 ms': Math.round(p99),
    'most ms': Math.round(part(answers, 1)),
    'p50 of usual': times(0.5),
    'p99 of usual': times(0.99),
  }
}

await over(quiet, READERS, AbortSignal.timeout(2_000))
for (const name of positionals.length === 0 ? Object.keys(SCENARIOS) : positionals) {
  const usual = await over(quiet, READERS, AbortSignal.timeout(USUAL_SECONDS * 1000))
  const table = await SCENARIOS[name]!()
  console.log(`\n${name}`)
  console.table(
    Object.fromEntries([
      ['quiet reads, usual', rowOf(usual, undefined)],
      ...Object.entries(table).map(([of, answers]) => [of, rowOf(answers, of.includes('quiet') ? usual : undefined)]),
    ]),
  )
}
child.kill()
await admin.end()
await database.close()
await drop()
