import { quoteText } from '../../../platform/errors/refusal.ts'
import type { Warning } from '../../../platform/errors/refusal_text.ts'
import { z } from 'zod'
import type { Db } from '../../../platform/db/tenant.ts'
import { lineItems, type LineDraft } from '../../line_items/inputs.ts'
import { reuseLines, type LineItem } from '../../line_items/line.ts'
import { priceLines } from '../../line_items/price.ts'
import { resolveLines } from '../../line_items/resolve.ts'
import { choice, flag, id, optional, whole } from '../../../platform/validation/fields.ts'
import { applyPatch } from '../../../platform/validation/patch.ts'
import { longText, nonEmptyText } from '../../../platform/validation/text/text.ts'
import { contactFor } from '../../contacts/index.ts'
import type { Customer } from '../../customers/index.ts'
import { locationFor } from '../../locations/index.ts'
import { memberInput, membersOf } from './crew.ts'
import { warnings } from './refusals.ts'

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

/** What is to be done, where and by whom: of one job, or as the template of a series. */
export type Work = {
  location_id: string | null
  contact_id: string | null
  title: string
  description: string | null
  instructions: string | null
  priority: (typeof PRIORITIES)[number]
  duration_minutes: number
  all_day: boolean
  arrival_window_minutes: number
  assignee_ids: string[]
  line_items: LineItem[]
  /** Before discounts and tax, in the currency's minor unit. */
  subtotal_cents: number
}

/** Declares what callers type of it, besides the title. */
export const workInputs = {
  location_id: optional(id()).describe('Location'),
  contact_id: optional(id()).describe('Contact'),
  description: longText(5000).describe('For the customer'),
  instructions: longText(5000).describe('For the crew'),
  priority: choice(...PRIORITIES)
    .optional()
    .describe('Urgency'),
  duration_minutes: whole(5, 20_160).optional().describe('Minutes'),
  all_day: flag().optional().describe('Any time of day'),
  arrival_window_minutes: whole(0, 480).optional().describe('Minutes'),
  assignees: z.array(memberInput()).max(20).optional().describe('Ids, e-mails or names'),
  line_items: lineItems(),
}

/** Defaults of new work. */
export const WORK_DEFAULTS = {
  location_id: 'primary',
  contact_id: 'primary',
  priority: 'normal',
  duration_minutes: '60',
  arrival_window_minutes: '0',
} as const

export const jobTitle = () => nonEmptyText(200).describe('What is done')

/** Holds what callers type of a job's or a template's work. */
export type WorkDraft = {
  [Name in keyof Omit<Work, 'line_items' | 'assignee_ids' | 'subtotal_cents'>]?: Work[Name] | undefined
} & { assignees?: readonly string[] | undefined; line_items?: readonly LineDraft[] | undefined }

/** Members and lines, looked up from what the caller sent. */
export type ResolvedWork = Partial<Pick<Work, 'assignee_ids' | 'line_items' | 'subtotal_cents'>>

/** Returns the members and the priced lines that are typed; what is left out is left out of the result. */
export async function resolveWork(db: Db, { assignees, line_items }: WorkDraft): Promise<ResolvedWork> {
  const [assignee_ids, document] = await Promise.all([
    assignees && membersOf(db, assignees),
    line_items && priceLines(db, { lines: resolveLines(db, line_items), taxed: false }),
  ])
  return {
    ...(assignee_ids && { assignee_ids }),
    ...(document && { line_items: document.line_items, subtotal_cents: document.subtotal_cents }),
  }
}

/** Returns work after a change except for its location, or new work where there was only a title. */
export function workAfter(
  before: Partial<Work> & { title: string },
  typed: WorkDraft,
  found: ResolvedWork,
): Omit<Work, keyof WorkSite> {
  const { title, description, instructions, priority, duration_minutes, all_day, arrival_window_minutes } = typed
  const line_items = found.line_items && reuseLines(before.line_items ?? [], found.line_items)
  return applyPatch(
    { ...EMPTY, ...before },
    {
      title,
      description,
      instructions,
      priority,
      duration_minutes,
      all_day,
      arrival_window_minutes,
      ...found,
      line_items,
    },
  )
}

const EMPTY = {
  description: null,
  instructions: null,
  priority: 'normal',
  duration_minutes: 60,
  all_day: false,
  arrival_window_minutes: 0,
  assignee_ids: [],
  line_items: [],
  subtotal_cents: 0,
} satisfies Partial<Work>

type WorkSite = Pick<Work, 'location_id' | 'contact_id'>
type WorkSiteDraft = { [Name in keyof WorkSite]?: WorkSite[Name] | undefined }

/** Returns a new document's location: the customer's primary one by default. */
export async function siteFor(db: Db, customer: string, { location_id, contact_id }: WorkSiteDraft): Promise<WorkSite> {
  const [location, contact] = await Promise.all([
    locationFor(db, customer, location_id, ['service']),
    contactFor(db, customer, contact_id),
  ])
  return { location_id: location, contact_id: contact }
}

/** Returns the location after a change; a newly named one must be a live one of the customer. */
export async function siteAfter(
  db: Db,
  { customer_id, ...before }: WorkSite & { customer_id: string },
  typed: WorkSiteDraft,
): Promise<WorkSite> {
  const isNew = (name: keyof WorkSite): boolean => typed[name] != null && typed[name] !== before[name]
  const { location_id = before.location_id, contact_id = before.contact_id } = typed
  await Promise.all([
    isNew('location_id') && locationFor(db, customer_id, location_id, []),
    isNew('contact_id') && contactFor(db, customer_id, contact_id),
  ])
  return { location_id, contact_id }
}

/** Returns what to warn a caller of before work is done for a customer. */
export const serviceWarnings = ({
  do_not_service,
  display_name,
}: Pick<Customer, 'do_not_service' | 'display_name'>): Warning[] =>
  do_not_service
    ? [warnings.doNotService({ name: { forAgent: quoteText(display_name), forPeople: () => display_name } })]
    : []
