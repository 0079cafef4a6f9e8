import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openDatabase } from '../src/platform/db/database.ts'
import { makeCompany, type TestService } from '../test/harness/harness.ts'
import { callerAt, sendDuring, sendUntil, READERS, type Answer, type Table } from './faults/load.ts'
import { openBalanced } from './faults/balanced.ts'
import { setUp } from './setup.ts'

// node bench/faults.ts [burst] [lock] [freeze] [together] [--freeze 30]: how one company's trouble affects another, on one
// service, or on two behind nginx. A quiet company keeps reading. A table compares its reads with its baseline just before.
const BASELINE_SECONDS = 5

const {
  positionals,
  values: { freeze },
} = parseArgs({ allowPositionals: true, options: { freeze: { type: 'string', default: '30' } } })

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

const caller = callerAt(url)
const quiet = caller(quietKey, 'tags_list')

/** Creates 300 invoices at once in one company. */
async function burst(): Promise<Table> {
  const create = caller(setup.key, 'invoices_create', { customer_id: setup.customer })
  const [reads, creates] = await sendDuring(quiet, () => Promise.all(Array.from({ length: 300 }, create)))
  return { 'burst: 300 creates': creates, 'burst: quiet reads': reads }
}

/** Locks one company's records for ten seconds, while 24 of its clients write to them and twenty read. */
async function lock(): Promise<Table> {
  await admin.query('begin')
  await admin.query('select from customers where tenant_id = $1 for update', [setup.tenant])
  const ended = AbortSignal.timeout(10_000)
  const [reads, [writes, others]] = await sendDuring(quiet, () =>
    Promise.all([
      sendUntil(caller(setup.key, 'customers_update', { id: setup.customer, lead_source: 'bench' }), 24, ended),
      sendUntil(caller(setup.key, 'tags_list'), 10 * READERS, ended),
    ]),
  )
  await admin.query('rollback')
  return { 'lock: its writes': writes, 'lock: its reads': others, 'lock: quiet reads': reads }
}

/** Stops the database, and continues it after a while. */
async function freezeScenario(): Promise<Table> {
  const [reads, { writes, isDuring }] = await sendDuring(quiet, async () => {
    const ended = new AbortController()
    const writing = sendUntil(caller(setup.key, 'invoices_create', { customer_id: setup.customer }), 4, ended.signal)
    await sleep(2_000)
    const isDuring = await freezeDatabase()
    await sleep(10_000)
    ended.abort()
    return { writes: await writing, isDuring }
  })
  return {
    'freeze: writes during': writes.filter(isDuring),
    'freeze: reads during': reads.filter(isDuring),
    'freeze: writes outside': writes.filter((one) => !isDuring(one)),
    'freeze: quiet reads outside': reads.filter((one) => !isDuring(one)),
  }
}

/** All at once behind nginx: a company's rows are locked and it sends ten times its normal load, the database stops, and both services restart in turn. */
async function together(): Promise<Table> {
  const site = await openBalanced(setup)
  const siteCaller = callerAt(site.url)
  const quietOnSite = siteCaller(quietKey, 'tags_list')
  await sendUntil(quietOnSite, READERS, AbortSignal.timeout(2_000))
  const baseline = await sendUntil(quietOnSite, READERS, AbortSignal.timeout(BASELINE_SECONDS * 1000))
  await admin.query('begin')
  await admin.query('select from customers where tenant_id = $1 for update', [setup.tenant])
  const ended = new AbortController()
  const [reads, { writes, others, isDuring, starts }] = await sendDuring(quietOnSite, async () => {
    const load = Promise.all([
      sendUntil(
        siteCaller(setup.key, 'customers_update', { id: setup.customer, lead_source: 'bench' }),
        24,
        ended.signal,
      ),
      sendUntil(siteCaller(setup.key, 'tags_list'), 10 * READERS, ended.signal),
    ])
    await sleep(3_000)
    const [isDuring, starts] = await Promise.all([freezeDatabase(), site.roll(10_000)])
    await sleep(5_000)
    ended.abort()
    const [writes, others] = await load
    return { writes, others, isDuring, starts }
  })
  await admin.query('rollback')
  await site.end()
  console.log(`${starts} starts of two services`)
  return {
    'quiet reads, baseline': baseline,
    'together: its writes': writes,
    'together: its reads outside the freeze': others.filter((one) => !isDuring(one)),
    'together: all reads in the freeze': [...reads, ...others].filter(isDuring),
    'together: quiet reads outside the freeze': reads.filter((one) => !isDuring(one)),
  }
}

/** Stops the database for some seconds. Returns a function that checks whether an answer overlaps that time. */
async function freezeDatabase(): Promise<(answer: Answer) => boolean> {
  const pids = await processes()
  pids.forEach((pid) => process.kill(pid, 'SIGSTOP'))
  const from = performance.now()
  await sleep(Number(freeze) * 1000)
  pids.forEach((pid) => process.kill(pid, 'SIGCONT'))
  const to = performance.now()
  return ({ begun, ms }) => begun < to && begun + ms > from
}

/** Returns the ids of the server's main process and its client backends. */
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

const SCENARIOS: Record<string, () => Promise<Table>> = { burst, lock, freeze: freezeScenario, together }

const part = (answers: readonly Answer[], share: number): number =>
  answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.ceil(answers.length * share) - 1] ?? Number.NaN

function rowOf(answers: readonly Answer[], baseline: readonly Answer[] | undefined): Record<string, number | string> {
  const count = (outcome: Answer['outcome']): number => answers.filter((one) => one.outcome === outcome).length
  const [p50, p99] = [part(answers, 0.5), part(answers, 0.99)]
  const times = (share: number): string =>
    baseline === undefined ? '' : `${(part(answers, share) / part(baseline, share)).toFixed(1)} x`
  return {
    requests: answers.length,
    done: count('done'),
    503: count('503'),
    internal: count('internal'),
    other: count('429') + count('refused') + count('no answer'),
    'p50 ms': Math.round(p50),
    'p99 ms': Math.round(p99),
    'max ms': Math.round(part(answers, 1)),
    'p50 / baseline': times(0.5),
    'p99 / baseline': times(0.99),
  }
}

await sendUntil(quiet, READERS, AbortSignal.timeout(2_000))
for (const name of positionals.length === 0 ? Object.keys(SCENARIOS) : positionals) {
  const baseline = await sendUntil(quiet, READERS, AbortSignal.timeout(BASELINE_SECONDS * 1000))
  const { 'quiet reads, baseline': siteBaseline = baseline, ...table } = await SCENARIOS[name]!()
  console.log(`\n${name}`)
  console.table(
    Object.fromEntries([
      ['quiet reads, baseline', rowOf(siteBaseline, undefined)],
      ...Object.entries(table).map(([of, answers]) => [
        of,
        rowOf(answers, of.includes('quiet') ? siteBaseline : undefined),
      ]),
    ]),
  )
}
child.kill()
await admin.end()
await database.close()
await drop()
