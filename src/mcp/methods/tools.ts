import { announcementOf } from '../protocol/announcement.ts'
import { cursorFault, okAnswer, invalidParams, listAnswer, faultAnswer, replyAnswer } from '../endpoint/answer.ts'
import { paramFault, softwareOf } from '../protocol/headers.ts'
import { clip, isObject, noParams, type Fields } from '../protocol/jsonrpc.ts'
import { unknownName } from '../protocol/unknown_name.ts'
import type { Answer, Exchange } from '../protocol/exchange.ts'
import type { Reply, McpSession, ToolServer } from '../protocol/types.ts'

/** Lists all tools, or only the caller's where the client asked for its own. */
export async function listTools<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  await session.confirmAccess()
  const fault = cursorFault(exchange)
  if (fault) return faultAnswer(fault)
  const { ownToolsJson } = server
  if (ownToolsJson === undefined) return okAnswer(announcementOf(server).toolsList[exchange.era])
  return listAnswer(server, exchange, 'tools', await session.run(async (caller) => ownToolsJson(caller)))
}

export async function callTool<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const called = readToolCall(server, exchange)
  if ('closing' in called) {
    await session.confirmAccess()
    return called
  }
  const { name, args, params } = called
  if (exchange.bytes > server.bytesOf(name)) {
    await session.confirmAccess()
    return replyAnswer(server, exchange, tooLong(name, exchange.bytes, server.bytesOf(name)), { tool: name })
  }
  const reply = await session.run((caller) =>
    server.callTool(caller, name, args, {
      client: exchange.client,
      params,
      progress: exchange.progress,
      clientChannel: exchange.sendRequest && { software: softwareOf(exchange), sendRequest: exchange.sendRequest },
      deadline: exchange.deadline,
    }),
  )
  return replyAnswer(server, exchange, reply, { tool: name })
}

/** Refuses a call that is too large, as a tool result, which clients show to their model. */
const tooLong = (name: string, bytes: number, maxBytes: number): Reply => ({
  result: {
    content: [
      {
        type: 'text',
        text:
          `invalid_input: a call to ${name} can have at most ${maxBytes} bytes of JSON (got ${bytes}); ` +
          'send less at a time',
      },
    ],
    isError: true,
  },
  code: 'invalid_input',
})

/** Returns the requested tool and its arguments, or the refusal. */
function readToolCall<Caller>(
  server: ToolServer<Caller>,
  { era, message, headers }: Exchange,
): { name: string; args: Fields; params: Fields } | Answer {
  const { params = noParams } = message
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string') return faultAnswer(invalidParams('name must be a string: the tool to call'))
  if (!server.hasTool(name))
    return faultAnswer(invalidParams(unknownName('tool', name, server.nearestTool, 'see tools/list')), clip(name))
  if (!isObject(args)) return faultAnswer(invalidParams('arguments must be an object'), name)
  const paramHeaders = era === 'handshake' ? undefined : server.headersOf?.(name)
  const fault = paramHeaders && paramFault(headers, paramHeaders, args)
  return fault ? faultAnswer(fault, name) : { name, args, params }
}
