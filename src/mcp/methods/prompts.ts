import { freshMs } from '../protocol/announcement.ts'
import { cursorFault, invalidParams, faultAnswer, replyAnswer } from '../endpoint/answer.ts'
import { clip, isObject, noParams, type Fields } from '../protocol/jsonrpc.ts'
import { unknownName } from '../protocol/unknown_name.ts'
import type { Answer, Exchange } from '../protocol/exchange.ts'
import type { McpSession, ToolServer } from '../protocol/types.ts'

/** Lists prompts. They depend only on the caller's rights, so the credential is checked first. */
export async function listPrompts<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  await session.confirmAccess()
  const fault = cursorFault(exchange)
  if (fault) return faultAnswer(fault)
  const prompts = await session.run(async (caller) => server.prompts.list(caller))
  return replyAnswer(server, exchange, { result: { prompts } }, { fresh: freshMs })
}

export async function getPrompt<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const request = readPromptRequest(server, exchange)
  if ('closing' in request) {
    await session.confirmAccess()
    return request
  }
  const { name, args, params } = request
  const meta = { client: exchange.client, params, progress: exchange.progress, deadline: exchange.deadline }
  return replyAnswer(server, exchange, await session.run((caller) => server.prompts.get(caller, name, args, meta)), {
    tool: name,
  })
}

/** Returns the requested prompt and its arguments, or the refusal. */
function readPromptRequest<Caller>(
  { prompts }: ToolServer<Caller>,
  { message }: Exchange,
): { name: string; args: Fields; params: Fields } | Answer {
  const { params = noParams } = message
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string') return faultAnswer(invalidParams('name must be a string: the prompt to get'))
  if (!prompts.has(name))
    return faultAnswer(invalidParams(unknownName('prompt', name, prompts.nearest, 'see prompts/list')), clip(name))
  if (!isObject(args)) return faultAnswer(invalidParams('arguments must be an object'), name)
  return { name, args, params }
}
