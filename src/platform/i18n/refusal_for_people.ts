import { formatMessage } from '../errors/message_format.ts'
import { isDetail, textOf, type FieldProblem, type Refusal, type RefusalRule } from '../errors/refusal.ts'
import { refusals } from '../errors/refusals.ts'
import { definedRefusals, formatValues, type FieldName, type Warning } from '../errors/refusal_text.ts'
import { currentLocale, currentReader } from './reader.ts'

type LabelOf = (field: FieldName) => string

/** Refused field, as the form shows it. `isWireName` marks a label derived from its English name. */
export type RefusedField = { label: string; isChoice: boolean; isWireName?: boolean }

/**
 * Returns a rule as a sentence for the page's reader, with the labels of its fields. Besides its own values, a text can
 * use `{field}` and `{aField}`, the field's label without and with an English article, `{named}`, which is `yes` if
 * there is a label in the reader's language, and `{kind}`, which is `choice` for a field with choices.
 */
export function ruleForPeople(rule: RefusalRule, labelOf: LabelOf, at?: RefusedField): string {
  const { language } = currentReader()
  const quote = (text: string): string => (language === 'es' ? `«${text}»` : `“${text}”`)
  if (!isDetail(rule)) return textOf(rule, { nameOf: labelOf, quote })
  const isNamed = at !== undefined && (at.isWireName !== true || language === 'en')
  const field = isNamed ? lowerFirst(at.label.replace(/\s*[?:]\s*$/, '')) : THIS_FIELD[language]
  return formatMessage(rule.texts[language], currentLocale(), {
    field,
    aField: isNamed ? withArticle(field) : field,
    named: isNamed ? 'yes' : 'no',
    kind: at?.isChoice === true ? 'choice' : 'text',
    ...formatValues(rule.values, { nameOf: labelOf, quote, and: currentLocale() }),
  })
}

const THIS_FIELD = { en: 'this field', es: 'este campo' } as const

/** Checks whether a rule's text for people includes the field's label. */
export const namesField = (rule: RefusalRule): boolean =>
  isDetail(rule) && /\{(?:field|aField)\}/.test(rule.texts[currentReader().language])

/** Lower-cases a label for use within a sentence: `Title` becomes `title`; `SKU` stays. */
const lowerFirst = (label: string): string =>
  /^\p{Lu}(?!\p{Lu}|\.)/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

/** Adds an English article, except to plurals and to labels that begin with a word such as "your". */
function withArticle(label: string): string {
  const [first = ''] = label.split(' ')
  if (/^(?:an?|the|your?|our|my|this|each|every|at|by|for|from|how|to|until|when|where|who|which)$/i.test(first))
    return label
  if (/[^aius]s$/i.test(label.replace(/\s*\(.*\)$/, ''))) return label
  return /^(?:[aeio]|u(?!s|ni))/i.test(label) ? `an ${label}` : `a ${label}`
}

/** Returns a warning as a sentence for the page's reader. */
export const warningForPeople = (warning: Warning): string => ruleForPeople(warning, ({ name }) => wordsOf(name))

/**
 * Returns a stored text for the page's reader. One that ends with an outbox refusal for agents, as tools return it,
 * becomes the refusal for people; a provider's own words stay.
 */
export function storedTextForPeople(text: string): string {
  const declared = [...definedRefusals].find(
    ([key, { agent }]) => key.startsWith('outbox.') && (text === agent || text.endsWith(` ${agent}`)),
  )
  if (declared !== undefined) return warningForPeople({ key: declared[0], texts: declared[1], values: {} })
  return text.endsWith(' not found') ? warningForPeople(refusals.absent()) : text
}

/** Returns a refusal as sentences for the page's reader, where there is no form. */
export const refusalForPeople = ({ problems }: Pick<Refusal, 'problems'>): string =>
  [...new Set(problems.map(sentenceOf))].join(' ')

function sentenceOf({ path, rule }: FieldProblem): string {
  const at = path === '' ? undefined : { label: wordsOf(path), isChoice: isReference(path), isWireName: true }
  const text = ruleForPeople(rule, ({ name }) => wordsOf(name), at)
  return isDetail(rule) || path === '' ? endSentence(text) : endSentence(`${wordsOf(path)} ${text}`)
}

/** Checks whether the last field of a path is a record's ID, which people choose. */
export const isReference = (path: string): boolean => /_ids?(?:\[\d+\])?$/.test(path)

const wordsOf = (name: string): string =>
  name
    .replace(/_(?:id|cents)$/, '')
    .replaceAll(/(?:[._]|\[\d+\])+/g, ' ')
    .trim()

const endSentence = (sentence: string): string => {
  const capitalized = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return /[.!?]$/.test(capitalized) ? capitalized : `${capitalized}.`
}
