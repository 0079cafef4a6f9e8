import { setImmediate } from 'node:timers/promises'

/** Maximum time in milliseconds for which one piece of work holds the event loop. */
const MAX_HELD_MS = 10

/**
 * Returns a function to await between two steps of long work: it lets other work run when these held the event loop too
 * long.
 */
export function newPacer(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < MAX_HELD_MS) return
    await setImmediate()
    began = performance.now()
  }
}
