import { announcementOf } from '../protocol/announcement.ts'
import { metaKeys, metaOf } from '../protocol/envelope.ts'
import { codes, errorClosing, isObject, type RpcFault, type Fields } from '../protocol/jsonrpc.ts'
import type { Answer, Exchange } from '../protocol/exchange.ts'
import type { InputRequired, ToolServer } from '../protocol/types.ts'

/**
 * Asks the client for input before it repeats the request (SEP-2322), if it declared the capability. Older revisions
 * have no such result.
 */
export function inputRequired(
  server: ToolServer<never>,
  { era, message }: Exchange,
  { inputRequests, requestState }: InputRequired,
): Omit<Answer, 'tool'> {
  if (era === 'handshake') return fault(unsupportedFault)
  const missing = missingCapabilities(metaOf(message.params)?.[metaKeys.capabilities], inputRequests)
  if (Object.keys(missing).length > 0) return fault(missingCapability(missing))
  const members = JSON.stringify({ resultType: 'input_required', inputRequests, requestState }).slice(1, -1)
  return { status: 200, closing: `"result":{${members},${announcementOf(server).identity}}}`, errorCode: null }
}

/** Capability that each request to the client requires. */
const REQUIRED_CAPABILITIES: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

function missingCapabilities(declared: unknown, requests: InputRequired['inputRequests']): Fields {
  const needed = Object.values(requests).map(({ method }) => REQUIRED_CAPABILITIES[method] ?? method)
  return Object.fromEntries(
    needed.filter((name) => !isObject(declared) || !Object.hasOwn(declared, name)).map((name) => [name, {}]),
  )
}

const unsupportedFault: RpcFault = {
  status: 200,
  code: codes.internal,
  message: 'This call needs input from the client first, which requires revision 2026-07-28',
}

const missingCapability = (requiredCapabilities: Fields): RpcFault => ({
  status: 400,
  code: codes.missingCapability,
  message: `This call requires a client that declares ${Object.keys(requiredCapabilities).join(', ')}`,
  data: { requiredCapabilities },
})

const fault = (rpcFault: RpcFault): Omit<Answer, 'tool'> => ({
  status: rpcFault.status,
  closing: errorClosing(rpcFault),
  errorCode: rpcFault.code,
})
