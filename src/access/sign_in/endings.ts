type Listener = (user: string) => void

const listeners = new Set<Listener>()

/** Hears of each person whose session, membership or rights this process has ended or changed, once that is kept. What is returned ends it. */
export function onEnding(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Tells who must act at once. Nothing depends on it alone: other processes aren't told, and look for themselves. */
export const tellOfEnding = (user: string): void => listeners.forEach((listener) => listener(user))
