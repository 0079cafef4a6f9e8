import { say, sayFor } from '../../../platform/i18n/say.ts'
import { textAreaField } from '../../fields/fields.ts'
import type { PageContext } from '../../page/page_context.ts'
import type { Action, ActionLink } from '../../page/screen.ts'
import { stageAction } from '../../invoices/index.ts'
import { findQuoteName } from '../../quotes/index.ts'
import type { Results } from '../../../tools/declare/results.ts'
import type { Job } from '../fields.ts'

type JobResult = Results['jobs_get']

/** Returns the actions for a job now: its invoice, the next steps on site, and its cancellation. */
export const jobActions = (context: PageContext, job: JobResult): Action[] =>
  job.status === 'cancelled'
    ? []
    : [
        ...(job.status === 'done' && context.may('write:invoices') ? [billAction(context, job)] : []),
        ...nextSteps(job.status),
        ...(job.quote_id === null && job.line_items.length > 0 ? [stageAction(context, 'job')] : []),
        ...(mayBillAndSend(context) ? [billAndSendAction(context, job)] : []),
        {
          wire: 'jobs_cancel',
          label: say`Cancel job`,
          kind: 'danger',
          warning: say`A canceled job stays canceled. Its history is kept.`,
          fields: [textAreaField({ name: 'reason', label: say`Reason`, rows: 2 })],
        },
      ]

/** Returns the action that invoices the work in one click. */
function billAction(context: PageContext, job: JobResult): Action {
  return {
    wire: 'invoices_create',
    creates: { of: 'invoices', from: () => billInput(context, job) },
    ...((job.invoice_ids ?? []).length === 0
      ? { label: say`Create invoice`, kind: 'main' }
      : { label: say`Create another invoice`, kind: 'quiet', warning: rebillWarning() }),
  }
}

const mayBillAndSend = (context: PageContext): boolean =>
  context.may('write:jobs') && context.may('write:invoices') && context.may('read:customers')

/**
 * Returns the action that also opens the message with the invoice, and first completes work in progress. A billed job
 * doesn't show it.
 */
function billAndSendAction(context: PageContext, job: JobResult): Action {
  const { id, status, invoice_ids = [] } = job
  const isDone = status === 'done'
  return {
    wire: 'invoices_create',
    creates: {
      of: 'invoices',
      from: () => billInput(context, job),
      nextPage: 'send',
      ...(isDone ? {} : { first: () => context.call('jobs_update', { id, status: 'done' }) }),
    },
    label: isDone ? say`Bill and send` : say`Done, bill and send`,
    kind: isDone ? 'plain' : 'quiet',
    ...(invoice_ids.length === 0 ? {} : { isHidden: true, warning: rebillWarning() }),
  }
}

const rebillWarning = (): string => say`This job is already on an invoice. This creates one more with the same lines.`

/** Returns the input of the job's invoice: the job, and its quote unless archived. */
async function billInput(
  context: PageContext,
  { id, customer_id, quote_id }: JobResult,
): Promise<Readonly<Record<string, unknown>>> {
  const quote = quote_id === null ? undefined : await context.read((db) => findQuoteName(db, quote_id))
  return { customer_id, from_job_id: id, ...(quote === undefined || quote.status === 'archived' ? {} : { quote_id }) }
}

type Step = [to: Job['status'], label: string, kind: 'main' | 'plain' | 'quiet']

/**
 * Returns the usual next steps, most likely first; the form has every status. "On my way" has its own page, which can
 * also text the customer.
 */
const stepsOf = (status: Exclude<Job['status'], 'cancelled'>): Step[] => STEPS[status]()

const STEPS: Readonly<Record<Exclude<Job['status'], 'cancelled'>, () => Step[]>> = {
  unscheduled: () => [['done', sayFor('action')`Done`, 'quiet']],
  scheduled: () => [
    ['en_route', say`On my way`, 'plain'],
    ['in_progress', sayFor('action')`Start`, 'plain'],
    ['done', sayFor('action')`Done`, 'quiet'],
  ],
  en_route: () => [
    ['in_progress', sayFor('action')`Start`, 'main'],
    ['done', sayFor('action')`Done`, 'plain'],
  ],
  in_progress: () => [
    ['done', sayFor('action')`Done`, 'main'],
    ['on_hold', say`Put on hold`, 'plain'],
  ],
  on_hold: () => [
    ['in_progress', say`Resume`, 'main'],
    ['done', sayFor('action')`Done`, 'plain'],
  ],
  done: () => [['in_progress', say`Reopen`, 'quiet']],
}

const nextSteps = (status: Exclude<Job['status'], 'cancelled'>): Action[] =>
  stepsOf(status).map(([to, label, kind]) => ({
    wire: 'jobs_update',
    input: { status: to },
    label,
    kind,
    isHidden: to === 'en_route',
  }))

/** Returns the link that schedules or reschedules a job. */
export const jobLinks = (context: PageContext, { id, status }: JobResult): ActionLink[] => {
  if (!context.may('write:jobs')) return []
  const href = context.path('schedule', 'move', id)
  if (status === 'unscheduled') return [{ label: sayFor('action')`Schedule`, href, kind: 'main' }]
  return status === 'scheduled' ? [{ label: say`Reschedule`, href }] : []
}
