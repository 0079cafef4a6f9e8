import type { Refusal } from '../refusal.ts'
import { words } from './formats.ts'
import type { FormField } from './fields/form_field.ts'

/** Holds what is wrong with what was typed: by field, and of the whole. */
export type Problems = { fields: ReadonlyMap<string, string>; whole: readonly string[] }

export const NO_PROBLEMS: Problems = { fields: new Map(), whole: [] }

type Named = Pick<FormField, 'name' | 'label' | 'parts'>

/** A refusal's sentences at the fields they begin with, in people's words. */
export function problemsOf({ message }: Pick<Refusal, 'message'>, fields: readonly Named[]): Problems {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const labelled = (text: string): string => text.replace(NAME, (word) => byName.get(word)?.label ?? word)
  const found = new Map<string, string[]>()
  const whole: string[] = []
  let latest = whole
  for (const sentence of message.split('; ')) {
    const { name, path, rule } = partsOf(sentence)
    const field = byName.get(name)
    if (field !== undefined) {
      latest = found.get(name) ?? []
      found.set(name, latest)
      latest.push(`${subject(field, path)} ${labelled(rule)}`)
    } else if (latest.length > 0) {
      latest.push(`${latest.pop()}; ${sentence}`)
    } else {
      latest.push(sentence)
    }
  }
  return { fields: new Map([...found].map(([name, sentences]) => [name, `${sentences.join('. ')}.`])), whole: whole.map((sentence) => started(labelled(sentence))) }
}

/** `line_items[2].quantity must be above 0` in its parts. */
function partsOf(sentence: string): { name: string; path: string; rule: string } {
  const [, name = '', path = '', rule = ''] = /^([a-z][a-z_\d]*)((?:\[\d+\]|\.[a-z][a-z_\d]*)*):? (.+)$/s.exec(sentence) ?? []
  return { name, path, rule }
}

/** A field's name inside a sentence. */
const NAME = /\b[a-z]+(?:_[a-z\d]+)+\b/g

/** `Lines 3, quantity`, as people count; an input that has a label of its own by that. */
const subject = ({ label, parts = {} }: Named, path: string): string => parts[path.slice(path.lastIndexOf('.') + 1)]
  ?? label + path.replace(/\[(\d+)\]/g, (_, index) => ` ${Number(index) + 1}`).replace(/\.([a-z][a-z_\d]*)/g, (_, name: string) => `, ${words(name.replace(/_cents$/, '')).toLowerCase()}`)

/** A field that isn't on the form is called as people would. */
const started = (sentence: string): string => sentence.replace(/^[a-z]+(?:_[a-z\d]+)*/, words)
