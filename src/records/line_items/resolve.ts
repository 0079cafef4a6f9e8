import type { Db } from '../../platform/db/tenant.ts'
import { lineSources, type LineSource } from '../catalog_items/index.ts'
import { NOT_A_RATE, liveRates } from '../tax_rates/index.ts'
import { brokenRule } from '../../money/decimal.ts'
import type { Rate } from '../../money/rates.ts'
import {
  capProblems,
  invalidFields,
  fieldName,
  type FieldProblem,
  type RefusalRule,
} from '../../platform/errors/refusal.ts'
import { findRefusal } from '../../platform/errors/rule_text.ts'
import { newId } from '../../platform/validation/id.ts'
import { discountBounds, type LineDraft } from './inputs.ts'
import { refusals } from './refusals.ts'
import type { DiscountLineItem, LineItem, ResolvedLine, SoldLine } from './line.ts'

type LineCatalog = { items: ReadonlyMap<string, LineSource>; rates: ReadonlyMap<string, Rate> }
/** Records a problem of a line. Returns undefined, the result for a line with a problem. */
type ProblemReporter = (field: string, rule: RefusalRule, note?: string) => undefined

const MAX_DESCRIPTION = 2000

/**
 * Resolves entered lines in order of position: missing fields come from the live catalog items they name. Takes one
 * round trip. Throws `invalid_input` with each problem, such as `line_items[2].name is required`. Lines in `stored`
 * keep their ids.
 */
export async function resolveLines(
  db: Db,
  drafts: readonly LineDraft[],
  stored: readonly LineItem[] = [],
): Promise<ResolvedLine[]> {
  const [items, rates] = await Promise.all([
    lineSources(db, collectIds(drafts, 'catalog_item_id')),
    liveRates(db, collectIds(drafts, 'tax_rate_id')),
  ])
  const problems: FieldProblem[] = []
  const unused = new Map(stored.map((line) => [line.id, line]))
  const lines = drafts.map((line, i) => {
    const problem: ProblemReporter = (field, rule, note = '') =>
      void problems.push({ path: `line_items[${i}].${field}`, rule, note })
    const earlier = line.id === undefined ? undefined : unused.get(line.id)
    if (earlier !== undefined) {
      unused.delete(earlier.id)
      requireUnchangedComputed(line, earlier, problem)
    }
    return { at: line.position ?? i, line: resolveLine(line, { items, rates }, problem, earlier?.id ?? newId()) }
  })
  if (problems.length > 0) throw invalidFields(capProblems(problems))
  return lines.sort((a, b) => a.at - b.at).flatMap(({ line }) => line ?? [])
}

const collectIds = (drafts: readonly LineDraft[], field: 'catalog_item_id' | 'tax_rate_id'): string[] => [
  ...new Set(drafts.flatMap((line) => line[field] ?? [])),
]

const COMPUTED_FIELDS = ['line_total_cents', 'discount_share_cents', 'tax_cents', 'rate_decimal', 'tax_name'] as const

/** Ignores computed fields that are unchanged, and refuses changed ones. */
function requireUnchangedComputed(line: LineDraft, earlier: LineItem, problem: ProblemReporter): void {
  for (const field of COMPUTED_FIELDS)
    if (line[field] !== undefined && line[field] !== earlier[field]) problem(field, refusals.computed())
}

/** Returns the line, or undefined after a problem. */
function resolveLine(
  line: LineDraft,
  catalog: LineCatalog,
  problem: ProblemReporter,
  id: string,
): ResolvedLine | undefined {
  const item = line.catalog_item_id == null ? undefined : catalog.items.get(line.catalog_item_id)
  if (line.catalog_item_id != null && item === undefined) {
    return problem('catalog_item_id', refusals.unknownItem())
  }
  const kind = line.kind ?? item?.kind ?? 'service'
  if (item !== undefined && (kind === 'discount') !== (item.kind === 'discount')) {
    return problem('kind', refusals.kindOfItem({ kind, itemKind: item.kind }))
  }
  const name = line.name ?? item?.name
  if (name === undefined) return problem('name', refusals.name({ item: fieldName('catalog_item_id') }))
  const common = {
    id,
    catalog_item_id: item?.id ?? null,
    name,
    description: line.description === undefined ? truncateDescription(item?.description ?? null) : line.description,
  }
  if (kind === 'discount') return resolveDiscount(line, item, common, problem)
  return resolveSold(line, item, { ...common, kind }, catalog, problem)
}

const truncateDescription = (text: string | null): string | null =>
  text && Array.from(text).slice(0, MAX_DESCRIPTION).join('')

type Common = Pick<SoldLine, 'id' | 'catalog_item_id' | 'name' | 'description'>

const ITEM_FIELDS = ['quantity', 'unit', 'unit_price_cents', 'tax_rate_id'] as const

function resolveDiscount(
  line: LineDraft,
  item: LineSource | undefined,
  common: Common,
  problem: ProblemReporter,
): DiscountLineItem | undefined {
  for (const field of ITEM_FIELDS) if (line[field] != null) problem(field, refusals.notOfDiscount())
  if (line.taxable === true) problem('taxable', refusals.notOfDiscount())
  const type = line.discount_type ?? item?.discount_type
  if (type == null) return problem('discount_type', refusals.discountType())
  const value = line.discount_value ?? (type === item?.discount_type ? item.discount_value : null)
  if (value === null) return problem('discount_value', refusals.discountValue())
  const rule = brokenRule(value, discountBounds(type))
  if (rule !== null) return problem('discount_value', findRefusal(rule) ?? rule, ` (got ${value})`)
  return { ...common, kind: 'discount', discount_type: type, discount_value: value }
}

const DISCOUNT_FIELDS = ['discount_type', 'discount_value'] as const

function resolveSold(
  line: LineDraft,
  item: LineSource | undefined,
  common: Common & Pick<SoldLine, 'kind'>,
  { rates }: LineCatalog,
  problem: ProblemReporter,
): SoldLine | undefined {
  for (const field of DISCOUNT_FIELDS) if (line[field] != null) problem(field, refusals.onlyOfDiscount())
  if (line.tax_rate_id != null && !rates.has(line.tax_rate_id)) return problem('tax_rate_id', NOT_A_RATE)
  const price = line.unit_price_cents ?? item?.unit_price_cents
  if (price == null) return problem('unit_price_cents', refusals.price({ item: fieldName('catalog_item_id') }))
  return {
    ...common,
    quantity: line.quantity ?? 1,
    unit: line.unit ?? item?.unit ?? 'each',
    unit_price_cents: price,
    taxable: line.taxable ?? item?.taxable ?? true,
    ...ownRate(line, item, rates),
  }
}

/** Returns the line's own rate, else its item's; without either, the document's rate applies. */
function ownRate(
  line: LineDraft,
  item: LineSource | undefined,
  rates: ReadonlyMap<string, Rate>,
): Pick<SoldLine, 'tax_rate_id' | 'rate'> {
  if (line.tax_rate_id === null) return { tax_rate_id: null }
  if (line.tax_rate_id !== undefined) return { tax_rate_id: line.tax_rate_id, rate: rates.get(line.tax_rate_id)! }
  if (item?.tax_rate_id == null) return {}
  const { tax_rate_id, tax_rate_name, rate_decimal } = item
  return { tax_rate_id, rate: { tax_rate_id, name: tax_rate_name!, rate_decimal: rate_decimal! } }
}
