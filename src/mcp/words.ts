import { isFailed, type Failed, type ToolAnswer } from '../tools/call.ts'
import type { ToolCall } from '../tools/context.ts'
import type { Code } from '../refusal.ts'
import { customerWordsIn } from './customer_words.ts'
import { shownJson, shownText } from './hidden.ts'

/**
 * Returns what a tool call came to as text: the JSON of its result, or `<code>: <message>`
 * (docs/spec/interface.md#form-of-an-error).
 */
export function toolText(answer: ToolAnswer, call: Pick<ToolCall, 'listed' | 'given'>): { text: string; code?: Code } {
  if (!isFailed(answer)) return { text: resultText(call.listed.entity.name, answer.result) }
  if ('fault' in answer && answer.fault.mayBeDone)
    return { text: `internal: ${uncertain(call, answer.fault.reference)}`, code: 'internal' }
  const { code, message } = errorOf(answer)
  return { text: `${code}: ${shownText(message)}`, code }
}

/** Returns a result as JSON: what customers wrote is named first, and hidden characters can be seen. */
function resultText(entity: string, result: object): string {
  const words = customerWordsIn(entity, result)
  return shownJson(words.length === 0 ? result : { customer_words: words, ...result })
}

/** Returns the code and the words of what failed. */
export const errorOf = (failed: Failed): { code: Code; message: string } =>
  'refusal' in failed
    ? failed.refusal
    : { code: 'internal', message: `an unexpected error occurred (reference ${failed.fault.reference})` }

function uncertain({ listed: { entity, tool }, given }: Pick<ToolCall, 'listed' | 'given'>, reference: string): string {
  const hasKey = (given as { idempotency_key?: string } | null)?.idempotency_key !== undefined
  const wayOut = hasKey
    ? 'repeat with the same idempotency_key and arguments, which never does it twice'
    : `read the ${entity.singular} to see before trying again${tool.verb === 'create' ? ', and send an idempotency_key next time' : ''}`
  return `it may have been done, the database did not say (reference ${reference}); ${wayOut}`
}
