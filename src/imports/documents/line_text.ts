import type { MappedRow } from '../reading/incoming.ts'
import { parseCents, type AmountCurrency } from '../reading/values.ts'

/** One parsed line, as a table row. */
type ParsedLine = { cells: MappedRow['cells']; cents: number }

const MAX_LINES = 100

/**
 * Parses a cell with all lines of a document, as Jobber's reports write them: `Drain cleaning (1, $180.00), Trap (2,
 * $24.00)`. The amount is the line total. Returns undefined for any other format.
 */
export function parseLineText(text: string, of: AmountCurrency): ParsedLine[] | undefined {
  const lines: ParsedLine[] = []
  let from = 0
  for (const match of text.matchAll(/ \((\d{1,9}(?:\.\d{1,3})?), (-?\p{Sc}?-?[\d,]{1,15}(?:\.\d{1,3})?)\)(?:, |$)/gu)) {
    const [whole, quantity = '', amount = ''] = match
    const name = text.slice(from, match.index).trim()
    const cents = parseCents(amount, of)
    if (name === '' || cents === undefined || lines.length === MAX_LINES) return undefined
    lines.push({ cells: { line_name: name, ...countOf(quantity, cents, of.digits), line_total: amount }, cents })
    from = match.index + whole.length
  }
  return lines.length > 0 && from === text.length ? lines : undefined
}

/** Returns quantity and unit price if the amount divides into whole cents; otherwise the quantity as text. */
function countOf(quantity: string, cents: number, digits: number): Record<string, string> {
  const count = Number(quantity)
  if (count === 1) return {}
  if (!Number.isSafeInteger(count) || count === 0 || cents < 0 || cents % count !== 0)
    return { line_description: `${quantity} ×` }
  const price = String(cents / count).padStart(digits + 1, '0')
  const at = price.length - digits
  return { line_quantity: quantity, line_price: digits === 0 ? price : `${price.slice(0, at)}.${price.slice(at)}` }
}
