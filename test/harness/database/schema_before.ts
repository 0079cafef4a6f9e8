import { Client, type ClientConfig } from 'pg'
import type { Migration } from '../../../src/platform/db/migrations/baseline.ts'

/** Applies the migrations to an empty database as an earlier version did. */
export async function layOutBefore(owner: ClientConfig, steps: readonly Migration[]): Promise<void> {
  const client = new Client(owner)
  await client.connect()
  try {
    await client.query(
      'create table migrations (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())',
    )
    for (const { name, text, checksum } of steps) {
      await client.query(
        `begin; ${text}; grant select, insert, update, delete on all tables in schema public to callout_app; revoke all on migrations from callout_app`,
      )
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
      await client.query('commit')
    }
  } finally {
    await client.end()
  }
}

type Table = { name: string; columns: string }

/** SQL for values that the earlier schema names differently. */
const AS_BEFORE: Readonly<Record<string, string>> = {
  'payments.kind': `case when kind in ('recorded', 'taken_back') then 'manual' else kind end as kind`,
}

/** Copies rows from the current schema to the earlier one, for the tables and columns that both have. */
export async function copyRowsBefore(present: ClientConfig, before: ClientConfig): Promise<void> {
  const [from, into] = [new Client(present), new Client(before)]
  await Promise.all([from.connect(), into.connect()])
  try {
    await into.query('set session_replication_role = replica')
    const old = await tablesOf(into)
    const known = new Map((await tablesOf(from)).map(({ name, columns }) => [name, new Set(columns.split(','))]))
    for (const { name, columns } of old) {
      const shared = columns.split(',').filter((column) => known.get(name)?.has(column) === true)
      if (shared.length === 0) continue
      const list = shared.join(', ')
      const said = shared.map((column) => AS_BEFORE[`${name}.${column}`] ?? column).join(', ')
      const { rows } = await from.query<{ held: string }>(
        `select coalesce(json_agg(t), '[]')::text as held from (select ${said} from ${name}) t`,
      )
      await into.query(`delete from ${name}`)
      await into.query(
        `insert into ${name} (${list}) overriding system value select ${list} from json_populate_recordset(null::${name}, $1)`,
        [rows[0]!.held],
      )
    }
  } finally {
    await Promise.all([from.end(), into.end()])
  }
}

/** Returns the tables with their columns, without generated ones. */
const tablesOf = async (client: Client): Promise<Table[]> =>
  (
    await client.query<Table>(`select table_name as name, string_agg(quote_ident(column_name), ',' order by ordinal_position) as columns
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'migrations' and is_generated = 'NEVER' group by 1 order by 1`)
  ).rows
