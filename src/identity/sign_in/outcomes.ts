import type { SignInMethod } from './sessions.ts'

/** Outcome of an attempt to sign in, and its methods. */
export type SignInOutcome = { outcome: 'signed_in' | 'failed' | 'limited'; methods: readonly SignInMethod[] }

type Listener = (outcome: SignInOutcome) => void

const listeners = new Set<Listener>()

/** Calls back for each try to sign in at this process. Returns a function that stops it. */
export function onSignIn(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Notifies the metrics and the log. */
export const emitSignIn = (outcome: SignInOutcome): void => listeners.forEach((listener) => listener(outcome))
