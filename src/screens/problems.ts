import type { Refusal } from '../refusal.ts'
import { words } from './formats.ts'
import type { FormField } from './form_field.ts'

/** What is wrong with what was typed: by field, and of the whole. */
export type Problems = { fields: ReadonlyMap<string, string>; whole: readonly string[] }

export const NO_PROBLEMS: Problems = { fields: new Map(), whole: [] }

/** A refusal's sentences at the fields they begin with, in people's words. */
export function problemsOf({ message }: Pick<Refusal, 'message'>, fields: readonly FormField[]): Problems {
  const byName = new Map(fields.map((field) => [field.name, field.label]))
  const found = new Map<string, string[]>()
  const whole: string[] = []
  let latest = whole
  for (const sentence of message.split('; ')) {
    const { name, path, rule } = partsOf(sentence)
    const label = byName.get(name)
    if (label !== undefined) {
      latest = found.get(name) ?? []
      found.set(name, latest)
      latest.push(`${subject(label, path)} ${rule}`)
    } else if (latest.length > 0) {
      latest.push(`${latest.pop()}; ${sentence}`)
    } else {
      latest.push(sentence)
    }
  }
  return { fields: new Map([...found].map(([name, sentences]) => [name, `${sentences.join('. ')}.`])), whole: whole.map(started) }
}

/** `line_items[2].quantity must be above 0` in its parts. */
function partsOf(sentence: string): { name: string; path: string; rule: string } {
  const [, name = '', path = '', rule = ''] = /^([a-z_]+)((?:\[\d+\]|\.[a-z_]+)*) (.+)$/s.exec(sentence) ?? []
  return { name, path, rule }
}

/** `Lines 3, quantity`, as people count. */
const subject = (label: string, path: string): string =>
  label + path.replace(/\[(\d+)\]/g, (_, index) => ` ${Number(index) + 1}`).replace(/\.([a-z_]+)/g, (_, name: string) => `, ${words(name).toLowerCase()}`)

const started = (sentence: string): string => `${words(sentence.slice(0, 1))}${sentence.slice(1)}`
