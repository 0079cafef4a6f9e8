import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUIDv7 } from 'node:crypto'

/**
 * Creates a record's ID: a UUID version 7, so that IDs sort by creation time, even within a millisecond of this process
 * (RFC 9562 6.2, method 2).
 */
export function newId(): string {
  const idScope = ID_SCOPE.getStore()
  if (idScope === undefined) return makeId()
  const id = idScope.preset[idScope.created.length] ?? makeId()
  idScope.created.push(id)
  return id
}

/**
 * Runs work whose new IDs are the given ones, in order, then fresh ones, so that redone work creates the same records
 * with the same IDs. Returns all IDs that it created.
 */
export async function withIds<T>(
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<{ result: T; ids: string[] }> {
  const fresh: string[] = []
  return { result: await ID_SCOPE.run({ preset: ids, created: fresh }, work), ids: fresh }
}

const ID_SCOPE = new AsyncLocalStorage<{ preset: readonly string[]; created: string[] }>()

function makeId(): string {
  let id: string | undefined = randomUUIDv7()
  while (id === undefined || id <= last) id = idAfter(last, id ?? randomUUIDv7())
  last = id
  return id
}

let last = ''

/** Returns an ID after one of the same millisecond, by a random step; undefined if its last group is full. */
function idAfter(id: string, random: string): string | undefined {
  if (random > id) return random
  const tail = Number.parseInt(id.slice(-12), 16) + Number.parseInt(random.slice(-8), 16) + 1
  return tail < 2 ** 48 ? id.slice(0, -12) + tail.toString(16).padStart(12, '0') : undefined
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Checks whether a text is a UUID in its canonical lower-case form (RFC 9562 4). */
export const isId = (text: string): boolean => UUID.test(text)
