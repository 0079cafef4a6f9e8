import { join, raw, type Sql } from '../../platform/db/database.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { displayName } from '../../files/file_names.ts'
import { collectionColumns, hasFiles, collectionSource, type Collection } from './collection.ts'

export type ExportRow = Readonly<Record<string, unknown>>

/** Stored file that an archive contains besides its rows. */
export type StoredFile = { path: string; key: string }

/** Maximum rows in memory. A message has up to 1 MiB of HTML, the lines of a document half of that. */
const PAGE_SIZE = 500
const LONG_ROW_PAGE_SIZE = 20
const LONG_ROW_COLLECTIONS: ReadonlySet<string> = new Set([
  'messages',
  'acceptances',
  'job_signatures',
  'jobs',
  'job_series',
  'plans',
  'quotes',
  'invoices',
  'audit',
])

/** Reads the rows of a collection in pages, in key order. Calls `onFile` for each stored file. */
export async function* readPages(
  db: Db,
  collection: Collection,
  where: Sql,
  onFile: (file: StoredFile) => void = () => {},
): AsyncGenerator<ExportRow[]> {
  const pageSize = LONG_ROW_COLLECTIONS.has(collection.file) ? LONG_ROW_PAGE_SIZE : PAGE_SIZE
  const names = collectionColumns(collection)
  const selected = names.filter((name) => name !== 'file').map(quoteColumn)
  const keyNames = collection.key ?? ['id']
  const key = join(keyNames.map((name) => sql`t.${quoteColumn(name)}`))
  let after: readonly unknown[] | undefined
  for (;;) {
    const rows = await db.all<Record<string, unknown>>(sql`
      select ${join(selected)}${hasFiles(collection) ? sql`, storage_key as stored_as` : sql``}
      from ${collectionSource(collection)}
      where t.tenant_id = ${db.tenant}
        and (${where})${after === undefined ? sql`` : sql` and (${key}) > (${join([...after])})`}
      order by ${key} limit ${pageSize}`)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map((row) => toExportRow(names, row, collection, onFile))
    if (rows.length < pageSize) return
    after = keyNames.map((name) => last[name])
  }
}

const quoteColumn = (name: string): Sql => raw(`"${name}"`)

function toExportRow(
  names: readonly string[],
  { stored_as, ...row }: Record<string, unknown>,
  { file }: Collection,
  onFile: (file: StoredFile) => void,
): ExportRow {
  if (!names.includes('file')) return row
  if (typeof stored_as !== 'string') return { ...row, file: null }
  const name = displayName(String(row['file_name']), String(row['content_type']))
  const path = `files/${file}/${String(row['id'])}/${name}`
  onFile({ path, key: stored_as })
  return { ...row, file: path }
}
