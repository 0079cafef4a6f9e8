import { formatMessage } from '../errors/message_format.ts'
import { isDetail, textOf, type FieldProblem, type Refusal, type RefusalRule } from '../errors/refusal.ts'
import { writeValues, type FieldName } from '../errors/refusal_text.ts'
import { currentLocale, currentReader } from './reader.ts'

type LabelOf = (field: FieldName) => string

/** Returns a rule as a sentence for whoever reads the page, with the labels of the fields that it names. */
export function ruleForPeople(rule: RefusalRule, labelOf: LabelOf): string {
  const quote = (text: string): string => (currentReader().language === 'es' ? `«${text}»` : `“${text}”`)
  if (!isDetail(rule)) return textOf(rule, { nameOf: labelOf, quote })
  const message = rule.texts[currentReader().language]
  return formatMessage(
    message,
    currentLocale(),
    writeValues(rule.values, { nameOf: labelOf, quote, and: currentLocale() }),
  )
}

/** Returns a refusal as sentences for whoever reads the page, for places that have no form. */
export const refusalForPeople = ({ problems }: Pick<Refusal, 'problems'>): string =>
  [...new Set(problems.map(sentenceOf))].join(' ')

function sentenceOf({ path, rule }: FieldProblem): string {
  const text = ruleForPeople(rule, ({ name }) => wordsOf(name))
  return isDetail(rule) || path === '' ? sentence(text) : sentence(`${wordsOf(path)} ${text}`)
}

const wordsOf = (name: string): string =>
  name
    .replace(/_(?:id|cents)$/, '')
    .replaceAll(/(?:[._]|\[\d+\])+/g, ' ')
    .trim()

const sentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
