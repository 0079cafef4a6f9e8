import { createHmac } from 'node:crypto'
import { MIN_SECRET_BYTES } from '../../platform/config/config.ts'
import { readForm, type PostedForm } from './form.ts'
import { isAmong, onlyHeader, type SignatureScheme, type SignedRequest } from './signature.ts'

const BASE64 = /^[A-Za-z0-9+/]{27}=$/
const HEX = /^[0-9a-f]{40}$/i

/**
 * Verifies base64 HMAC-SHA1 over the public URL and the form fields, keyed by the auth token. The literal form is its
 * hex.
 */
export function smsScheme(
  secrets: readonly string[],
  strict: boolean,
  urlsOf: (request: SignedRequest) => string[],
): SignatureScheme {
  const keys = secrets.map((secret) => Buffer.from(secret)).filter(({ length }) => length >= MIN_SECRET_BYTES)
  return {
    isConfigured: keys.length > 0,
    open(request) {
      const signature = onlyHeader(request, 'x-sms-signature')
      const encoding = signature === undefined ? undefined : encodingOf(signature, strict)
      if (signature === undefined || encoding === undefined) return undefined
      const signatures = [encoding === 'hex' ? signature.toLowerCase() : signature]
      return {
        update: () => {},
        accepts(body) {
          if (body === undefined) return false
          const fields = fieldsToSign(readForm(body))
          const digests = keys.flatMap((key) =>
            urlsOf(request).map((url) =>
              createHmac('sha1', key)
                .update(url + fields)
                .digest(encoding),
            ),
          )
          return digests.some((digest) => isAmong(signatures, digest))
        },
      }
    },
  }
}

const encodingOf = (signature: string, strict: boolean): 'base64' | 'hex' | undefined =>
  BASE64.test(signature) ? 'base64' : HEX.test(signature) && !strict ? 'hex' : undefined

/** Joins the fields to sign: names in code-unit order, each followed by each of its distinct values, sorted. */
const fieldsToSign = (form: PostedForm): string =>
  [...form.keys()]
    .sort()
    .map((name) =>
      [...new Set(form.get(name))]
        .sort()
        .map((value) => name + value)
        .join(''),
    )
    .join('')
