import { discountBounds } from '../line_items/inputs.ts'
import { brokenRule } from '../../money/decimal.ts'
import type { FieldProblem } from '../../platform/errors/refusal.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import type { DraftOf } from '../declare/record.ts'
import { CATALOG_ITEM, type CatalogItem, type ItemInput, type ItemKind } from './fields.ts'
import type { Component, ComponentDraft } from './components.ts'
import { COST_FIELDS } from './costs/cost.ts'
import { refusals } from './refusals.ts'

/** Fields of an item that a caller sent. */
type ItemDraft = Omit<DraftOf<typeof CATALOG_ITEM>, 'kind' | 'name'> & { name?: string | undefined }
type FullItemDraft = ItemDraft & { components?: readonly ComponentDraft[] | undefined }
type KindField = keyof FullItemDraft

const SOLD_FIELDS = ['unit_price_cents', ...COST_FIELDS] as const satisfies readonly KindField[]

/** Fields specific to each kind, besides those of every item (docs/spec/records.md#item-kinds). */
const KIND_FIELDS: Readonly<Record<ItemKind, readonly KindField[]>> = {
  service: [...SOLD_FIELDS, 'duration_minutes'],
  product: [...SOLD_FIELDS, 'manufacturer', 'model', 'barcode'],
  labor: SOLD_FIELDS,
  fee: SOLD_FIELDS,
  bundle: ['pricing', 'unit_price_cents', 'cost_cents', 'components'],
  discount: ['discount_type', 'discount_value'],
}
const KIND_SPECIFIC_FIELDS = [...new Set(Object.values(KIND_FIELDS).flat())]

/** Returns a new item with its defaults. */
export const buildItem = (kind: ItemKind, sent: ItemDraft & { name: string }): ItemInput =>
  CATALOG_ITEM.complete(
    { ...sent, kind },
    { unit: defaultUnit(kind), taxable: kind !== 'discount', ...(kind === 'bundle' ? { pricing: 'sum' } : {}) },
  )

/** Returns an item after an update. A computed price never becomes a fixed one, or the reverse. */
export function reviseItem(before: CatalogItem, sent: ItemDraft): ItemInput {
  const isComputed = before.pricing === 'sum' || sent.pricing === 'sum'
  return applyPatch<ItemInput>(isComputed ? { ...before, unit_price_cents: null } : before, patchOf(before.kind, sent))
}

const patchOf = (kind: ItemKind, sent: ItemDraft) => ({
  ...sent,
  unit: sent.unit === null ? defaultUnit(kind) : sent.unit,
})

const defaultUnit = (kind: ItemKind): string => (kind === 'labor' ? 'hour' : 'each')

/** Returns every rule of its kind that an item breaks, with the field; `item` is the result of applying `sent`. */
export function problemsOf(item: ItemInput, sent: FullItemDraft): FieldProblem[] {
  const { kind } = item
  const otherKindFields = KIND_SPECIFIC_FIELDS.filter(
    (field) => sent[field] != null && !KIND_FIELDS[kind].includes(field),
  )
  return [
    ...otherKindFields.map((path) => ({ path, rule: refusals.notOfKind({ kind }) })),
    ...rulesFor(kind)(item, sent),
  ]
}

type Rules = (item: ItemInput, sent: ItemDraft) => FieldProblem[]

function rulesFor(kind: ItemKind): Rules {
  if (kind === 'bundle') return bundleProblems
  return kind === 'discount' ? discountProblems : soldProblems
}

const soldProblems: Rules = ({ kind, unit_price_cents }) =>
  unit_price_cents === null ? [{ path: 'unit_price_cents', rule: refusals.priceMissing({ kind }) }] : []

const bundleProblems: Rules = ({ pricing, unit_price_cents }, sent) => [
  ...(sent.cost_cents != null ? [{ path: 'cost_cents', rule: refusals.costComputed() }] : []),
  ...(pricing === 'sum' && unit_price_cents !== null
    ? [{ path: 'unit_price_cents', rule: refusals.priceComputed() }]
    : []),
  ...(pricing === 'fixed' && unit_price_cents === null
    ? [{ path: 'unit_price_cents', rule: refusals.fixedPriceMissing() }]
    : []),
]

function discountProblems({ taxable, tax_rate_id, discount_type, discount_value }: ItemInput): FieldProblem[] {
  const taxed = [...(taxable ? ['taxable'] : []), ...(tax_rate_id !== null ? ['tax_rate_id'] : [])]
  return [
    ...taxed.map((path) => ({ path, rule: refusals.notOfKind({ kind: 'discount' }) })),
    ...discountValueProblems(discount_type, discount_value),
  ]
}

function discountValueProblems(type: ItemInput['discount_type'], value: number | null): FieldProblem[] {
  if (type === null || value === null)
    return [
      ...(type === null ? [{ path: 'discount_type', rule: refusals.discountTypeMissing() }] : []),
      ...(value === null ? [{ path: 'discount_value', rule: refusals.discountMissing() }] : []),
    ]
  const rule = brokenRule(value, { ...discountBounds(type), min: 1n, below: 'must be above 0' })
  return rule === null
    ? []
    : [{ path: 'discount_value', rule: refusals.discountInvalid({ rule, value: String(value), type }) }]
}

/** The fields of every kind, and those of some kinds. */
export type FullItem = Pick<
  CatalogItem,
  'id' | 'kind' | 'name' | 'unit' | 'taxable' | 'fields' | 'created_at' | 'updated_at'
> &
  Partial<CatalogItem> & { components?: readonly Component[] }

/** Returns an item for results: without the fields that its kind lacks, and a bundle with its components. */
export function toFullItem(item: CatalogItem, components: readonly Component[]): FullItem {
  const excluded: ReadonlySet<string> = new Set(
    KIND_SPECIFIC_FIELDS.filter((field) => !KIND_FIELDS[item.kind].includes(field)),
  )
  const fields = Object.entries(item).filter(([name]) => !excluded.has(name))
  return { id: item.id, ...Object.fromEntries(fields), ...(item.kind === 'bundle' ? { components } : {}) } as FullItem
}
