type Listener = (user: string) => void

const listeners = new Set<Listener>()

/**
 * Calls back for each person whose session, membership or rights this process has ended or changed, once that is
 * committed. Returns a function that stops it.
 */
export function onAccessChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Notifies listeners in this process at once. Nothing depends on it alone: other processes check for themselves. */
export const emitAccessChange = (user: string): void => listeners.forEach((listener) => listener(user))
