import pg from 'pg'
import { transactOn } from '../transaction.ts'
import { columnOf } from './schema/placement.ts'
import { onlyRow } from '../sql.ts'

/** Foreign key. `of` is its table, `comment` its refusal. */
type SuspendedKey = { of: string; name: string; definition: string; comment: string | null }

/**
 * Drops the foreign keys, which block while their two tables are placed differently, and records them in the same
 * transaction. Keys from a reference table to a distributed one aren't recorded: a cluster can't have them.
 */
export const suspendKeys = (client: pg.Client): Promise<void> =>
  transactOn(client, async () => {
    await client.query(`
      create table if not exists callout_owner.taken_keys (
        of text not null, name text not null, definition text not null, comment text, primary key (of, name))`)
    for (const key of await dropKeys(client, null))
      await client.query(
        `insert into callout_owner.taken_keys (of, name, definition, comment)
        values ($1, $2, $3, $4) on conflict do nothing`,
        [key.of, key.name, key.definition, key.comment],
      )
  })

/** Restores the recorded keys. Each is checked against the existing rows. */
export async function restoreKeys(client: pg.Client): Promise<void> {
  if (!(await hasSuspendedKeys(client))) return
  const { rows } = await client.query<SuspendedKey>(
    'select of, name, definition, comment from callout_owner.taken_keys order by of, name',
  )
  for (const key of rows)
    await transactOn(client, async () => {
      await restoreKey(client, key)
      await client.query('delete from callout_owner.taken_keys where of = $1 and name = $2', [key.of, key.name])
    })
  await client.query('drop table callout_owner.taken_keys')
}

/** Runs `work` without the foreign keys from and to these tables, within the open transaction. */
export async function withoutKeys(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const keys = await dropKeys(client, tables)
  await work()
  for (const key of keys) await restoreKey(client, key)
}

/** Drops the foreign keys from and to these tables, or all. Returns those that can be restored. */
async function dropKeys(client: pg.Client, tables: readonly string[] | null): Promise<SuspendedKey[]> {
  const { rows } = await client.query<SuspendedKey & { stays: boolean }>(
    `select c.relname as of, k.conname as name, pg_get_constraintdef(k.oid) as definition,
        obj_description(k.oid, 'pg_constraint') as comment,
        ${columnOf('c')} is not null or ${columnOf('o')} is null as stays
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class o on o.oid = k.confrelid
      where k.contype = 'f' and c.relnamespace = 'public'::regnamespace
        and ($1::text[] is null or c.relname = any($1) or o.relname = any($1))
      order by 1, 2`,
    [tables],
  )
  for (const { of, name } of rows) await client.query(`alter table ${of} drop constraint ${pg.escapeIdentifier(name)}`)
  return rows.filter(({ stays }) => stays)
}

async function restoreKey(client: pg.Client, { of, name, definition, comment }: SuspendedKey): Promise<void> {
  await client.query(`alter table ${of} add constraint ${pg.escapeIdentifier(name)} ${definition}`)
  if (comment !== null)
    await client.query(`comment on constraint ${pg.escapeIdentifier(name)} on ${of} is ${pg.escapeLiteral(comment)}`)
}

/** Checks whether suspended keys are waiting to be restored. */
export async function hasSuspendedKeys(client: pg.Client): Promise<boolean> {
  const { there } = onlyRow(
    await client.query<{ there: boolean }>(`select to_regclass('callout_owner.taken_keys') is not null as there`),
  )
  return there
}
