import type { Client } from 'pg'
import { checkRows } from '../../backup/archive/tally.ts'
import { DamagedArchive } from '../../backup/archive/tar.ts'

/** Reads rows in COPY's text form as parts of whole rows, so much at a time as came together. */
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
  if (chunks.length > 0) throw new DamagedArchive('it has a row that does not end')
}

/** Types of which a value may name a person: words that are searched and bytes name none. */
const NAMING = ['uuid', 'uuid[]', 'json', 'jsonb', 'text', 'text[]']

/** Checks for each column of a table, in order, whether its type can hold a person's id. */
export async function namingColumns(client: Client, table: string, columns: readonly string[]): Promise<boolean[]> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type
    from pg_attribute where attrelid = $1::regclass and attnum > 0`,
    [table],
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  return columns.map((column) => NAMING.includes(types.get(column) ?? ''))
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Writes other ids for those of people who are known under them here, wherever rows name them. */
export function replaceIds(rows: Buffer, ids: ReadonlyMap<string, string>, naming: readonly boolean[]): Buffer {
  if (ids.size === 0 || !naming.includes(true)) return rows
  const other = (text: string): string => text.replace(ID, (id) => ids.get(id) ?? id)
  // One byte a character, so that nothing but ids changes.
  const text = rows.toString('latin1')
  if (naming.every(Boolean)) return Buffer.from(other(text), 'latin1')
  const lines = text.split('\n').map((line) =>
    line
      .split('\t')
      .map((value, i) => (naming[i] === true ? other(value) : value))
      .join('\t'),
  )
  return Buffer.from(lines.join('\n'), 'latin1')
}
