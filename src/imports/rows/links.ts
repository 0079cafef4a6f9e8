import { ENTERED_TENANT, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import type { ImportSource } from '../formats/source_format.ts'
import type { IncomingRecord } from '../reading/incoming.ts'
import type { ImportKind } from './kinds.ts'

/** Source product and kind of a set of records. */
export type LinkScope = { source: ImportSource; kind: ImportKind }

const LIVE: Readonly<Record<ImportKind, Sql>> = {
  customers: sql`exists (select 1 from customers c
      where c.tenant_id = ${ENTERED_TENANT} and c.id = l.record_id
        and (c.archived_at is null or c.merged_into is not null))`,
  catalog_items: sql`exists (select 1 from catalog_items c
      where c.tenant_id = ${ENTERED_TENANT} and c.id = l.record_id and c.archived_at is null)`,
  jobs: sql`exists (select 1 from jobs c where c.tenant_id = ${ENTERED_TENANT} and c.id = l.record_id)`,
  quotes: sql`exists (select 1 from quotes c where c.tenant_id = ${ENTERED_TENANT} and c.id = l.record_id)`,
  invoices: sql`exists (select 1 from invoices c where c.tenant_id = ${ENTERED_TENANT} and c.id = l.record_id)`,
}

/** Returns our records by source key. Omits records archived since, except merged customers. */
export async function findLinks(
  db: Db,
  { source, kind }: LinkScope,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.all<{ source_id: string; record_id: string }>(sql`
    select l.source_id, l.record_id from import_links l
    where l.tenant_id = ${db.tenant} and l.source = ${source} and l.kind = ${kind} and l.source_id = any(${[...keys]})
      and ${LIVE[kind]}`)
  return new Map(rows.map(({ source_id, record_id }) => [source_id, record_id]))
}

/** Saves the link from a source record to ours, for a customer with its name as written in the file. */
export const addLink = (
  db: Db,
  { source, kind }: LinkScope,
  { key, nameWritten }: Pick<IncomingRecord, 'key' | 'nameWritten'>,
  record: string,
  file: string,
): Promise<number> =>
  db.run(sql`insert into import_links (tenant_id, source, kind, source_id, record_id, import_id, name_folded)
    values (${db.tenant}, ${source}, ${kind}, ${key}, ${record}, ${file},
      ${nameWritten === undefined ? null : foldName(nameWritten)})
    on conflict (tenant_id, source, kind, source_id) do update
      set record_id = excluded.record_id, import_id = excluded.import_id, name_folded = excluded.name_folded`)

/** Maximum length of a folded name to keep. */
const MAX_NAME = 200

/** Folds a name for links, so that other files find the customer by it. */
export const foldName = (name: string): string => fold(name).replaceAll('\0', '').slice(0, MAX_NAME).toWellFormed()

export const removeLink = (db: Db, record: string, file: string): Promise<number> =>
  db.run(sql`delete from import_links where tenant_id = ${db.tenant} and record_id = ${record} and import_id = ${file}`)

/** Row that was imported, and its result. */
export type ImportedRow = {
  number: number
  way: 'made' | 'updated' | 'skipped'
  record_id: string
  change_id: string | null
}

/** Saves the result of a row. A duplicate violates the primary key and rolls back the transaction. */
export const addImportedRow = (
  db: Db,
  file: string,
  { number, way, record_id, change_id }: ImportedRow,
): Promise<number> =>
  db.run(sql`insert into import_rows (tenant_id, import_id, number, way, record_id, change_id)
    values (${db.tenant}, ${file}, ${number}, ${way}, ${record_id}, ${change_id})`)

export const listImportedRows = (db: Db, file: string): Promise<ImportedRow[]> =>
  db.all<ImportedRow>(sql`select number, way, record_id, change_id from import_rows
    where tenant_id = ${db.tenant} and import_id = ${file} order by number`)
