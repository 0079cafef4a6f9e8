import { longField } from '../../screens/fields/fields.ts'
import type { PageContext } from '../../screens/page_context.ts'
import type { Action, Way } from '../../screens/screen.ts'
import { quoteNamed } from '../quotes/index.ts'
import type { Results } from '../../tools/results.ts'
import type { Job } from './job.ts'

type Shown = Results['jobs_get']

/** Returns what can be done to a job now: the next step on site, its invoice, and its cancellation. */
export const jobActions = (context: PageContext, job: Shown): Action[] =>
  job.status === 'cancelled'
    ? []
    : [
        ...(job.status === 'done' && context.may('write:invoices') ? [billing(context, job)] : []),
        ...nextSteps(job.status),
        {
          wire: 'jobs_cancel',
          label: 'Cancel job',
          kind: 'danger',
          warns: 'A cancelled job stays cancelled. Its history is kept.',
          fields: [longField({ name: 'reason', label: 'Reason', rows: 2 })],
        },
      ]

/** Returns the one-click invoice of what was done, for the quote that it was done by. */
function billing(context: PageContext, { id, customer_id, quote_id, invoice_ids = [] }: Shown): Action {
  const from = async (): Promise<Record<string, unknown>> => {
    const quote = quote_id === null ? undefined : await context.read((db) => quoteNamed(db, quote_id))
    return { customer_id, from_job_id: id, ...(quote === undefined || quote.status === 'archived' ? {} : { quote_id }) }
  }
  return {
    wire: 'invoices_create',
    makes: { of: 'invoices', from },
    ...(invoice_ids.length === 0
      ? { label: 'Create invoice', kind: 'main' }
      : {
          label: 'Create another invoice',
          kind: 'quiet',
          warns: 'This job is on an invoice already. This creates one more with the same lines.',
        }),
  }
}

type Step = { to: Job['status']; label: string; kind: 'main' | 'plain' | 'quiet' }

const HEAD_OUT = { to: 'en_route', label: 'On my way' } as const
const START = { to: 'in_progress', label: 'Start' } as const
const FINISH = { to: 'done', label: 'Done' } as const

/** Lists the usual steps, the next one first; the form has every status. */
const STEPS: Readonly<Record<Exclude<Job['status'], 'cancelled'>, readonly Step[]>> = {
  unscheduled: [{ ...FINISH, kind: 'quiet' }],
  scheduled: [
    { ...HEAD_OUT, kind: 'main' },
    { ...START, kind: 'plain' },
    { ...FINISH, kind: 'quiet' },
  ],
  en_route: [
    { ...START, kind: 'main' },
    { ...FINISH, kind: 'plain' },
  ],
  in_progress: [
    { ...FINISH, kind: 'main' },
    { to: 'on_hold', label: 'Put on hold', kind: 'plain' },
  ],
  on_hold: [
    { to: 'in_progress', label: 'Resume', kind: 'main' },
    { ...FINISH, kind: 'plain' },
  ],
  done: [{ to: 'in_progress', label: 'Reopen', kind: 'quiet' }],
}

const nextSteps = (status: Exclude<Job['status'], 'cancelled'>): Action[] =>
  STEPS[status].map(({ to, label, kind }) => ({ wire: 'jobs_update', given: { status: to }, label, kind }))

/** Returns the ways from a job: into the schedule, and to its work order on paper. */
export const jobWays = (context: PageContext, { id, status }: Shown): Way[] => [
  ...(context.may('write:jobs') && (status === 'unscheduled' || status === 'scheduled')
    ? [
        status === 'unscheduled'
          ? { label: 'Schedule', href: context.path('schedule', 'move', id), kind: 'main' as const }
          : { label: 'Reschedule', href: context.path('schedule', 'move', id) },
      ]
    : []),
]
