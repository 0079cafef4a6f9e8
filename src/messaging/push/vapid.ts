import { createECDH, createPrivateKey, sign } from 'node:crypto'
import { CURVE } from './encryption.ts'

/** Identity of this installation to push services (RFC 8292). Browsers subscribe with `publicKey`. */
export type Vapid = { publicKey: string; authorization(endpoint: URL, now: Temporal.Instant): string }

/** Validity of one signature; at most 24 hours are allowed. */
const VALIDITY = { hours: 12 } as const

/** Loads the 32-byte private key. `contact` is where a push service reaches the operator of the installation. */
export function openVapid(privateKey: Buffer, contact: string): Vapid {
  const pair = createECDH(CURVE)
  pair.setPrivateKey(privateKey)
  const point = pair.getPublicKey()
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: privateKey.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const publicKey = point.toString('base64url')
  return {
    publicKey,
    authorization(endpoint, now) {
      const exp = Math.floor(now.add(VALIDITY).epochMilliseconds / 1000)
      const text = [
        { typ: 'JWT', alg: 'ES256' },
        { aud: endpoint.origin, exp, sub: contact },
      ]
        .map(encode)
        .join('.')
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`
    },
  }
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
