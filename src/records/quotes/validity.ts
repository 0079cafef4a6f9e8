import { invalidField } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Returns the default expiry of a quote: 30 days after its issue. */
export const validUntil = (issued: string): string => Temporal.PlainDate.from(issued).add({ days: 30 }).toString()

/** Throws `invalid_input` unless a new quote is valid today. */
export function requireStillValid(until: string, today: string): void {
  if (until < today) throw invalidField('valid_until', refusals.tooEarly({ today, until }))
}
