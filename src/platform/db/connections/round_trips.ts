import type { ClientBase } from 'pg'
import { Unavailable } from '../../errors/refusal.ts'
import type { Buckets } from '../../buckets.ts'
import { faultIn, refusedValueIn } from '../faults.ts'
import { sql, type Sql, type StatementResult } from '../sql.ts'
import { Batch } from './batch.ts'

/** Timeouts in milliseconds: for a connection, and for the answer to one round trip. */
type Pace = { room: number; answer: number }

/**
 * Timeouts for requests that a person waits for, at most 5 s. The session's own timeouts end a statement before its
 * round trip times out.
 */
export const PROMPT: Pace = { room: 2_500, answer: 3_500 }

/** Timeouts for background work: the worker, an import, the command line. */
export const PATIENT: Pace = { room: 15_000, answer: 20_000 }

/** Statement before the first one of a patient transaction. */
const PATIENTLY = sql`select set_config('lock_timeout', '5s', true), set_config('statement_timeout', '15s', true)`

/**
 * Limits: `by` is the `performance.now()` deadline for everything; `cutBy` also stops running statements when it
 * aborts.
 */
type TripLimits = { patient?: boolean | undefined; by?: number | undefined; cutBy?: AbortSignal | undefined }

/** Histogram of the durations of round trips. */
type TripTimes = Pick<Buckets, 'observe'>

/**
 * Sends round trips on one held connection, each with a timeout. After a timeout, an abort or a connection fault,
 * further ones are refused, and `isBroken` tells the caller to close the connection.
 */
export function roundTrips(
  client: ClientBase,
  { patient = false, by = Infinity, cutBy }: TripLimits,
  times: TripTimes,
) {
  const most = (patient ? PATIENT : PROMPT).answer
  let isFirst = true
  let broken: Error | undefined

  function ask(statements: readonly Sql[]): Promise<StatementResult[]> {
    const startedAt = performance.now()
    const ms = Math.min(most, by - startedAt)
    if (ms <= 0) broken ??= new Unavailable('it took too long')
    if (broken !== undefined) return Promise.reject(broken)
    const batch = new Batch(statements)
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>()
    const giveUp = (why: Error): void => {
      end()
      broken ??= why
      reject(why)
    }
    const cut = (): void => giveUp(cutBy?.reason)
    const late = setTimeout(
      () => giveUp(new Unavailable('the database did not answer in time', { seconds: 5, isLost: true })),
      ms,
    )
    const end = (): void => {
      clearTimeout(late)
      times.observe(performance.now() - startedAt)
      cutBy?.removeEventListener('abort', cut)
    }
    const succeed = (answers: StatementResult[]): void => {
      end()
      resolve(answers)
    }
    const fail = (error: unknown): void => {
      const fault = faultIn(error)
      if (fault?.isLost) return giveUp(fault)
      end()
      reject(fault ?? refusedValueIn(error) ?? error)
    }
    cutBy?.addEventListener('abort', cut, { once: true })
    client.query(batch).answers.then(succeed, fail)
    return promise
  }

  return {
    send: async (statements: readonly Sql[]): Promise<StatementResult[]> => {
      if (!patient || !isFirst) return ask(statements)
      isFirst = false
      return (await ask([PATIENTLY, ...statements])).slice(1)
    },
    isBroken: (): boolean => broken !== undefined,
  }
}
