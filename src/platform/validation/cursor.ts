import { createHash } from 'node:crypto'
import { invalidField } from '../errors/refusal.ts'
import { isInstant } from './fields.ts'
import { isId } from './id.ts'
import { refusals } from './refusals.ts'

/** Position of a row in its list: its rank, the text it is sorted by, and its ID. */
type CursorKeys = readonly [rank: number, at: string, id: string]

/** Returns the cursor for the next page: the sort keys of the last row, bound to the filters of the list. */
export const formatCursor = (filters: object, keys: CursorKeys): string =>
  Buffer.from(JSON.stringify([hashFilters(filters), ...keys])).toString('base64url')

/** Returns the sort keys of a cursor. Refuses a cursor for other filters, or with keys that no row can have. */
export function parseCursor(cursor: string, filters: object, isAt: (at: string) => boolean = isInstant): CursorKeys {
  const [filterHash, rank, at, id, ...more] = decodeCursor(cursor)
  if (!isRank(rank) || !isText(at) || !isAt(at) || !isText(id) || !isId(id) || more.length > 0) {
    throw invalidField('cursor', refusals.cursor())
  }
  if (filterHash !== hashFilters(filters)) throw invalidField('cursor', refusals.cursorFilters())
  return [rank, at, id]
}

function decodeCursor(cursor: string): unknown[] {
  try {
    const bytes = Buffer.from(cursor, 'base64url')
    const parsed: unknown = bytes.toString('base64url') === cursor ? JSON.parse(bytes.toString('utf8')) : undefined
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/** Checks whether a key is a number that a `real` column can hold. */
const isRank = (key: unknown): key is number =>
  typeof key === 'number' && Number.isFinite(Math.fround(key)) && (key === 0 || Math.fround(key) !== 0)

const isText = (key: unknown): key is string => typeof key === 'string' && key.isWellFormed() && !/\p{Cc}/u.test(key)

const hashFilters = (filters: object): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        Object.entries(filters)
          .filter(([, value]) => value !== undefined)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    )
    .digest('base64url')
    .slice(0, 12)
