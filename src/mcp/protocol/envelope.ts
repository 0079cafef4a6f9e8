import { isObject, type Fields } from './jsonrpc.ts'

const prefix = 'io.modelcontextprotocol/'
export const metaKeys = {
  version: `${prefix}protocolVersion`,
  clientInfo: `${prefix}clientInfo`,
  capabilities: `${prefix}clientCapabilities`,
  logLevel: `${prefix}logLevel`,
  serverInfo: `${prefix}serverInfo`,
} as const

/** Check of a value. Returns the path of its first fault as `.key.key` ('' is the value itself), or undefined. */
type Check = (value: unknown) => string | undefined

type EnvelopeFault = { key: string; problem: 'missing' | 'invalid' }

/**
 * Returns the first fault in the `_meta` of a 2026-07-28 request; a missing key comes before an invalid one. Source:
 * RequestMetaObject of that revision's schema.
 */
export function envelopeFault(meta: Fields): EnvelopeFault | undefined {
  const [missing] = missingKeys(meta)
  if (missing !== undefined) return { key: missing, problem: 'missing' }
  const path = envelope(meta)
  return path === undefined ? undefined : { key: path.slice(1), problem: 'invalid' }
}

export const missingKeys = (meta: Fields): string[] =>
  [metaKeys.version, metaKeys.capabilities].filter((key) => !(key in meta))

export function metaOf(params: unknown): Fields | undefined {
  if (!isObject(params)) return undefined
  const { _meta: meta } = params
  return isObject(meta) ? meta : undefined
}

/** Checks whether a request uses 2026-07-28: the key is present, with any value. */
export const hasClaim = (params: unknown): boolean => {
  const meta = metaOf(params)
  return meta !== undefined && metaKeys.version in meta
}

export function versionClaim(params: unknown): string | undefined {
  const version = metaOf(params)?.[metaKeys.version]
  return typeof version === 'string' ? version : undefined
}

const text: Check = (value) => (typeof value === 'string' ? undefined : '')
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : '')
const anyObject: Check = (value) => (isObject(value) ? undefined : '')
const token: Check = (value) => (typeof value === 'string' || Number.isSafeInteger(value) ? undefined : '')

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value)

const oneOf =
  (...allowed: string[]): Check =>
  (value) =>
    typeof value === 'string' && allowed.includes(value) ? undefined : ''

function fields(shape: Record<string, Check>): Check {
  const entries = Object.entries(shape)
  return (value) => {
    if (!isObject(value)) return ''
    for (const [key, check] of entries) {
      const fault = check(value[key])
      if (fault !== undefined) return `.${key}${fault}`
    }
    return undefined
  }
}

/** Applies a check to every member of an object or item of a list. Skips `__proto__`, as the official SDK does. */
const every =
  (check: Check) =>
  (members: Fields | unknown[]): string | undefined => {
    for (const [key, member] of Object.entries(members)) {
      const fault = key === '__proto__' ? undefined : check(member)
      if (fault !== undefined) return `.${key}${fault}`
    }
    return undefined
  }

const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) ? every(check)(value) : ''
const objects: Check = (value) => (isObject(value) ? every(anyObject)(value) : '')

const implementation = fields({
  name: text,
  title: optional(text),
  icons: optional(
    list(
      fields({
        src: text,
        mimeType: optional(text),
        sizes: optional(list(text)),
        theme: optional(oneOf('light', 'dark')),
      }),
    ),
  ),
  version: text,
  websiteUrl: optional(text),
  description: optional(text),
})

const capabilities = fields({
  experimental: optional(objects),
  sampling: optional(fields({ context: optional(anyObject), tools: optional(anyObject) })),
  elicitation: optional(
    fields({ form: optional(fields({ applyDefaults: optional(flag) })), url: optional(anyObject) }),
  ),
  roots: optional(fields({ listChanged: optional(flag) })),
  extensions: optional(objects),
})

const envelope = fields({
  progressToken: optional(token),
  [metaKeys.version]: text,
  [metaKeys.clientInfo]: optional(implementation),
  [metaKeys.capabilities]: capabilities,
  [metaKeys.logLevel]: optional(oneOf('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency')),
})
