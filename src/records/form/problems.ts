import { isDetail, type FieldProblem, type Refusal, type RefusalRule } from '../../platform/errors/refusal.ts'
import { ruleForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { words } from '../format/formats.ts'
import type { FormField } from '../fields/form_field.ts'

/** Holds what is wrong with what was typed: by field, and of the whole. */
export type Problems = { fields: ReadonlyMap<string, string>; whole: readonly string[] }

export const NO_PROBLEMS: Problems = { fields: new Map(), whole: [] }

type Labeled = Pick<FormField, 'name' | 'label' | 'parts'>

/** Returns a refusal's problems at their fields, in people's words; one of no field goes on from the one before it. */
export function problemsOf({ problems }: Pick<Refusal, 'problems'>, fields: readonly Labeled[]): Problems {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const inWords = (rule: RefusalRule): string =>
    ruleForPeople(rule, ({ name }) => byName.get(name)?.label ?? words(name))
  const found = new Map<string, string[]>()
  const whole: string[] = []
  let latest = whole
  for (const problem of problems) {
    const { path, rule } = problem
    const [name = '', ...steps] = stepsOf(path)
    const field = byName.get(name)
    if (path === '' && latest.length > 0) {
      latest.push(
        isDetail(rule) ? `${endSentence(latest.pop()!)} ${inWords(rule)}` : `${latest.pop()}; ${inWords(rule)}`,
      )
      continue
    }
    latest = field === undefined ? whole : found.getOrInsert(name, [])
    latest.push(
      field === undefined ? startSentence(problem, inWords(rule)) : atField(field, steps, problem, inWords(rule)),
    )
  }
  return { fields: new Map([...found].map(([name, sentences]) => [name, sentences.map(endSentence).join(' ')])), whole }
}

/** Returns the steps of a path: `line_items`, `[2]`, `quantity`. */
export const stepsOf = (path: string): string[] => path.split(/\.|(?=\[\d)/)

/** `Lines 3, quantity`, as people count; an input that has a label of its own by that. */
const subject = ({ label, parts = {} }: Labeled, steps: readonly string[]): string =>
  parts[steps.at(-1) ?? ''] ??
  [
    label,
    ...steps.map((step) =>
      step.startsWith('[')
        ? ` ${Number(step.slice(1, -1)) + 1}`
        : `, ${words(step.replace(/_cents$/, '')).toLowerCase()}`,
    ),
  ].join('')

/** A declared refusal is a sentence of its own; beside a part of a field it names that part. */
function atField(field: Labeled, steps: readonly string[], { rule }: FieldProblem, text: string): string {
  if (!isDetail(rule)) return `${subject(field, steps)} ${text}`
  return steps.length === 0 ? text : `${subject(field, steps)}: ${text}`
}

/** Ends a sentence with a full stop, where nothing ends it yet. */
export const endSentence = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)

/** Begins a sentence with what is of the whole; a field that isn't on the form is called as people would. */
function startSentence({ path, isApart, rule: declared }: FieldProblem, rule: string): string {
  if (path === '' || isDetail(declared)) return rule.charAt(0).toUpperCase() + rule.slice(1)
  const [name = '', ...steps] = stepsOf(path)
  return `${subject({ name, label: words(name) }, steps)}${isApart === true ? ':' : ''} ${rule}`
}
