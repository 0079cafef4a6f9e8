/** Reason why an answer ended before the model was done, as stored in conversations. */
export type EndReason =
  | 'stopped'
  | 'access'
  | 'steps'
  | 'conversation_limit'
  | 'day_limit'
  | 'key'
  | 'model'
  | 'busy'
  | 'timeout'
  | 'outage'
  | 'request'
  | 'declined'
  | 'cut'
  | 'internal'

/** Maximum seconds that a provider may ask to wait before the one retry. */
const MAX_RETRY_SECONDS = 20

/** Seconds to wait before the retry if a rate-limited provider names no time. */
const DEFAULT_RETRY_SECONDS = 2

/** Thrown if the model's provider sends nothing for too long. */
export class ModelTimeout extends Error {}

/** Thrown if an answer of the model's provider has too many bytes. */
export class ModelAnswerTooLong extends Error {}

/** Returns the reason why a request to the model's provider failed. */
export function failureReason(error: unknown): EndReason {
  // The SDK wraps the error that ends a stream.
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof ModelTimeout) return 'timeout'
  if (cause instanceof ModelAnswerTooLong) return 'cut'
  const status = statusOf(error)
  // An answer that broke off or was malformed still has its success status.
  if (status === undefined || status < 400) return 'outage'
  if (status === 401 || status === 403) return 'key'
  if (status === 404) return 'model'
  if (status === 408) return 'timeout'
  if (status === 429 || status === 529) return 'busy'
  return status < 500 ? 'request' : 'outage'
}

/**
 * Returns the seconds to wait before the one retry of a refused request, from its Retry-After header (RFC 9110,
 * 10.2.3); undefined if it can't be retried or the wait would be too long.
 */
export function retrySeconds(error: unknown): number | undefined {
  const status = statusOf(error)
  if (status !== 429 && status !== 503 && status !== 529) return undefined
  const header = headersOf(error)?.['retry-after']
  if (header === undefined) return status === 429 ? DEFAULT_RETRY_SECONDS : undefined
  const seconds = /^\d{1,6}(?:\.\d{1,6})?$/.test(header)
    ? Number(header)
    : Math.max(0, (Date.parse(header) - Date.now()) / 1_000)
  return seconds <= MAX_RETRY_SECONDS ? seconds : undefined
}

/** Returns the HTTP status of an error of the AI SDK (`APICallError`). */
const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined

const headersOf = (error: unknown): Readonly<Record<string, string | undefined>> | undefined =>
  error instanceof Error && 'responseHeaders' in error && isHeaders(error.responseHeaders)
    ? error.responseHeaders
    : undefined

const isHeaders = (value: unknown): value is Record<string, string | undefined> =>
  typeof value === 'object' && value !== null
