import { facts, type Fact } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { members, wordOptions } from '../fields/choices.ts'
import { contactFact } from '../page/contact_fact.ts'
import { customFacts } from '../page/custom_facts.ts'
import { linesHtml, linesTotalHtml } from '../page/document.ts'
import { day, duration, moment, span } from '../format/formats.ts'
import { recordLink } from '../page/links.ts'
import { part, statusTag, multilineText } from '../page/parts.ts'
import { directionsLink, workAddress } from '../page/reach.ts'
import { screen } from '../page/screen.ts'
import type { PageContext } from '../page/page_context.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { Results } from '../../tools/declare/results.ts'
import { jobActions, jobLinks } from './form/actions.ts'
import { jobBulk } from './form/bulk.ts'
import { jobFields } from './form/form.ts'
import { progressPart } from '../invoices/index.ts'
import { saveVisits } from './form/visits_scope.ts'
import type { Job } from './fields.ts'
import type { Assignment } from './visits/work_fields.ts'
import { lineageHtml } from './lineage.ts'
import { OPEN, STATUSES } from './status.ts'
import { jobs } from './tools.ts'
import { visitLinks } from './visits/visit_links.ts'

type JobResult = Results['jobs_get']
type Row = Results['jobs_list']['rows'][number]

export const jobScreen = screen<JobResult, Row>({
  entity: jobs,
  get title() {
    return say`Jobs`
  },
  get one() {
    return say`job`
  },
  menu: { group: 'work', position: 1 },
  startsFrom: 'customer',
  listing: {
    filters: () => [
      { kind: 'search', name: 'title', label: say`Title, number, customer or address`, input: 'query' },
      {
        kind: 'choice',
        name: 'status',
        label: say`Status`,
        options: [{ value: 'open', label: say`Still open` }, ...wordOptions(...STATUSES)],
        groups: { open: OPEN },
      },
      {
        kind: 'choice',
        name: 'assignee',
        label: say`Technician`,
        options: (context) => members(context, new URLSearchParams()),
      },
      { kind: 'day', name: 'scheduled_from', label: sayFor('date')`From` },
      { kind: 'day', name: 'scheduled_to', label: sayFor('date')`To` },
      { kind: 'tick', name: 'unassigned', label: say`Unassigned` },
      { kind: 'choice', name: 'sort', label: say`Sort`, options: sorts() },
      { kind: 'record', name: 'customer_id', of: 'customers' },
      { kind: 'record', name: 'seriesId', of: 'job_series' },
      { kind: 'record', name: 'location_id', of: 'locations' },
    ],
    sorts: () => ({ [say`Job`]: ['created_desc'], [say`When`]: ['scheduled_desc', 'scheduled_asc'] }),
    defaultFilters: (context) => ({ scheduled_from: today(context), status: 'open' }),
    views: (context) => [
      { label: say`Coming up`, filters: { scheduled_from: today(context), status: 'open' } },
      { label: say`Today`, filters: { scheduled_from: today(context), scheduled_to: today(context) } },
      {
        label: sayFor('jobs')`Yours`,
        filters: { assignee: context.user.id, scheduled_from: today(context), status: 'open' },
      },
      { label: say`To schedule`, filters: { status: 'unscheduled' } },
      { label: sayFor('jobs')`Done`, filters: { status: 'done' } },
      { label: sayFor('jobs')`All`, filters: { scheduled_from: '' } },
    ],
    columns: (context) => [
      {
        label: say`Job`,
        cell: ({ id, display_number, title }) => recordLink(context, 'jobs', id, `${display_number} ${title}`),
      },
      { label: say`Status`, cell: ({ status }) => statusTag(status), isOneLine: true, onPhone: 'side' },
      {
        label: say`Customer`,
        cell: ({ customer_id, customer_name }) => recordLink(context, 'customers', customer_id, customer_name),
      },
      { label: say`When`, cell: (job) => scheduleText(job, context.company.timezone), isOneLine: true },
      { label: say`Who`, cell: ({ assignees }) => names(assignees) },
    ],
    rowLabel: ({ display_number }) => display_number,
    bulk: jobBulk,
    get empty() {
      return say`No jobs yet. Book one for a customer.`
    },
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
  stateOf: ({ status }) => statusTag(status),
  isEditable: ({ status }) => status !== 'cancelled',
  get fields() {
    return jobFields()
  },
  actions: jobActions,
  savesAs: saveVisits,
  ways: (context, job) => [
    ...visitLinks(context, job),
    ...jobLinks(context, job),
    { label: say`Print`, href: context.path('jobs', job.id, 'print'), kind: 'quiet' },
    { label: say`Download PDF`, href: context.path('jobs', job.id, 'pdf'), kind: 'quiet' },
  ],
  sheet: async (context, job) =>
    html`${
      job.instructions === null ? '' : part(say`Instructions for the technicians`, multilineText(job.instructions))
    }${job.description === null ? '' : part(say`Description`, multilineText(job.description))}${
      job.line_items.length === 0
        ? ''
        : part(
            say`Work and parts`,
            html`${linesHtml(
              job.line_items,
              context.company.currency,
            )}${linesTotalHtml(job.line_items, context.company.currency)}`,
          )
    }`,
  aside: async (context, job) => {
    const [contact, access, belongs, progress] = await Promise.all([
      contactFact(context, job.contact_id),
      accessFact(context, job.location_id),
      lineageHtml(context, job),
      progressPart(context, job.quote_id),
    ])
    return html`
${facts([
  { label: say`Customer`, value: recordLink(context, 'customers', job.customer_id, job.customer_name) },
  ...place(context, job),
  ...contact,
  ...access,
  ...timeFacts(context, job),
])}
${progress}${belongs}
${customFacts(job.fields)}`
  },
})

/** Returns when a job is and by whom, and how it ended. */
const timeFacts = (context: PageContext, job: JobResult): Fact[] => [
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
  },
  { label: say`Who`, value: names(job.assignments) },
  ...(job.priority === 'normal' ? [] : [{ label: say`Priority`, value: statusTag(job.priority) }]),
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

const sorts = () => [
  { value: 'scheduled_asc', label: say`Earliest first` },
  { value: 'scheduled_desc', label: say`Latest first` },
  { value: 'created_desc', label: say`Newest first` },
]

const today = ({ company }: PageContext): string => todayIn(company.timezone).toString()

type Timed = Pick<Job, 'scheduled_start' | 'scheduled_end' | 'all_day'>

const scheduleText = ({ scheduled_start, scheduled_end, all_day }: Partial<Timed>, zone: string): Html | string => {
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

const names = (people: readonly Assignment[] | undefined): string =>
  people === undefined || people.length === 0 ? say`Unassigned` : people.map(({ name }) => name).join(', ')

/**
 * Draws the address as it was when the job got its location, with the way there and the link to the location as it is.
 */
function place(context: PageContext, job: JobResult): Fact[] {
  const address = workAddress(context, job)
  if (address === undefined || job.location_address === null) return []
  const location = context.may('read:customers') ? job.location_id : null
  return [
    {
      label: say`Where`,
      value: location === null ? address : recordLink(context, 'locations', location, address),
      says: directionsLink(job.location_address),
    },
  ]
}

/** Draws what somebody at the door needs to know; nothing for an archived location. */
async function accessFact(context: PageContext, id: string | null): Promise<Fact[]> {
  if (id === null || !context.may('read:customers')) return []
  try {
    const { access_notes } = await context.call('locations_get', { id })
    return access_notes === null
      ? []
      : [{ label: say`Access notes`, value: html`<span class="written">${access_notes}</span>` }]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return []
  }
}
