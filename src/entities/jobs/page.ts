import { facts } from '../../html/facts.ts'
import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { contacts, locations, members, worded } from '../../screens/choices.ts'
import { customField } from '../../screens/custom_field.ts'
import { linesHtml } from '../../screens/document.ts'
import { choiceField, choicesField, hiddenField, longField, momentField, numberField, textField, tickField } from '../../screens/fields.ts'
import { day, duration, moment, money, span } from '../../screens/formats.ts'
import { linesField } from '../../screens/lines_field.ts'
import { recordLink } from '../../screens/links.ts'
import { part, state, written } from '../../screens/parts.ts'
import { screen } from '../../screens/screen.ts'
import type { Deed, Desk } from '../../screens/screen.ts'
import type { Assignment, Job } from './job.ts'
import type { JobRow } from './listing.ts'
import { OPEN, SETTABLE, STATUSES } from './status.ts'
import { jobs } from './tools.ts'
import { PRIORITIES } from './work.ts'

type Row = JobRow & { assignees: Assignment[] }

export const jobScreen = screen<Job, Row>({
  entity: jobs, title: 'Jobs', one: 'job', startsFrom: 'customer',
  listing: {
    filters: [
      { kind: 'search', name: 'title', label: 'Title' },
      { kind: 'choice', name: 'status', label: 'Status', options: worded(...STATUSES) },
      { kind: 'choice', name: 'assignee', label: 'Technician', options: (desk) => members(desk, new URLSearchParams()) },
      { kind: 'day', name: 'scheduled_from', label: 'From' }, { kind: 'day', name: 'scheduled_to', label: 'To' },
      { kind: 'tick', name: 'unassigned', label: 'Nobody assigned' },
      { kind: 'record', name: 'customer_id', of: 'customers' }, { kind: 'record', name: 'seriesId', of: 'job_series' },
    ],
    columns: (desk) => [
      { label: 'Job', cell: ({ id, display_number, title }) => recordLink(desk, 'jobs', id, `${display_number} ${title}`) },
      { label: 'Status', cell: ({ status }) => state(status) },
      { label: 'Customer', cell: ({ customer_id, customer_name }) => recordLink(desk, 'customers', customer_id, customer_name) },
      { label: 'When', cell: (job) => when(job, desk.company.timezone) },
      { label: 'Who', cell: ({ assignees }) => names(assignees) },
    ],
    empty: 'No jobs yet. Make one for a customer, or let an assistant book the next call.',
  },
  nameOf: ({ display_number, title }) => `${display_number} ${title}`,
  stateOf: ({ status }) => state(status),
  isEditable: ({ status }) => status !== 'cancelled',
  fields: [
    hiddenField('customer_id', 'create'), hiddenField('quote_id', 'create'),
    textField({ name: 'title', label: 'Title', isRequired: true, help: 'What is done, in a few words' }),
    choiceField({ name: 'status', label: 'Status', on: 'update', options: worded(...SETTABLE) }),
    momentField({ name: 'scheduled_start', label: 'Start', group: 'When and who' }),
    numberField({ name: 'duration_minutes', label: 'Minutes', group: 'When and who', help: '60 when left empty' }),
    tickField({ name: 'all_day', label: 'Any time of the day', group: 'When and who' }),
    numberField({ name: 'arrival_window_minutes', label: 'Arrival window in minutes', group: 'When and who' }),
    choicesField({
      name: 'assignees', from: 'assignments', label: 'Technicians', group: 'When and who', options: members,
      of: (value) => ((value ?? []) as readonly Assignment[]).map(({ user_id }) => user_id),
    }),
    choiceField({ name: 'location_id', label: 'Location', group: 'Where', options: locations, none: 'The customer\'s main location' }),
    choiceField({ name: 'contact_id', label: 'Contact', group: 'Where', options: contacts, none: 'The customer\'s main contact' }),
    choiceField({ name: 'priority', label: 'Priority', group: 'What', options: worded(...PRIORITIES) }),
    longField({ name: 'description', label: 'Description', group: 'What', help: 'The customer may read it' }),
    longField({ name: 'instructions', label: 'Instructions', group: 'What', help: 'For the crew alone' }),
    linesField({ hasTax: false, label: 'Work and parts' }),
    customField(),
  ],
  deeds: (_, { status }) => (status === 'cancelled' ? [] : [
    ...nextSteps(status),
    { wire: 'jobs_cancel', label: 'Cancel the job', kind: 'danger', warns: 'A cancelled job stays cancelled. Its history is kept.', fields: [longField({ name: 'reason', label: 'Reason', rows: 2 })] },
  ]),
  ways: (desk, { id, customer_id, status }) => (status === 'done' && desk.may('write:invoices')
    ? [{ label: 'Make the invoice', href: `${desk.path('invoices', 'new')}?customer_id=${customer_id}&from_job_id=${id}`, kind: 'main' }] : []),
  sheet: async (desk, job) => html`
${facts([
    { label: 'Customer', value: recordLink(desk, 'customers', job.customer_id, job.customer_name), says: job.location_address ?? undefined },
    { label: 'When', value: when(job, desk.company.timezone), says: job.scheduled_start === null ? undefined : planned(job) },
    { label: 'Who', value: names(job.assignments) },
    { label: 'Priority', value: state(job.priority) },
    ...(job.completed_at === null ? [] : [{ label: 'Done', value: moment(job.completed_at, desk.company.timezone) }]),
    ...(job.cancelled_at === null ? [] : [{ label: 'Cancelled', value: moment(job.cancelled_at, desk.company.timezone), says: job.cancel_reason ?? undefined }]),
  ])}
${job.description === null ? '' : part('Description', written(job.description))}
${job.instructions === null ? '' : part('Instructions for the crew', written(job.instructions))}
${part('Work and parts', html`${linesHtml(job.line_items, desk.company.currency)}
<p class="totals-line">Subtotal <b>${money(job.subtotal_cents, desk.company.currency)}</b></p>`)}
${lineage(desk, job)}`,
})

