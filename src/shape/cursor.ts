import { createHash } from 'node:crypto'
import { invalid } from '../refusal.ts'

export type Keys = readonly (string | number)[]

/** Where a cursor list goes on: the sort keys of the last row, bound to the filters of the list. */
export const cursorAt = (filters: object, keys: Keys): string =>
  Buffer.from(JSON.stringify([fingerprint(filters), ...keys])).toString('base64url')

/** The sort keys in a cursor. Refuses one that was not made for these filters. */
export function keysIn(cursor: string, filters: object): Keys {
  const parsed = read(cursor)
  if (parsed === undefined) throw invalid('cursor must be the nextCursor of an earlier answer, unchanged')
  const [made, ...keys] = parsed
  if (made !== fingerprint(filters)) throw invalid('cursor belongs to a list with other filters; start again without it')
  return keys
}

function read(cursor: string): (string | number)[] | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const isKey = (key: unknown): boolean => typeof key === 'string' || typeof key === 'number'
    return Array.isArray(parsed) && parsed.length > 1 && parsed.every(isKey) ? parsed : undefined
  } catch {
    return undefined
  }
}

const fingerprint = (filters: object): string =>
  createHash('sha256').update(JSON.stringify(Object.entries(filters).filter(([, value]) => value !== undefined).sort())).digest('base64url').slice(0, 12)
