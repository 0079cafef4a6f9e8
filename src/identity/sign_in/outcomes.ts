import type { SignInMethod } from './sessions.ts'

/** Outcome of a sign-in attempt, and its methods. */
export type SignInOutcome = { outcome: 'signed_in' | 'failed' | 'limited'; methods: readonly SignInMethod[] }

type Listener = (outcome: SignInOutcome) => void

const listeners = new Set<Listener>()

/** Calls back for each sign-in attempt in this process. Returns a function that unsubscribes. */
export function onSignIn(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Notifies the listeners: the metrics and the log. */
export const emitSignIn = (outcome: SignInOutcome): void => listeners.forEach((listener) => listener(outcome))
