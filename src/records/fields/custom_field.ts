import { textArea } from '../../platform/html/parts/field.ts'
import { say } from '../../platform/i18n/say.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import type { FormField } from './form_field.ts'
import { refusals } from './refusals.ts'

const NAME = 'fields'
const MAX_FIELDS = 50

type Value = string | number | boolean | null

/**
 * Builds the field for custom fields, one `name: value` per line. Numbers, true, false and null keep their type if
 * unchanged.
 */
export const customField = (): FormField => ({
  name: NAME,
  label: say`Custom fields`,
  fold: 'open',
  toEntries: (value) => {
    const lines = Object.entries((value ?? {}) as Record<string, Value>).map(
      ([name, one]) => `${formatName(name)}: ${formatValue(one)}`,
    )
    return lines.length === 0 ? [] : [[NAME, lines.join('\n')]]
  },
  read: (values) => {
    const lines = (values.get(NAME) ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')
    if (lines.length > MAX_FIELDS)
      throw invalidField(NAME, refusals.tooManyCustomFields({ max: MAX_FIELDS, count: lines.length }))
    return lines.length === 0 ? undefined : Object.fromEntries(lines.map((line) => readLine(line.trim())))
  },
  html: (values, { error }) =>
    textArea({
      name: NAME,
      label: say`Custom fields`,
      error,
      value: values.get(NAME) ?? '',
      rows: 3,
      help: say`One per line, such as Gate code: 4417. Put text that looks like a number in double quotes.`,
    }),
})

/** Quotes a name that would otherwise end at its own colon. */
const formatName = (name: string): string => (name.includes(':') || name.startsWith('"') ? JSON.stringify(name) : name)

/** Quotes text that would otherwise be parsed as another type. */
const formatValue = (value: Value): string =>
  typeof value === 'string' && !isPlain(value) ? JSON.stringify(value) : String(value)

const isPlain = (text: string): boolean =>
  !isLiteral(text) && !text.startsWith('"') && text === text.trim() && !text.includes('\n')

const isLiteral = (text: string): boolean => /^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(text)

function readLine(line: string): [string, Value] {
  const [, quoted, bare = '', text = ''] = /^(?:("(?:[^"\\]|\\.)*")\s*|([^:]*)):(.*)$/s.exec(line) ?? []
  const name = (quoted === undefined ? bare : String(parseJson(quoted))).trim()
  if (name === '') throw invalidField(NAME, refusals.customFieldLine({ given: line.slice(0, 60) }))
  return [name, readValue(text.trim())]
}

const readValue = (text: string): Value => (isLiteral(text) || /^".*"$/s.test(text) ? parseJson(text) : text)

/** Returns the parsed JSON, or the text itself if it isn't JSON. */
function parseJson(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    return text
  }
}
