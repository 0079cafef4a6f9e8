import { invalidParams, faultAnswer, replyAnswer } from '../endpoint/answer.ts'
import { isObject, noParams } from '../protocol/jsonrpc.ts'
import type { Answer, Exchange } from '../protocol/exchange.ts'
import type { CompletionRequest, McpSession, ToolServer } from '../protocol/types.ts'

export async function complete<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const completing = readCompletionRequest(exchange)
  if ('closing' in completing) {
    await session.confirmAccess()
    return completing
  }
  return replyAnswer(server, exchange, await session.run((caller) => server.complete(caller, completing)))
}

/** Returns the argument to complete, or the refusal. */
function readCompletionRequest({ message }: Exchange): CompletionRequest | Answer {
  const { ref, argument, context } = message.params ?? noParams
  const of = isObject(ref) ? REFERENCES.get(ref.type) : undefined
  const name = isObject(ref) && of !== undefined ? ref[of.member] : undefined
  if (of === undefined || typeof name !== 'string') {
    return faultAnswer(invalidParams('ref must be {type: "ref/prompt", name} or {type: "ref/resource", uri}'))
  }
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    return faultAnswer(invalidParams('argument must be {name, value}, both strings'))
  }
  return { of: of.kind, name, argument: argument.name, typed: argument.value, others: othersIn(context) }
}

/** Returns the string arguments filled in before. */
const othersIn = (context: unknown): Record<string, string> =>
  isObject(context) && isObject(context.arguments)
    ? Object.fromEntries(
        Object.entries(context.arguments).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {}

const REFERENCES = new Map<unknown, { kind: CompletionRequest['of']; member: string }>([
  ['ref/prompt', { kind: 'prompt', member: 'name' }],
  ['ref/resource', { kind: 'template', member: 'uri' }],
])
