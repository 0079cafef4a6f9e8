import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { toDocumentColumns } from '../../line_items/columns.ts'
import type { LineDraft } from '../../line_items/inputs.ts'
import { unpriceLines, type LineItem } from '../../line_items/line.ts'
import { priceLines, type PricedDocument } from '../../line_items/price.ts'
import { resolveLines } from '../../line_items/resolve.ts'
import type { Quote } from '../fields.ts'
import { refusals } from './refusals.ts'

/** Maximum lines that a customer may add to a quote. */
export const MAX_OPTIONAL_LINES = 20

/**
 * Prices a quote with some of its optional lines at its stored rates. Rates never change, so an offer has the same
 * price at any time.
 */
export function priceWithOptional(
  db: Db,
  quote: Pick<Quote, 'line_items' | 'discount' | 'tax_rate_id' | 'tax_exempt'>,
  chosen: readonly LineItem[],
): Promise<PricedDocument> {
  const { line_items, discount, tax_rate_id, tax_exempt } = quote
  return priceLines(db, {
    lines: unpriceLines([...line_items, ...chosen]),
    discount,
    tax_rate_id,
    tax_exempt,
    hasTax: true,
  })
}

/** Returns the optional lines with the given ids, in the order of the quote. */
export function optionalLines(
  { display_number, optional_lines }: Pick<Quote, 'display_number' | 'optional_lines'>,
  ids: readonly string[],
): LineItem[] {
  const chosen = new Set(ids)
  const lines = (optional_lines ?? []).filter(({ id }) => chosen.has(id))
  if (lines.length !== chosen.size)
    throw invalidField('optional_lines', refusals.unknownLine({ number: display_number }))
  return lines
}

/** Sets the optional lines of a locked draft; an empty list removes them. */
export async function setOptionalLines(
  db: Db,
  user: string | null,
  before: Quote,
  drafts: readonly LineDraft[],
): Promise<void> {
  const { id, status, display_number } = before
  if (status !== 'draft') throw conflict(refusals.notDraft({ number: display_number, status }))
  const lines = await resolveLines(db, drafts)
  const discountIndex = lines.findIndex(({ kind }) => kind === 'discount')
  if (discountIndex !== -1) throw invalidField(`line_items[${discountIndex}].kind`, refusals.discount())
  const { tax_rate_id, tax_exempt } = before
  const { line_items } = await priceLines(db, { lines, tax_rate_id, tax_exempt, hasTax: true })
  await priceWithOptional(db, before, line_items)
  await db.run(sql`update quotes
    set optional_lines = ${line_items.length === 0 ? null : JSON.stringify(line_items)}, updated_by = ${user},
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
}

/** Returns the columns of a quote accepted with some of its optional lines; the others stay optional. */
export async function columnsOnAccept(db: Db, quote: Quote, ids: readonly string[]): Promise<Record<string, unknown>> {
  if (ids.length === 0) return {}
  const chosen = optionalLines(quote, ids)
  const others = (quote.optional_lines ?? []).filter((line) => !chosen.includes(line))
  const document = await priceWithOptional(db, quote, chosen)
  return { ...toDocumentColumns(document), optional_lines: others.length === 0 ? null : JSON.stringify(others) }
}
