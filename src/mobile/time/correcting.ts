import { auditChange } from '../../identity/audit.ts'
import { parseField } from '../../identity/inputs.ts'
import type { Role } from '../../identity/permissions/areas.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict, invalidField, notFound } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import { findEntry, type TimeEntry } from './entry.ts'
import { lockMember } from './tracking.ts'
import { refusals } from './refusals.ts'

/** Maximum hours of a manual entry, and maximum age in days. */
const MAX_HOURS = 24
const MAX_DAYS = 366
const HOUR = 3_600_000

/** User who makes a correction. A technician can only correct their own time. */
export type Corrector = { user: string; role: Role }

/** Corrected times of an entry, by our clock; equal times void it. */
type TimeCorrection = { started_at: string; ended_at: string; reason: string }

/** Corrects an entry; its former times are kept, with the reason. */
export async function correctTime(
  db: Db,
  id: string,
  draft: TimeCorrection,
  by: Corrector,
  now: string,
): Promise<TimeEntry> {
  const before = await findEntry(db, id)
  requireOwnEntry(before.user_id, by)
  await lockMember(db, before.user_id)
  return updateEntry(db, await findEntry(db, id), parseCorrection(draft, now), by)
}

/** Adds a forgotten entry. */
export async function addForgottenTime(
  db: Db,
  { job, user }: { job: string; user: string },
  draft: TimeCorrection,
  by: Corrector,
  now: string,
): Promise<TimeEntry> {
  if (user !== by.user && by.role === 'tech') throw notFound('member')
  const values = parseCorrection(draft, now)
  if (values.started_at === values.ended_at) throw invalidField('ended_at', refusals.endNotAfterStart())
  await lockMember(db, user)
  const id = newId()
  await requireNoOverlap(db, user, id, values)
  await db.run(sql`insert into time_entries (tenant_id, id, user_id, job_id, started_at, ended_at, ended_by,
      is_corrected)
    values (${db.tenant}, ${id}, ${user}, ${job}, ${values.started_at}, ${values.ended_at}, 'hand', true)`)
  return saveCorrection(db, id, { started_at: null, ended_at: null }, values, by)
}

/** Throws `not_found` if a technician asks for someone else's entry. */
function requireOwnEntry(user: string, by: Corrector): void {
  if (user !== by.user && by.role === 'tech') throw notFound('time entry')
}

function parseCorrection({ started_at, ended_at, reason }: TimeCorrection, now: string): TimeCorrection {
  const [from, to, at] = [started_at, ended_at, now].map((text) => Date.parse(text)) as [number, number, number]
  if (to < from) throw invalidField('ended_at', refusals.endBeforeStart())
  if (to > at) throw invalidField('ended_at', refusals.endInFuture())
  if (to - from > MAX_HOURS * HOUR) throw invalidField('ended_at', refusals.tooLong({ max: MAX_HOURS }))
  if (at - from > MAX_DAYS * 24 * HOUR) throw invalidField('started_at', refusals.tooOld({ max: MAX_DAYS }))
  return { started_at, ended_at, reason: parseField(nonEmptyText(500), reason, 'reason') }
}

async function updateEntry(db: Db, before: TimeEntry, correction: TimeCorrection, by: Corrector): Promise<TimeEntry> {
  await requireNoOverlap(db, before.user_id, before.id, correction)
  await db.run(sql`update time_entries
    set started_at = ${correction.started_at}, ended_at = ${correction.ended_at}, ended_by = 'hand', is_corrected = true
    where tenant_id = ${db.tenant} and id = ${before.id}`)
  return saveCorrection(db, before.id, before, correction, by)
}

async function saveCorrection(
  db: Db,
  id: string,
  before: { started_at: string | null; ended_at: string | null },
  { started_at, ended_at, reason }: TimeCorrection,
  { user }: Corrector,
): Promise<TimeEntry> {
  await db.run(sql`insert into time_corrections (tenant_id, id, entry_id, started_before, ended_before, started_at,
      ended_at, reason, corrected_by)
    values (${db.tenant}, ${newId()}, ${id}, ${before.started_at}, ${before.ended_at}, ${started_at}, ${ended_at},
      ${reason}, ${user})`)
  const after = await findEntry(db, id)
  await db.run(
    auditChange(db.tenant, { user }, 'jobs.correct_time', after.job_id, {
      time_of: [null, after.user_name],
      time_started: [before.started_at, started_at],
      time_ended: [before.ended_at, ended_at],
      reason: [null, reason],
    }),
  )
  return after
}

/** Refuses time that overlaps another entry of the same person: no hour counts twice. */
async function requireNoOverlap(
  db: Db,
  user: string,
  id: string,
  { started_at, ended_at }: TimeCorrection,
): Promise<void> {
  const overlap = await db.maybe<{ display_number: string; started_at: string; ended_at: string | null }>(
    sql`select j.display_number, e.started_at, e.ended_at from time_entries e
      join jobs j on j.tenant_id = e.tenant_id and j.id = e.job_id
      where e.tenant_id = ${db.tenant} and e.user_id = ${user} and e.id <> ${id} and ${started_at} < ${ended_at}
        and e.started_at < ${ended_at} and (e.ended_at is null or e.ended_at > ${started_at}) order by e.started_at
        limit 1`,
  )
  if (overlap === undefined) return
  const { display_number: number, started_at: from, ended_at: to } = overlap
  throw conflict(to === null ? refusals.overlapRunning({ number, from }) : refusals.overlapEnded({ number, from, to }))
}

/** Former times of an entry, and the reason for the change. */
export type TimeCorrectionEntry = {
  entry_id: string
  started_before: string | null
  ended_before: string | null
  reason: string
  corrected_by_name: string | null
  corrected_at: string
}

/** Lists the corrections of entries, earliest first. */
export const listCorrections = (db: Db, entries: readonly string[]): Promise<TimeCorrectionEntry[]> =>
  db.all<TimeCorrectionEntry>(sql`select k.entry_id, k.started_before, k.ended_before, k.reason,
      u.name as corrected_by_name, k.corrected_at
    from time_corrections k left join users u on u.id = k.corrected_by
    where k.tenant_id = ${db.tenant} and k.entry_id = any(${[...entries]}::uuid[]) order by k.corrected_at, k.id`)
