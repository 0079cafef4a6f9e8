import type { Failure } from '../tools/call.ts'
import type { Reply } from './types.ts'

/** A failure as the JSON-RPC error that a request without a tool result ends in. */
export function refusedAs({ text, code }: Failure): Reply {
  if (code === 'internal') return { refused: 'internal', message: text }
  return { refused: 'invalid', message: code === 'invalid_input' ? `Invalid params: ${text.slice(code.length + 2)}` : text }
}
