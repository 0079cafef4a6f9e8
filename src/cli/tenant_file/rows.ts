import type { Client } from 'pg'
import { checkRows } from '../../backup/archive/tally.ts'
import { DamagedArchive } from '../../backup/archive/tar.ts'

/** Regroups rows in COPY's text format into parts of whole rows. */
export async function* readWholeRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  for await (const piece of checkRows(pieces)) {
    const end = piece.lastIndexOf('\n') + 1
    if (end > 0) {
      yield Buffer.concat([...chunks, piece.subarray(0, end)])
      chunks = []
    }
    if (end < piece.length) chunks.push(piece.subarray(end))
  }
  if (chunks.length > 0) throw new DamagedArchive('it has a row without an end')
}

/** Types whose values can contain a person's id. Search vectors and bytes can't. */
const ID_TYPES = ['uuid', 'uuid[]', 'json', 'jsonb', 'text', 'text[]']

/** Checks for each column, in order, whether its type can contain a person's id. */
export async function findIdColumns(client: Client, table: string, columns: readonly string[]): Promise<boolean[]> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type
    from pg_attribute where attrelid = $1::regclass and attnum > 0`,
    [table],
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  return columns.map((column) => ID_TYPES.includes(types.get(column) ?? ''))
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Replaces the ids of people who have another id here, wherever rows refer to them. */
export function replaceIds(rows: Buffer, ids: ReadonlyMap<string, string>, idColumns: readonly boolean[]): Buffer {
  if (ids.size === 0 || !idColumns.includes(true)) return rows
  const mapIds = (text: string): string => text.replace(ID, (id) => ids.get(id) ?? id)
  // Latin-1 maps each byte to one character, so that only ids change.
  const text = rows.toString('latin1')
  if (idColumns.every(Boolean)) return Buffer.from(mapIds(text), 'latin1')
  const lines = text.split('\n').map((line) =>
    line
      .split('\t')
      .map((value, i) => (idColumns[i] === true ? mapIds(value) : value))
      .join('\t'),
  )
  return Buffer.from(lines.join('\n'), 'latin1')
}
