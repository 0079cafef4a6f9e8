import { setImmediate } from 'node:timers/promises'

/** Maximum time in milliseconds that one task holds the event loop. */
const MAX_BUSY_MS = 10

/**
 * Returns a function to await between steps of a long task: it yields to other work if the steps held the event loop
 * too long.
 */
export function newPacer(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < MAX_BUSY_MS) return
    await setImmediate()
    startedAt = performance.now()
  }
}
