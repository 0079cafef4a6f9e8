import { invalidField } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Returns how long a quote is valid by default: 30 days from its issue. */
export const validUntil = (issued: string): string => Temporal.PlainDate.from(issued).add({ days: 30 }).toString()

/** Requires that a new quote is valid today. */
export function requireStillValid(until: string, today: string): void {
  if (until < today) throw invalidField('valid_until', refusals.tooEarly({ today, until }))
}
