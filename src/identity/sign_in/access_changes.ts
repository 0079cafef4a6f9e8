type Listener = (user: string) => void

const listeners = new Set<Listener>()

/**
 * Calls back for each user whose session, membership or rights this process ended or changed, after the commit. Returns
 * a function that unsubscribes.
 */
export function onAccessChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Notifies listeners in this process at once. Nothing relies on it alone: other processes check by themselves. */
export const emitAccessChange = (user: string): void => listeners.forEach((listener) => listener(user))
