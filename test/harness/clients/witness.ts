import assert from 'node:assert/strict'
import { Client, type ClientConfig } from 'pg'

type Sender = { send(name: string, given: object): Promise<{ text: string; isError: boolean }> }

export type Witness = Awaited<ReturnType<typeof openWitness>>

/** Reads the database as its owner, bypassing every policy, and checks that a refusal wrote nothing. */
export async function openWitness({ owner }: { owner: ClientConfig }) {
  const client = new Client(owner)
  await client.connect()
  // For the small tables of a test, starting parallel workers takes longer than the statement.
  await client.query('set max_parallel_workers_per_gather = 0')
  const rows = async (query: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
    (await client.query<Record<string, unknown>>(query, values)).rows
  /** Runs a statement over all tables, prepared: planning it takes ten times as long as running it. */
  const preparedRows = async (name: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await client.query<Record<string, unknown>>({ name, text, values })).rows
  const tables = await rows(`select table_name as name, bool_or(column_name = 'tenant_id') as is_led
    from information_schema.tables join information_schema.columns using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('migrations', 'rate_windows', 'tool_uses') group by 1`)
  const union = (some: typeof tables, each: (name: string) => string): string =>
    `${some.map(({ name }) => each(String(name))).join(' union all ')} order by 1, 2`
  const whole = union(
    tables,
    (name) =>
      `select '${name}' as name, md5(coalesce(string_agg(row, ',' order by row), '')) as rows from (select ${rowOf(name)}::text as row from ${name} t) r`,
  )
  const ofTenant = union(
    tables.filter(({ is_led }) => is_led === true),
    (name) =>
      `select '${name}' as name, ${name in UNWATCHED ? rowOf(name) : 'to_jsonb(t)'} as row from ${name} t where tenant_id = $1`,
  )

  return {
    rows,
    /**
     * Returns every row of a tenant in every table keyed by tenant. Omits the last use of a key, which is written with
     * a delay.
     */
    tenantRows: (tenant: string): Promise<Record<string, unknown>[]> => preparedRows('of_tenant', ofTenant, [tenant]),
    /** Returns one value. */
    value: async (query: string, ...values: unknown[]): Promise<unknown> =>
      Object.values((await rows(query, ...values))[0] ?? {})[0],
    /** Returns a digest of every table. Two digests are equal only if nothing was written in between. */
    digest: (): Promise<Record<string, unknown>[]> => preparedRows('whole', whole),
    /** Makes a call that must be refused and change no row. Returns the refusal's text. */
    async refused(by: Sender, tool: string, given: object, earlier?: Record<string, unknown>[]): Promise<string> {
      const before = earlier ?? (await preparedRows('whole', whole))
      const { text, isError } = await by.send(tool, given)
      assert.ok(isError, `${tool} ${JSON.stringify(given).slice(0, 200)} succeeded: ${text.slice(0, 300)}`)
      assert.deepEqual(await preparedRows('whole', whole), before, `${tool} wrote something and was refused: ${text}`)
      return text
    },
    close: () => client.end(),
  }
}

/** Columns that the service writes on its own schedule. */
const UNWATCHED: Readonly<Record<string, string>> = { credentials: 'last_used_at' }

const rowOf = (table: string): string => (table in UNWATCHED ? `(to_jsonb(t) - '${UNWATCHED[table]}')` : 't')

/** Makes calls in sequence. Each must be refused with its message, and together they must change no row. */
export async function refusedEach(
  witness: Witness,
  by: Sender,
  tool: string,
  cases: readonly (readonly [given: object, text: string | RegExp])[],
): Promise<void> {
  const before = await witness.digest()
  for (const [given, expected] of cases) {
    const text = await witness.refused(by, tool, given, before)
    if (typeof expected === 'string') assert.equal(text, expected)
    else assert.match(text, expected)
  }
}
