import type { Client } from 'pg'
import { quoteIdentifier, type BackupTable } from './tables.ts'

type ForeignKey = { table: string; name: string; definition: string; comment: string | null }

/**
 * Drops the foreign keys, triggers and forced policies of empty tables, so that rows can be loaded in any order.
 * Returns a function that restores them and checks every foreign key.
 */
export async function dropConstraints(client: Client, tables: readonly BackupTable[]): Promise<() => Promise<void>> {
  const { rows: foreignKeys } = await client.query<ForeignKey>(`
    select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition, obj_description(c.oid,
      'pg_constraint') as comment
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by c.oid`)
  const forcedTables = tables.filter((table) => table.has_forced_policies)
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await client.query(statement)
  }

  await run([
    ...foreignKeys.map(
      ({ table, name }) => `alter table ${quoteIdentifier(table)} drop constraint ${quoteIdentifier(name)}`,
    ),
    ...tables.map(({ name }) => `alter table ${quoteIdentifier(name)} disable trigger user`),
    ...forcedTables.map(({ name }) => `alter table ${quoteIdentifier(name)} no force row level security`),
  ])
  return () =>
    run([
      ...tables.map(({ name }) => `alter table ${quoteIdentifier(name)} enable trigger user`),
      ...foreignKeys.flatMap(({ table, name, definition, comment }) => [
        `alter table ${quoteIdentifier(table)} add constraint ${quoteIdentifier(name)} ${definition}`,
        ...(comment === null
          ? []
          : [
              `comment on constraint ${quoteIdentifier(name)} on ${quoteIdentifier(table)} is ${client.escapeLiteral(comment)}`,
            ]),
      ]),
      // Last: under forced policies, an owner that isn't a superuser couldn't see the referenced rows.
      ...forcedTables.map(({ name }) => `alter table ${quoteIdentifier(name)} force row level security`),
    ])
}
