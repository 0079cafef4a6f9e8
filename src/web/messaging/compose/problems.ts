import { textOf, type Refusal } from '../../../platform/errors/refusal.ts'

/** Returns what a refusal says of a field. */
export const errorOf = (refusal: Refusal | undefined, field: string): string | undefined => {
  const rule = refusal?.problems.find(({ path }) => path === field)?.rule
  return rule === undefined ? undefined : textOf(rule, { nameOf: ({ name }) => name, quote: (text) => `'${text}'` })
}
