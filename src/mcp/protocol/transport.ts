import { codes, type RpcFault } from './jsonrpc.ts'
import type { BodyLimits } from '../../platform/http/body.ts'
import type { IncomingMessage } from 'node:http'

/** Maximum size of a body: 4 MiB. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024

export const BODY_LIMITS: BodyLimits = { maxBytes: MAX_BODY_BYTES }

/** Returns the fault of a request that HTTP refuses before its body is read: 405, 406 or 415. */
export function transportFault(req: IncomingMessage): RpcFault | undefined {
  if (req.method !== 'POST') return fault(405, 'Method not allowed: send POST')
  if (!acceptsBoth(req.headers.accept)) {
    return fault(406, 'Not acceptable: Accept must name application/json and text/event-stream')
  }
  if (mediaType(req.headers['content-type']) !== json)
    return fault(415, 'Unsupported media type: Content-Type must be application/json')
  return undefined
}

const json = 'application/json'
const eventStream = 'text/event-stream'

const fault = (status: number, message: string): RpcFault => ({ status, code: codes.transport, message })

export const payloadTooLarge = fault(413, `Payload too large: a body can have at most ${MAX_BODY_BYTES} bytes`)

/** Checks whether both types are accepted. The first comparison matches the official clients. Wildcards don't count. */
function acceptsBoth(accept: string | undefined): boolean {
  if (accept === `${json}, ${eventStream}`) return true
  const named = accept?.split(',').map(mediaType) ?? []
  return named.includes(json) && named.includes(eventStream)
}

function mediaType(value: string | undefined): string | undefined {
  if (value === json) return json
  return value?.split(';', 1)[0]?.trim().toLowerCase()
}
