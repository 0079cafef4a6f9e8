import type { Caller } from '../../../identity/credentials/caller.ts'
import { invalid, fieldName } from '../../../platform/errors/refusal.ts'
import { refusals } from '../refusals.ts'

/** Fields that only owners see and set (docs/spec/records.md#cost-fields). */
export const COST_FIELDS = ['cost_cents', 'supplier_name', 'supplier_sku', 'supplier_url'] as const

type CostField = (typeof COST_FIELDS)[number]
type WithoutCost<Item> = { [Name in keyof Item as Name extends CostField ? never : Name]: Item[Name] } & {
  [Name in keyof Item as Name extends CostField ? Name : never]?: Item[Name]
}

/** An item as a caller may see it. */
export type ItemView<Item> = WithoutCost<Item> & { redacted_fields?: string[] }

const HIDDEN_FIELDS: ReadonlySet<string> = new Set(COST_FIELDS)

/** Checks whether a caller sees costs: only owners do. */
export const seesCost = ({ user, role }: Caller): boolean => user !== null && role === 'owner'

/** Refuses a cost from a caller who can't see the current one and would overwrite it blindly. */
export function requireCostRights(caller: Caller, patch: { [Field in CostField]?: unknown }): void {
  const sent = COST_FIELDS.filter((field) => patch[field] !== undefined)
  if (sent.length > 0 && !seesCost(caller)) throw invalid(refusals.costNotAllowed({ fields: sent.map(fieldName) }))
}

/**
 * Returns an item, or a row of a list, as a caller may see it. For anyone but owners, its cost and its components'
 * costs are removed.
 */
export function redactCost<Item extends object>(caller: Caller, item: Item): ItemView<Item> {
  if (seesCost(caller)) return { ...item }
  const redacted_fields = Object.keys(item).filter((name) => HIDDEN_FIELDS.has(name))
  const entries = Object.entries(withoutCost(item)).map(([name, value]) => [
    name,
    name === 'components' && Array.isArray(value) ? value.map(withoutCost) : value,
  ])
  return {
    ...Object.fromEntries(entries),
    ...(redacted_fields.length > 0 ? { redacted_fields } : {}),
  } as ItemView<Item>
}

const withoutCost = (item: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !HIDDEN_FIELDS.has(name)))
