import { invalidField } from '../../refusal.ts'

/** How long a quote stands when nobody says: 30 days from its issue. */
export const validUntil = (issued: string): string => Temporal.PlainDate.from(issued).add({ days: 30 }).toString()

/** The guard of a new quote: its offer stands today. */
export function requireStillValid(until: string, today: string): void {
  if (until < today) throw invalidField('valid_until', `must be today, ${today}, or later (got ${until})`)
}
