/** Thrown if the embedded database can't be used. The message gives the reason and the fix in one sentence. */
export class EmbeddedError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'EmbeddedError'
  }
}

/** Returns the code of a system error (`ENOENT`) or of a refusal by PostgreSQL (`57P03`), where there is one. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Returns a handler for `catch` that ignores system errors of these codes and throws any other again. */
export const ignoreCodes =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error) ?? '')) throw error
  }

export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))
