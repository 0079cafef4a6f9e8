import pg from 'pg'
import { Unavailable } from '../refusal.ts'

/** SQLSTATEs of what passes and leaves the connection whole: no lock in time, a statement that took too long, too little memory. */
const PASSING = /^(55P03|57014|53)/

/** Of what ends the connection: the server stops or restarts, the line fails. */
const ENDING = /^(57P|08)/

/** What was asked may be asked again, if that is what an error of the database means. */
export function faultIn(error: unknown): Unavailable | undefined {
  if (error instanceof Unavailable) return error
  if (!(error instanceof pg.DatabaseError) || error.code === undefined || ENDING.test(error.code)) {
    return new Unavailable('the connection to the database was lost', { seconds: 2, isLost: true, cause: error })
  }
  return PASSING.test(error.code) ? new Unavailable('the database is busy', { cause: error }) : undefined
}

/** No connection could be made, so nothing was asked. */
export const unreachable = (cause: unknown): Unavailable => new Unavailable('the database cannot be reached', { seconds: 2, cause })
