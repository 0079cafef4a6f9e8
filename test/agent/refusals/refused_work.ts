import { day, type Refused, type Scene } from '../scene.ts'
import { listLineRefusals } from './refused_lines.ts'
import { listSeriesRefusals } from './refused_series.ts'

/** Lists refusals for jobs, job series and document lines. */
export const listWorkRefusals = (scene: Scene): Refused[] => [
  ...jobs(scene),
  ...listLineRefusals(scene),
  ...listSeriesRefusals(scene),
]

function jobs({ of, over, other, company }: Scene): Refused[] {
  const work = { customer_id: of.customer, title: 'Roof' }
  const [start, end] = [`${day(1)}T09:00`, `${day(1)}T10:00`]
  return [
    {
      tool: 'jobs_list',
      given: { seriesId: of.series, series_id: of.job },
      field: 'series_id',
      rule: 'is an alias of seriesId and differs from it',
      way: 'send one of them',
    },
    {
      tool: 'jobs_list',
      given: { assignee: of.user, unassigned: true },
      field: 'assignee and unassigned',
      rule: "can't be combined",
      way: 'send one of them',
    },
    {
      tool: 'jobs_list',
      given: { sort: 'created_desc', updated_since: day(0) + 'T00:00' },
      field: 'sort',
      rule: "can't be combined with updated_since",
      way: 'leave one out',
    },
    {
      tool: 'jobs_list',
      given: { assignee: 'Test' },
      field: 'assignee',
      rule: 'is not a member of this account',
      got: 'got Test',
      way: `Test owner (${company.owner.id})`,
    },
    {
      tool: 'jobs_list',
      given: { status: ['open'] },
      field: 'status[0]',
      rule: 'must be one of unscheduled, scheduled',
      got: 'got "open"',
    },
    {
      tool: 'jobs_list',
      given: { scheduled_from: '3/1/2027' },
      field: 'scheduled_from',
      rule: 'must be a date, year-month-day, such as 2027-03-31',
      got: 'got "3/1/2027"',
    },
    {
      tool: 'jobs_get',
      given: { id: of.customer },
      code: 'not_found',
      field: 'job',
      rule: 'not found',
      way: 'jobs_list',
    },
    {
      tool: 'jobs_create',
      given: { ...work, customer_id: over.customer },
      code: 'not_found',
      field: 'customer',
      rule: 'not found',
      way: 'customers_search',
    },
    {
      tool: 'jobs_create',
      given: { ...work, assignees: ['nobody@example.com'] },
      field: 'assignees[0]',
      rule: 'is not an active member',
      got: 'got nobody@example.com',
      way: `Test owner (${company.owner.id})`,
    },
    {
      tool: 'jobs_create',
      given: { ...work, location_id: other.location },
      field: 'location_id',
      rule: 'is not a live location of this customer',
      way: 'locations_list',
    },
    {
      tool: 'jobs_create',
      given: { ...work, contact_id: other.contact },
      field: 'contact_id',
      rule: 'is not a live contact of this customer',
      way: 'contacts_list',
    },
    {
      tool: 'jobs_create',
      given: { ...work, quote_id: other.quote },
      field: 'quote_id',
      rule: 'is not a live quote of this customer',
      way: 'quotes_list',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: 'tomorrow' },
      field: 'scheduled_start',
      rule: 'must be an instant such as',
      got: 'got "tomorrow"',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: '1999-01-01T09:00' },
      field: 'scheduled_start',
      rule: 'must be from 2000 to 2100',
      got: 'got 1999-01-01T09:00',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_end: end },
      field: 'scheduled_end',
      rule: 'needs scheduled_start',
      way: 'send both, or only duration_minutes',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: end, scheduled_end: start },
      field: 'scheduled_end',
      rule: 'must be after scheduled_start',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: start, scheduled_end: `${day(16)}T09:00` },
      field: 'scheduled_end',
      rule: 'must be at most 14 days after scheduled_start',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: start, scheduled_end: end, duration_minutes: 90 },
      field: 'duration_minutes',
      rule: 'scheduled_end is 60 minutes after scheduled_start',
      got: 'is 90',
      way: 'send one of the two',
    },
    {
      tool: 'jobs_update',
      given: { id: of.job, status: 'cancelled' },
      field: 'status',
      rule: "can't be set to cancelled by an update",
      way: 'jobs_cancel',
    },
    {
      tool: 'jobs_update',
      given: { id: of.job, status: 'scheduled', scheduled_start: null },
      field: 'status scheduled',
      rule: 'needs scheduled_start',
      way: 'send both',
    },
    {
      tool: 'jobs_update',
      given: { id: of.job, status: 'unscheduled', scheduled_start: start },
      field: 'status unscheduled',
      rule: 'clears the schedule',
      got: 'scheduled_start',
      way: 'send one of the two',
    },
    {
      tool: 'jobs_update',
      given: { id: of.job, customer_id: other.customer },
      field: 'customer_id',
      rule: 'cannot be changed',
      got: `got ${other.customer}`,
      way: 'leave it out',
    },
    {
      tool: 'jobs_update',
      given: { id: over.job, title: 'x' },
      code: 'conflict',
      field: 'the job',
      rule: "can't be changed",
      got: 'is cancelled',
      way: 'jobs_create',
    },
    {
      tool: 'jobs_cancel',
      given: { id: of.customer },
      code: 'not_found',
      field: 'job',
      rule: 'not found',
      way: 'jobs_list',
    },
  ]
}
