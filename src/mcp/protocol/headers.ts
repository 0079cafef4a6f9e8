import { clip, codes, isObject, type RpcFault, type Fields, type Request } from './jsonrpc.ts'
import type { IncomingHttpHeaders } from 'node:http'

/** Headers that repeat parts of the body for gateways: MCP-Protocol-Version, Mcp-Method, Mcp-Name. */
export type EraHeaders = { version: string | undefined; method: string | undefined; name: string | undefined }

export const eraHeaders = (headers: IncomingHttpHeaders): EraHeaders => ({
  version: valueOf(headers['mcp-protocol-version']),
  method: valueOf(headers['mcp-method']),
  name: valueOf(headers['mcp-name']),
})

/** Returns a header's value without surrounding white space, which is not part of it (RFC 9110 5.5). */
function valueOf(header: string | string[] | undefined): string | undefined {
  const value = Array.isArray(header) ? header.join(', ') : header
  if (value === undefined) return undefined
  let start = 0
  let end = value.length
  while (start < end && isBlank(value.charCodeAt(start))) start++
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--
  return value.slice(start, end)
}

const isBlank = (character: number): boolean => character === 0x20 || character === 0x09

/** Member of `params` that the Mcp-Name header repeats, by method; the tasks extension defines its own. */
const NAME_MEMBERS = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/**
 * Requires the three headers of a 2026-07-28 request and compares Mcp-Name with the body. The other two were compared
 * when the era was determined.
 */
export function nameFault(headers: EraHeaders, message: Request): RpcFault | undefined {
  if (headers.version === undefined) return mismatch(missing, 'MCP-Protocol-Version is required')
  if (headers.method === undefined) return mismatch(missing, 'Mcp-Method is required')
  const member = NAME_MEMBERS.get(message.method)
  if (member === undefined) return undefined
  const value = isObject(message.params) ? message.params[member] : undefined
  const bodyName = typeof value === 'string' ? value : undefined
  if (headers.name === undefined) return bodyName === undefined ? undefined : mismatch(missing, 'Mcp-Name is required')
  const decoded = decode(headers.name)
  if (decoded === undefined) return mismatch(headers.name, 'Mcp-Name is not Base64 of UTF-8')
  if (bodyName === undefined || decoded === bodyName) return undefined
  return mismatch(headers.name, `params.${member} is ${clip(bodyName)}`)
}

/**
 * Checks the arguments that a caller repeats as `Mcp-Param-…` headers: each given argument needs an equal header
 * (SEP-2243).
 */
export function paramFault(
  headers: IncomingHttpHeaders,
  repeated: ReadonlyMap<string, string>,
  args: Fields,
): RpcFault | undefined {
  for (const [argument, suffix] of repeated) {
    const value = args[argument]
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue
    const header = valueOf(headers[`mcp-param-${suffix.toLowerCase()}`])
    if (header === undefined) return mismatch(missing, `Mcp-Param-${suffix} is required`)
    const decoded = decode(header)
    if (decoded === undefined) return mismatch(header, `Mcp-Param-${suffix} is not Base64 of UTF-8`)
    const isEqual = typeof value === 'number' ? Number(decoded) === value : decoded === String(value)
    if (!isEqual) return mismatch(header, `params.arguments.${argument} is ${clip(String(value))}`)
  }
  return undefined
}

const missing = '(missing)'

/** Returns the revision's HeaderMismatch error: the header as sent, and the value in the body. */
export const mismatch = (header: string, body: string): RpcFault => ({
  status: 400,
  code: codes.headerMismatch,
  message: `Header mismatch: the header is ${clip(header)}, but ${body}`,
  data: { mismatch: { header: clip(header), body } },
})

const BASE64_MARKERS = { start: '=?base64?', end: '?=' }
const BASE64_PATTERN = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes a header value. Non-ASCII text travels as `=?base64?…?=`; returns undefined if its content is malformed. */
function decode(value: string): string | undefined {
  if (!value.startsWith(BASE64_MARKERS.start) || !value.endsWith(BASE64_MARKERS.end)) return value
  const encoded = value.slice(BASE64_MARKERS.start.length, -BASE64_MARKERS.end.length)
  if (!BASE64_PATTERN.test(encoded)) return undefined
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'))
  } catch {
    return undefined
  }
}

/** Returns the client's User-Agent, cut to 300 characters; empty if there is none. */
export const softwareOf = ({ headers }: { headers: IncomingHttpHeaders }): string =>
  (headers['user-agent'] ?? '').slice(0, 300)
