import { announcementOf, freshMs, stampWith } from '../protocol/announcement.ts'
import { inputRequired } from '../rounds/input_required.ts'
import { clip, codes, errorClosing, type Fields, type RpcFault } from '../protocol/jsonrpc.ts'
import type { Answer, Exchange } from '../protocol/exchange.ts'
import type { Era, Reply, McpSession, ToolServer } from '../protocol/types.ts'

/** JSON-RPC method, with the eras that have it. */
export type Method = {
  eras: readonly Era[]
  answer<Caller>(server: ToolServer<Caller>, session: McpSession<Caller>, exchange: Exchange): Promise<Answer>
}

/** Answers without reading a tenant row, after checking that the credential is still valid. */
export function announceMethod(announce: (server: ToolServer<never>, exchange: Exchange) => Answer): Method['answer'] {
  return async (server, session, exchange) => {
    await session.confirmAccess()
    return announce(server, exchange)
  }
}

export const okAnswer = (closing: string | Buffer): Answer => ({ status: 200, closing, tool: null, errorCode: null })

export const faultAnswer = (fault: RpcFault, tool: string | null = null): Answer => ({
  status: fault.status,
  closing: errorClosing(fault),
  tool,
  errorCode: fault.code,
})

/** Returns a JSON-RPC error under HTTP 200: the HTTP exchange succeeded, the request did not. */
export const invalidParams = (reason: string): RpcFault => ({
  status: 200,
  code: codes.invalidParams,
  message: `Invalid params: ${reason}`,
})

/** Refuses every cursor: each list is a single page, so no cursor was ever issued. */
export function cursorFault({ message: { method, params } }: Exchange): RpcFault | undefined {
  return (params?.cursor ?? null) === null ? undefined : invalidParams(`unknown cursor; ${method} is a single page`)
}

/** Converts a server's reply to an answer, with cache hints (`fresh`, in milliseconds) where the revision has them. */
export function replyAnswer(
  server: ToolServer<never>,
  exchange: Exchange,
  reply: Reply,
  { tool = null, fresh }: { tool?: string | null; fresh?: number } = {},
): Answer {
  if ('refused' in reply) return faultAnswer(faultOf(exchange, reply), tool)
  if ('inputRequests' in reply) return { ...inputRequired(server, exchange, reply), tool }
  if ('task' in reply) {
    const members = JSON.stringify({ ...reply.task, resultType: 'task' }).slice(1, -1)
    return { ...okAnswer(`"result":{${members},${announcementOf(server).identity}}}`), tool }
  }
  const closing = `"result":${resultJson(server, exchange.era, reply.result, fresh)}}`
  return { status: 200, closing, tool, errorCode: reply.code ?? null }
}

function resultJson(server: ToolServer<never>, era: Era, whole: Fields, fresh: number | undefined): string {
  if (era === 'handshake') return JSON.stringify(whole)
  const { stamp, hints } = announcementOf(server)
  const { _meta: meta, ...result } = whole
  const members = JSON.stringify(result).slice(1, -1)
  const ending = meta === undefined ? stamp : stampWith(server, meta)
  return `{${members}${fresh === undefined ? '' : hints(fresh)}${ending}}`
}

/** Returns a list from prebuilt JSON. It stays fresh as long as the announcement. */
export function listAnswer(server: ToolServer<never>, { era }: Exchange, member: string, json: string): Answer {
  const { stamp, hints } = announcementOf(server)
  return okAnswer(`"result":{"${member}":${json}${era === 'handshake' ? '' : hints(freshMs) + stamp}}}`)
}

const CODES = { invalid: codes.invalidParams, internal: codes.internal } as const

/** Returns the error of a reply. 2026-07-28 has no error code of its own for a missing resource (SEP-2164). */
function faultOf(
  { era, message: { params } }: Exchange,
  { refused: kind, message }: Extract<Reply, { refused: string }>,
): RpcFault {
  if (kind !== 'absent') return { status: 200, code: CODES[kind], message }
  const code = era === 'handshake' ? codes.resourceNotFound : codes.invalidParams
  return { status: 200, code, message, data: { uri: clip(String(params?.uri)) } }
}
