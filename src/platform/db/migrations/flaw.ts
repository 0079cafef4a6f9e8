/** Problem with the database or the connection to it, and the fix: statements for its owner, or a sentence. */
export type Flaw = { says: string; mend: string }

const flaws = new WeakMap<object, Flaw>()

/** Returns a one-line error with the problem and the fix. */
export function flawError(flaw: Flaw, cause?: unknown): Error {
  const error = new Error(`${flaw.says}; to fix it: ${flaw.mend}`, { cause })
  flaws.set(error, flaw)
  return error
}

/** Returns the flaw of an error from `flawError`. */
export const flawIn = (error: unknown): Flaw | undefined =>
  typeof error === 'object' && error !== null ? flaws.get(error) : undefined
