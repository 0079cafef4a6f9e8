import type { Tenant } from '../../identity/credentials/caller.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { cancelJob, changeJobForCustomer, findJob, lockEditable, type Job } from '../../records/jobs/index.ts'
import { requireFreeMember } from '../../scheduling/holds.ts'
import { listNeededSkills } from '../../scheduling/skills/skills.ts'
import type { OpenedLink } from '../open_link.ts'
import { auditByCustomer, changesOf, toServiceCaller } from './book.ts'
import { findBookingPage, type BookingPage } from './booking_page.ts'
import { refusals } from './refusals.ts'
import { offerWindows, requireBookable } from './windows.ts'

/** Rights of a customer to change their visit now. */
export type VisitRights = { mayMove: boolean; mayCancel: boolean }

type ChangeableVisit = Pick<Job, 'id' | 'status' | 'scheduled_start' | 'all_day' | 'line_items' | 'assignments'>

/** Returns which upcoming visits a customer may move or cancel by the company's rules. */
export async function listVisitRights(db: Db, customer: string): Promise<ReadonlyMap<string, VisitRights>> {
  const page = await findBookingPage(db)
  if (page === undefined || (page.move_hours === null && page.cancel_hours === null)) return new Map()
  const visits = await db.all<ChangeableVisit>(sql`select id, status, scheduled_start, all_day, line_items,
      crew(assignee_ids) as assignments
    from jobs where tenant_id = ${db.tenant} and customer_id = ${customer} and status = 'scheduled'
      and scheduled_start > moment() order by scheduled_start limit ${MAX_VISITS}`)
  return new Map(visits.map((visit) => [visit.id, rightsTo(page, visit)]))
}

const MAX_VISITS = 20

/** Applies the rules to one visit: it is scheduled, far enough ahead, and for a service that customers may change. */
function rightsTo(page: BookingPage, visit: ChangeableVisit): VisitRights {
  const now = Date.now()
  const start =
    visit.status === 'scheduled' && visit.scheduled_start !== null ? Date.parse(visit.scheduled_start) : null
  const bookable = new Set(page.services.map(({ catalog_item_id }) => catalog_item_id))
  const isCovered =
    !page.changes_bookable_only ||
    visit.line_items.some(({ catalog_item_id }) => catalog_item_id !== null && bookable.has(catalog_item_id))
  const isEarly = (hours: number | null): boolean =>
    hours !== null && start !== null && isCovered && start > now && start - now >= hours * 3_600_000
  return {
    mayMove: isEarly(page.move_hours) && !visit.all_day && visit.assignments.length <= 1,
    mayCancel: isEarly(page.cancel_hours),
  }
}

/** Change to a visit by its customer through a link. */
export type VisitChange = { tenant: Tenant; baseUrl: string; link: OpenedLink; visit: string }

/** Customer's own visit, the company's booking page, and the changes its rules allow. */
export type LinkedVisit = { visit: Job; page: BookingPage; rights: VisitRights }

/** Returns a customer's own visit; undefined for anyone else's, or if no rules were ever saved. */
export async function findOwnVisit(
  db: Db,
  { link, visit }: Pick<VisitChange, 'link' | 'visit'>,
  load: (db: Db, id: string) => Promise<Job> = findJob,
): Promise<LinkedVisit | undefined> {
  const [page, ownVisit] = await Promise.all([
    findBookingPage(db),
    db.maybe(sql`select id from jobs
      where tenant_id = ${db.tenant} and id = ${visit} and customer_id = ${link.customer_id}`),
  ])
  if (page === undefined || ownVisit === undefined) return undefined
  const job = await load(db, visit)
  return { visit: job, page, rights: rightsTo(page, job) }
}

/** Returns the windows to which a visit may be moved. If it has a technician, only theirs. */
export const offerMoves = async (db: Db, zone: string, page: BookingPage, visit: Job, day?: Temporal.PlainDate) =>
  offerWindows(db, zone, page, {
    minutes: visit.duration_minutes,
    skills: await listNeededSkills(db, visit.line_items),
    day,
    user: visit.assignments[0]?.user_id,
  })

/** Moves a visit to a free start time. Returns it before and after. */
export async function moveVisit(db: Db, change: VisitChange, start: string): Promise<{ before: Job; after: Job }> {
  const { tenant, baseUrl, link } = change
  const { visit: before, page } = await requireChangeable(db, change, 'mayMove')
  requireBookable(tenant.timezone, page, start)
  const [member] = before.assignments
  const user = await requireFreeMember(db, tenant.timezone, {
    start,
    minutes: before.duration_minutes,
    skills: await listNeededSkills(db, before.line_items),
    user: member?.user_id,
  })
  const caller = toServiceCaller(tenant)
  const after = await changeJobForCustomer({ db, caller, baseUrl }, before, {
    scheduled_start: start,
    assignees: [user],
  })
  const written = changesOf(before, after)
  if (written !== undefined) await auditByCustomer(db, 'jobs.move_by_link', link.customer_name, withLink(written, link))
  return { before, after }
}

/** Cancels a visit for its customer. */
export async function cancelVisit(
  db: Db,
  change: VisitChange,
  reason: string | null,
): Promise<{ before: Job; after: Job }> {
  const { tenant, link } = change
  const { visit: before } = await requireChangeable(db, change, 'mayCancel')
  const after = await cancelJob(db, toServiceCaller(tenant), before.id, reason)
  const written = changesOf(before, after)
  if (written !== undefined)
    await auditByCustomer(db, 'jobs.cancel_by_link', link.customer_name, withLink(written, link))
  return { before, after }
}

async function requireChangeable(db: Db, change: VisitChange, right: keyof VisitRights): Promise<LinkedVisit> {
  const linkedVisit = await findOwnVisit(db, change, lockEditable)
  if (linkedVisit === undefined || !linkedVisit.rights[right]) throw conflict(refusals.visitFixed())
  return linkedVisit
}

const withLink = <W extends { changes: Record<string, readonly [unknown, unknown]> }>(
  written: W,
  link: OpenedLink,
): W => ({ ...written, changes: { ...written.changes, link: [null, link.id] } })
