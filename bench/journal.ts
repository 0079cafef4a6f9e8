import pg from 'pg'
import { createKey } from '../src/identity/credentials/keys.ts'
import { SCOPES } from '../src/identity/permissions/scopes.ts'
import { callerOf } from '../test/harness/harness.ts'
import { createCompany, startSite } from '../test/harness/web_client.ts'

// node bench/journal.ts: what the row journal costs a write. Bursts of calls with it and without it take turns on one service
// and one database, which doesn't wait for its disk, so that nothing hides the cost. Prints the median of the ratios.
const PAIRS = Number(process.argv[2] ?? 40)
const CALLS = 60
const AT_ONCE = 4

const service = await startSite()
const company = await createCompany(service, 'Bench')
const { key } = await createKey(
  service.database,
  { tenant: company.id },
  { user: company.owner.user_id, name: 'Bench', scopes: SCOPES, expires_at: null },
)
const { call } = callerOf(service.url, key)
const admin = new pg.Client(service.owner)
await admin.connect()
const { rows: triggers } = await admin.query<{ name: string; of: string }>(
  `select tgname as name, tgrelid::regclass::text as of from pg_trigger where tgname like 'journal%'`,
)
const INDEXES = [
  'create index audit_of_change on audit (tenant_id, change_id) where change_id is not null',
  'create index audit_by_time on audit (tenant_id, at) include (credential_id)',
]

const customer = (await call('customers_create', { customer_type: 'individual', first_name: 'Ana' }))['id'] as string
const job = (await call('jobs_create', { customer_id: customer, title: 'Visit' }))['id'] as string
let count = 0
const WRITES: Record<string, () => Promise<unknown>> = {
  customers_update: () => call('customers_update', { id: customer, last_name: `Last ${(count += 1)}` }),
  jobs_update: () => call('jobs_update', { id: job, title: `Visit ${(count += 1)}` }),
  jobs_create: () => call('jobs_create', { customer_id: customer, title: `Visit ${(count += 1)}` }),
  customers_create: () =>
    call('customers_create', {
      customer_type: 'individual',
      first_name: `Ana ${(count += 1)}`,
      phone: '512 555 0143',
      locations: [{ address_line1: `${count} Main St` }],
    }),
}

for (const [name, write] of Object.entries(WRITES)) {
  await burst(write)
  const ratios: number[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const times = new Map<boolean, number>()
    for (const isOn of pair % 2 === 0 ? [true, false] : [false, true]) {
      await setJournal(isOn)
      times.set(isOn, await burst(write))
    }
    ratios.push(times.get(true)! / times.get(false)!)
  }
  const sorted = ratios.sort((a, b) => a - b)
  const at = (share: number): string => sorted[Math.floor(sorted.length * share)]!.toFixed(3)
  console.log(`${name}: with the journal ${at(0.5)} x the time without it (quartiles ${at(0.25)} to ${at(0.75)})`)
}
await admin.end()
await service.stop()

/** Turns the journal on, or removes everything that it adds to a write. */
async function setJournal(isOn: boolean): Promise<void> {
  for (const { name, of } of triggers)
    await admin.query(`alter table ${of} ${isOn ? 'enable' : 'disable'} trigger ${name}`)
  await admin.query('drop index if exists audit_of_change, audit_by_time')
  if (isOn) for (const index of INDEXES) await admin.query(index)
}

/** Returns how long a burst takes, in milliseconds. */
async function burst(write: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let i = 0; i < CALLS / AT_ONCE; i++) await write()
    }),
  )
  return performance.now() - begun
}
