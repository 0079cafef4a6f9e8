/** Unguessable unsubscribe link of one message; `secret` has 128 random bits. */
export type UnsubscribeLink = { tenant: string; message: string; secret: Buffer }

const SECRET_BYTES = 16
const ID_BYTES = 16

/** Returns the path at which a reminder's recipient opts out of further ones (docs/spec/sending.md#unsubscribing). */
export const unsubscribePath = ({ tenant, message, secret }: UnsubscribeLink): string =>
  `/unsubscribe/${Buffer.concat([bytesOf(tenant), bytesOf(message), secret]).toString('base64url')}`

/** Parses the last segment of such a path; undefined if it is malformed. */
export function parseUnsubscribeLink(token: string): UnsubscribeLink | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  return {
    tenant: idOf(bytes.subarray(0, ID_BYTES)),
    message: idOf(bytes.subarray(ID_BYTES, 2 * ID_BYTES)),
    secret: bytes.subarray(2 * ID_BYTES),
  }
}

const TOKEN = new RegExp(`^[\\w-]{${((2 * ID_BYTES + SECRET_BYTES) * 4) / 3}}$`)

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
