import { textArea } from '../html/field.ts'
import { invalid } from '../refusal.ts'
import type { FormField } from './form_field.ts'

const NAME = 'fields'

type Value = string | number | boolean | null

/** Custom fields, `name: value` a line each. A number, true, false or null is kept as what it was when it is left as it was. */
export const customField = (): FormField => ({
  name: NAME, label: 'Custom fields', group: 'More',
  typed: (value) => {
    const lines = Object.entries((value ?? {}) as Record<string, Value>).map(([name, one]) => `${name}: ${textOf(one)}`)
    return lines.length === 0 ? [] : [[NAME, lines.join('\n')]]
  },
  read: (typed) => {
    const lines = (typed.get(NAME) ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')
    return lines.length === 0 ? undefined : Object.fromEntries(lines.map(readLine))
  },
  html: (typed, { error }) => textArea({
    name: NAME, label: 'Custom fields', error, value: typed.get(NAME) ?? '', rows: 3,
    help: 'One a line, such as Gate code: 4417. Text that looks like a number, true, false or null goes in double quotes.',
  }),
})

/** Text that would be read as something else stands in quotes. */
const textOf = (value: Value): string => (typeof value === 'string' && !isPlain(value) ? JSON.stringify(value) : String(value))

const isPlain = (text: string): boolean => !isLiteral(text) && !text.startsWith('"') && text === text.trim() && !text.includes('\n')

const isLiteral = (text: string): boolean => /^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(text)

function readLine(line: string): [string, Value] {
  const at = line.indexOf(':')
  const name = line.slice(0, Math.max(at, 0)).trim()
  const text = line.slice(at + 1).trim()
  if (at < 1 || name === '') throw invalid(`${NAME} must have a name, a colon and a value on each line (got '${line.trim().slice(0, 60)}')`)
  if (!isLiteral(text) && !/^".*"$/.test(text)) return [name, text]
  try {
    return [name, JSON.parse(text) as Value]
  } catch {
    return [name, text]
  }
}
