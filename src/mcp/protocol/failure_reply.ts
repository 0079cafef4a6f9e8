import type { CallFailure } from '../../tools/call/call.ts'
import type { Reply } from './types.ts'
import { errorOf } from '../words.ts'

/** Converts a failure to the JSON-RPC error of a request that has no tool result. */
export function failureReply(failed: CallFailure): Reply {
  const { code, message } = errorOf(failed)
  if (code === 'internal') return { refused: 'internal', message: `internal: ${message}` }
  return {
    refused: 'invalid',
    message: code === 'invalid_input' ? `Invalid params: ${message}` : `${code}: ${message}`,
  }
}
