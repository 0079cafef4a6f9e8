import { longField } from '../../screens/fields/fields.ts'
import type { PageContext } from '../../screens/page_context.ts'
import type { Action } from '../../screens/screen.ts'
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
          label: 'Cancel the job',
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
      ? { label: 'Make the invoice', kind: 'main' }
      : {
          label: 'Make another invoice',
          warns: 'This job is on an invoice already. This makes one more with the same lines.',
        }),
  }
}

type Step = { to: Job['status']; label: string }

/** Has a page of its own for people, which texts the customer too. */
const HEAD_OUT: Step = { to: 'en_route', label: 'On my way' }
const START: Step = { to: 'in_progress', label: 'Start' }
const FINISH: Step = { to: 'done', label: 'Done' }

/** Lists the usual steps, the next one first; the form has every status. */
const STEPS: Readonly<Record<Exclude<Job['status'], 'cancelled'>, readonly [Step, ...Step[]]>> = {
  unscheduled: [FINISH],
  scheduled: [START, HEAD_OUT, FINISH],
  en_route: [START, FINISH],
  in_progress: [FINISH, { to: 'on_hold', label: 'Put on hold' }],
  on_hold: [{ to: 'in_progress', label: 'Go on' }, FINISH],
  done: [{ to: 'in_progress', label: 'Reopen' }],
}

const nextSteps = (status: Exclude<Job['status'], 'cancelled'>): Action[] =>
  STEPS[status].map(({ to, label }, i) => ({
    wire: 'jobs_update',
    given: { status: to },
    label,
    ...(to === HEAD_OUT.to ? { isHidden: true } : {}),
    ...(i === 0 && !['unscheduled', 'scheduled', 'done'].includes(status) ? { kind: 'main' as const } : {}),
  }))