const nextSteps = (status: Job['status']): Deed[] => {
  const isOpen = (OPEN as readonly string[]).includes(status)
  return [
    ...(status === 'scheduled' ? [{ wire: 'jobs_update', given: { status: 'in_progress' }, label: 'Start' }] : []),
    ...(isOpen ? [{ wire: 'jobs_update', given: { status: 'done' }, label: 'Done', kind: 'main' as const }] : [{ wire: 'jobs_update', given: { status: 'in_progress' }, label: 'Reopen' }]),
  ]
}

type Timed = Pick<Job, 'scheduled_start' | 'scheduled_end' | 'all_day'>

const when = ({ scheduled_start, scheduled_end, all_day }: Partial<Timed>, zone: string): Html | string => {
  if (scheduled_start == null) return 'Not yet scheduled'
  if (all_day === true) return `${day(Temporal.Instant.from(scheduled_start).toZonedDateTimeISO(zone).toPlainDate().toString())}, any time`
  return scheduled_end == null ? moment(scheduled_start, zone) : span(scheduled_start, scheduled_end, zone)
}

const planned = ({ duration_minutes, arrival_window_minutes }: Job): string =>
  [duration(duration_minutes), arrival_window_minutes > 0 ? `arrival within ${duration(arrival_window_minutes)}` : ''].filter(Boolean).join(', ')

const names = (people: readonly Assignment[] | undefined): string => (people === undefined || people.length === 0 ? 'Nobody yet' : people.map(({ name }) => name).join(', '))

function lineage(desk: Desk, { series_id, quote_id, invoice_ids = [] }: Job): Html | '' {
  const links = [
    ...(series_id === null ? [] : [recordLink(desk, 'job_series', series_id, 'The series it is a visit of')]),
    ...(quote_id === null ? [] : [recordLink(desk, 'quotes', quote_id, 'The quote it came from')]),
    ...invoice_ids.map((id) => recordLink(desk, 'invoices', id, 'The invoice it is on')),
  ]
  return links.length === 0 ? '' : part('Belongs with', html`<ul class="links">${links.map((link) => html`<li>${link}</li>`)}</ul>`)
}
