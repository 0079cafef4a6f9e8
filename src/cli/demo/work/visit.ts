import type { DemoLine } from '../billing/catalog.ts'
import type { PersonName } from '../people.ts'

/** Demo visit. One without a day is unscheduled. */
export type DemoVisit = {
  /** Name that other parts use for this visit. */
  ref?: string
  /** Working days from today, negative for the past. */
  day?: number
  at?: string
  minutes: number
  by?: readonly PersonName[]
  for: string
  /** Name of the customer's location, if it isn't the primary one. */
  locationName?: string
  title: string
  lines: readonly DemoLine[]
  instructions?: string
  description?: string
  priority?: 'low' | 'high' | 'urgent'
  window?: number
  /** Accepted quote that it belongs to. */
  quote?: string
  /** Current status. A visit before today is done. */
  currentStatus?: 'done' | 'in_progress' | 'en_route' | 'on_hold'
  /** Reason for the cancellation. */
  cancelled?: string
}
