import { isDetail, type FieldProblem, type Refusal } from '../../platform/errors/refusal.ts'
import { isReference, namesField, ruleForPeople, type RefusedField } from '../../platform/i18n/refusal_for_people.ts'
import { words } from '../format/formats.ts'
import type { FormField } from '../fields/form_field.ts'

/** Problems with form values: by field, and for the whole form. */
export type Problems = { fields: ReadonlyMap<string, string>; general: readonly string[] }

export const NO_PROBLEMS: Problems = { fields: new Map(), general: [] }

type LabeledField = Pick<FormField, 'name' | 'label' | 'parts'> & Partial<Pick<FormField, 'options'>>

/**
 * Returns a refusal's problems by field, in people's words. One without a path continues the previous one; a declared
 * one is a sentence of its own.
 */
export function problemsOf({ problems }: Pick<Refusal, 'problems'>, fields: readonly LabeledField[]): Problems {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const toText = ({ path, rule }: FieldProblem): string =>
    ruleForPeople(rule, ({ name }) => byName.get(name)?.label ?? words(name), fieldAt(path, byName))
  const sentencesByField = new Map<string, string[]>()
  const general: string[] = []
  let latest = general
  for (const problem of problems) {
    const { path, rule } = problem
    const text = toText(problem)
    const [name = '', ...steps] = stepsOf(path)
    const field = byName.get(name)
    if (path === '' && latest.length > 0) {
      latest.push(isDetail(rule) ? text : `${latest.pop()}; ${text}`)
      continue
    }
    latest = field === undefined ? general : sentencesByField.getOrInsert(name, [])
    latest.push(field === undefined ? startSentence(problem, text) : fieldSentence(field, steps, problem, text))
  }
  const joinSentences = (sentences: readonly string[]): string => [...new Set(sentences.map(endSentence))].join(' ')
  return {
    fields: new Map([...sentencesByField].map(([name, sentences]) => [name, joinSentences(sentences)])),
    general,
  }
}

/** Returns the field, or an input within it, at the end of a path, as the form shows it. */
function fieldAt(path: string, byName: ReadonlyMap<string, LabeledField>): RefusedField | undefined {
  if (path === '') return undefined
  const [name = '', ...steps] = stepsOf(path)
  const field = byName.get(name)
  const part = steps.findLast((step) => !step.startsWith('['))
  if (part !== undefined)
    return {
      label: field?.parts?.[part] ?? partWords(part),
      isChoice: isReference(part),
      isWireName: field?.parts?.[part] === undefined,
    }
  return {
    label: field?.label ?? words(partName(name)),
    isChoice: field?.options !== undefined || isReference(name),
    isWireName: field === undefined,
  }
}

/** Returns an input's name without the suffixes of the wire format. */
const partName = (name: string): string => name.replace(/_(?:cents|ids?)$/, '')

const partWords = (step: string): string => words(partName(step)).toLowerCase()

/** Returns a field's problem for use away from the field, with the label unless the sentence includes it. */
export const withLabel = (label: string, sentence: string): string =>
  sentence.toLowerCase().includes(label.toLowerCase()) ? sentence : `${label}: ${sentence}`

/** Returns the steps of a path: `line_items`, `[2]`, `quantity`. */
export const stepsOf = (path: string): string[] => path.split(/\.|(?=\[\d)/)

/** Returns `Lines 3, quantity`, counted from 1; for an input with its own label, that label. */
const fieldReference = ({ label, parts = {} }: LabeledField, steps: readonly string[]): string =>
  (steps.some((step) => step.startsWith('[')) ? undefined : parts[steps.at(-1) ?? '']) ??
  [
    label,
    ...steps.map((step) =>
      step.startsWith('[')
        ? ` ${Number(step.slice(1, -1)) + 1}`
        : `, ${(parts[step] ?? words(step.replace(/_cents$/, ''))).toLowerCase()}`,
    ),
  ].join('')

/** Returns the problem at a field as one sentence, after the name of the field's part that it concerns. */
function fieldSentence(field: LabeledField, steps: readonly string[], { rule }: FieldProblem, text: string): string {
  if (!isDetail(rule)) return `${fieldReference(field, steps)} ${text}`
  const subjectSteps = namesField(rule)
    ? steps.slice(0, steps.findLastIndex((step) => step.startsWith('[')) + 1)
    : steps
  return subjectSteps.length === 0 ? text : `${fieldReference(field, subjectSteps)}: ${text}`
}

/** Ends a sentence with a period unless it has an end mark. */
export const endSentence = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)

/** Starts a sentence about the whole form, or about a field that isn't on it, in people's words. */
function startSentence({ path, isApart, rule: declared }: FieldProblem, text: string): string {
  if (path === '' || isDetail(declared)) return text.charAt(0).toUpperCase() + text.slice(1)
  const [name = '', ...steps] = stepsOf(path)
  return `${fieldReference({ name, label: words(name) }, steps)}${isApart === true ? ':' : ''} ${text}`
}
