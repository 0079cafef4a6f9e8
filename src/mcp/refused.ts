import type { Failure } from '../tools/call.ts'
import type { Reply } from './types.ts'

/** Returns a failure as the JSON-RPC error of a request that has no tool result. */
export function refusedAs({ text, code }: Failure): Reply {
  if (code === 'internal') return { refused: 'internal', message: text }
  return { refused: 'invalid', message: code === 'invalid_input' ? `Invalid params: ${text.slice(code.length + 2)}` : text }
}
