/**
 * Why something isn't in the books. `later` passes: the program can't be reached or asks to wait. `revoked` ends the
 * connection. The others are of one record: `refused` by the program, `held` by us before it could be wrong there.
 */
type BooksFailure = 'later' | 'revoked' | 'refused' | 'held'

/** Our words for what is wrong with a record; `program`: what the program said is in the detail. */
export type BooksReason =
  | 'program'
  | 'inexact'
  | 'total'
  | 'number_taken'
  | 'name_taken'
  | 'number_long'
  | 'paid_elsewhere'
  | 'changed_when_paid'
  | 'no_invoice'
  | 'gone'

/** Maximum characters of what a program said that are kept. */
const MAX_DETAIL = 500

export class BooksError extends Error {
  readonly failure: BooksFailure
  readonly reason: BooksReason
  readonly detail: string | null
  /** Seconds for which the program asks not to be asked; null where it doesn't. */
  readonly seconds: number | null
  /** Whether the program failed at this request, and may do so whenever it is repeated. */
  readonly isBroken: boolean
  /** Whether the program has nothing there. */
  readonly isMissing: boolean

  constructor(
    failure: BooksFailure,
    {
      reason = 'program',
      detail = null,
      seconds = null,
      isBroken = false,
      isMissing = false,
      cause,
    }: Partial<BooksErrorDetails> = {},
  ) {
    super(`${failure} (${reason})`, { cause })
    this.name = 'BooksError'
    this.failure = failure
    this.reason = reason
    this.detail = detail === null ? null : detail.slice(0, MAX_DETAIL)
    this.seconds = seconds
    this.isBroken = isBroken
    this.isMissing = isMissing
  }
}

type BooksErrorDetails = {
  reason: BooksReason
  detail: string | null
  seconds: number | null
  isBroken: boolean
  isMissing: boolean
  cause: unknown
}

export const holdRecord = (reason: BooksReason, detail: string | null = null): BooksError =>
  new BooksError('held', { reason, detail })
