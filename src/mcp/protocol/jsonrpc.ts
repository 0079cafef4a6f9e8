import { parseBoundedJson } from '../../platform/validation/json.ts'

export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  transport: -32000,
  /** Handshake era only. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

export type Id = string | number
export type Fields = Record<string, unknown>
export type Request = { jsonrpc: '2.0'; id: Id; method: string; params?: Fields }
export type Response = { jsonrpc: '2.0'; id?: Id; result?: Fields }
export type Notification = { jsonrpc: '2.0'; method: string; params?: Fields }

export const noParams: Fields = {}

/** JSON-RPC error with its HTTP status. */
export type RpcFault = { status: number; code: number; message: string; data?: Fields }

/**
 * Parses a body: UTF-8 JSON of up to 64 levels and 50,000 values, with or without a byte order mark. Returns a fault
 * with code -32700 or -32600 otherwise.
 */
export function parse(body: Buffer): { value: unknown } | { fault: RpcFault } {
  const parsed = parseBoundedJson(body)
  if ('value' in parsed) return parsed
  return { fault: 'excess' in parsed ? invalidRequest(parsed.excess) : unparsable(`the body ${parsed.flaw}`) }
}

export const invalidRequest = (reason: string): RpcFault => ({
  status: 400,
  code: codes.invalidRequest,
  message: `Invalid request: ${reason}`,
})

const unparsable = (reason: string): RpcFault => ({ status: 400, code: codes.parse, message: `Parse error: ${reason}` })

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Checks for a JSON-RPC request: only these members, an id that is a string or safe integer, params by name. */
export const isRequest = (value: unknown): value is Request =>
  isObject(value) &&
  value.jsonrpc === '2.0' &&
  isId(value.id) &&
  typeof value.method === 'string' &&
  isParams(value.params) &&
  hasOnly(value, requestMembers)

/** Checks for a message without an id. A message with `id: null` is neither a request nor a notification. */
export const isNotification = (value: unknown): value is Notification =>
  isObject(value) &&
  value.jsonrpc === '2.0' &&
  typeof value.method === 'string' &&
  isParams(value.params) &&
  hasOnly(value, notificationMembers)

export function isResponse(value: unknown): value is Response {
  if (!isObject(value) || value.jsonrpc !== '2.0') return false
  if (isObject(value.result)) return isId(value.id) && isMetaHolder(value.result) && hasOnly(value, resultMembers)
  const error = value.error
  return (
    isObject(error) &&
    Number.isSafeInteger(error.code) &&
    typeof error.message === 'string' &&
    (value.id === undefined || isId(value.id)) &&
    hasOnly(value, errorMembers)
  )
}

const requestMembers = new Set(['jsonrpc', 'id', 'method', 'params'])
const notificationMembers = new Set(['jsonrpc', 'method', 'params'])
const resultMembers = new Set(['jsonrpc', 'id', 'result'])
const errorMembers = new Set(['jsonrpc', 'id', 'error'])

function hasOnly(value: Fields, members: Set<string>): boolean {
  for (const key in value) if (!members.has(key)) return false
  return true
}

/** Maximum length of an id, which every answer repeats. Clients send a counter or a UUID. */
const MAX_ID_LENGTH = 256

const isId = (value: unknown): value is Id =>
  typeof value === 'string' ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value)

function isMetaHolder(value: Fields): boolean {
  const { _meta: meta } = value
  return meta === undefined || isObject(meta)
}

function isParams(value: unknown): boolean {
  if (value === undefined) return true
  if (!isObject(value)) return false
  const { _meta: meta } = value
  if (meta === undefined) return true
  if (!isObject(meta)) return false
  const task = meta['io.modelcontextprotocol/related-task']
  return (
    (meta.progressToken === undefined || isId(meta.progressToken)) &&
    (task === undefined || (isObject(task) && typeof task.taskId === 'string'))
  )
}

/**
 * Returns the id for the answer to a refused body, as JSON: its own if it is a single request whose id is readable and
 * not too long, otherwise null.
 */
export function idOf(body: unknown): string {
  if (!isObject(body) || typeof body.method !== 'string') return 'null'
  const { id } = body
  return typeof id === 'number' || (typeof id === 'string' && id.length <= MAX_ID_LENGTH) ? JSON.stringify(id) : 'null'
}

/**
 * Starts a message. Every message ends with its `result` or `error`, so that precomputed bytes can follow the only part
 * that varies.
 */
export const messageStart = (id: string): string => `{"jsonrpc":"2.0","id":${id},`
export const errorClosing = (fault: RpcFault): string =>
  `"error":${JSON.stringify({ code: fault.code, message: fault.message, data: fault.data })}}`

/** Shortens a sender's text for an echo or for the log. */
export const clip = (text: string): string => (text.length > 64 ? `${text.slice(0, 64)}…` : text)
