import pg from 'pg'
import { Unavailable } from '../errors/refusal.ts'

/**
 * Matches SQLSTATEs of what passes and leaves the connection whole: no lock in time, a statement that took too long,
 * too little memory.
 */
const PASSING = /^(55P03|57014|53)/

/** Matches those that end the connection: the server stops or restarts, or the line fails. */
const ENDING = /^(57P|08)/

/** Returns `Unavailable` if an error of the database means that the same may be asked again. */
export function faultIn(error: unknown): Unavailable | undefined {
  if (error instanceof Unavailable) return error
  if (!(error instanceof pg.DatabaseError) || error.code === undefined || ENDING.test(error.code)) {
    return new Unavailable('the connection to the database was lost', { seconds: 2, isLost: true, cause: error })
  }
  return PASSING.test(error.code) ? new Unavailable('the database is busy', { cause: error }) : undefined
}

/** Returns the error for a connection that could not be made, so that nothing was asked. */
export const unreachableError = (cause: unknown): Unavailable =>
  new Unavailable('the database cannot be reached', { seconds: 2, cause })
