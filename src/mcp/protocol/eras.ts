import { versionClaim, envelopeFault, hasClaim, metaKeys, metaOf, missingKeys } from './envelope.ts'
import {
  clip,
  codes,
  invalidRequest,
  isNotification,
  isObject,
  isRequest,
  isResponse,
  type RpcFault,
  type Notification,
  type Request,
  type Response,
} from './jsonrpc.ts'
import { nameFault, mismatch, type EraHeaders } from './headers.ts'

export const handshakeVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']
export const statelessVersion = '2026-07-28'

export const maxBatch = 50
/** The only revision with batches; it had no version header yet. */
const batchVersion = '2025-03-26'

/** Kind of a body, and the era whose rules apply to it. */
export type ClassifiedBody =
  | { kind: 'request'; era: 'handshake'; message: Request }
  | { kind: 'request'; era: 'stateless'; message: Request; version: string }
  | { kind: 'notification'; era: 'handshake'; message: Notification }
  | { kind: 'notification'; era: 'stateless'; message: Notification; version: string }
  | { kind: 'response'; era: 'handshake'; message: Response }
  | { kind: 'batch'; era: 'handshake'; messages: readonly unknown[] }
  | { kind: 'refused'; era: null; fault: RpcFault }

/** Classifies an inbound body. Refuses a message that this server does not support. */
export function classify(headers: EraHeaders, body: unknown): ClassifiedBody {
  const inbound = eraOf(headers, body)
  const fault = inbound.kind === 'refused' ? undefined : serviceFault(headers, inbound)
  return fault ? refuseBody(fault) : inbound
}

/**
 * Returns the era of a body. `initialize` and messages that claim no version in `_meta` belong to the handshake era.
 * The version header only has to agree, but it decides for a notification without a claim.
 */
export function eraOf(headers: EraHeaders, body: unknown): ClassifiedBody {
  if (Array.isArray(body)) return eraOfBatch(body)
  if (isRequest(body)) return eraOfRequest(headers, body)
  if (isNotification(body)) return eraOfNotification(headers, body)
  if (isResponse(body)) return { kind: 'response', era: 'handshake', message: body }
  return refuseBody(invalidRequest('the body is not a JSON-RPC 2.0 message'))
}

function eraOfBatch(messages: readonly unknown[]): ClassifiedBody {
  if (messages.length === 0) return refuseBody(invalidRequest('the batch is empty'))
  for (const message of messages) {
    if (isObject(message) && hasClaim(message.params))
      return refuseBody(invalidRequest(`${statelessVersion} does not support batches`))
    if (!isRequest(message) && !isNotification(message) && !isResponse(message)) {
      return refuseBody(invalidRequest('the batch contains something that is not a JSON-RPC 2.0 message'))
    }
  }
  return { kind: 'batch', era: 'handshake', messages }
}

function eraOfRequest(headers: EraHeaders, message: Request): ClassifiedBody {
  if (message.method === 'initialize' && !claimsStateless(message)) {
    if (isStateless(headers.version))
      return refuseBody(mismatch(headers.version, 'initialize belongs to an older revision'))
    return { kind: 'request', era: 'handshake', message }
  }
  if (!hasClaim(message.params)) {
    if (isStateless(headers.version)) return refuseBody(missingClaimFault(headers.version, message))
    return { kind: 'request', era: 'handshake', message }
  }
  const envelopeProblem = envelopeFault(metaOf(message.params) ?? {})
  if (envelopeProblem) return refuseBody(badEnvelope(envelopeProblem.key, envelopeProblem.problem))
  const version = versionClaim(message.params) ?? ''
  const mismatchFault = headerFault(headers, message.method, version)
  return mismatchFault ? refuseBody(mismatchFault) : { kind: 'request', era: 'stateless', message, version }
}

