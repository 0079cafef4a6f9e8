/** Problem with the database or the connection to it, and the fix: statements for its owner, or a sentence. */
export type Flaw = { says: string; mend: string }

const flaws = new WeakMap<object, Flaw>()

/** Returns an error of one line that says both. */
export function flawError(flaw: Flaw, cause?: unknown): Error {
  const error = new Error(`${flaw.says}; to mend it: ${flaw.mend}`, { cause })
  flaws.set(error, flaw)
  return error
}

/** Returns the flaw that an error was made of. */
export const flawIn = (error: unknown): Flaw | undefined =>
  typeof error === 'object' && error !== null ? flaws.get(error) : undefined
