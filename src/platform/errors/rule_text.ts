import { textOf } from './refusal.ts'
import type { RefusalDetail } from './refusal_text.ts'

/** Refusals by their agent text. Schemas are made once, so the rules that they can break bound it. */
const byText = new Map<string, RefusalDetail>()

const agentText = (detail: RefusalDetail): string =>
  textOf(detail, { nameOf: ({ name }) => name, quote: (text) => `'${text}'` })

/**
 * Returns a refusal as text for libraries that take a rule as text; `findRefusal` returns the refusal again. Its values
 * must come from the code, never from what somebody sent.
 */
export function ruleText(detail: RefusalDetail): string {
  const text = agentText(detail)
  byText.set(text, detail)
  return text
}

/** Returns the refusal that a text was made of. */
export const findRefusal = (text: string): RefusalDetail | undefined => byText.get(text)

/** Returns the options of a check of zod that refuses with this; values that somebody sent are fine. */
export const refuse = (detail: RefusalDetail): { error: string; params: { refusal: RefusalDetail } } => ({
  error: agentText(detail),
  params: { refusal: detail },
})
