import { sql, type Sql } from '../../platform/db/tenant.ts'
import { conflict, formatRule, fieldName } from '../../platform/errors/refusal.ts'
import type { Quote, QuoteStatus } from './quote.ts'

/** Maps a status to those that an update can set (docs/spec/records.md#quote-status). */
export const ALLOWED_TRANSITIONS: Readonly<Record<QuoteStatus, readonly QuoteStatus[]>> = {
  draft: ['sent', 'accepted', 'declined'],
  sent: ['draft', 'accepted', 'declined', 'expired'],
  accepted: ['declined'],
  declined: ['draft'],
  expired: ['draft', 'sent'],
  archived: [],
}

/** Refuses a status that can't follow the present one. */
export function requireTransition(
  { status: from, display_number }: Quote,
  to: QuoteStatus,
  valid_until: string,
  today: string,
): void {
  if (!ALLOWED_TRANSITIONS[from].includes(to))
    throw conflict(
      `${display_number} is ${from} and can't become ${to}; from here it can become ${ALLOWED_TRANSITIONS[from].join(' or ')}`,
    )
  if (from === 'expired' && to === 'sent' && valid_until < today) {
    throw conflict(
      formatRule`${display_number} was valid until ${valid_until}; send ${fieldName('valid_until')} of today, ${today}, or later with it`,
    )
  }
}

/** Returns the columns that change with a status; `address` is that of its location now. */
export const statusColumns = (before: Quote, to: QuoteStatus, address: Sql): Record<string, unknown> => ({
  status: to,
  ...(before.status === 'draft' ? { location_address: address } : {}),
  ...(to === 'draft' ? { location_address: null, accepted_at: null, declined_at: null, decline_reason: null } : {}),
  ...(to === 'sent' && before.sent_at === null ? { sent_at: sql`moment()` } : {}),
  ...(to === 'accepted' ? { accepted_at: sql`moment()` } : {}),
  ...(to === 'declined' ? { declined_at: sql`moment()` } : {}),
})
