import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { moment, money, shortDay } from '../format/formats.ts'
import { recordLink } from '../page/links.ts'
import { wordFor } from '../page/states.ts'
import { part, statusTag } from '../page/parts.ts'
import type { PageContext } from '../page/page_context.ts'
import { describeRecurrence } from '../job_series/index.ts'

const MAX_SHOWN = 5

/** Renders a customer's newest recurring jobs and plans, limited to the person's scopes. */
export async function agreementsHtml(context: PageContext, customer: string): Promise<Html> {
  const newest = { customer_id: customer, limit: MAX_SHOWN }
  const [series, plans] = await Promise.all([
    context.may('read:job_series') ? context.call('job_series_list', newest) : { rows: [] },
    context.may('read:plans') ? context.call('plans_list', newest) : { rows: [] },
  ])
  const showAllLink = (entity: string, count: number): Html | '' =>
    when(count === MAX_SHOWN, () =>
      linkButton(say`Show all`, `${context.path(entity)}?customer_id=${customer}`, 'quiet'),
    )
  return html`${listHtml(
    say`Recurring jobs`,
    series.rows.map((row) => ({
      name: recordLink(context, 'job_series', row.id, row.title),
      status: row.status,
      about: [
        describeRecurrence(row),
        row.next_occurrence_at && say`next ${moment(row.next_occurrence_at, context.company.timezone)}`,
      ],
    })),
    showAllLink('job_series', series.rows.length),
  )}${listHtml(
    say`Plans`,
    plans.rows.map(({ id, name, cadence, status, total_cents, next_run_date }) => ({
      name: recordLink(context, 'plans', id, name),
      status,
      about: [
        `${money(total_cents, context.company.currency)} ${wordFor(cadence)}`,
        next_run_date && say`next ${shortDay(next_run_date)}`,
      ],
    })),
    showAllLink('plans', plans.rows.length),
  )}`
}

type Agreement = { name: Html; status: string; about: readonly (string | null | undefined)[] }

const listHtml = (title: string, rows: readonly Agreement[], actions: Html | ''): Html | '' =>
  when(rows.length > 0, () =>
    part(
      title,
      html`
<ul class="cards">${rows.map(
        ({ name, status, about }) => html`
  <li><p>${name} ${statusTag(status)}</p><p class="help">${about.filter(Boolean).join(' · ')}</p></li>`,
      )}
</ul>`,
      actions,
    ),
  )
