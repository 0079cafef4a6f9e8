import pg from 'pg'
import { COMPANIES, DERIVED, ROWS, MISMATCHES, baseStatements } from './rows.ts'

/** A measured tenant, and some of its rows to request. */
export type Company = {
  id: string
  owner: string
  technician: string
  /** Customer of every fiftieth document. `job` is one of their jobs. */
  customer: string
  job: string
  /** Name of the middle customer. */
  name: string
  phone: string
  email: string
}

/**
 * Fills an empty database without triggers and indexes: rows that triggers would derive are inserted too and compared at the
 * end, and indexes are created after the rows. Logs each step and its duration.
 */
export async function fill(
  owner: pg.ClientConfig,
  log: (line: string) => void,
  companies = 1_000,
): Promise<{ large: Company; small: Company }> {
  const clients = await Promise.all([connectClient(owner), connectClient(owner)])
  const [one, other] = clients
  try {
    await reportStep(log, 'companies and their people', () => inTurn(one, baseStatements(companies)))
    const indexes = await dropIndexes(one)
    await reportStep(log, Object.keys(ROWS).join(', '), () => runInParallel(clients, Object.values(ROWS)))
    await reportStep(log, Object.keys(DERIVED).join(', '), () => runInParallel(clients, Object.values(DERIVED)))
    await reportStep(log, `${indexes.length} indexes`, () => runInParallel(clients, indexes))
    await reportStep(log, 'statistics and visibility', () => inTurn(other, ['vacuum analyze']))
    const {
      rows: [mismatches],
    } = await one.query<{ count: string }>(MISMATCHES)
    if (mismatches?.count !== '0')
      throw new Error(`${mismatches?.count} rows differ from what the triggers would derive`)
    const {
      rows: [large, small],
    } = await one.query<Company>(COMPANIES)
    return { large: large!, small: small! }
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

const OPTIONS =
  '-c session_replication_role=replica -c work_mem=256MB -c maintenance_work_mem=512MB -c jit=off -c timezone=UTC'

async function connectClient(owner: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...owner, options: OPTIONS })
  await client.connect()
  return client
}

/** Drops all indexes except those of primary keys. Returns the statements that create them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any($1::regclass[]) and not indisprimary`,
    [Object.keys({ ...ROWS, ...DERIVED })],
  )
  await inTurn(
    client,
    rows.map(({ name }) => `drop index ${name}`),
  )
  return rows.map(({ definition }) => definition)
}

async function inTurn(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement)
}

/** Runs statements in parallel: the first free client takes the next one. */
async function runInParallel(clients: readonly pg.Client[], statements: readonly string[]): Promise<void> {
  const remaining = [...statements]
  await Promise.all(
    clients.map(async (client) => {
      for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) await client.query(next)
    }),
  )
}

async function reportStep(log: (line: string) => void, what: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now()
  await work()
  log(`${what}: ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}
