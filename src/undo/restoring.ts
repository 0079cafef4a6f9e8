import { join, raw, sql, type Sql } from '../platform/db/database.ts'
import type { Db } from '../platform/db/tenant.ts'
import { entities } from '../records/index.ts'
import type { JournaledRow } from './journal.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/** Writable columns by journaled table. */
export type WritableColumns = ReadonlyMap<string, readonly string[]>

/** Key columns of tables whose key isn't `id`. */
const PAIR_KEYS: Readonly<Record<string, readonly [string, string]>> = {
  customer_tags: ['customer_id', 'tag_id'],
  catalog_components: ['bundle_id', 'item_id'],
  invoice_jobs: ['invoice_id', 'job_id'],
  deposit_deductions: ['invoice_id', 'deposit_id'],
}

const RECORD_TABLES: ReadonlySet<string> = new Set(entities.map(({ name }) => name))

const JOURNALED_TABLES: ReadonlySet<string> = new Set([
  ...RECORD_TABLES,
  ...Object.keys(PAIR_KEYS),
  'working_exceptions',
])

/**
 * Checks whether the rows of a row's table can be restored. A journal from an imported company file may name any other
 * table, or none, and the statements below contain that name.
 */
export const isJournaled = ({ kind }: JournaledRow): boolean => JOURNALED_TABLES.has(kind)

/** Checks whether a row is a record's. Others have no columns for time and author, and are restored by a new insert. */
export const isRecord = ({ kind }: JournaledRow): boolean => RECORD_TABLES.has(kind)

/** Tables in the order in which their rows can be restored: referenced tables first. */
const RESTORE_ORDER = [
  'tags',
  'catalog_categories',
  'tax_rates',
  'customers',
  'contacts',
  'locations',
  'catalog_items',
  'job_series',
]

/** Returns the writable columns of tables in the current schema, without those for time and author of a write. */
export async function writableColumns(db: Db, kinds: readonly string[]): Promise<WritableColumns> {
  const matches = await db.all<{ kind: string; columns: string[] }>(sql`
    select c.relname as kind, array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attrelid = any(${[...kinds]}::regclass[]) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.attname not in ('tenant_id', 'id', 'updated_at', 'updated_by', 'search_text') group by c.relname`)
  return new Map(matches.map(({ kind, columns }) => [kind, columns]))
}

/** Locks the records to write, table by table, so that nobody changes them meanwhile. */
export async function lockRows(db: Db, rows: readonly JournaledRow[]): Promise<void> {
  for (const [kind, ids] of [...idsByKind(rows)].sort(([a], [b]) => (a < b ? -1 : 1)))
    await db.run(
      sql`select from ${raw(kind)} where tenant_id = ${db.tenant} and id = any(${ids}::uuid[]) order by id for update`,
    )
}

const idsByKind = (rows: readonly JournaledRow[]): Map<string, string[]> =>
  new Map(
    [
      ...Map.groupBy(
        rows.filter(({ kind }) => !(kind in PAIR_KEYS)),
        ({ kind }) => kind,
      ),
    ].map(([kind, rowsOfKind]) => [kind, rowsOfKind.map(({ key }) => key)]),
  )

/** Releases unique values, so that rows can be restored in any order. */
export async function releaseUnique(db: Db, rows: readonly JournaledRow[]): Promise<void> {
  const ids = idsByKind(rows)
  const updatedIds = idsByKind(rows.filter(({ op }) => op !== 'insert'))
  await Promise.all([
    ...(['contacts', 'locations'] as const).flatMap((kind) =>
      ids.has(kind)
        ? [
            db.run(
              sql`update ${raw(kind)} set is_primary = false
                where ${whereIdIn(db, ids.get(kind) ?? [])} and is_primary`,
            ),
          ]
        : [],
    ),
    ...(ids.has('tax_rates')
      ? [
          db.run(
            sql`update tax_rates set is_default = false
              where ${whereIdIn(db, ids.get('tax_rates') ?? [])} and is_default`,
          ),
        ]
      : []),
    ...Object.entries(UNIQUE_RELEASES).flatMap(([kind, releaseUpdates]) =>
      updatedIds.has(kind)
        ? [
            db.run(
              sql`update ${raw(kind)} set ${releaseUpdates}, updated_at = later_than(updated_at)
                where ${whereIdIn(db, updatedIds.get(kind) ?? [])}`,
            ),
          ]
        : [],
    ),
    ...(updatedIds.has('jobs')
      ? [
          db.run(
            sql`update jobs set series_id = null, occurrence_key = null
              where ${whereIdIn(db, updatedIds.get('jobs') ?? [])} and series_id is not null`,
          ),
        ]
      : []),
  ])
}

/** Assignments that release the unique values of a table's records until their own are restored. */
const UNIQUE_RELEASES: Readonly<Record<string, Sql>> = {
  customers: sql`external_id = null`,
  catalog_items: sql`sku = null`,
  tags: sql`identity = id::text`,
  catalog_categories: sql`identity = id::text`,
  // An option restored as sent joins its set afterwards, so that no other option of the set is sent.
  quotes: sql`option_set = null`,
}

