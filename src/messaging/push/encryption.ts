import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** Browser's uncompressed P-256 public key, and its authentication secret. */
export type PushKeys = { p256dh: Buffer; auth: Buffer }

/** Fresh secrets of each message. */
type MessageSecrets = { privateKey: Buffer | null; salt: Buffer }

/** Record size in bytes; a message is one record, and push services accept this size (RFC 8030, section 7.2). */
const RECORD_BYTES = 4096

export const CURVE = 'prime256v1'

/** Encrypts a message for one browser (RFC 8291) as a body of `Content-Encoding: aes128gcm` (RFC 8188). */
export function encryptPush(
  message: Buffer,
  { p256dh, auth }: PushKeys,
  { privateKey, salt }: MessageSecrets = { privateKey: null, salt: randomBytes(16) },
): Buffer {
  const sender = createECDH(CURVE)
  if (privateKey === null) sender.generateKeys()
  else sender.setPrivateKey(privateKey)
  const publicKey = sender.getPublicKey()
  const shared = sender.computeSecret(p256dh)
  const secret = derive(shared, auth, Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]), 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_BYTES)
  head.writeUInt8(publicKey.length, 4)
  // The delimiter 2 ends the last record.
  return Buffer.concat([
    salt,
    head,
    publicKey,
    cipher.update(message),
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
