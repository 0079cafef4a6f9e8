import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isRecord } from '../../platform/validation/is_record.ts'
import { readJson } from '../../platform/validation/json_fields.ts'

/** Input of a signature check that is known before the body: the request line and the headers. */
export type SignedRequest = {
  /** Path and query as received. */
  target: string
  headers: IncomingHttpHeaders
  /** Every value of each header, as sent, by name. */
  headersDistinct: NodeJS.Dict<string[]>
  /** Address of the TCP peer. */
  peer: string
}

/**
 * Signature check. `update` receives the body in pieces, then `accepts` decides. Its body is undefined if it is too
 * large to keep before verification, and then only the provider's own form counts.
 */
export type SignatureCheck = { update(chunk: Buffer): void; accepts(body: Buffer | undefined): boolean }

/** Signature scheme of a provider. `strict` accepts only the provider's own form. */
export type SignatureScheme = {
  /** False if no usable secret is configured. */
  isConfigured: boolean
  /** Starts a check. Returns undefined for a missing, malformed or expired header, so that the body needn't be read. */
  open(request: SignedRequest, nowSeconds: number): SignatureCheck | undefined
}

export const MAX_SIGNATURES = 32

/** Maximum clock difference in seconds, to the past and to the future. */
const TOLERANCE_SECONDS = 300

/** Returns a header that was sent exactly once and isn't empty. */
export function onlyHeader({ headersDistinct }: SignedRequest, name: string): string | undefined {
  const values = headersDistinct[name]
  return values?.length === 1 && values[0] !== '' ? values[0] : undefined
}

/** Checks whether a Unix time, in digits, is within the tolerance. */
export const isTimely = (digits: string, nowSeconds: number): boolean =>
  /^\d{1,12}$/.test(digits) && Math.abs(nowSeconds - Number(digits)) <= TOLERANCE_SECONDS

/** Checks whether a list of signatures includes the expected one, in constant time. */
export function isAmong(candidates: readonly string[], expected: string): boolean {
  const expectedBytes = Buffer.from(expected)
  let matches = false
  for (const one of candidates) {
    const bytes = Buffer.from(one)
    if (bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes)) matches = true
  }
  return matches
}

/**
 * Checks whether a body is a JSON object. Only such bodies may use the literal form
 * (docs/spec/webhooks.md#simpler-signatures).
 */
export const isJsonObject = (body: Buffer): boolean => isRecord(readJson(body))
