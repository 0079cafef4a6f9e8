import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { webcrypto } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import type { Network } from '../../src/identity/public_request.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { certificate, privateKey } from '../harness/identity/client_certificate.ts'

const { subtle } = webcrypto

/** VAPID private key of the service in these tests; the push service checks every signature against it. */
export const VAPID_PRIVATE_KEY = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'
export const VAPID_PUBLIC_KEY =
  'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8'

/** A message received by a browser, with its delivery headers. */
type Received = { path: string; message: unknown; topic: unknown; ttl: unknown; urgency: unknown }

/**
 * Starts a push service (RFC 8030) that accepts only signed messages (RFC 8292), and browsers that decrypt them (RFC
 * 8291) with the Web Crypto API.
 */
export async function startPushService(baseUrl: () => string) {
  const received: Received[] = []
  const asked: string[] = []
  const browsers = new Map<string, (body: Buffer) => Promise<unknown>>()
  let answer: ((req: IncomingMessage, res: ServerResponse) => unknown) | null = null
  const server = createServer({ cert: certificate, key: privateKey }, (req, res) => {
    asked.push(req.url ?? '')
    void (answer === null ? take(req, res) : answer(req, res))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  async function take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const body = Buffer.concat(await req.toArray())
      const open = browsers.get(req.url ?? '')
      if (open === undefined) return void res.writeHead(410).end()
      await checkSignature(req.headers.authorization ?? '', `https://client.test:${port}`, baseUrl())
      if (req.headers['content-encoding'] !== 'aes128gcm') throw new Error('Not encrypted')
      const { topic, ttl, urgency } = req.headers
      received.push({ path: req.url ?? '', message: await open(body), topic, ttl, urgency })
      res.writeHead(201, { location: `/m/${newId()}` }).end()
    } catch (error) {
      res.writeHead(403).end(String(error))
    }
  }

  return {
    received,
    asked,
    network: {
      resolve: async () => ['127.0.0.1'],
      isAllowed: (address) => address === '127.0.0.1',
      ca: certificate,
    } satisfies Network as Network,
    /** Sets the push service's answer; null restores the default. */
    answerWith: (own: typeof answer) => void (answer = own),
    /** Returns a subscribed browser, in the form that a page sends. */
    async subscribe() {
      const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
      const raw = Buffer.from(await subtle.exportKey('raw', pair.publicKey))
      const auth = Buffer.from(webcrypto.getRandomValues(new Uint8Array(16)))
      const path = `/push/${newId()}`
      browsers.set(path, async (body) => JSON.parse((await decrypt(body, pair, raw, auth)).toString()))
      return {
        path,
        subscription: {
          endpoint: `https://client.test:${port}${path}`,
          p256dh: raw.toString('base64url'),
          auth: auth.toString('base64url'),
        },
        forget: () => browsers.delete(path),
      }
    },
    messagesAt: (path: string) => received.filter((one) => one.path === path).map(({ message }) => message),
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type PushService = Awaited<ReturnType<typeof startPushService>>

/** Checks RFC 8292: this audience, valid for at most 24 hours, signed with the subscribed key. */
async function checkSignature(authorization: string, audience: string, contact: string): Promise<void> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  if (key !== VAPID_PUBLIC_KEY) throw new Error('Another key')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience, algorithms: ['ES256'] })
  if (payload.sub !== contact) throw new Error('No contact')
  if ((payload.exp ?? Infinity) > Date.now() / 1000 + 24 * 3600) throw new Error('Valid for too long')
}

/** Decrypts one record of RFC 8188 with the keys of RFC 8291, section 3.4, as a browser does. */
async function decrypt(body: Buffer, pair: webcrypto.CryptoKeyPair, own: Buffer, auth: Buffer): Promise<Buffer> {
  const [salt, size, length] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)]
  const theirs = body.subarray(21, 21 + length)
  const record = body.subarray(21 + length)
  if (record.length > size) throw new Error('More than one record')
  const peer = await subtle.importKey('raw', plain(theirs), { name: 'ECDH', namedCurve: 'P-256' }, false, [])
  const shared = await subtle.deriveBits({ name: 'ECDH', public: peer }, pair.privateKey, 256)
  const ikm = await hkdf(shared, auth, Buffer.concat([Buffer.from('WebPush: info\0'), own, theirs]), 256)
  const key = await hkdf(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 128)
  const iv = await hkdf(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 96)
  const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
  const padded = Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, aes, plain(record)))
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('No delimiter')
  return padded.subarray(0, end)
}

async function hkdf(secret: ArrayBuffer, salt: Buffer, info: Buffer, bits: number): Promise<ArrayBuffer> {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: plain(salt), info: plain(info) }, key, bits)
}

/** Copies bytes into the type that the Web Crypto API accepts. */
const plain = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
