import type { Entity } from '../../tools/declare/define.ts'
import { customerWordsIn, isCustomerWords } from '../customer_words.ts'
import { visibleText } from '../protocol/hidden_characters.ts'
import { FENCE_NOTICE, fenceWords } from './sheet.ts'

/** Returns the result of a get tool as Markdown: a line for each nonempty field, and a list for each list. */
export function recordMarkdown(
  { name, singular }: Pick<Entity, 'name' | 'singular'>,
  record: Readonly<Record<string, unknown>>,
): string {
  const isMarked = customerWordsIn(name, record).length > 0
  return [
    `# ${singular.replaceAll('_', ' ')}`,
    ...(isMarked ? ['', FENCE_NOTICE] : []),
    '',
    ...linesOf(record, name, ''),
  ].join('\n')
}

/** Writes nonempty fields, one per line, with nested fields below. */
function linesOf(record: object, of: string, indent: string): string[] {
  return (Object.entries(record) as [string, unknown][]).flatMap(([field, value]) => {
    if (isEmpty(value)) return []
    const label = `${indent}- ${visibleText(of === 'fields' ? fenceWords(field) : field)}:`
    if (Array.isArray(value)) return listLines(value, of, field, label, indent)
    if (typeof value === 'object') return [label, ...linesOf(value as object, field, `${indent}  `)]
    return [`${label} ${fieldText(of, field, value)}`]
  })
}

function listLines(list: readonly unknown[], of: string, field: string, label: string, indent: string): string[] {
  if (list.every((one) => typeof one !== 'object' || one === null))
    return [`${label} ${list.map((one) => fieldText(of, field, one)).join(', ')}`]
  return [
    label,
    ...list.map((one) => {
      const within = linesOf(one as object, field, '').map((line) => line.replace(/^\s*- /, ''))
      return `${indent}  - ${within.join('; ')}`
    }),
  ]
}

const fieldText = (of: string, field: string, value: unknown): string =>
  typeof value === 'string' && isCustomerWords(of, field)
    ? fenceWords(value)
    : visibleText(String(value)).replace(/\s+/g, ' ')

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
