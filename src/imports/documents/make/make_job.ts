import { sql } from '../../../platform/db/tenant.ts'
import { backdateJob } from '../../../records/jobs/index.ts'
import { fold } from '../../../platform/validation/text/fold.ts'
import { instantIn, utc } from '../../../platform/validation/formats/instants.ts'
import type { CreatedDocument, DocumentContext } from './document_context.ts'

/** Creates a job with its visit, location and assignees. */
export async function makeJob(context: DocumentContext): Promise<CreatedDocument> {
  const { db, caller, sourceDocument, run, input } = context
  const state =
    sourceDocument.state === 'scheduled' && input['scheduled_start'] === undefined
      ? 'unscheduled'
      : sourceDocument.state
  const [location, assignees] = [await findOrCreateLocation(context), await crewOf(context)]
  const { outcome } = await run('jobs_create', {
    ...input,
    ...(location === undefined ? {} : { location_id: location }),
    ...(assignees.length === 0 ? {} : { assignees }),
    line_items: sourceDocument.lines,
  })
  const id = String(outcome.result['id'])
  if (state === 'cancelled') await run('jobs_cancel', { id })
  else if (state !== outcome.result['status']) await run('jobs_update', { id, status: state })
  const completed = sourceDocument.days['completed']
  if (state === 'done' && completed !== undefined) {
    const at = instantIn(caller.tenant.timezone, completed)
    if (Temporal.Instant.compare(at, Temporal.Now.instant()) < 0) await backdateJob(db, id, utc(at))
  }
  return { id }
}

/** Returns the customer's location with that street, or creates it; undefined if the file has no street. */
async function findOrCreateLocation({
  db,
  sourceDocument: { place },
  customer,
  run,
}: DocumentContext): Promise<string | undefined> {
  const street = place['address_line1']
  if (street === undefined) return undefined
  const places = await db.all<{ id: string; line: string; postal_code: string | null }>(sql`
    select id, address_line1 as line, postal_code from locations
    where tenant_id = ${db.tenant} and customer_id = ${customer.id} and archived_at is null
    order by type desc, created_at, id limit 500`)
  const same = places.filter(({ line }) => fold(line) === fold(street))
  const code = place['postal_code']
  const sameCode = same.find(({ postal_code }) => code === undefined || postal_code === null || postal_code === code)
  if (sameCode !== undefined) return sameCode.id
  const present = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined))
  const location = await run('locations_create', { customer_id: customer.id, ...present })
  return String(location.outcome.result['id'])
}

/** Returns the named assignees who are members. Remarks on the others, which the job omits. */
async function crewOf({ db, sourceDocument: { assignees }, addRemark }: DocumentContext): Promise<string[]> {
  if (assignees.length === 0) return []
  const keys = assignees.map((name) => name.slice(0, 254).toLowerCase())
  const members = await db.all<{ id: string; email: string; name: string }>(sql`
    select u.id, u.email, lower(u.name) as name from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null
      and (u.email = any(${keys}::text[]) or lower(u.name) = any(${keys}::text[]))`)
  return assignees.flatMap((assignee, i) => {
    const [member, ...others] = members.filter(({ email, name }) => email === keys[i] || name === keys[i])
    if (member !== undefined && others.length === 0) return member.id
    addRemark({ field: 'assignees', value: assignee, taken: '' })
    return []
  })
}
