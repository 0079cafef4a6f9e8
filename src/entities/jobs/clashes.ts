import { sql } from '../../db/tenant.ts'
import { say } from '../../language/say.ts'
import { span } from '../../screens/formats.ts'
import { wallAt } from '../../shape/instants.ts'
import type { RunContext } from '../../tools/define.ts'
import type { Job, JobInput } from './job.ts'
import { OPEN } from './status.ts'

type Clash = { name: string; display_number: string; title: string; scheduled_start: string; scheduled_end: string }

/** Is the most visits that a warning tells of. */
const MAX_TOLD = 3

/** Is longer than any visit. */
const LONGEST = sql`interval '14 days'`

/**
 * Warns of the visits that somebody has at the time of a job (docs/spec/scheduling.md#double-bookings), in the round trip
 * of its tick; `before` is the job as it was, and what it clashed with then is not told again.
 */
export async function clashesOf(context: RunContext, job: JobInput, before?: Job): Promise<string[]> {
  const { db, caller, forAgent } = context
  const { scheduled_start, scheduled_end, assignee_ids } = job
  if (scheduled_start === null || scheduled_end === null || job.all_day) return []
  if (assignee_ids.length === 0 || !isOpen(job) || (before !== undefined && isAsBooked(before, job))) return []
  const found = await db.all<Clash>(sql`
    select u.name, j.display_number, j.title, j.scheduled_start, j.scheduled_end
    from job_assignees a join jobs j on j.tenant_id = a.tenant_id and j.id = a.job_id join users u on u.id = a.user_id
    where a.tenant_id = ${db.tenant} and a.user_id = any(${assignee_ids}::uuid[]) and a.status not in ('done', 'cancelled')
      and a.scheduled_start < ${scheduled_end} and a.scheduled_start > ${scheduled_start}::timestamptz - ${LONGEST}
      and j.scheduled_end > ${scheduled_start} and not j.all_day and j.id is distinct from ${before?.id ?? null}
    order by j.scheduled_start, j.id limit ${MAX_TOLD + 1}`)
  const maySee = caller.scopes.has('read:jobs')
  const { timezone } = caller.tenant
  const told = found.slice(0, MAX_TOLD)
  const isCut = found.length > MAX_TOLD
  return forAgent === true
    ? [
        ...told.map((clash) => agentText(clash, timezone, maySee)),
        ...(isCut ? ['there are more visits at that time; list them with jobs_list'] : []),
      ]
    : [
        ...told.map((clash) => personText(clash, timezone, maySee)),
        ...(isCut ? [say`There are more visits at that time.`] : []),
      ]
}

const isOpen = ({ status }: Pick<Job, 'status'>): boolean => (OPEN as readonly string[]).includes(status)

/** Tells whether a job is by the same people at the same time as before. */
const isAsBooked = (before: Job, job: JobInput): boolean =>
  isOpen(before) &&
  !before.all_day &&
  before.scheduled_start === job.scheduled_start &&
  before.scheduled_end === job.scheduled_end &&
  job.assignee_ids.every((id) => before.assignments.some(({ user_id }) => user_id === id))

function agentText(
  { name, display_number, scheduled_start, scheduled_end }: Clash,
  zone: string,
  maySee: boolean,
): string {
  const wall = (instant: string) => wallAt(Temporal.Instant.from(instant), zone)
  const [start, end] = [wall(scheduled_start), wall(scheduled_end)]
  const at = (time: Temporal.PlainDateTime) => time.toPlainTime().toString({ smallestUnit: 'minute' })
  const until = start.toPlainDate().equals(end.toPlainDate()) ? at(end) : `${end.toPlainDate().toString()} ${at(end)}`
  return `${name} is booked twice: ${maySee ? display_number : 'another visit'} is ${start.toPlainDate().toString()} ${at(start)} to ${until}, local time`
}

function personText({ name, title, scheduled_start, scheduled_end }: Clash, zone: string, maySee: boolean): string {
  const times = span(scheduled_start, scheduled_end, zone)
  return maySee ? say`It overlaps ${title} of ${name}, ${times}.` : say`It overlaps another visit of ${name}, ${times}.`
}
