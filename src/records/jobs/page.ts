import { html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { members, wordOptions } from '../fields/choices.ts'
import { linesHtml, linesTotalHtml } from '../page/document.ts'
import { recordLink } from '../page/links.ts'
import { part, statusTag, multilineText } from '../page/parts.ts'
import { workAddress } from '../page/contact_links.ts'
import { screen } from '../page/screen.ts'
import { wordFor } from '../page/states.ts'
import type { PageContext } from '../page/page_context.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { Results } from '../../tools/declare/results.ts'
import { jobActions, jobLinks } from './form/actions.ts'
import { jobBulkActions } from './form/bulk.ts'
import { jobFields } from './form/form.ts'
import { progressPart } from '../invoices/index.ts'
import { visitsSaveCall } from './form/visits_scope.ts'
import { jobAside, crewNames, scheduleText } from './overview/aside.ts'
import { OPEN_STATUSES, STATUSES } from './status.ts'
import { jobs } from './tools.ts'
import { visitLinks } from './visits/visit_links.ts'

type JobResult = Results['jobs_get']
type Row = Results['jobs_list']['rows'][number]

export const jobScreen = screen<JobResult, Row>({
  entity: jobs,
  get title() {
    return say`Jobs`
  },
  get singular() {
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
        groups: { open: OPEN_STATUSES },
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
        name: 'job',
        label: say`Job`,
        cell: ({ id, display_number, title }) => recordLink(context, 'jobs', id, `${display_number} ${title}`),
      },
      { name: 'status', label: say`Status`, cell: ({ status }) => statusTag(status), isOneLine: true, onPhone: 'side' },
      {
        name: 'customer',
        label: say`Customer`,
        cell: ({ customer_id, customer_name }) => recordLink(context, 'customers', customer_id, customer_name),
      },
      {
        name: 'address',
        label: say`Address`,
        isExtra: true,
        onPhone: 'none',
        cell: (job) => workAddress(context, { location_address: job.location_address ?? null }) ?? '',
      },
      { name: 'priority', label: say`Priority`, isExtra: true, onPhone: 'none', cell: (job) => wordFor(job.priority) },
      { name: 'when', label: say`When`, cell: (job) => scheduleText(job, context.company.timezone), isOneLine: true },
      { name: 'who', label: say`Who`, cell: ({ assignees }) => crewNames(assignees) },
    ],
    rowLabel: ({ display_number }) => display_number,
    bulk: jobBulkActions,
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
  saveCall: visitsSaveCall,
  links: (context, job) => [
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
    }${await progressPart(context, job.quote_id === null ? { job: job.id } : { quote: job.quote_id })}`,
  aside: jobAside,
})

const sorts = () => [
  { value: 'scheduled_asc', label: say`Earliest first` },
  { value: 'scheduled_desc', label: say`Latest first` },
  { value: 'created_desc', label: say`Newest first` },
]

const today = ({ company }: PageContext): string => todayIn(company.timezone).toString()
