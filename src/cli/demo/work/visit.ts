import type { DemoLine } from '../billing/catalog.ts'
import type { PersonName } from '../people.ts'

/** Describes a visit of the week; one without a day waits to be scheduled. */
export type DemoVisit = {
  /** Name that other parts use for this visit. */
  ref?: string
  /** Counts working days from today, negative before it. */
  day?: number
  at?: string
  minutes: number
  by?: readonly PersonName[]
  for: string
  /** Name of the customer's location, if it isn't the primary one. */
  place?: string
  title: string
  lines: readonly DemoLine[]
  instructions?: string
  description?: string
  priority?: 'low' | 'high' | 'urgent'
  window?: number
  /** Names the quote that was accepted. */
  quote?: string
  /** Current status. A visit before today is done. */
  now?: 'done' | 'in_progress' | 'en_route' | 'on_hold'
  /** Reason for the cancellation. */
  cancelled?: string
}
