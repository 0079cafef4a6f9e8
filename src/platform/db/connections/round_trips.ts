import type { ClientBase } from 'pg'
import { Unavailable } from '../../errors/refusal.ts'
import type { Buckets } from '../../buckets.ts'
import { faultIn, refusedValueIn } from '../faults.ts'
import { sql, type Sql, type StatementResult } from '../sql.ts'
import { Batch } from './batch.ts'

/** Timeouts in milliseconds: for a connection, and for the answer to one round trip. */
type Timeouts = { connection: number; answer: number }

/**
 * Timeouts for requests that a person waits for, at most 5 s. The session's own timeouts end a statement before its
 * round trip times out.
 */
export const PROMPT: Timeouts = { connection: 2_500, answer: 3_500 }

/** Timeouts for background work: the worker, an import, the command line. */
export const PATIENT: Timeouts = { connection: 15_000, answer: 20_000 }

/** Statement before the first one of a patient transaction. */
const SET_PATIENT_TIMEOUTS = sql`select set_config('lock_timeout', '5s', true),
  set_config('statement_timeout', '15s', true)`

/**
 * Limits: `by` is the `performance.now()` deadline for everything; `cancelSignal` also stops running statements when it
 * aborts.
 */
type RoundTripLimits = {
  patient?: boolean | undefined
  by?: number | undefined
  cancelSignal?: AbortSignal | undefined
}

/** Histogram of the durations of round trips. */
type RoundTripTimes = Pick<Buckets, 'observe'>

/**
 * Sends round trips on one held connection, each with a timeout. After a timeout, an abort or a connection fault,
 * further ones are refused, and `isBroken` tells the caller to close the connection.
 */
export function openRoundTrips(
  client: ClientBase,
  { patient = false, by = Infinity, cancelSignal }: RoundTripLimits,
  times: RoundTripTimes,
) {
  const timeoutMs = (patient ? PATIENT : PROMPT).answer
  let isFirst = true
  let broken: Error | undefined

  function sendBatch(statements: readonly Sql[]): Promise<StatementResult[]> {
    const startedAt = performance.now()
    const ms = Math.min(timeoutMs, by - startedAt)
    if (ms <= 0) broken ??= new Unavailable('it took too long')
    if (broken !== undefined) return Promise.reject(broken)
    const batch = new Batch(statements)
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>()
    const abandon = (reason: Error): void => {
      end()
      broken ??= reason
      reject(reason)
    }
    const cancel = (): void => abandon(cancelSignal?.reason)
    const timer = setTimeout(
      () => abandon(new Unavailable('the database did not answer in time', { seconds: 5, isLost: true })),
      ms,
    )
    const end = (): void => {
      clearTimeout(timer)
      times.observe(performance.now() - startedAt)
      cancelSignal?.removeEventListener('abort', cancel)
    }
    const succeed = (answers: StatementResult[]): void => {
      end()
      resolve(answers)
    }
    const fail = (error: unknown): void => {
      const fault = faultIn(error)
      if (fault?.isLost) return abandon(fault)
      end()
      reject(fault ?? refusedValueIn(error) ?? error)
    }
    cancelSignal?.addEventListener('abort', cancel, { once: true })
    client.query(batch).answers.then(succeed, fail)
    return promise
  }

  return {
    send: async (statements: readonly Sql[]): Promise<StatementResult[]> => {
      if (!patient || !isFirst) return sendBatch(statements)
      isFirst = false
      return (await sendBatch([SET_PATIENT_TIMEOUTS, ...statements])).slice(1)
    },
    isBroken: (): boolean => broken !== undefined,
  }
}
