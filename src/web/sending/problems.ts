import type { Refusal } from '../../refusal.ts'

/** Returns what a refusal says of a field. */
export const errorOf = (refusal: Refusal | undefined, field: string): string | undefined => {
  const rule = refusal?.problems.find(({ path }) => path === field)?.rule
  return rule === undefined || typeof rule === 'string'
    ? rule
    : rule.map((part) => (typeof part === 'string' ? part : part.name)).join('')
}
