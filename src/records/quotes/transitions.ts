import { sql, type Sql } from '../../platform/db/tenant.ts'
import { conflict, fieldName } from '../../platform/errors/refusal.ts'
import type { Quote, QuoteStatus } from './fields.ts'
import { refusals } from './refusals.ts'

/** Statuses that an update can set, by current status (docs/spec/records.md#quote-status). */
export const ALLOWED_TRANSITIONS: Readonly<Record<QuoteStatus, readonly QuoteStatus[]>> = {
  draft: ['sent', 'accepted', 'declined'],
  sent: ['draft', 'accepted', 'declined', 'expired'],
  accepted: ['declined'],
  declined: ['draft'],
  expired: ['draft', 'sent'],
  archived: [],
}

/** Refuses a status that can't follow the current one. */
export function requireTransition(
  { status: from, display_number }: Quote,
  to: QuoteStatus,
  valid_until: string,
  today: string,
): void {
  if (!ALLOWED_TRANSITIONS[from].includes(to))
    throw conflict(
      refusals.badTransition({ number: display_number, from, to, allowed: ALLOWED_TRANSITIONS[from].join(' or ') }),
    )
  if (from === 'expired' && to === 'sent' && valid_until < today) {
    throw conflict(
      refusals.expired({ number: display_number, until: valid_until, today, valid_until: fieldName('valid_until') }),
    )
  }
}

/** Returns the columns that change with a status; `address` is the current address of its location. */
export const statusColumns = (before: Quote, to: QuoteStatus, address: Sql): Record<string, unknown> => ({
  status: to,
  ...(before.status === 'draft' ? { location_address: address } : {}),
  ...(to === 'draft' ? { location_address: null, accepted_at: null, declined_at: null, decline_reason: null } : {}),
  ...(to === 'sent' && before.sent_at === null ? { sent_at: sql`moment()` } : {}),
  ...(to === 'accepted' ? { accepted_at: sql`moment()` } : {}),
  ...(to === 'declined' ? { declined_at: sql`moment()` } : {}),
})
