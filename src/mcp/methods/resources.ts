import { freshMs } from '../protocol/announcement.ts'
import { cursorFault, invalidParams, faultAnswer, replyAnswer } from '../endpoint/answer.ts'
import { noParams } from '../protocol/jsonrpc.ts'
import type { Answer, Exchange } from '../protocol/exchange.ts'
import type { McpSession, ToolServer } from '../protocol/types.ts'

/** Cache lifetime of a resource: 0, since records change at any time. */
const freshForMs = 0

export async function listResources<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const fault = cursorFault(exchange)
  if (fault) {
    await session.confirmAccess()
    return faultAnswer(fault)
  }
  return replyAnswer(server, exchange, await session.run((caller) => server.resources.list(caller)), {
    fresh: freshForMs,
  })
}

/** Lists templates. They depend only on the caller's rights, so the credential is checked first. */
export async function listTemplates<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  await session.confirmAccess()
  const fault = cursorFault(exchange)
  if (fault) return faultAnswer(fault)
  const resourceTemplates = await session.run(async (caller) => server.resources.templates(caller))
  return replyAnswer(server, exchange, { result: { resourceTemplates } }, { fresh: freshMs })
}

export async function readResource<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const { params = noParams } = exchange.message
  const { uri } = params
  if (typeof uri !== 'string') {
    await session.confirmAccess()
    return faultAnswer(invalidParams('uri must be a string: the resource to read'))
  }
  const meta = { client: exchange.client, params, progress: exchange.progress, deadline: exchange.deadline }
  return replyAnswer(server, exchange, await session.run((caller) => server.resources.read(caller, uri, meta)), {
    fresh: freshForMs,
  })
}
