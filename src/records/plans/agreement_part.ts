import { facts } from '../../platform/html/parts/facts.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { day } from '../format/formats.ts'
import { countRemainingVisits, nextVisitsPart, describeRecurrence, seriesFields } from '../job_series/index.ts'
import { choiceField } from '../fields/fields.ts'
import { recordLink } from '../page/links.ts'
import type { PageContext } from '../page/page_context.ts'
import { part } from '../page/parts.ts'
import type { Action } from '../page/screen.ts'
import { findPlanSeries, NOTICE_DAYS, RENEWAL_MONTHS } from './agreement.ts'
import type { Plan } from './fields.ts'

/** Renders the notice that a plan ends soon, at the top of the page. */
export function endNotice({ company }: PageContext, { status, end_date }: Plan): Html | '' {
  const today = todayIn(company.timezone)
  const isNear = end_date !== null && end_date <= today.add({ days: NOTICE_DAYS }).toString()
  return when(isNear && (status === 'active' || status === 'paused') ? end_date : null, (end) =>
    notice({
      kind: 'warning',
      title: say`It ends on ${day(end)}`,
      body: say`Renew it, or let it end. Tell the customer either way.`,
    }),
  )
}

/** Renders the visits of a plan: how often, how many are left, and the next ones; or the link to add them. */
export async function visitsPart(context: PageContext, { id, status }: Plan): Promise<Html | ''> {
  if (!context.may('read:job_series')) return ''
  const visits = await context.read(async (db) => {
    const series = await findPlanSeries(db, id)
    return series && { series, remaining: await countRemainingVisits(db, series) }
  })
  if (visits === undefined)
    return when((status === 'active' || status === 'paused') && mayBook(context), () =>
      part(
        say`Visits`,
        html`<p class="help">${say`A plan with visits is one agreement: both are renewed and ended together.`}</p>`,
        linkButton(say`Add visits`, context.path('plans', id, 'do', 'plans_add_visits')),
      ),
    )
  const { series, remaining } = visits
  return html`${part(
    say`Visits`,
    facts([
      { label: say`How often`, value: recordLink(context, 'job_series', series.id, describeRecurrence(series)) },
      {
        label: say`Visits left`,
        value: remaining === null ? say`Without an end` : sayCount(remaining, 'One visit', '{0} visits'),
        says: series.end_date === null ? undefined : say`until ${day(series.end_date)}`,
      },
    ]),
  )}${context.may('read:jobs') ? await nextVisitsPart(context, series) : ''}`
}

const mayBook = (context: PageContext): boolean => context.may('write:plans') && context.may('write:job_series')

/** Returns the actions on a plan and its visits together. */
export function agreementActions(context: PageContext, { end_date }: Plan): Action[] {
  return [
    {
      wire: 'plans_add_visits',
      label: say`Add visits`,
      notice: say`The visits are booked.`,
      // Its button is in the list of visits, and a plan has only one series.
      isHidden: true,
      warning: say`They are booked at the plan’s address and until its last day.`,
      fields: seriesFields().filter(({ name, on }) => !OMITTED_FIELDS.has(name) && on !== 'update'),
    },
    ...(end_date === null
      ? []
      : [
          {
            wire: 'plans_renew' as const,
            label: say`Renew`,
            isHidden: !context.may('write:job_series'),
            warning: say`The plan and its visits continue at the same prices.`,
            fields: [
              choiceField({
                name: 'months',
                label: say`For another`,
                options: RENEWAL_MONTHS.map((months) => ({ value: months, label: say`${months} months` })),
              }),
            ],
          },
        ]),
  ]
}

/** Fields that visits take from their plan, which bills them. */
const OMITTED_FIELDS: ReadonlySet<string> = new Set(['customer_id', 'title', 'location_id', 'end_date', 'line_items'])
