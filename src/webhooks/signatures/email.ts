import { createHmac } from 'node:crypto'
import { emailKeys } from '../../platform/config/config.ts'
import { MAX_SIGNATURES, isAmong, isJsonObject, isTimely, onlyHeader, type SignatureScheme } from './signature.ts'

/** Size in bytes above which a body isn't hashed a second time for the literal form. */
const MAX_LITERAL_BYTES = 2 ** 20

/**
 * Verifies Standard Webhooks: `v1,<base64>` over `id.timestamp.body`, keyed by the base64 after `whsec_`. The literal
 * form is over the body alone, with the secret itself as key. Several secrets allow a rotation.
 */
export function emailScheme(secrets: readonly string[], strict: boolean): SignatureScheme {
  const keys = emailKeys(secrets, strict)
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
      const own = keys.map(({ bytes, isProviderForm }) => ({
        own: isProviderForm,
        hmac: createHmac('sha256', bytes).update(`${id}.${time}.`),
      }))
      return {
        update: (chunk) => own.forEach(({ hmac }) => hmac.update(chunk)),
        accepts(body) {
          const digests = own.map(({ own, hmac }) => ({ own, digest: hmac.digest('base64') }))
          if (digests.some(({ own, digest }) => own && isAmong(signatures, digest))) return true
          if (strict || body === undefined || body.length > MAX_LITERAL_BYTES) return false
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

/** Parses the `v1` signatures; undefined if there are none or too many. */
function parse(header: string): string[] | undefined {
  const items = header.split(' ')
  const signatures = items.filter((item) => item.startsWith('v1,')).map((item) => item.slice('v1,'.length))
  return signatures.length === 0 || items.length > MAX_SIGNATURES ? undefined : signatures
}
