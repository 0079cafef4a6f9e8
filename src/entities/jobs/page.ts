import { facts, type Fact } from '../../html/facts.ts'
import { html, type Html } from '../../html/html.ts'
import { Refusal } from '../../refusal.ts'
import { say } from '../../language/say.ts'
import { members, worded } from '../../screens/fields/choices.ts'
import { contactFact } from '../../screens/contact_fact.ts'
import { customFacts } from '../../screens/custom_facts.ts'
import { linesHtml } from '../../screens/document.ts'
import { day, duration, moment, money, span } from '../../screens/formats.ts'
import { recordLink } from '../../screens/links.ts'
import { part, state, written } from '../../screens/parts.ts'
import { placeOf } from '../../screens/reach.ts'
import { screen } from '../../screens/screen.ts'
import type { PageContext } from '../../screens/page_context.ts'
import { todayIn } from '../../shape/instants.ts'
import type { Results } from '../../tools/results.ts'
import { jobActions } from './actions.ts'
import { jobFields } from './form.ts'
import type { Assignment, Job } from './job.ts'
import { lineage } from './lineage.ts'
import { mediaPart } from './media_part.ts'
import { STATUSES } from './status.ts'
import { jobs } from './tools.ts'
import { visitWays } from './visit_ways.ts'

type Shown = Results['jobs_get']
type Row = Results['jobs_list']['rows'][number]

export const jobScreen = screen<Shown, Row>({
  entity: jobs,
  title: 'Jobs',
  one: 'job',
  menu: { group: 'work', position: 1 },
  startsFrom: 'customer',
  listing: {
    filters: [
      { kind: 'search', name: 'title', label: 'Title' },
      { kind: 'choice', name: 'status', label: 'Status', options: worded(...STATUSES) },
      {
        kind: 'choice',
        name: 'assignee',
        label: 'Technician',
        options: (context) => members(context, new URLSearchParams()),
      },
      { kind: 'day', name: 'scheduled_from', label: 'From' },
      { kind: 'day', name: 'scheduled_to', label: 'To' },
      { kind: 'tick', name: 'unassigned', label: 'Nobody assigned' },
      { kind: 'record', name: 'customer_id', of: 'customers' },
      { kind: 'record', name: 'seriesId', of: 'job_series' },
      { kind: 'record', name: 'location_id', of: 'locations' },
    ],
    usual: (context) => ({ scheduled_from: today(context) }),
    views: (context) => [
      { label: 'Coming up', filters: { scheduled_from: today(context) } },
      { label: 'Today', filters: { scheduled_from: today(context), scheduled_to: today(context) } },
      { label: 'Yours', filters: { assignee: context.user.id, scheduled_from: today(context) } },
      { label: 'To schedule', filters: { status: 'unscheduled' } },
      { label: 'Done', filters: { status: 'done' } },
      { label: 'All', filters: { scheduled_from: '' } },
    ],
    columns: (context) => [
      {
        label: 'Job',
        cell: ({ id, display_number, title }) => recordLink(context, 'jobs', id, `${display_number} ${title}`),
      },
      { label: 'Status', cell: ({ status }) => state(status) },
      {
        label: 'Customer',
        cell: ({ customer_id, customer_name }) => recordLink(context, 'customers', customer_id, customer_name),
      },
      { label: 'When', cell: (job) => when(job, context.company.timezone) },
      { label: 'Who', cell: ({ assignees }) => names(assignees) },
    ],
    empty: 'No jobs yet. Make one for a customer, or let an assistant book the next call.',
    exported: [
      'id',
      'display_number',
      'title',
      'status',
      'priority',
      'customer_id',
      'customer_name',
      'location_address',
      'scheduled_start',
      'scheduled_end',
      'all_day',
      'assignees',
      'series_id',
      'updated_at',
    ],
  },
  nameOf: ({ display_number, title }) => `${display_number} ${title}`,
  stateOf: ({ status }) => state(status),
  isEditable: ({ status }) => status !== 'cancelled',
  fields: jobFields,
  actions: jobActions,
  ways: (context, job) => [
    ...visitWays(context, job),
    { label: say`Print`, href: context.path('jobs', job.id, 'print') },
    { label: say`Download PDF`, href: context.path('jobs', job.id, 'pdf') },
  ],
  sheet: async (context, job) => {
    const [contact, access, belongs] = await Promise.all([
      contactFact(context, job.contact_id),
      accessFact(context, job.location_id),
      lineage(context, job),
    ])
    return html`
${facts([
  {
    label: 'Customer',
    value: recordLink(context, 'customers', job.customer_id, job.customer_name),
    says: address(context, job),
  },
  ...contact,
  ...access,
  {
    label: 'When',
    value: when(job, context.company.timezone),
    says:
      job.scheduled_start === null
        ? undefined
        : html`${planned(job)} · <a href="${context.path('schedule')}?day=${dayOf(job.scheduled_start, context.company.timezone)}">Schedule</a>`,
  },
  { label: 'Who', value: names(job.assignments) },
  { label: 'Priority', value: state(job.priority) },
  ...(job.completed_at === null ? [] : [{ label: 'Done', value: moment(job.completed_at, context.company.timezone) }]),
  ...(job.cancelled_at === null
    ? []
    : [
        {
          label: 'Cancelled',
          value: moment(job.cancelled_at, context.company.timezone),
          says: job.cancel_reason ?? undefined,
        },
      ]),
])}
${job.instructions === null ? '' : part('Instructions for the crew', written(job.instructions))}
${job.description === null ? '' : part('Description', written(job.description))}
${part(
  'Work and parts',
  html`${linesHtml(job.line_items, context.company.currency)}
<p class="totals-line">Subtotal <b>${money(job.subtotal_cents, context.company.currency)}</b></p>`,
)}
${belongs}
${mediaPart(context, job)}
${customFacts(job.fields)}`
  },
})

const today = ({ company }: PageContext): string => todayIn(company.timezone).toString()

type Timed = Pick<Job, 'scheduled_start' | 'scheduled_end' | 'all_day'>

const when = ({ scheduled_start, scheduled_end, all_day }: Partial<Timed>, zone: string): Html | string => {
  if (scheduled_start == null) return 'Not yet scheduled'
  if (all_day === true) return `${day(dayOf(scheduled_start, zone))}, any time`
  return scheduled_end == null ? moment(scheduled_start, zone) : span(scheduled_start, scheduled_end, zone)
}

const dayOf = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()

const planned = ({ duration_minutes, arrival_window_minutes }: Shown): string =>
  [duration(duration_minutes), arrival_window_minutes > 0 ? `arrival within ${duration(arrival_window_minutes)}` : '']
    .filter(Boolean)
    .join(', ')

const names = (people: readonly Assignment[] | undefined): string =>
  people === undefined || people.length === 0 ? 'Nobody yet' : people.map(({ name }) => name).join(', ')

/** Draws the address as it was when the job got its location, with the link to the location as it is. */
function address(context: PageContext, job: Shown): Html | string | undefined {
  const place = placeOf(context, job)
  return place === undefined || job.location_id === null || !context.may('read:customers')
    ? place
    : recordLink(context, 'locations', job.location_id, place)
}

/** Draws what somebody at the door needs to know; nothing for an archived location. */
async function accessFact(context: PageContext, id: string | null): Promise<Fact[]> {
  if (id === null || !context.may('read:customers')) return []
  try {
    const { access_notes } = await context.call('locations_get', { id })
    return access_notes === null
      ? []
      : [{ label: 'Getting in', value: html`<span class="written">${access_notes}</span>` }]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return []
  }
}
