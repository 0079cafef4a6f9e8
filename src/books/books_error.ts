/**
 * Why something isn't in the books. `later` is transient: the program is unreachable or asks to wait. `revoked` ends
 * the connection. The others concern one record: `refused` by the program, or `held` by us before it goes wrong there.
 */
type BooksFailure = 'later' | 'revoked' | 'refused' | 'held'

/** Our reason code for a record's problem; with `program`, the detail has the program's message. */
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

/** Maximum characters kept of a program's message. */
const MAX_DETAIL = 500

export class BooksError extends Error {
  readonly failure: BooksFailure
  readonly reason: BooksReason
  readonly detail: string | null
  /** Seconds until the next request, as the program asked; null if it didn't. */
  readonly seconds: number | null
  /** Whether the program failed on this request, and may fail on every retry. */
  readonly isBroken: boolean
  /** Whether the program doesn't have the record. */
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