const whereIdIn = (db: Db, ids: readonly string[]): Sql =>
  sql`tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[])`

/**
 * Restores the rows of a change to their state before it, with `by` as their author now. Leaves rows that it created.
 */
export async function restoreRows(
  db: Db,
  columns: WritableColumns,
  rows: readonly JournaledRow[],
  by: string | null,
): Promise<void> {
  const nonRecords = rows.filter((row) => !isRecord(row))
  const records = rows.filter((row) => isRecord(row) && row.op !== 'insert').toSorted(compareOrder)
  await Promise.all([
    ...nonRecords.map((row) => db.run(deleteNonRecord(db, row))),
    ...records.flatMap((row) => restoreStatements(db, columns, row, by).map((statement) => db.run(statement))),
    ...nonRecords.flatMap((row) => (row.op === 'insert' ? [] : [db.run(insertNonRecord(db, columns, row))])),
  ])
}

/**
 * Returns the statements that restore a row. A customer is archived last, since search follows only the names of live
 * customers.
 */
function restoreStatements(db: Db, columns: WritableColumns, row: JournaledRow, by: string | null): Sql[] {
  if (row.last === 'delete') return [deleteRemoval(db, row), insertRow(db, columns, row, by)]
  const without = (column: string): WritableColumns =>
    new Map([[row.kind, namesOf(columns, row.kind).filter((name) => name !== column)]])
  if (row.kind === 'quotes')
    return [
      updateRow(db, without('option_set'), row, by),
      updateRow(db, new Map([['quotes', ['option_set']]]), row, by),
    ]
  if (row.kind !== 'customers') return [updateRow(db, columns, row, by)]
  const whereRow = sql`t.tenant_id = ${db.tenant} and t.id = ${row.key}`
  return [
    sql`update customers t set archived_at = null, updated_at = later_than(t.updated_at)
      where ${whereRow} and t.archived_at is not null`,
    updateRow(db, without('archived_at'), row, by),
    sql`update customers t set archived_at = r.archived_at, updated_at = later_than(t.updated_at)
      from ${imageOf(db, row, sql`null`)} and ${whereRow} and r.archived_at is not null`,
  ]
}

const compareOrder = (a: JournaledRow, b: JournaledRow): number => orderOf(a) - orderOf(b)
const orderOf = ({ kind }: JournaledRow): number =>
  RESTORE_ORDER.includes(kind) ? RESTORE_ORDER.indexOf(kind) : RESTORE_ORDER.length

const columnList = (names: readonly string[], of = ''): Sql => join(names.map((name) => raw(of + name)))

/** Returns the writable columns of a kind. */
const namesOf = (columns: WritableColumns, kind: string) => requireValue(columns.get(kind), `The columns of ${kind}`)

const imageOf = (db: Db, { kind, image }: JournaledRow, base: Sql): Sql =>
  sql`journal j cross join lateral jsonb_populate_record(${base}::${raw(kind)}, j.image) r
    where j.tenant_id = ${db.tenant} and j.id = ${image}`

function updateRow(db: Db, columns: WritableColumns, row: JournaledRow, by: string | null): Sql {
  const names = namesOf(columns, row.kind)
  return sql`update ${raw(row.kind)} t
    set (${columnList(names)}) = (select ${columnList(names, 'r.')} from ${imageOf(db, row, sql`t`)}),
    updated_at = later_than(t.updated_at), updated_by = ${by} where t.tenant_id = ${db.tenant} and t.id = ${row.key}`
}

/** Restores a deleted row under its id, as changed now. */
function insertRow(db: Db, columns: WritableColumns, row: JournaledRow, by: string | null): Sql {
  const names = namesOf(columns, row.kind)
  return sql`insert into ${raw(row.kind)} (tenant_id, id, updated_at, updated_by, ${columnList(names)})
    select ${db.tenant}, ${row.key}, later_than(r.updated_at), ${by}, ${columnList(names, 'r.')}
    from ${imageOf(db, row, sql`null`)}`
}

/** Deletes the note that a row was deleted, which lists by change show. */
const deleteRemoval = (db: Db, { kind, key }: JournaledRow): Sql =>
  sql`delete from removals where tenant_id = ${db.tenant} and kind = ${kind} and id = ${key}`

function deleteNonRecord(db: Db, { kind, key }: JournaledRow): Sql {
  const [first, second] = PAIR_KEYS[kind] ?? ['id']
  const [one, other] = key.split(':')
  return sql`delete from ${raw(kind)}
    where tenant_id = ${db.tenant} and ${raw(first)} = ${one}${
      second === undefined ? sql`` : sql` and ${raw(second)} = ${other}`
    }`
}

function insertNonRecord(db: Db, columns: WritableColumns, row: JournaledRow): Sql {
  const names = [...namesOf(columns, row.kind), ...(row.kind in PAIR_KEYS ? [] : ['id'])]
  return sql`insert into ${raw(row.kind)} (tenant_id, ${columnList(names)}) select ${db.tenant},
    ${columnList(names, 'r.')}
    from ${imageOf(db, row, sql`null`)}`
}
