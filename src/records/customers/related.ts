import type { Scope } from '../../identity/permissions/scopes.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { table, type Column } from '../../platform/html/parts/table.ts'
import { say } from '../../platform/i18n/say.ts'
import { day, moment, money } from '../format/formats.ts'
import { recordLink } from '../page/links.ts'
import { wordFor } from '../page/states.ts'
import { part, statusTag } from '../page/parts.ts'
import type { PageContext } from '../page/page_context.ts'
import type { Results } from '../../tools/declare/results.ts'
import { rhythmOf } from '../job_series/index.ts'
import { OPEN_STATUSES } from '../jobs/index.ts'

type Of = 'jobs' | 'job_series' | 'quotes' | 'invoices' | 'plans'
type RelatedRow<O extends Of> = Results[`${O}_list`]['rows'][number]

type Related<O extends Of> = {
  /** Entity of the records. */
  of: O
  scope: Scope
  title: string
  /** Filters of the list besides the customer. */
  given?: Readonly<Record<string, unknown>>
  /** Text of the link to the whole list. */
  all: string
  empty: string
  columns: (context: PageContext) => readonly Column<RelatedRow<O>>[]
}

const MAX_SHOWN = 5

const makeRelatedList =
  <O extends Of>(declared: () => Related<O>) =>
  async (context: PageContext, customer: string): Promise<Html | ''> => {
    const one = declared()
    if (!context.may(one.scope)) return ''
    const { rows } = await context.call(`${one.of}_list` as const, {
      ...one.given,
      customer_id: customer,
      limit: MAX_SHOWN,
    })
    return part(
      one.title,
      rows.length === 0
        ? html`<p class="help">${one.empty}</p>`
        : table({ caption: one.title, isCaptionHidden: true, columns: one.columns(context), rows, empty: one.empty }),
      linkButton(one.all, `${context.path(one.of)}?customer_id=${customer}`, 'quiet'),
    )
  }

const jobs = makeRelatedList(() => ({
  of: 'jobs',
  scope: 'read:jobs',
  title: say`Open jobs`,
  given: { status: [...OPEN_STATUSES] },
  all: say`All jobs`,
  empty: say`No open jobs.`,
  columns: (context) => [
    {
      label: say`Job`,
      cell: ({ id, display_number, title }) => recordLink(context, 'jobs', id, `${display_number} ${title}`),
    },
    {
      label: say`When`,
      cell: ({ scheduled_start }) =>
        scheduled_start === undefined ? say`Not scheduled` : moment(scheduled_start, context.company.timezone),
    },
    { label: say`Status`, cell: ({ status }) => statusTag(status) },
  ],
}))

const series = makeRelatedList(() => ({
  of: 'job_series',
  scope: 'read:job_series',
  title: say`Recurring jobs`,
  all: say`All recurring jobs`,
  empty: say`No recurring jobs.`,
  columns: (context) => [
    {
      label: say`Job`,
      cell: (row) =>
        html`<span>${recordLink(
          context,
          'job_series',
          row.id,
          row.title,
        )}<span class="help">${rhythmOf(row)}</span></span>`,
    },
    {
      label: say`Next`,
      cell: ({ next_occurrence_at }) =>
        next_occurrence_at === undefined ? '–' : moment(next_occurrence_at, context.company.timezone),
    },
    { label: say`Status`, cell: ({ status }) => statusTag(status) },
  ],
}))

const quotes = makeRelatedList(() => ({
  of: 'quotes',
  scope: 'read:quotes',
  title: say`Quotes`,
  all: say`All quotes`,
  empty: say`No quotes yet.`,
  columns: (context) => [
    {
      label: say`Quote`,
      cell: ({ id, display_number, title }) => recordLink(context, 'quotes', id, `${display_number} ${title}`),
    },
    { label: say`Status`, cell: ({ status }) => statusTag(status, 'quote') },
    { label: say`Total`, isNumber: true, cell: ({ total_cents }) => money(total_cents, context.company.currency) },
  ],
}))

const invoices = makeRelatedList(() => ({
  of: 'invoices',
  scope: 'read:invoices',
  title: say`Invoices`,
  all: say`All invoices`,
  empty: say`No invoices yet.`,
  columns: (context) => [
    { label: say`Invoice`, cell: ({ id, display_number }) => recordLink(context, 'invoices', id, display_number) },
    { label: say`Due`, cell: ({ due_date }) => day(due_date) },
    { label: say`Status`, cell: ({ status, is_overdue }) => statusTag(is_overdue ? 'overdue' : status) },
    {
      label: say`Balance`,
      isNumber: true,
      cell: ({ balance_due_cents, currency }) => money(balance_due_cents, currency),
    },
  ],
}))

const plans = makeRelatedList(() => ({
  of: 'plans',
  scope: 'read:plans',
  title: say`Plans`,
  all: say`All plans`,
  empty: say`No plans yet.`,
  columns: (context) => [
    {
      label: say`Plan`,
      cell: ({ id, name, cadence }) =>
        html`<span>${recordLink(context, 'plans', id, name)}<span class="help">${wordFor(cadence)}</span></span>`,
    },
    { label: say`Next`, cell: ({ next_run_date }) => (next_run_date === undefined ? '–' : day(next_run_date)) },
    { label: say`Status`, cell: ({ status }) => statusTag(status) },
    { label: say`Total`, isNumber: true, cell: ({ total_cents }) => money(total_cents, context.company.currency) },
  ],
}))

/** Returns what goes on with a customer, of what this person may see; the newest of each, and the ways to the rest. */
export async function renderRelated(context: PageContext, customer: string): Promise<Html> {
  const parts = await Promise.all([jobs, series, quotes, invoices, plans].map((one) => one(context, customer)))
  return html`<div class="parts flowing">${parts}</div>`
}
