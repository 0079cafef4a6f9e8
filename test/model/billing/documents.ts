import type { Result } from '../../harness/harness.ts'
import { discountOf, linesOf, pricedNow } from '../lines.ts'
import { locationsOf } from '../people.ts'
import { lacksRate, patchField, strays, type Actor, type Customer, type Priced, type World } from '../world.ts'

export const addDays = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString()

/** Returns the primary billing location, or else the primary service location. */
export const billingLocationOf = (world: World, customer: Customer): string | null =>
  [...locationsOf(world, customer.id, 'billing'), ...locationsOf(world, customer.id, 'service')].find(
    ({ is_primary }) => is_primary,
  )?.id ?? null

export const isContent = (field: string): boolean => !['id', 'status'].includes(field)

/** Returns a draft's price after a patch. Undefined if the patch breaks a rule. */
export function reprice(
  world: World,
  actor: Actor,
  given: Result,
  present: Priced,
  customer: Customer,
): Partial<Priced> | undefined {
  const lines = 'line_items' in given ? linesOf(world, actor, given['line_items']) : present.lines
  const isStray =
    given['location_id'] !== present.location_id && strays(world, actor, 'location', given['location_id'], customer.id)
  if (
    lines === undefined ||
    isStray ||
    (given['tax_rate_id'] !== present.rate && lacksRate(world, actor, given['tax_rate_id']))
  )
    return undefined
  const asked = {
    lines,
    discount: discountOf(given, present.discount),
    chosen: patchField(given, 'tax_rate_id', present.chosen),
    location_id: patchField(given, 'location_id', present.location_id),
  }
  const now = pricedNow(world, customer, asked, present)
  return now && { ...asked, ...now }
}
