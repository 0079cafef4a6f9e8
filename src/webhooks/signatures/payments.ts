import { createHmac } from 'node:crypto'
import { MIN_SECRET_BYTES } from '../../platform/config/config.ts'
import { MAX_SIGNATURES, isAmong, isJsonObject, isTimely, onlyHeader, type SignatureScheme } from './signature.ts'

/** Parsed header. `hasEmpty` marks a time or a signature without a value, which the provider's own library rejects. */
type Header = { time: string | undefined; signatures: string[]; hasEmpty: boolean }

const HEX = /^[0-9a-f]{64}$/i

/**
 * Verifies `t=<unix>,v1=<hex>` over `t.body`, with the whole secret as key. The literal forms are the hex alone,
 * `sha256=<hex>` or `v1=<hex>` over the body, and `t=…,v1=<hex>` over the body alone.
 */
export function paymentsScheme(secret: string | null, strict: boolean): SignatureScheme {
  const key = Buffer.from(secret ?? '')
  return {
    isConfigured: key.length >= MIN_SECRET_BYTES,
    open(request, nowSeconds) {
      const header = onlyHeader(request, 'payments-signature')
      const parsed = header === undefined ? undefined : parse(header)
      if (parsed === undefined || ((parsed.time === undefined || parsed.hasEmpty) && strict)) return undefined
      if (parsed.time !== undefined && !isTimely(parsed.time, nowSeconds)) return undefined
      const own = parsed.time === undefined ? undefined : createHmac('sha256', key).update(`${parsed.time}.`)
      return {
        update: (chunk) => void own?.update(chunk),
        accepts: (body) =>
          (own !== undefined && isAmong(parsed.signatures, own.digest('hex'))) ||
          (!strict &&
            body !== undefined &&
            isAmong(parsed.signatures, createHmac('sha256', key).update(body).digest('hex')) &&
            isJsonObject(body)),
      }
    },
  }
}

/** Parses the header; undefined for two times, or no or too many signatures. Ignores other schemes (`v0`, `sha1`). */
function parse(header: string): Header | undefined {
  if (HEX.test(header)) return { time: undefined, signatures: [header.toLowerCase()], hasEmpty: false }
  const items = header.split(/, */).map(item)
  const times = items.filter(({ name }) => name === 't').map(({ value }) => value)
  if (times.length > 1 || items.length > MAX_SIGNATURES + 1) return undefined
  const [time] = times
  const named = time === undefined ? ['v1', 'sha256'] : ['v1']
  const signatures = items
    .filter(({ name, value }) => named.includes(name) && HEX.test(value))
    .map(({ value }) => value.toLowerCase())
  const hasEmpty = items.some(
    ({ name, value }) => (name === 'v1' && value === '') || (name === '' && ['v1', 't'].includes(value)),
  )
  return signatures.length === 0 ? undefined : { time, signatures, hasEmpty }
}

function item(text: string): { name: string; value: string } {
  const equals = text.indexOf('=')
  return equals < 0 ? { name: '', value: text } : { name: text.slice(0, equals), value: text.slice(equals + 1) }
}
