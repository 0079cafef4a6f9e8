import type { Caller, Tenant } from '../../identity/credentials/caller.ts'
import { expandScopes } from '../../identity/permissions/scopes.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import { makeCustomer } from '../../records/customers/index.ts'
import { bookJob, changeJobForCustomer, lockEditable, prepareJob, type Job } from '../../records/jobs/index.ts'
import { endHold, lockHold, markBooked, requireFreeMember } from '../../scheduling/holds.ts'
import { createOutcome, updateOutcome, type WrittenRecord } from '../../tools/call/outcome.ts'
import type { BookingContact } from './contact.ts'
import type { BookableService } from './bookable_service.ts'
import type { BookingStep } from './step_token.ts'

/** Client name in the history for changes through the booking page. */
const CLIENT = 'Online booking'

type BookingRequest = {
  hold: string
  start: string
  service: BookableService
  contact: BookingContact
  source: BookingStep['source']
  /** Language tag of the page. */
  language: string
  needsApproval: boolean
  windowMinutes: number
}

/**
 * Result of a booking. `isNew` is false for a repeated submit; `duplicateWarnings` names possible duplicates of the
 * customer.
 */
export type OnlineBooking = { job: string; start: string; isNew: boolean; duplicateWarnings: readonly Warning[] }

/**
 * Books a held time for a new customer, with their job, in one transaction. It matches no existing customer, so that
 * the page reveals nothing about others; the office sees the possible duplicates.
 */
export async function bookOnline(
  db: Db,
  { tenant, baseUrl }: { tenant: Tenant; baseUrl: string },
  request: BookingRequest,
): Promise<OnlineBooking> {
  const { start, service } = request
  const hold = await lockHold(db, request.hold)
  if (hold.job_id !== null) return findBooked(db, hold.job_id, start)
  await endHold(db, request.hold)
  const free = { start, minutes: service.minutes, skills: service.skills, preferred: hold.user_id }
  const user = await requireFreeMember(db, tenant.timezone, free)
  const context = { db, caller: toServiceCaller(tenant), baseUrl }
  const customer = await makeCustomer(context, toCustomer(request))
  const draft = toJob(request, user, customer.result.id)
  const { job } = await bookJob(context, draft, await prepareJob(context, draft))
  if (request.needsApproval) await changeJobForCustomer(context, await lockEditable(db, job.id), { status: 'on_hold' })
  await markBooked(db, request.hold, job.id)
  await db.run(sql`insert into online_bookings (tenant_id, job_id, state)
    values (${db.tenant}, ${job.id}, ${request.needsApproval ? 'waiting' : 'booked'})`)
  const { written } = createOutcome(job)
  const records = [
    ...(written === undefined ? [] : [{ ...written, type: 'job' }]),
    ...(customer.written === undefined ? [] : [{ ...customer.written, type: 'customer' }]),
    ...(customer.also ?? []),
  ]
  for (const record of records) await auditByCustomer(db, 'jobs.book_by_link', CLIENT, record)
  return { job: job.id, start, isNew: true, duplicateWarnings: customer.warnings ?? [] }
}

/** Returns the booking already made from a hold, with its own time, even if the page shows another one. */
async function findBooked(db: Db, job: string, fallback: string): Promise<OnlineBooking> {
  const { scheduled_start } = await db.one<Pick<Job, 'scheduled_start'>>(
    sql`select scheduled_start from jobs where tenant_id = ${db.tenant} and id = ${job}`,
  )
  return { job, start: new Date(scheduled_start ?? fallback).toISOString(), isNew: false, duplicateWarnings: [] }
}

/**
 * Returns the service's own caller for changes by a customer: no credential, no user, and only the scopes to write
 * customers and jobs.
 */
export const toServiceCaller = (tenant: Tenant): Caller => ({
  tenant,
  credential: { id: '', version: 0, expiresAt: Infinity },
  user: null,
  role: null,
  scopes: expandScopes(['write:customers', 'write:jobs', 'read:catalog_items']),
  approval: null,
})

/** Adds the audit row of a customer's action. It names the client instead of a user. */
export const auditByCustomer = (
  db: Db,
  tool: 'jobs.book_by_link' | 'jobs.move_by_link' | 'jobs.cancel_by_link',
  client: string,
  { record, changes, type = 'job' }: WrittenRecord,
): Promise<number> =>
  db.run(sql`insert into audit (tenant_id, id, client, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${client}, ${tool}, ${type}, ${record}, ${JSON.stringify(changes)})`)

function toCustomer({ contact, language }: BookingRequest) {
  const [first_name = contact.name, ...others] = contact.name.trim().split(/\s+/)
  return {
    customer_type: 'individual' as const,
    first_name,
    last_name: others.length > 0 ? others.join(' ') : null,
    email: contact.email,
    phone: contact.phone,
    preferred_language: language,
    lead_source: CLIENT,
    locations: [contact.address],
  }
}

const toJob = (
  { start, service, contact, source, windowMinutes }: BookingRequest,
  user: string,
  customer_id: string,
) => ({
  customer_id,
  title: service.name,
  description: contact.answers.map(({ question, answer }) => `${question}\n${answer}`).join('\n\n') || null,
  scheduled_start: start,
  duration_minutes: service.minutes,
  arrival_window_minutes: windowMinutes,
  assignees: [user],
  line_items: [{ catalog_item_id: service.catalog_item_id }],
  fields: {
    Source: CLIENT,
    ...(source.page === '' ? {} : { Page: source.page }),
    ...(source.campaign === '' ? {} : { Campaign: source.campaign }),
  },
})

/** Returns the state of a job that was booked online; undefined for any other job. */
export const findOnlineBooking = (
  db: Db,
  job: string,
): Promise<{ state: 'booked' | 'waiting' | 'approved' | 'declined' } | undefined> =>
  db.maybe(sql`select state from online_bookings where tenant_id = ${db.tenant} and job_id = ${job}`)

export type WaitingBooking = Pick<Job, 'id' | 'title' | 'customer_name' | 'scheduled_start'>

/** Lists the bookings that wait for approval, oldest first. */
export const listWaiting = (db: Db): Promise<WaitingBooking[]> =>
  db.all(sql`select j.id, j.title, c.display_name as customer_name, j.scheduled_start
    from online_bookings b join jobs j on j.tenant_id = b.tenant_id and j.id = b.job_id
      join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
    where b.tenant_id = ${db.tenant} and b.state = 'waiting' order by b.created_at limit ${MAX_WAITING}`)

const MAX_WAITING = 50

/** Records the office's decision. Returns false if it was already decided. */
export const decideBooking = async (db: Db, job: string, state: 'approved' | 'declined'): Promise<boolean> =>
  (await db.run(sql`update online_bookings set state = ${state}
    where tenant_id = ${db.tenant} and job_id = ${job} and state = 'waiting'`)) > 0

/** Returns the audit entry of a changed job. */
export const changesOf = (before: Job, after: Job): WrittenRecord | undefined => updateOutcome(before, after).written
