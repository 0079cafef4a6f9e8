import { codes, type RpcFault } from './jsonrpc.ts'
import type { IncomingMessage } from 'node:http'

/** Is 4 MiB. */
export const maxBody = 4 * 1024 * 1024

/** What HTTP itself refuses before a byte of the body is read: 405, 406 and 415. */
export function transportFault(req: IncomingMessage): RpcFault | undefined {
  if (req.method !== 'POST') return fault(405, 'Method not allowed: send POST')
  if (!acceptsBoth(req.headers.accept)) {
    return fault(406, 'Not acceptable: Accept must name application/json and text/event-stream')
  }
  if (mediaType(req.headers['content-type']) !== json) return fault(415,
    'Unsupported media type: Content-Type must be application/json')
  return undefined
}

/**
 * The whole body, or a 413 when it is declared or turns out longer than `maxBody`; undefined when its sender left. What
 * comes after a refusal is thrown away, up to four times the cap, so that a sender who still writes can read the answer.
 */
export function readBody(req: IncomingMessage): Promise<Buffer | RpcFault | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let tooLarge = Number(req.headers['content-length']) > maxBody
    if (tooLarge) resolve(payloadTooLarge)
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > 4 * maxBody) req.destroy()
      if (tooLarge) return
      chunks.push(chunk)
      if (size <= maxBody) return
      tooLarge = true
      chunks.length = 0
      resolve(payloadTooLarge)
    })
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size)))
    req.on('error', () => resolve(undefined))
    req.on('close', () => resolve(undefined))
  })
}

const json = 'application/json'
const eventStream = 'text/event-stream'

const fault = (status: number, message: string): RpcFault => ({ status, code: codes.transport, message })

const payloadTooLarge = fault(413, `Payload too large: a body holds at most ${maxBody} bytes`)

/**
 * Tells whether both types are accepted; what the official clients send is recognized by one comparison, and a wildcard
 * names neither.
 */
function acceptsBoth(accept: string | undefined): boolean {
  if (accept === `${json}, ${eventStream}`) return true
  const named = accept?.split(',').map(mediaType) ?? []
  return named.includes(json) && named.includes(eventStream)
}

function mediaType(value: string | undefined): string | undefined {
  if (value === json) return json
  return value?.split(';', 1)[0]?.trim().toLowerCase()
}
