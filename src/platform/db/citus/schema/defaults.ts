import type { Client } from 'pg'

/**
 * Sets the defaults of `created_at` and `updated_at` to the start of the statement. A cluster computes each of them
 * before it sends the row, so they would differ (`made_once`).
 */
export async function alignDefaults(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(UNALIGNED_TABLES)
  for (const { table } of rows)
    for (const column of ['created_at', 'updated_at'])
      await client.query(`alter table ${table} alter column ${column} set default ${STATEMENT_START}`)
}

const STATEMENT_START = `date_trunc('milliseconds', statement_timestamp())`

const UNALIGNED_TABLES = `
  select c.relname as table from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attname in ('created_at', 'updated_at') and pg_get_expr(d.adbin, d.adrelid) = 'moment()'
  group by 1 having count(*) = 2 order by 1`
