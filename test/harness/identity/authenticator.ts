import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** Values that a forged response changes. */
export type Forgery = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  isVerified?: boolean
  isPresent?: boolean
  counter?: number
  handle?: string
  id?: string
  format?: Buffer
  key?: KeyObject
  changes?: (authenticatorData: Buffer) => Buffer
}

type Options = { challenge: string; rp?: { id?: string }; rpId?: string; user?: { id: string } }

export type Authenticator = ReturnType<typeof newAuthenticator>

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()

/** Returns a software authenticator with one passkey (ES256). A `Forgery` changes its responses. */
export function newAuthenticator(origin: string, { isSynced = false, counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credential = randomBytes(32)
  let counter = 0
  let handle = ''

  const clientData = (type: string, challenge: string, forged: Forgery): string =>
    Buffer.from(
      JSON.stringify({
        type: forged.type ?? type,
        challenge: forged.challenge ?? challenge,
        origin: forged.origin ?? origin,
        crossOrigin: false,
      }),
    ).toString('base64url')

  function authenticatorData(rpId: string, forged: Forgery, attested = Buffer.alloc(0)): Buffer {
    const flags =
      (forged.isPresent === false ? 0 : 0x01) |
      (forged.isVerified === false ? 0 : 0x04) |
      (isSynced ? 0x18 : 0) |
      (attested.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(forged.counter ?? (counts ? ++counter : 0))
    return Buffer.concat([sha256(forged.rpId ?? rpId), Buffer.from([flags]), count, attested])
  }

  /** Responds to passkey creation options, as JSON. */
  function create(options: Options, forged: Forgery = {}): string {
    handle = forged.handle ?? options.user!.id
    const id = forged.id === undefined ? credential : Buffer.from(forged.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)])
    const data = authenticatorData(options.rp!.id!, forged, attested)
    const attestation =
      forged.format ??
      Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ])
    return JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, forged),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    })
  }

  /** Responds to passkey request options, as JSON. */
  function use(options: Options, forged: Forgery = {}): string {
    const data = authenticatorData(options.rpId!, forged)
    const client = clientData('webauthn.get', options.challenge, forged)
    const signature = sign(
      'sha256',
      Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]),
      forged.key ?? privateKey,
    )
    const id = forged.id ?? credential.toString('base64url')
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: client,
        authenticatorData: (forged.changes?.(data) ?? data).toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: forged.handle ?? handle,
      },
    })
  }

  return { id: credential.toString('base64url'), create, use }
}

/** Returns CBOR (RFC 8949), as far as these tests need it. */
const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
export const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
export const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value])

/** Returns a public key of P-256 for ES256 in COSE (RFC 9053 2.1, 7.1.1). */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    bytes(Buffer.from(y, 'base64url')),
  ])
}
