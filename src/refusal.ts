/** The codes of a tool error (interface 7.1). */
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
