import pg from 'pg'

/** Type OIDs of PostgreSQL (pg_type.dat). */
const INT8 = 20
const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184
const NUMERIC = 1700

/**
 * Returns the parser of a type: whole numbers as numbers (every published one is below 2^53), exact decimals as text,
 * dates as `YYYY-MM-DD`, instants as RFC 3339 UTC with milliseconds.
 */
export function parserOf(type: number): (text: string) => unknown {
  switch (type) {
    case INT8:
      return Number
    case NUMERIC:
    case DATE:
      return asIs
    case TIMESTAMP:
      return localDateTime
    case TIMESTAMPTZ:
      return instant
    default:
      return defaultParser(type)
  }
}

const asIs = (text: string): string => text
const localDateTime = (text: string): string => `${text.slice(0, 10)}T${text.slice(11, 19)}`

/** Parses an instant: the session's time zone is UTC, so the text ends in `+00`. */
const instant = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${
    text.length > 22 ? text.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000'
  }Z`

/** Returns the parser of `pg` for booleans, floats, arrays and JSON; anything else stays text. */
const defaultParser: (type: number) => (text: string) => unknown = pg.types.getTypeParser
