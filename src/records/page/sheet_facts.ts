import type { Fact } from '../../platform/html/parts/facts.ts'
import type { RecordFacts } from '../../tools/declare/record_facts.ts'
import { formatValue } from '../history/field_changes.ts'
import type { PageContext } from './page_context.ts'
import { multilineText } from './parts.ts'

/**
 * Returns the labeled values for a record's page, from fields declared `onSheet`. Text stays as entered, even if it
 * looks like a day or a phone number, as a purchase order can. `editOf` returns the edit link of a field.
 */
export const sheetFacts = (
  { company }: PageContext,
  { fields }: RecordFacts,
  record: object,
  editOf?: (field: string) => string | undefined,
): Fact[] =>
  Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    const { label, onSheet, text: author } = fields[name] ?? {}
    if (onSheet !== true) return []
    const isText = author !== undefined && typeof value === 'string'
    const text = isText ? value : formatValue(name, value, company, Infinity)
    return label === undefined || text === ''
      ? []
      : [
          {
            label: label(),
            value: text.includes('\n') ? multilineText(text) : text,
            ...(editOf && { edit: editOf(name) }),
          },
        ]
  })
