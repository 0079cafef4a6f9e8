import type { Client } from 'pg'
import { copyOut } from '../../platform/db/copy.ts'
import { quoteIdentifier } from '../../backup/archive/tables.ts'
import { DamagedArchive } from '../../backup/archive/tar.ts'
import { openSum, type RowSum } from './digests.ts'
import { UUID } from './manifest.ts'
import { stagingTable } from './staging.ts'
import { selectRows, type ExportTable } from './tables.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Lookup tables of the whole installation, with the column that may conflict and the command that frees it. */
const LOOKUP_TABLES = [
  { table: 'managed_numbers', column: 'number', command: 'callout number remove' },
  { table: 'mailboxes', column: 'address', command: 'callout mailbox remove' },
  { table: 'payment_accounts', column: 'account_id', command: 'callout payment-account remove' },
] as const

/** Throws if a number, address or payment account already belongs to a company here. */
export async function requireUnusedChannels(client: Client): Promise<void> {
  for (const { table, column, command } of LOOKUP_TABLES) {
    const {
      rows: [existing],
    } = await client.query<{ key: string; tenant_id: string }>(
      `select t.${column} as key, t.tenant_id
      from ${table} t join ${stagingTable(table)} s using (${column}) order by 1 limit 1`,
    )
    if (existing !== undefined)
      throw new Error(
        `${existing.key} belongs to the company ${existing.tenant_id} here; remove it first with ${command}`,
      )
  }
}

/** Throws unless the file has the row of its company, which no other step creates. */
export async function requireCompanyRow(client: Client): Promise<void> {
  const { rowCount } = await client.query(`select from ${stagingTable('tenants')}`)
  if (rowCount !== 1) throw new DamagedArchive(`it has ${rowCount} rows of its company and should have 1`)
}

/** Throws for a row that refers to a stored file outside the company's own folder. */
export async function requireOwnFiles(client: Client, tables: readonly ExportTable[], tenant: string): Promise<void> {
  for (const { name } of tables.filter((one) => one.columns.includes('storage_key'))) {
    const { rows } = await client.query<{ key: string }>(
      `select storage_key as key from ${stagingTable(name)} where storage_key !~ $1 limit 1`,
      [`^${tenant}(/${UUID}){1,2}$`],
    )
    if (rows[0] !== undefined)
      throw new DamagedArchive(
        `it has rows of ${name} that refer to a file outside the company, ${rows[0].key.slice(0, 120)}`,
      )
  }
}

/**
 * Throws for an account that isn't a member of the company, and for a row that refers to an account here that isn't in
 * the file. The file's accounts are matched by email address.
 */
export async function requireOwnPeople(client: Client, tables: readonly ExportTable[]): Promise<void> {
  await client.query(
    `create temp table people_of_file on commit drop as
    select u.id from ${stagingTable('users')} s join users u on u.email = s.email`,
  )
  const { rowCount: strays } = await client.query(
    `select from people_of_file p
    where not exists (select 1 from ${stagingTable('members')} m where m.user_id = p.id) limit 1`,
  )
  if (strays !== 0) throw new DamagedArchive("it has an account that isn't a member of its company")
  const { rows: idColumns } = await client.query<{ table: string; column: string; is_list: boolean }>(
    `select r.relname as table, a.attname as column, a.atttypid = 'uuid[]'::regtype as is_list
    from pg_attribute a join pg_class r on r.oid = a.attrelid
    where r.relnamespace = 'public'::regnamespace and r.relname = any($1) and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype)
      and a.attname not in ('id', 'tenant_id')
    order by 1, 2`,
    [tables.filter(({ name }) => name !== 'users').map(({ name }) => name)],
  )
  for (const { table, column, is_list: isList } of idColumns) {
    const idsJoin = isList
      ? `cross join unnest(r.${quoteIdentifier(column)}) named(id)`
      : `cross join lateral (select r.${quoteIdentifier(column)}) named(id)`
    const { rowCount } = await client.query(
      `select from ${stagingTable(table)} r ${idsJoin} join users u on u.id = named.id
      where not exists (select 1 from people_of_file p where p.id = u.id) limit 1`,
    )
    if (rowCount !== 0)
      throw new DamagedArchive(`it has rows of ${table} whose ${column} is an account missing from the file`)
  }
}

