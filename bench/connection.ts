import pg from 'pg'
import { startTestService, makeCompany } from '../test/harness/harness.ts'

// node bench/connection.ts: how much the index on a connection's changes speeds up callout://connection, and what it costs a write.
// The company has 200,000 changes: twenty old ones by a quiet connection, the rest by a busy one. Prints medians and ratios.
const ROWS = 200_000
const WRITTEN = 5_000

const service = await startTestService()
const { tenant, owner } = await makeCompany(service)
const client = new pg.Client(service.owner)
await client.connect()
const [busy, quiet] = ['019a0000-0000-7000-8000-00000000000b', '019a0000-0000-7000-8000-00000000000c']
const INDEX =
  'create index audit_of_connection on audit (tenant_id, credential_id, id desc) where credential_id is not null'

/** Inserts changes of a connection. */
const write = (rows: number, credential: string): Promise<unknown> =>
  client.query(
    `insert into audit (tenant_id, id, tool, record_type, record_id, user_id, credential_id, changed)
      select $1, uuidv7(), 'customers.update', 'customer', gen_random_uuid(), $2, $3, '{"first_name": ["Ana", "Anna"]}'
      from generate_series(1, $4)`,
    [tenant, owner.id, credential, rows],
  )

const read = (credential: string): Promise<unknown> =>
  client.query(
    `select * from audit where tenant_id = $1 and credential_id = $2 and split_part(tool, '.', 1) = any('{customers,jobs}') order by id desc limit 100`,
    [tenant, credential],
  )

async function medianOf(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)]!
}

const PAIRS = 9
const CASES: Record<string, () => Promise<unknown>> = {
  'read, quiet connection': () => read(quiet),
  'read, busy connection': () => read(busy),
  [`write, ${WRITTEN} changes`]: async () => {
    await client.query('begin')
    await write(WRITTEN, busy)
    await client.query('rollback')
  },
}

await client.query('alter table audit disable trigger user')
await client.query(`select set_config('app.tenant_id', $1, false)`, [tenant])
await write(20, quiet)
await write(ROWS, busy)
await client.query('analyze audit')
const ratios = new Map(Object.keys(CASES).map((name) => [name, [] as [number, number][]]))
for (let pair = 0; pair < PAIRS; pair++) {
  const times = new Map<string, number>()
  for (const hasIndex of pair % 2 === 0 ? [true, false] : [false, true]) {
    await client.query('drop index if exists audit_of_connection')
    if (hasIndex) await client.query(INDEX)
    for (const [name, work] of Object.entries(CASES)) times.set(`${name} ${hasIndex}`, await medianOf(work, 5))
  }
  for (const name of Object.keys(CASES))
    ratios.get(name)!.push([times.get(`${name} true`)!, times.get(`${name} false`)!])
}
for (const [name, pairs] of ratios) {
  const [ms, before] = pairs.sort(([a, b], [c, d]) => a / b - c / d)[Math.floor(PAIRS / 2)]!
  console.log(
    `${name}: ${ms.toFixed(2)} ms with the index, ${before.toFixed(2)} ms without, ratio ${(ms / before).toFixed(2)}`,
  )
}
await client.end()
await service.stop()
