import { announcementOf } from './protocol/announcement.ts'
import { announceMethod, okAnswer, invalidParams, faultAnswer, type Method } from './endpoint/answer.ts'
import { handshakeVersions } from './protocol/eras.ts'
import { softwareOf } from './protocol/headers.ts'
import { clip, codes, type RpcFault } from './protocol/jsonrpc.ts'
import { complete } from './methods/completion.ts'
import { getPrompt, listPrompts } from './methods/prompts.ts'
import { listResources, listTemplates, readResource } from './methods/resources.ts'
import { cancelTask, getTask, acknowledgeTask } from './methods/tasks.ts'
import { callTool, listTools } from './methods/tools.ts'
import type { Answer, Exchange } from './protocol/exchange.ts'
import type { Era, McpSession, ToolServer } from './protocol/types.ts'

const both: readonly Era[] = ['handshake', 'stateless']

const methods = new Map<string, Method>([
  ['initialize', { eras: ['handshake'], answer: initialize }],
  ['ping', { eras: ['handshake'], answer: announceMethod(ping) }],
  ['server/discover', { eras: ['stateless'], answer: discover }],
  ['tools/list', { eras: both, answer: listTools }],
  ['tools/call', { eras: both, answer: callTool }],
  ['resources/list', { eras: both, answer: listResources }],
  ['resources/templates/list', { eras: both, answer: listTemplates }],
  ['resources/read', { eras: both, answer: readResource }],
  ['prompts/list', { eras: both, answer: listPrompts }],
  ['prompts/get', { eras: both, answer: getPrompt }],
  ['completion/complete', { eras: both, answer: complete }],
  ['tasks/get', { eras: ['stateless'], answer: getTask }],
  ['tasks/update', { eras: ['stateless'], answer: acknowledgeTask }],
  ['tasks/cancel', { eras: ['stateless'], answer: cancelTask }],
])

/** Names of the supported methods. */
export const METHODS: readonly string[] = [...methods.keys()]

/** Maximum size of a request in bytes. A tool call has the tool's own limit. */
export const DEFAULT_MAX_BYTES = 256 * 1024

const unanswered = new Set([
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'batch',
])

/** Checks whether a logged method is ours or the protocol's; a client may send any other name. */
export const isMethod = (name: string): boolean => methods.has(name) || unanswered.has(name)

/** Answers a request under a credential that the session checks. Rejects only when the session does. */
export async function answer<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const method = methods.get(exchange.message.method)
  const isOffered = !exchange.message.method.startsWith('tasks/') || server.readTask !== undefined
  if (!isOffered || !method?.eras.includes(exchange.era)) return faultAnswer(unknownMethod(exchange))
  if (exchange.bytes > DEFAULT_MAX_BYTES && exchange.message.method !== 'tools/call')
    return faultAnswer(invalidParams(`at most ${DEFAULT_MAX_BYTES} bytes of JSON (got ${exchange.bytes})`))
  return method.answer(server, session, exchange)
}

async function initialize<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const { message, deadline } = exchange
  const requested = message.params?.protocolVersion
  if (typeof requested !== 'string') {
    await session.confirmAccess()
    return faultAnswer(invalidParams('protocolVersion must be a string'))
  }
  const version = handshakeVersions.includes(requested) ? requested : (handshakeVersions[0] ?? '')
  const client = { software: softwareOf(exchange), capabilities: message.params?.capabilities }
  const [instructions] = await session.run((caller) =>
    Promise.all([server.instructions(caller, deadline), server.noteClient?.(caller, client)]),
  )
  return okAnswer(announcementOf(server).initialize(version, instructions))
}

function ping(): Answer {
  return okAnswer('"result":{}}')
}

async function discover<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  { deadline }: Exchange,
): Promise<Answer> {
  return okAnswer(announcementOf(server).discover(await session.run((caller) => server.instructions(caller, deadline))))
}

/** Returns the error of an unknown method: HTTP 404 in 2026-07-28, 200 in the handshake revisions. */
const unknownMethod = ({ era, message }: Exchange): RpcFault => ({
  status: era === 'stateless' ? 404 : 200,
  code: codes.methodNotFound,
  message: `Method not found: ${clip(message.method)}`,
})
