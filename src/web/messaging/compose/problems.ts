import type { Refusal } from '../../../platform/errors/refusal.ts'
import { ruleForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { words } from '../../../records/format/formats.ts'

/** Returns a refusal's message for a field. */
export const errorOf = (refusal: Refusal | undefined, field: string): string | undefined => {
  const rule = refusal?.problems.find(({ path }) => path === field)?.rule
  return rule === undefined ? undefined : ruleForPeople(rule, ({ name }) => words(name))
}
