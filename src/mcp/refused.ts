import type { Failed } from '../tools/call.ts'
import type { Reply } from './types.ts'
import { errorOf } from './words.ts'

/** A failure as the JSON-RPC error that a request without a tool result ends in. */
export function refusedAs(failed: Failed): Reply {
  const { code, message } = errorOf(failed)
  if (code === 'internal') return { refused: 'internal', message: `internal: ${message}` }
  return { refused: 'invalid', message: code === 'invalid_input' ? `Invalid params: ${message}` : `${code}: ${message}` }
}
