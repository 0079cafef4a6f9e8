import { decimalOrText } from '../../line_items/inputs.ts'
import { unpriceLines } from '../../line_items/line.ts'
import { priceLines } from '../../line_items/price.ts'
import { resolveLines } from '../../line_items/resolve.ts'
import { quantity } from '../../../money/bounds.ts'
import { conflict } from '../../../platform/errors/refusal.ts'
import { id, optional } from '../../../platform/validation/fields.ts'
import { createInputs, idInput } from '../../../tools/declare/inputs.ts'
import { updateOutcome, type Outcome } from '../../../tools/call/outcome.ts'
import type { RunContext } from '../../../tools/declare/define.ts'
import { editJob, lockEditable } from '../edit.ts'
import { toJobView, type JobView } from '../job.ts'
import { refusals } from '../refusals.ts'

/** Maximum line items of a job, as on its form. */
const MAX_LINES = 200

/** Inputs to add a line to a job: a catalog item and a quantity. */
export const addLineInputs = {
  ...idInput,
  catalog_item_id: id(),
  quantity: optional(decimalOrText(quantity)),
  ...createInputs,
}

type AddLineInput = { id: string; catalog_item_id: string; quantity?: number | null | undefined }

/**
 * Adds a line at the catalog price after the job's existing lines, which stay unchanged
 * (docs/spec/scheduling.md#adding-a-part-to-a-visit).
 */
export async function addLine(
  context: RunContext,
  { id, catalog_item_id, quantity }: AddLineInput,
): Promise<Outcome<JobView & { warnings?: readonly string[] }>> {
  const before = await lockEditable(context.db, id)
  if (before.line_items.length >= MAX_LINES) throw conflict(refusals.tooManyLines({ max: MAX_LINES }))
  const lines = resolveLines(context.db, [{ catalog_item_id, quantity: quantity ?? 1 }]).then((added) => [
    ...unpriceLines(before.line_items),
    ...added,
  ])
  const { line_items, subtotal_cents } = await priceLines(context.db, { lines, hasTax: false })
  const { after } = await editJob(context, before, {}, { line_items, subtotal_cents })
  return updateOutcome(toJobView(context, before), toJobView(context, after))
}
