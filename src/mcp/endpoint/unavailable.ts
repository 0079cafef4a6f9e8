import { faultAnswer, replyAnswer } from './answer.ts'
import { codes } from '../protocol/jsonrpc.ts'
import type { Unavailable } from '../../platform/errors/refusal.ts'
import type { Answer, Exchange } from '../protocol/exchange.ts'
import type { ToolServer } from '../protocol/types.ts'

/**
 * Answers one request as unavailable where no HTTP status can: in a batch, or in a stream that has begun
 * (docs/spec/tools.md#batches).
 */
export function unavailableAnswer(
  server: ToolServer<never>,
  exchange: Exchange,
  { message: reason, seconds }: Unavailable,
): Answer {
  const message = `unavailable: ${reason}; nothing was done, try again in ${seconds} s`
  if (exchange.message.method !== 'tools/call') return faultAnswer({ status: 200, code: codes.internal, message })
  return replyAnswer(server, exchange, {
    result: { content: [{ type: 'text', text: message }], isError: true },
    code: 'unavailable',
  })
}
