import { errorCode } from '../../errors/error_code.ts'

/** Thrown if the embedded database can't be used. The message gives the reason and the fix in one sentence. */
export class EmbeddedError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'EmbeddedError'
  }
}

/** Returns a handler for `catch` that ignores system errors of these codes and throws any other again. */
export const ignoreCodes =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(errorCode(error) ?? '')) throw error
  }
