import type { ServerResponse } from 'node:http'
import { Unavailable } from '../platform/errors/refusal.ts'

/** Holds until when an answer is wanted, by `performance.now()`, and a signal that aborts when its sender leaves. */
export type Deadline = { by: number; signal: AbortSignal }

/** Milliseconds: an answer comes within 5 s, whatever the database does. */
const ANSWER_MS = 4_000

export const defaultDeadline = (): number => performance.now() + ANSWER_MS

const signals = new WeakMap<ServerResponse, AbortSignal>()

/** Returns a signal that aborts when the connection ends before its answer is whole, the same each time. */
export function disconnectSignal(res: ServerResponse): AbortSignal {
  const earlier = signals.get(res)
  if (earlier !== undefined) return earlier
  const disconnect = new AbortController()
  signals.set(res, disconnect.signal)
  const leave = (): void => {
    if (!res.writableFinished) disconnect.abort(new Unavailable('nobody waits for the answer any more'))
  }
  if (res.destroyed) leave()
  else res.once('close', leave)
  return disconnect.signal
}
