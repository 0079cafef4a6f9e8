import { entities } from '../records/index.ts'
import type { TextAuthor } from '../tools/declare/record_facts.ts'

/** Authors of text fields as the entities declare them, by entity or part of a result, then by field. */
const AUTHORS = new Map<string, Map<string, TextAuthor>>()
const declare = (of: string, field: string, author: TextAuthor): void =>
  void AUTHORS.set(of, (AUTHORS.get(of) ?? new Map<string, TextAuthor>()).set(field, author))
for (const { name, record } of entities) {
  for (const [field, { text = 'company' }] of Object.entries(record.fields)) declare(name, field, text)
  for (const [part, fields] of Object.entries(record.parts))
    for (const [field, text] of Object.entries(fields)) declare(part, field, text)
}

/** Authors of text fields that any result may have outside its record. */
const COMMON: Readonly<Record<string, TextAuthor>> = { warnings: 'customer', url: 'company' }

/** Names of fields that hold an id, a time or a date. */
const SHAPED = /^(?:id|ids)$|_(?:id|ids|at|date)$/

/** Custom fields. Their names and values always count as customer text. */
const CUSTOM = 'fields'

function authorOf(of: string, field: string): TextAuthor | undefined {
  if (of === CUSTOM) return 'customer'
  return AUTHORS.get(of)?.get(field) ?? COMMON[field] ?? (SHAPED.test(field) ? 'company' : undefined)
}

/**
 * Checks whether a field holds customer text (docs/spec/tools.md#customer-text). `of` is the entity of the tool, or the
 * list inside its result. Unclassified text counts as customer text.
 */
export const isCustomerWords = (of: string, field: string): boolean => authorOf(of, field) !== 'company'

/** Checks whether the author of a field's text is known; a test requires this for every field of every result. */
export const isClassified = (of: string, field: string): boolean => authorOf(of, field) !== undefined

/** Returns the fields of a result that hold customer text, without duplicates; custom fields as `fields`. */
export function customerWordsIn(entity: string, result: object): string[] {
  const fields = new Set<string>()
  look(result, entity, entity, fields)
  return [...fields]
}

function look(value: object, of: string, entity: string, fields: Set<string>): void {
  const record = value as Readonly<Record<string, unknown>>
  for (const field of Object.keys(record)) {
    const inner = record[field]
    if (typeof inner === 'string' && inner !== '' && isCustomerWords(of, field))
      fields.add(fieldLabel(of, field, entity))
    else if (Array.isArray(inner)) lookInto(inner, of, field, entity, fields)
    else if (typeof inner === 'object' && inner !== null) look(inner, field, entity, fields)
  }
}

function lookInto(list: readonly unknown[], of: string, field: string, entity: string, fields: Set<string>): void {
  const part = field === 'rows' ? of : field
  for (const one of list) {
    if (typeof one === 'string' && isCustomerWords(of, field)) fields.add(field)
    else if (typeof one === 'object' && one !== null) look(one, part, entity, fields)
  }
}

const fieldLabel = (of: string, field: string, entity: string): string =>
  of === 'fields' ? of : field === 'name' && of !== entity ? `${of}.${field}` : field
