import type { ServerResponse } from 'node:http'
import { Unavailable } from '../platform/errors/refusal.ts'

/** Deadline of an answer, on the `performance.now()` clock, and a signal that aborts when the sender disconnects. */
export type Deadline = { by: number; signal: AbortSignal }

/** Milliseconds for the database, so that an answer comes within 5 s in any case. */
const ANSWER_MS = 4_000

export const defaultDeadline = (): number => performance.now() + ANSWER_MS

const signals = new WeakMap<ServerResponse, AbortSignal>()

/** Returns a signal that aborts if the connection closes before its response is complete; the same one on each call. */
export function disconnectSignal(res: ServerResponse): AbortSignal {
  const earlier = signals.get(res)
  if (earlier !== undefined) return earlier
  const disconnect = new AbortController()
  signals.set(res, disconnect.signal)
  const onClose = (): void => {
    if (!res.writableFinished) disconnect.abort(new Unavailable('the client disconnected'))
  }
  if (res.destroyed) onClose()
  else res.once('close', onClose)
  return disconnect.signal
}
