import { announcementOf } from '../protocol/announcement.ts'
import { faultAnswer, invalidParams, okAnswer, replyAnswer } from '../endpoint/answer.ts'
import { noParams } from '../protocol/jsonrpc.ts'
import type { Answer, Exchange } from '../protocol/exchange.ts'
import type { McpSession, Reply, ToolServer } from '../protocol/types.ts'

/** Returns the state of a task. */
export async function getTask<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const reply = await readTask(server, session, exchange)
  return 'refused' in reply ? faultAnswer(invalidParams('unknown task')) : replyAnswer(server, exchange, reply)
}

/** Acknowledges that a client opened a task's page, as the extension requires. Only people decide on proposals. */
export async function acknowledgeTask<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const reply = await readTask(server, session, exchange)
  if ('refused' in reply) return faultAnswer(invalidParams('unknown task'))
  return okAnswer(`"result":{${announcementOf(server).stamp.slice(1)}}}`)
}

/** Withdraws the proposal of a task. What is decided already stays, which the extension leaves to the server. */
export async function cancelTask<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  exchange: Exchange,
): Promise<Answer> {
  const answer = await acknowledgeTask(server, session, exchange)
  const taskId = exchange.message.params?.['taskId']
  if (answer.errorCode === null && typeof taskId === 'string')
    await session.run(async (caller) => server.cancelTask?.(caller, taskId))
  return answer
}

async function readTask<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  { message: { params = noParams } }: Exchange,
): Promise<Reply> {
  const { taskId } = params
  const { readTask: read } = server
  if (read === undefined || typeof taskId !== 'string') {
    await session.confirmAccess()
    return { refused: 'absent', message: '' }
  }
  return session.run((caller) => read(caller, taskId, { params }))
}
