import { facts, type Fact } from '../../../platform/html/parts/facts.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { ifRefused } from '../../../platform/errors/refusal.ts'
import { contactFact } from '../../page/contact_fact.ts'
import { customFacts } from '../../page/custom_facts.ts'
import { day, duration, moment, span } from '../../format/formats.ts'
import { fieldEditor, recordLink } from '../../page/links.ts'
import { statusTag } from '../../page/parts.ts'
import { directionsLink, workAddress } from '../../page/contact_links.ts'
import type { PageContext } from '../../page/page_context.ts'
import type { Results } from '../../../tools/declare/results.ts'
import type { Job } from '../fields.ts'
import { lineageHtml } from '../lineage.ts'
import type { Assignment } from '../visits/work_fields.ts'

type JobResult = Results['jobs_get']

/** Renders a job's customer, address, contact, access notes, time, crew and related records. */
export async function jobAside(context: PageContext, job: JobResult): Promise<Html> {
  const [contact, access, lineage] = await Promise.all([
    contactFact(context, job.contact_id),
    accessFact(context, job.location_id),
    lineageHtml(context, job),
  ])
  return html`
${facts([
  { label: say`Customer`, value: recordLink(context, 'customers', job.customer_id, job.customer_name) },
  ...addressFacts(context, job),
  ...contact,
  ...access,
  ...timeFacts(context, job),
])}
${lineage}
${customFacts(job.fields)}`
}

/** Returns the facts about a job's time, crew and outcome. */
const timeFacts = (context: PageContext, job: JobResult): Fact[] => {
  const editOf = editorOf(context, job)
  return [
    {
      label: say`When`,
      value: scheduleText(job, context.company.timezone),
      says:
        job.scheduled_start === null
          ? undefined
          : html`${durationText(job)} · <a href="${context.path('schedule')}?day=${dayOf(
              job.scheduled_start,
              context.company.timezone,
            )}">${say`Schedule`}</a>`,
      edit: editOf('scheduled_start'),
    },
    { label: say`Who`, value: crewNames(job.assignments), edit: editOf('assignees') },
    ...(job.priority === 'normal'
      ? []
      : [{ label: say`Priority`, value: statusTag(job.priority), edit: editOf('priority') }]),
    ...(job.completed_at === null
      ? []
      : [{ label: say`Done`, value: moment(job.completed_at, context.company.timezone) }]),
    ...(job.cancelled_at === null
      ? []
      : [
          {
            label: say`Canceled`,
            value: moment(job.cancelled_at, context.company.timezone),
            says: job.cancel_reason ?? undefined,
          },
        ]),
  ]
}

/** Returns the edit links for the fields of a job; a canceled job has none. */
const editorOf = (context: PageContext, { id, status }: JobResult): ((field: string) => string | undefined) =>
  status === 'cancelled' ? () => undefined : fieldEditor(context, 'jobs', id)

type ScheduleFields = Pick<Job, 'scheduled_start' | 'scheduled_end' | 'all_day'>

export const scheduleText = (
  { scheduled_start, scheduled_end, all_day }: Partial<ScheduleFields>,
  zone: string,
): Html | string => {
  if (scheduled_start == null) return say`Not scheduled`
  if (all_day === true) return say`${day(dayOf(scheduled_start, zone))}, any time`
  return scheduled_end == null ? moment(scheduled_start, zone) : span(scheduled_start, scheduled_end, zone)
}

const dayOf = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()

const durationText = ({ duration_minutes, arrival_window_minutes }: JobResult): string =>
  [
    duration(duration_minutes),
    arrival_window_minutes > 0 ? say`arrival within ${duration(arrival_window_minutes)}` : '',
  ]
    .filter(Boolean)
    .join(', ')

export const crewNames = (people: readonly Assignment[] | undefined): string =>
  people === undefined || people.length === 0 ? say`Unassigned` : people.map(({ name }) => name).join(', ')

/** Returns the address from when the location was chosen, with directions and a link to the current location. */
function addressFacts(context: PageContext, job: JobResult): Fact[] {
  const address = workAddress(context, job)
  if (address === undefined || job.location_address === null) return []
  const location = context.may('read:customers') ? job.location_id : null
  return [
    {
      label: say`Where`,
      value: location === null ? address : recordLink(context, 'locations', location, address),
      says: directionsLink(job.location_address),
      edit: editorOf(context, job)('location_id'),
    },
  ]
}

/** Returns the access notes of a location; nothing for an archived one. */
async function accessFact(context: PageContext, id: string | null): Promise<Fact[]> {
  if (id === null || !context.may('read:customers')) return []
  const notes = (await context.call('locations_get', { id }).catch(ifRefused(null)))?.access_notes
  return notes == null ? [] : [{ label: say`Access notes`, value: html`<span class="written">${notes}</span>` }]
}
