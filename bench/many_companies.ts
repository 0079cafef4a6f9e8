import { parseArgs } from 'node:util'
import pg from 'pg'
import { makeDemo } from '../src/cli/installation/demo_company.ts'
import { PERIODIC_TASKS } from '../src/worker/periodic_tasks.ts'
import { configurableTasks } from '../src/worker/configurable_tasks.ts'
import { enrollmentTask } from '../src/worker/tasks/enrollment.ts'
import { callerOf, startTestService } from '../test/harness/harness.ts'
import { openClones } from './many_companies/clones.ts'
import { median, timeTasks, timeWork, type TaskTimes } from './many_companies/tasks.ts'
import { simulateDay } from './many_companies/night.ts'
import { sizesOf } from './many_companies/sizes.ts'

// node bench/many_companies.ts [--max 10000]: clones the demo company a hundred, a thousand and ten thousand times into one
// database. Prints the size of a company, how times grow with the number of companies, and a simulated day of periodic work
// for a hundred thousand. Takes ten minutes and 15 GB (docs/operating/scaling.md).
const { values } = parseArgs({ options: { max: { type: 'string', default: '10000' } } })
const maxCompanies = Number(values.max)
const CALLS = 60

const service = await startTestService()
const admin = new pg.Client(service.owner)
await admin.connect()
try {
  const demo = await makeDemo(service.database, { baseUrl: service.config.baseUrl })
  const configured = configurableTasks(service.config, service.database).filter(({ lane }) => lane === undefined)
  const baseTasks = [...PERIODIC_TASKS, ...configured]
  const tasks = [...baseTasks, enrollmentTask(baseTasks)]
  const clones = await openClones(admin, demo.tenant.id)
  const calls: Record<string, Record<string, number>> = {}
  const taskTimes: Record<string, Record<string, number>> = {}
  let last: TaskTimes | undefined
  for (const count of [100, 1_000, 10_000].filter((one) => one <= maxCompanies)) {
    const [ms] = await timeWork(() => clones.upTo(count))
    console.log(`${count} companies after ${Math.round(ms / 1000)} s`)
    for (const [tool, p50] of Object.entries(await timeCalls(demo.key))) (calls[tool] ??= {})[count] = p50
    last = await timeTasks(admin, service.database, tasks)
    for (const [name, p50] of Object.entries({ claim: last.claim, ...last.ofTenant, ...last.ofService }))
      (taskTimes[name] ??= {})[count] = Math.round(p50 * 10) / 10
  }
  console.log('\nTool calls of one company: median ms by number of companies')
  console.table(calls)
  console.log('\nPeriodic tasks: median ms, for one company, then for the service')
  console.table(taskTimes)
  console.log('\nWrites of one company')
  console.table(await timeWrites(demo.key))
  const { tables, all } = await sizesOf(admin, maxCompanies)
  console.log('\nOne company')
  console.table({ ...tables, 'all tables': all })
  const timesOf = (of: TaskTimes) =>
    Object.fromEntries(Object.entries(of.ofTenant).map(([name, ms]) => [name, (ms + of.claim) / 1000]))
  console.log('\nA day of 100,000 companies: hours of work, longest wait in minutes')
  const ofTenant = tasks.filter(({ of }) => of === 'tenant')
  console.table(
    [1, 2, 4, 8, 16].map((processes) => {
      const { waits, ...day } = simulateDay(100_000, ofTenant, timesOf(last!), processes)
      const minutes = Object.entries(waits).map(([name, wait]) => [name, Math.round(wait)])
      return {
        ...day,
        hoursOfWork: Math.round(day.hoursOfWork * 10) / 10,
        longest: Math.round(day.longest),
        ...Object.fromEntries(minutes),
      }
    }),
  )
} finally {
  await admin.end()
  await service.stop()
}

/** Measures writes of one company, with and without a counter: writes per second, and WAL bytes per write. */
async function timeWrites(key: string): Promise<Record<string, Record<string, number>>> {
  const { call } = callerOf(service.url, key)
  const { rows } = await call('customers_search', {})
  const customer_id = rows[0].id
  const cases: Record<string, () => Promise<unknown>> = {
    'notes_create, no counter': () =>
      call('notes_create', { subject_type: 'customer', subject_id: customer_id, body: 'x' }),
    'jobs_create, a counter': () => call('jobs_create', { customer_id, title: 'Leak search' }),
    'invoices_create, a counter': () =>
      call('invoices_create', { customer_id, line_items: [{ name: 'Leak search', unit_price_cents: 18_900 }] }),
  }
  const results: Record<string, Record<string, number>> = {}
  for (const [name, write] of Object.entries(cases)) {
    const from = await walBytes()
    const [ms] = await timeWork(async () => {
      for (let i = 0; i < CALLS; i++) await write()
    })
    const bytes = (await walBytes()) - from
    const [together] = await timeWork(() => Promise.all(Array.from({ length: 6 }, () => inTurn(write, CALLS / 6))))
    results[name] = {
      'per second, one at a time': Math.round((CALLS * 1000) / ms),
      'per second, six at a time': Math.round((CALLS * 1000) / together),
      'WAL bytes each': Math.round(bytes / CALLS),
    }
  }
  return results
}

async function inTurn(work: () => Promise<unknown>, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await work()
}

async function walBytes(): Promise<number> {
  const { rows } = await admin.query<{ bytes: string }>("select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes")
  return Number(rows[0]!.bytes)
}

/** Returns the median milliseconds of one company's calls over HTTP. */
async function timeCalls(key: string): Promise<Record<string, number>> {
  const { call } = callerOf(service.url, key)
  const { rows } = await call('customers_search', {})
  const [{ id, display_name }] = rows
  const cases: readonly [tool: string, args: object][] = [
    ['customers_get', { id }],
    ['customers_search', { query: display_name }],
    ['jobs_list', {}],
    ['invoices_list', {}],
    ['notes_create', { subject_type: 'customer', subject_id: id, body: 'Called back' }],
  ]
  const p50: Record<string, number> = {}
  for (const [tool, args] of cases) {
    const times: number[] = []
    for (let i = 0; i < CALLS; i++) times.push((await timeWork(() => call(tool, args)))[0])
    p50[tool] = Math.round(median(times) * 10) / 10
  }
  return p50
}
