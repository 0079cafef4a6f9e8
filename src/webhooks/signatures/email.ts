import { createHmac } from 'node:crypto'
import {
  LEAST_SECRET_BYTES,
  MAX_SIGNATURES,
  isAmong,
  isJsonObject,
  isTimely,
  onlyHeader,
  type Scheme,
} from './signature.ts'

/** Holds a key; `own` is one the provider signs with, the others are of the literal form. */
type Key = { bytes: Buffer; own: boolean }

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

/** Is the size past which the body is not hashed a second time. */
const MAX_LITERAL_BYTES = 2 ** 20

/**
 * Checks Standard Webhooks: `v1,<base64>` over `id.timestamp.body`, keyed by the base64 after `whsec_`. The literal
 * form is over the body alone, with the secret itself as key. There may be several secrets, for a rotation.
 */
export function emailScheme(secrets: readonly string[], strict: boolean): Scheme {
  const keys = secrets.flatMap(keysOf).filter(({ own }) => own || !strict)
  return {
    isConfigured: keys.length > 0,
    open(request, nowSeconds) {
      const [id, time, header] = ['msgsig-id', 'msgsig-timestamp', 'msgsig-signature'].map((name) =>
        onlyHeader(request, name),
      )
      if (id === undefined || time === undefined || header === undefined || !isTimely(time, nowSeconds))
        return undefined
      const signatures = parse(header)
      if (signatures === undefined) return undefined
      const own = keys.map(({ bytes, own }) => ({ own, hmac: createHmac('sha256', bytes).update(`${id}.${time}.`) }))
      return {
        update: (chunk) => own.forEach(({ hmac }) => hmac.update(chunk)),
        accepts(body) {
          const digests = own.map(({ own, hmac }) => ({ own, digest: hmac.digest('base64') }))
          if (digests.some(({ own, digest }) => own && isAmong(signatures, digest))) return true
          if (strict || body.length > MAX_LITERAL_BYTES) return false
          const literal = [
            ...digests.map(({ digest }) => digest),
            ...keys.map(({ bytes }) => createHmac('sha256', bytes).update(body).digest('base64')),
          ]
          return literal.some((digest) => isAmong(signatures, digest)) && isJsonObject(body)
        },
      }
    },
  }
}

/** Returns the `v1` signatures; undefined for none or too many. */
function parse(header: string): string[] | undefined {
  const items = header.split(' ')
  const signatures = items.filter((item) => item.startsWith('v1,')).map((item) => item.slice('v1,'.length))
  return signatures.length === 0 || items.length > MAX_SIGNATURES ? undefined : signatures
}

/** Returns the keys of a secret; one in the provider's form that decodes to too few bytes gives none. */
function keysOf(secret: string): Key[] {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const decoded = BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : undefined
  if (decoded !== undefined && secret.startsWith(PREFIX) && decoded.length < LEAST_SECRET_BYTES) return []
  const keys = [
    ...(decoded === undefined ? [] : [{ bytes: decoded, own: true }]),
    { bytes: Buffer.from(secret), own: false },
  ]
  return keys.filter(({ bytes }) => bytes.length >= LEAST_SECRET_BYTES)
}
