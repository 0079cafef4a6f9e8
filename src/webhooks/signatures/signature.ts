import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readJson } from '../json.ts'

/** What a signature is read from before the body: the request line and the headers. */
export type Signed = {
  /** Path and query as received. */
  target: string
  headers: IncomingHttpHeaders
  /** The same by name, each value as it was sent. */
  headersDistinct: NodeJS.Dict<string[]>
  /** Address of the TCP peer. */
  peer: string
}

/** A signature to be checked: fed the body as it comes, then asked. */
export type Check = {
  update(chunk: Buffer): void
  accepts(body: Buffer): boolean
}

/** How one provider signs. `strict`: its own form only. */
export type Scheme = {
  /** False: no secret is configured that can be used. */
  isConfigured: boolean
  /** Undefined: a header is missing, malformed or out of time, and the body needn't be read. */
  open(request: Signed, nowSeconds: number): Check | undefined
}

/** A shorter secret counts as none (docs/spec/webhooks.md#shortest-secret). */
export const LEAST_SECRET_BYTES = 16

export const MAX_SIGNATURES = 32

/** Both ways. */
const TOLERANCE_SECONDS = 300

/** A header that was sent exactly once and isn't blank. */
export function onlyHeader({ headersDistinct }: Signed, name: string): string | undefined {
  const given = headersDistinct[name]
  return given?.length === 1 && given[0] !== '' ? given[0] : undefined
}

/** Whether a Unix time, in digits, lies within the tolerance. */
export const isTimely = (digits: string, nowSeconds: number): boolean =>
  /^\d{1,12}$/.test(digits) && Math.abs(nowSeconds - Number(digits)) <= TOLERANCE_SECONDS

/** Whether one of the signatures is this one, in time that tells nothing of where they differ. */
export function isAmong(given: readonly string[], expected: string): boolean {
  const wanted = Buffer.from(expected)
  let found = false
  for (const one of given) {
    const bytes = Buffer.from(one)
    if (bytes.length === wanted.length && timingSafeEqual(bytes, wanted)) found = true
  }
  return found
}

/** A literal form counts for these bodies only (docs/spec/webhooks.md#literal-forms). */
export function isJsonObject(body: Buffer): boolean {
  const value = readJson(body)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