function eraOfNotification(headers: EraHeaders, message: Notification): ClassifiedBody {
  if (!hasClaim(message.params)) {
    if (!isStateless(headers.version)) return { kind: 'notification', era: 'handshake', message }
    const mismatchFault = headerFault(headers, message.method, headers.version)
    return mismatchFault
      ? refuseBody(mismatchFault)
      : { kind: 'notification', era: 'stateless', message, version: headers.version }
  }
  const version = versionClaim(message.params)
  if (version === undefined) return refuseBody(badEnvelope(metaKeys.version, 'invalid'))
  const mismatchFault = headerFault(headers, isStateless(version) ? message.method : undefined, version)
  return mismatchFault ? refuseBody(mismatchFault) : { kind: 'notification', era: 'stateless', message, version }
}

/** Compares revisions as text: they are ISO dates, so alphabetical order is their order in time. */
const isStateless = (version: string | undefined): version is string =>
  version !== undefined && version >= statelessVersion

const claimsStateless = (message: Request): boolean =>
  isStateless(versionClaim(message.params)) && envelopeFault(metaOf(message.params) ?? {}) === undefined

function headerFault(headers: EraHeaders, method: string | undefined, version: string): RpcFault | undefined {
  if (headers.version !== undefined && headers.version !== version) {
    return mismatch(headers.version, `_meta has MCP-Protocol-Version ${clip(version)}`)
  }
  if (method !== undefined && headers.method !== undefined && headers.method !== method) {
    return mismatch(headers.method, `the method is ${clip(method)}`)
  }
  return undefined
}

function serviceFault(
  headers: EraHeaders,
  inbound: Exclude<ClassifiedBody, { kind: 'refused' }>,
): RpcFault | undefined {
  if (inbound.era === 'stateless') {
    if (inbound.version !== statelessVersion) return statelessVersionFault(inbound.version)
    return inbound.kind === 'request' ? nameFault(headers, inbound.message) : undefined
  }
  if (inbound.kind === 'request' && inbound.message.method === 'initialize') return undefined
  if (inbound.kind === 'batch') return batchFault(headers.version, inbound.messages)
  return handshakeVersionFault(headers.version)
}

const handshakeVersionFault = (version: string | undefined): RpcFault | undefined =>
  version === undefined || handshakeVersions.includes(version)
    ? undefined
    : { status: 400, code: codes.transport, message: versionMessage(version, handshakeVersions) }

function batchFault(version: string | undefined, messages: readonly unknown[]): RpcFault | undefined {
  if (version !== undefined && version !== batchVersion) return invalidRequest(`only ${batchVersion} supports batches`)
  if (messages.length > maxBatch) {
    return invalidRequest(`a batch can have at most ${maxBatch} messages (got ${messages.length})`)
  }
  if (messages.some((message) => isRequest(message) && message.method === 'initialize')) {
    return invalidRequest('initialize cannot be part of a batch')
  }
  return undefined
}

const refuseBody = (fault: RpcFault): ClassifiedBody => ({ kind: 'refused', era: null, fault })

/** Returns the error that lists the supported versions, so that the client can pick one and retry. */
const statelessVersionFault = (requested: string): RpcFault => ({
  status: 400,
  code: codes.unsupportedVersion,
  message: versionMessage(requested, [statelessVersion]),
  data: { supported: [statelessVersion], requested: clip(requested) },
})

const versionMessage = (version: string, supported: readonly string[]): string =>
  `Unsupported protocol version: ${clip(version)} (supported: ${supported.join(', ')})`

const badEnvelope = (key: string, problem: string): RpcFault => ({
  status: 400,
  code: codes.invalidParams,
  message: `Invalid params: _meta ${clip(key)} is ${problem}`,
  data: { envelope: { key, problem } },
})

function missingClaimFault(version: string, message: Request): RpcFault {
  const meta = metaOf(message.params)
  const missing = meta ? missingKeys(meta) : ['_meta']
  const needed = missing.join(', ')
  return {
    status: 400,
    code: codes.invalidParams,
    message: `Invalid params: MCP-Protocol-Version is ${clip(version)}, and a request of that revision needs ${needed}`,
    data: { envelope: { missing } },
  }
}
