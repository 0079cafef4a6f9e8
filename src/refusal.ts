/** Lists the codes of a tool error (docs/spec/interface.md#form-of-an-error). */
export type Code = 'invalid_input' | 'not_found' | 'conflict' | 'insufficient_scope' | 'internal'

/** A request turned down for a reason its sender can act on; anything else that is thrown is `internal`. */
export class Refusal extends Error {
  readonly code: Code

  constructor(code: Code, sentence: string) {
    super(sentence)
    this.name = 'Refusal'
    this.code = code
  }
}

/** `invalid_input`: a value broke a rule, or a precondition was not met. */
export const invalid = (sentence: string): Refusal => new Refusal('invalid_input', sentence)

/** `not_found`: absent in this tenant, or archived. */
export const notFound = (what: string): Refusal => new Refusal('not_found', `${what} not found`)

/** `conflict`: collides with the present state. */
export const conflict = (sentence: string): Refusal => new Refusal('conflict', sentence)

/**
 * Says that nothing was done, because the service or the database is busy, locked or down; the same may be asked again
 * in `seconds`.
 */
export class Unavailable extends Error {
  readonly seconds: number
  /** Is the code of the error it comes from. */
  readonly code: string | undefined
  /** Says that the answer to a query under way was lost. */
  readonly isLost: boolean

  constructor(why: string, { seconds = 1, isLost = false, cause }: { seconds?: number; isLost?: boolean; cause?: unknown } = {}) {
    super(why, cause === undefined ? {} : { cause })
    this.name = 'Unavailable'
    this.seconds = seconds
    this.code = (cause as { code?: string } | undefined)?.code
    this.isLost = isLost
  }

  /** Tells whether only the load refused it, which no operator need hear of. */
  get isExpected(): boolean {
    return !this.isLost && this.cause === undefined
  }
}

/** Says that nobody knows whether it was done: the answer to its COMMIT is lost. */
export class Uncertain extends Error {}
