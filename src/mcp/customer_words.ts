import { entities } from '../records/index.ts'
import type { TextAuthor } from '../tools/declare/record_facts.ts'

/** Authors of text fields as the entities declare them, by entity or part of a result, then by field. */
const AUTHORS = new Map<string, Map<string, TextAuthor>>()
const declare = (container: string, field: string, author: TextAuthor): void =>
  void AUTHORS.set(container, (AUTHORS.get(container) ?? new Map<string, TextAuthor>()).set(field, author))
for (const { name, record } of entities) {
  for (const [field, { text = 'company' }] of Object.entries(record.fields)) declare(name, field, text)
  for (const [part, fields] of Object.entries(record.parts))
    for (const [field, text] of Object.entries(fields)) declare(part, field, text)
}

/** Authors of text fields that any result may have outside its record. */
const COMMON_AUTHORS: Readonly<Record<string, TextAuthor>> = { warnings: 'customer', url: 'company' }

/** Names of fields that hold an id, a time or a date. */
const ID_OR_TIME = /^(?:id|ids)$|_(?:id|ids|at|date)$/

/** Custom fields. Their names and values always count as customer text. */
const CUSTOM_FIELDS = 'fields'

function authorOf(container: string, field: string): TextAuthor | undefined {
  if (container === CUSTOM_FIELDS) return 'customer'
  return AUTHORS.get(container)?.get(field) ?? COMMON_AUTHORS[field] ?? (ID_OR_TIME.test(field) ? 'company' : undefined)
}

/**
 * Checks whether a field holds customer text (docs/spec/tools.md#customer-text). `container` is the entity of the tool,
 * or the list inside its result. Unclassified text counts as customer text.
 */
export const isCustomerWords = (container: string, field: string): boolean => authorOf(container, field) !== 'company'

/** Checks whether the author of a field's text is known; a test requires this for every field of every result. */
export const isClassified = (container: string, field: string): boolean => authorOf(container, field) !== undefined

/** Returns the fields of a result that hold customer text, without duplicates; custom fields as `fields`. */
export function customerWordsIn(entity: string, result: object): string[] {
  const fields = new Set<string>()
  collectFields(result, entity, entity, fields)
  return [...fields]
}

function collectFields(value: object, container: string, entity: string, fields: Set<string>): void {
  const record = value as Readonly<Record<string, unknown>>
  for (const field of Object.keys(record)) {
    const inner = record[field]
    if (typeof inner === 'string' && inner !== '' && isCustomerWords(container, field))
      fields.add(fieldLabel(container, field, entity))
    else if (Array.isArray(inner)) collectFromList(inner, container, field, entity, fields)
    else if (typeof inner === 'object' && inner !== null) collectFields(inner, field, entity, fields)
  }
}

function collectFromList(
  list: readonly unknown[],
  container: string,
  field: string,
  entity: string,
  fields: Set<string>,
): void {
  const part = field === 'rows' ? container : field
  for (const one of list) {
    if (typeof one === 'string' && isCustomerWords(container, field)) fields.add(field)
    else if (typeof one === 'object' && one !== null) collectFields(one, part, entity, fields)
  }
}

const fieldLabel = (container: string, field: string, entity: string): string =>
  container === 'fields' ? container : field === 'name' && container !== entity ? `${container}.${field}` : field
