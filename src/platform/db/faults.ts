import pg from 'pg'
import { Unavailable, invalid, notFound, type Refusal } from '../errors/refusal.ts'
import { defineRefusals } from '../errors/refusal_text.ts'

const refusals = defineRefusals('database', {
  text: {
    agent: 'no text may contain NUL (U+0000) or half of a surrogate pair',
    en: 'This text has characters that can’t be saved. Type it again.',
    es: 'Este texto tiene caracteres que no se pueden guardar. Escríbalo de nuevo.',
  },
})

/**
 * Matches SQLSTATEs of temporary faults that leave the connection intact: lock timeout, statement timeout, insufficient
 * resources.
 */
const TEMPORARY = /^(55P03|57014|53)/

/** Matches SQLSTATEs that end the connection: the server stops or restarts, or the network fails. */
const CONNECTION_ENDING = /^(57P|08)/

/** Returns `Unavailable` for a database error after which the request may be retried. */
export function faultIn(error: unknown): Unavailable | undefined {
  if (error instanceof Unavailable) return error
  if (!(error instanceof pg.DatabaseError) || error.code === undefined || CONNECTION_ENDING.test(error.code)) {
    return new Unavailable('the connection to the database was lost', { seconds: 2, isLost: true, cause: error })
  }
  return TEMPORARY.test(error.code) ? new Unavailable('the database is busy', { cause: error }) : undefined
}

/**
 * Returns the refusal of a caller's value that doesn't fit its type: an id that isn't a UUID, or text that PostgreSQL
 * can't store, by itself (22021) or within JSON (22P05, 22P02).
 */
export function refusedValueIn(error: unknown): Refusal | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  const { code, routine = '' } = error
  if (code === '22021' || code === '22P05') return invalid(refusals.text())
  if (code !== '22P02') return undefined
  if (routine === 'string_to_uuid') return notFound('record')
  return routine.startsWith('json_') ? invalid(refusals.text()) : undefined
}

/** Returns the error of a connection that failed, before any statement was sent. */
export const unreachableError = (cause: unknown): Unavailable =>
  new Unavailable('the database cannot be reached', { seconds: 2, cause })