/**
 * Throws for a journal row that no change here could have written: for a table without a journal, with a key that isn't
 * one or two ids, or with an image that refers to an account here that isn't in the file.
 */
export async function requireOwnJournal(client: Client): Promise<void> {
  const journal = stagingTable('journal')
  const { rowCount: invalidCount } = await client.query(
    `select from ${journal} s
    where s.key !~ $1 or not exists (select 1 from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where t.tgname = 'journal_insert' and c.relnamespace = 'public'::regnamespace and c.relname = s.kind) limit 1`,
    [`^${UUID}(:${UUID})?$`],
  )
  if (invalidCount !== 0) throw new DamagedArchive('it has journal rows that no change here could have written')
  const { rowCount: foreignCount } = await client.query(
    `select from ${journal} s
      cross join lateral regexp_matches(replace(s.image::text, '-', ''), '\\m[0-9a-f]{32}\\M', 'gi') named(id)
      join users u on u.id = named.id[1]::uuid
    where s.image is not null and not exists (select 1 from people_of_file p where p.id = u.id) limit 1`,
  )
  if (foreignCount !== 0)
    throw new DamagedArchive('it has journal rows whose image refers to an account missing from the file')
}

type Reference = { table: string; name: string; target: string; columns: string[]; keys: string[] }

/** Checks all foreign keys of the company's rows, because triggers were disabled while the rows were inserted. */
export async function requireReferences(client: Client, tables: readonly ExportTable[], tenant: string): Promise<void> {
  const { rows: references } = await client.query<Reference>(
    `select r.relname as table, c.conname as name, t.relname as target,
      (select array_agg(a.attname::text order by n) from unnest(c.conkey) with ordinality k(num, n)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = num) as columns,
      (select array_agg(a.attname::text order by n) from unnest(c.confkey) with ordinality k(num, n)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = num) as keys
    from pg_constraint c join pg_class r on r.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and r.relname = any($1) order by 1, 2`,
    [tables.filter(({ columns }) => columns.includes('tenant_id')).map(({ name }) => name)],
  )
  for (const { table, name, target, columns, keys } of references) {
    const on = columns.map((column, i) => `t.${quoteIdentifier(keys[i]!)} = r.${quoteIdentifier(column)}`).join(' and ')
    const isSet = columns.map((column) => `r.${quoteIdentifier(column)} is not null`).join(' and ')
    const { rowCount } = await client.query(
      `select from ${quoteIdentifier(table)} r where r.tenant_id = $1
        and ${isSet} and not exists (select 1 from ${quoteIdentifier(target)} t where ${on}) limit 1`,
      [tenant],
    )
    if (rowCount !== 0)
      throw new DamagedArchive(`it has rows of ${table} that refer to missing rows of ${target} (${name})`)
  }
}

/** Reads back the imported rows and compares them with the file's checksums. */
export async function requireSums(
  client: Client,
  tables: readonly ExportTable[],
  tenant: string,
  sums: ReadonlyMap<string, RowSum>,
): Promise<void> {
  for (const table of tables.filter(({ name }) => name !== 'users')) {
    const sum = openSum()
    await copyOut(client, `copy (${selectRows(table, tenant)}) to stdout`, async (rows) => sum.add(rows))
    const [actual, expected] = [sum.total(), requireValue(sums.get(table.name), 'The sum of a table').total()]
    if (actual.rows !== expected.rows || actual.sum !== expected.sum)
      throw new DamagedArchive(`the imported rows of ${table.name} differ from the file`)
  }
}
