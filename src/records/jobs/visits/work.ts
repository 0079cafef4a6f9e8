import { quoteText } from '../../../platform/errors/refusal.ts'
import type { Warning } from '../../../platform/errors/refusal_text.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { reuseLines } from '../../line_items/line.ts'
import { priceLines } from '../../line_items/price.ts'
import { resolveLines } from '../../line_items/resolve.ts'
import { contactFor } from '../../contacts/index.ts'
import type { Customer } from '../../customers/index.ts'
import { locationFor } from '../../locations/index.ts'
import type { Job, JobPatch, WorkParts } from '../fields.ts'
import { membersOf } from './crew.ts'
import { warnings } from './refusals.ts'

/** Defaults of new work. */
export const WORK_DEFAULTS = {
  location_id: 'primary',
  contact_id: 'primary',
  priority: 'normal',
  duration_minutes: '60',
  arrival_window_minutes: '0',
} as const

/** Members and lines of new work. */
export const NO_PARTS = { assignee_ids: [], line_items: [], subtotal_cents: 0 } satisfies WorkParts

/** Members and lines, looked up from what the caller sent. */
export type ResolvedWork = Partial<WorkParts>

/** Returns the members and priced lines of an input. Omitted inputs are omitted from the result. */
export async function resolveWork(
  db: Db,
  { assignees, line_items }: Pick<JobPatch, 'assignees' | 'line_items'>,
): Promise<ResolvedWork> {
  const [assignee_ids, document] = await Promise.all([
    assignees && membersOf(db, assignees),
    line_items && priceLines(db, { lines: resolveLines(db, line_items), hasTax: false }),
  ])
  return {
    ...(assignee_ids && { assignee_ids }),
    ...(document && { line_items: document.line_items, subtotal_cents: document.subtotal_cents }),
  }
}

/** Returns the stored members and lines of a row. */
export const workPartsOf = ({
  assignments,
  line_items,
  subtotal_cents,
}: Pick<Job, 'assignments' | 'line_items' | 'subtotal_cents'>): WorkParts => ({
  assignee_ids: assignments.map(({ user_id }) => user_id),
  line_items,
  subtotal_cents,
})

/** Returns the members and lines after a change. */
export const workPartsAfter = (before: WorkParts, { line_items, ...work }: ResolvedWork): WorkParts => ({
  ...pickWorkParts({ ...before, ...work }),
  ...(line_items && { line_items: reuseLines(before.line_items, line_items) }),
})

export const pickWorkParts = ({ assignee_ids, line_items, subtotal_cents }: WorkParts): WorkParts => ({
  assignee_ids,
  line_items,
  subtotal_cents,
})

/** Returns the columns of members and lines. */
export const toWorkColumns = (parts: WorkParts) => ({
  ...pickWorkParts(parts),
  line_items: JSON.stringify(parts.line_items),
})

type WorkSite = Pick<Job, 'location_id' | 'contact_id'>
type WorkSiteDraft = Pick<JobPatch, keyof WorkSite>

/** Returns a new document's location and contact, by default the customer's primary ones. */
export async function siteFor(db: Db, customer: string, { location_id, contact_id }: WorkSiteDraft): Promise<WorkSite> {
  const [location, contact] = await Promise.all([
    locationFor(db, customer, location_id, ['service']),
    contactFor(db, customer, contact_id),
  ])
  return { location_id: location, contact_id: contact }
}

/** Returns the location and contact after a change. A newly named one must be a live one of the customer. */
export async function siteAfter(
  db: Db,
  { customer_id, ...before }: WorkSite & { customer_id: string },
  draft: WorkSiteDraft,
): Promise<WorkSite> {
  const isNew = (name: keyof WorkSite): boolean => draft[name] != null && draft[name] !== before[name]
  const { location_id = before.location_id, contact_id = before.contact_id } = draft
  await Promise.all([
    isNew('location_id') && locationFor(db, customer_id, location_id, []),
    isNew('contact_id') && contactFor(db, customer_id, contact_id),
  ])
  return { location_id, contact_id }
}

/** Returns the warnings before work for a customer. */
export const serviceWarnings = ({
  do_not_service,
  display_name,
}: Pick<Customer, 'do_not_service' | 'display_name'>): Warning[] =>
  do_not_service
    ? [warnings.doNotService({ name: { forAgent: quoteText(display_name), forPeople: () => display_name } })]
    : []
