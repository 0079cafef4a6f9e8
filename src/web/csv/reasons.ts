import { textOf, type FieldProblem, type Refusal } from '../../refusal.ts'
import { words } from '../../screens/formats.ts'

/** Says why a row is refused, with the names that the file gives its columns. */
export const reasonOf = ({ problems }: Pick<Refusal, 'problems'>, headers: Readonly<Record<string, string>>): string =>
  problems.map((problem) => sentenceOf(problem, headers)).join('; ')

function sentenceOf({ path, rule }: FieldProblem, headers: Readonly<Record<string, string>>): string {
  const rules = textOf(rule, { nameOf: ({ name }) => headerOf(name, headers), quote: (text) => `'${text}'` })
  return path === '' ? rules : `${headerOf(path, headers)}: ${rules}`
}

/**
 * Returns the column of a path such as `contacts[0].phone`: names may have come from a column of whole names. One that the
 * file doesn't have is called as it would be.
 */
function headerOf(path: string, headers: Readonly<Record<string, string>>): string {
  const field = path
    .split('.')
    .at(-1)!
    .replace(/\[\d+\]$/, '')
  if (field === 'tag_ids') return headers['tags'] ?? words('tags')
  const whole = /^(first|last|company)_name$/.test(field) ? headers['name'] : undefined
  return headers[field] ?? whole ?? (field === 'address_line1' ? words('address') : words(field))
}
