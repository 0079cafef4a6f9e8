import pg from 'pg'
import { Unavailable } from '../errors/refusal.ts'

type LoggedFault = {
  type: string
  code?: string | number
  message?: string
  /** Table, column and constraint of a database error. Never a value. */
  place?: string
  stack?: string
  cause?: LoggedFault
  errors?: LoggedFault[]
}

const MAX_ERRORS = 3
const MAX_DEPTH = 3

/**
 * Returns an error for the log, without its own properties and without messages that quote their input: both may
 * contain what was sent.
 */
export function faultOf(error: unknown, depth = 0): LoggedFault {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? error.code : undefined
  const innerErrors =
    depth < MAX_DEPTH && error instanceof AggregateError
      ? error.errors.slice(0, MAX_ERRORS).map((one) => faultOf(one, depth + 1))
      : []
  return {
    type: error.constructor.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(isSafeMessage(error) ? { message: error.message } : {}),
    ...placeOf(error),
    stack: framesOf(error),
    ...(depth < MAX_DEPTH && error.cause !== undefined ? { cause: faultOf(error.cause, depth + 1) } : {}),
    ...(innerErrors.length > 0 ? { errors: innerErrors } : {}),
  }
}

/**
 * Checks whether an error message contains no input. Errors without a class of their own have fixed texts. PostgreSQL
 * includes values in messages of data exceptions (class 22) and of functions that raise (P0); its other messages name
 * parts of the schema.
 */
function isSafeMessage(error: Error): boolean {
  if (error instanceof pg.DatabaseError) return error.code !== undefined && !/^(22|P0)/.test(error.code)
  return error.constructor === Error || error.constructor === AggregateError || error instanceof Unavailable
}

function placeOf(error: Error): { place?: string } {
  if (!(error instanceof pg.DatabaseError)) return {}
  const { table, column, constraint } = error
  const place = [table, column, constraint].filter((name) => name !== undefined).join(' ')
  return place === '' ? {} : { place }
}

/** Returns the stack frames without the message before them. */
function framesOf({ stack = '', message }: Error): string {
  const at = stack.indexOf(message)
  const frames = at < 0 ? stack : stack.slice(at + message.length)
  return frames
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .map((line) => line.trim())
    .join('\n')
}
