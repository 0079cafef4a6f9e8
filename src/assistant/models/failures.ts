/** Why an answer ended before the model was done, as conversations keep it. */
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

/** Longest wait in seconds that a provider may ask for before the one retry. */
const MAX_RETRY_SECONDS = 20

/** Wait in seconds where a busy provider names none. */
const DEFAULT_RETRY_SECONDS = 2

/** Thrown where the model's provider sends nothing for too long. */
export class ModelTimeout extends Error {}

/** Thrown where an answer of the model's provider has too many bytes. */
export class ModelAnswerTooLong extends Error {}

/** Returns why a request to the model's provider failed. */
export function failureReason(error: unknown): EndReason {
  // The SDK wraps what ends a stream.
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof ModelTimeout) return 'timeout'
  if (cause instanceof ModelAnswerTooLong) return 'cut'
  const status = statusOf(error)
  // An answer that began well and broke off, or made no sense, has its status of success.
  if (status === undefined || status < 400) return 'outage'
  if (status === 401 || status === 403) return 'key'
  if (status === 404) return 'model'
  if (status === 408) return 'timeout'
  if (status === 429 || status === 529) return 'busy'
  return status < 500 ? 'request' : 'outage'
}

/**
 * Returns the seconds after which a refused request may be sent once more, as its header says (RFC 9110, 10.2.3);
 * undefined where it can't, or would have to wait too long.
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
