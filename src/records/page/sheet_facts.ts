import type { Fact } from '../../platform/html/parts/facts.ts'
import type { RecordFacts } from '../../tools/declare/record_facts.ts'
import { formatValue } from '../history/field_changes.ts'
import type { PageContext } from './page_context.ts'
import { multilineText } from './parts.ts'

/** Returns the values of a record's page by their labels: those of fields declared `onSheet`. */
export const sheetFacts = ({ company }: PageContext, { fields }: RecordFacts, record: object): Fact[] =>
  Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    const { label, onSheet } = fields[name] ?? {}
    const text = onSheet === true ? formatValue(name, value, company, Infinity) : ''
    return label === undefined || text === ''
      ? []
      : [{ label: label(), value: text.includes('\n') ? multilineText(text) : text }]
  })
