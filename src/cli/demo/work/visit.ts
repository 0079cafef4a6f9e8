import type { DemoLine } from '../billing/catalog.ts'
import type { PersonName } from '../people.ts'

/** Describes a visit of the week; one without a day waits to be scheduled. */
export type DemoVisit = {
  /** Is the name by which other parts refer to it. */
  ref?: string
  /** Counts working days from today, negative before it. */
  day?: number
  at?: string
  minutes: number
  by?: readonly PersonName[]
  for: string
  /** Is the name of the customer's location, when it isn't the primary one. */
  place?: string
  title: string
  lines: readonly DemoLine[]
  instructions?: string
  description?: string
  priority?: 'low' | 'high' | 'urgent'
  window?: number
  /** Names the quote that was accepted. */
  quote?: string
  /** Is what became of it by now; what is before today is done. */
  now?: 'done' | 'in_progress' | 'en_route' | 'on_hold'
  /** Says why it was canceled. */
  cancelled?: string
}
