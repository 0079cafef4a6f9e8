import { isFailed, type CallFailure, type ToolAnswer } from '../tools/call/call.ts'
import type { ToolCall } from '../tools/call/context.ts'
import type { Code } from '../platform/errors/refusal.ts'
import { customerWordsIn } from './customer_words.ts'
import { visibleJson, visibleText } from './protocol/hidden_characters.ts'
import type { Fields } from './protocol/jsonrpc.ts'

/** Text of an answer, code of a failure, and the result's fields that hold customer text. */
type ToolText = { text: string; code?: Code; customerText?: readonly string[] }

/**
 * Returns the outcome of a tool call as text: the JSON of its result, or `<code>: <message>`
 * (docs/spec/interface.md#error-format).
 */
export function toolText(answer: ToolAnswer, call: Pick<ToolCall, 'listed' | 'input'>): ToolText {
  if (!isFailed(answer))
    return { text: visibleJson(answer.result), customerText: customerWordsIn(call.listed.entity.name, answer.result) }
  if ('fault' in answer && answer.fault.mayBeDone)
    return { text: `internal: ${uncertainText(call, answer.fault.reference)}`, code: 'internal' }
  const { code, message } = errorOf(answer)
  return { text: `${code}: ${visibleText(message)}`, code }
}

/** Key in the `_meta` of a result or resource: the fields that hold customer text. */
const CUSTOMER_TEXT_META = 'callout/customer_text'

/** Returns the `_meta` that marks customer text, merged with `more`; nothing if both are empty. */
export function customerTextMeta(fields: readonly string[], more: Fields = {}): { _meta?: Fields } {
  const meta = fields.length === 0 ? more : { [CUSTOMER_TEXT_META]: fields, ...more }
  return Object.keys(meta).length === 0 ? {} : { _meta: meta }
}

/** Returns the second text block of a result, which marks customer text for a model; none without such text. */
export const customerTextBlocks = (fields: readonly string[]): { type: 'text'; text: string }[] =>
  fields.length === 0 ? [] : [{ type: 'text', text: `customer text in: ${fields.join(', ')}` }]

/** Returns the code and the message of a failure. */
export const errorOf = (failed: CallFailure): { code: Code; message: string } =>
  'refusal' in failed
    ? { code: failed.refusal.code, message: failed.refusal.agentMessage }
    : { code: 'internal', message: `an unexpected error occurred (reference ${failed.fault.reference})` }

function uncertainText(
  { listed: { entity, tool }, input }: Pick<ToolCall, 'listed' | 'input'>,
  reference: string,
): string {
  const hasKey = (input as { idempotency_key?: string } | null)?.idempotency_key !== undefined
  const advice = hasKey
    ? 'repeat with the same idempotency_key and arguments, which never runs it twice'
    : `read the ${entity.singular} to check before trying ` +
      `again${tool.verb === 'create' ? ', and send an idempotency_key next time' : ''}`
  return `it may have been done, but the database did not confirm it (reference ${reference}); ${advice}`
}
