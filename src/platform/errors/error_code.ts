/**
 * Returns the code of an error: that of a system error (`ENOENT`), or of one that PostgreSQL reports (`57P03`).
 * Undefined if it has none.
 */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Returns the message of a thrown value of any type. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Returns a handler for `catch` that ignores system errors with these codes and rethrows all others. */
export const ignoreCodes =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(errorCode(error) ?? '')) throw error
  }
