import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readJson } from '../json.ts'

/** Holds what a signature is read from before the body: the request line and the headers. */
export type SignedRequest = {
  /** Is the path and query as received. */
  target: string
  headers: IncomingHttpHeaders
  /** Holds each value of a header as it was sent, by name. */
  headersDistinct: NodeJS.Dict<string[]>
  /** Is the address of the TCP peer. */
  peer: string
}

/**
 * Checks a signature: it is fed the body as it comes, then asked. A body that is too large to be held before it is
 * verified is `undefined`, and has the provider's own form alone.
 */
export type SignatureCheck = { update(chunk: Buffer): void; accepts(body: Buffer | undefined): boolean }

/** Describes how one provider signs. `strict`: its own form only. */
export type SignatureScheme = {
  /** Is false when no secret is configured that can be used. */
  isConfigured: boolean
  /** Returns undefined when a header is missing, malformed or out of time, so that the body needn't be read. */
  open(request: SignedRequest, nowSeconds: number): SignatureCheck | undefined
}

export const MAX_SIGNATURES = 32

/** Applies both ways, to the past and the future. */
const TOLERANCE_SECONDS = 300

/** Returns a header that was sent exactly once and isn't blank. */
export function onlyHeader({ headersDistinct }: SignedRequest, name: string): string | undefined {
  const given = headersDistinct[name]
  return given?.length === 1 && given[0] !== '' ? given[0] : undefined
}

/** Checks whether a Unix time, in digits, is within the tolerance. */
export const isTimely = (digits: string, nowSeconds: number): boolean =>
  /^\d{1,12}$/.test(digits) && Math.abs(nowSeconds - Number(digits)) <= TOLERANCE_SECONDS

/** Checks whether one of the signatures is this one, in a time that doesn't depend on where they differ. */
export function isAmong(given: readonly string[], expected: string): boolean {
  const wanted = Buffer.from(expected)
  let found = false
  for (const one of given) {
    const bytes = Buffer.from(one)
    if (bytes.length === wanted.length && timingSafeEqual(bytes, wanted)) found = true
  }
  return found
}

/** Checks whether it is a JSON object: the literal form counts for these bodies only (docs/spec/webhooks.md#literal-forms). */
export function isJsonObject(body: Buffer): boolean {
  const value = readJson(body)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
