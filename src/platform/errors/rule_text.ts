import { textOf } from './refusal.ts'
import type { RefusalDetail } from './refusal_text.ts'

/** Refusals by their agent text. Schemas are created only once, which bounds its size. */
const byText = new Map<string, RefusalDetail>()

const agentText = (detail: RefusalDetail): string =>
  textOf(detail, { nameOf: ({ name }) => name, quote: (text) => `'${text}'` })

/**
 * Returns a refusal as text, for libraries whose rules are text; `findRefusal` maps it back. Its values must come from
 * the code, never from input.
 */
export function ruleText(detail: RefusalDetail): string {
  const text = agentText(detail)
  byText.set(text, detail)
  return text
}

/** Returns the refusal of a text from `ruleText`. */
export const findRefusal = (text: string): RefusalDetail | undefined => byText.get(text)

/** Returns the options of a zod check that fails with this refusal. Its values may come from input. */
export const refuse = (detail: RefusalDetail): { error: string; params: { refusal: RefusalDetail } } => ({
  error: agentText(detail),
  params: { refusal: detail },
})
