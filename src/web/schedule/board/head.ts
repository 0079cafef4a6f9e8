import { isOffice } from '../../../identity/permissions/areas.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { MemberContext } from '../../member_context.ts'
import { addressOf, titleOf, VIEWS, type ScheduleView } from '../schedule_view.ts'
import type { BoardContext } from './card.ts'

/** Draws the actions for a whole day. */
export function toolsHtml({ context, scheduleView, mayMove }: BoardContext): Html {
  const { day, today, view } = scheduleView
  const isPlannable = mayMove && Temporal.PlainDate.compare(day, today) >= 0
  return html`${when(
    view === 'day' || view === 'map',
    () => html`
  <p class="schedule-tools">${when(
    isPlannable,
    () => html`${linkButton(say`Plan the day`, addressOf(context, { day, view: 'day' }, 'plan'))}
    ${when(isOffice(context.session), () =>
      linkButton(say`Off sick`, addressOf(context, { day, view: 'day' }, 'off')),
    )}`,
  )}
    ${linkButton(say`Print`, `${context.path('schedule', 'print')}?day=${day.toString()}`)}</p>`,
  )}${when(
    view !== 'map',
    () => html`
  <p class="schedule-colors help">${say`Colors`}: ${[false, true].map(
    (isByPerson) =>
      html`<a href="${addressOf(context, { ...scheduleView, isByPerson })}"${when(
        isByPerson === scheduleView.isByPerson,
        () => html` aria-current="true"`,
      )}>${isByPerson ? say`Technician` : say`Status`}</a> `,
  )}</p>`,
  )}`
}

/** Draws the title, the links to other days, and the views. */
export function headHtml(context: MemberContext, scheduleView: ScheduleView): Html {
  const { view, day, today } = scheduleView
  const shiftedPath = (steps: number): string =>
    addressOf(context, {
      ...scheduleView,
      day: day.add(view === 'week' ? { weeks: steps } : view === 'month' ? { months: steps } : { days: steps }),
    })
  const isNow =
    view === 'month'
      ? day.toPlainYearMonth().equals(today.toPlainYearMonth())
      : scheduleView.days.some((one) => one.equals(today))
  const words = viewTexts()[view === 'map' ? 'day' : view]
  return html`
<header class="page-head schedule-head">
  <div>
    <p class="eyebrow">
      ${say`Schedule`}${when(isNow, () => html` · ${words.now}`)}
    </p>
  <h1>${titleOf(scheduleView)}</h1></div>
  <nav class="turning" aria-label="${say`Days`}">
    <a class="button plain" rel="prev" href="${shiftedPath(-1)}"><span aria-hidden="true">‹</span><span
      class="unseen">${words.before}</span></a>
    <a class="button plain"
      href="${addressOf(context, { ...scheduleView, day: today })}"${when(
        isNow,
        () => html` aria-current="date"`,
      )}>${words.here}</a>
    <a class="button plain" rel="next" href="${shiftedPath(1)}"><span aria-hidden="true">›</span><span
      class="unseen">${words.after}</span></a>
  </nav>
  <form class="going" method="get" action="${context.path('schedule')}" role="search"
    aria-label="${say`Go to a day`}">${when(view !== 'day', () => hidden('view', view))}${when(
      scheduleView.isByPerson,
      () => hidden('colors', 'person'),
    )}
    <input type="date" name="day" value="${day.toString()}" aria-label="${say`Day`}" min="2000-01-01" max="2100-12-31"
      required><button class="button plain">${say`Go`}</button>
  </form>
  <nav class="turning" aria-label="${say`Views`}">${VIEWS.map(
    (one) => html`
    <a class="button plain"
      href="${addressOf(context, { ...scheduleView, view: one })}"${when(
        one === view,
        () => html` aria-current="page"`,
      )}>${viewTexts()[one].name}</a>`,
  )}
  </nav>
  <p class="actions">${when(context.may('write:jobs') && context.may('read:customers'), () =>
    linkButton(say`New call`, `${context.path('calls', 'new')}?after=${day.toString()}`, 'main'),
  )}</p>
</header>${when(scheduleView.invalidDay, (invalidDay) =>
    notice({
      kind: 'error',
      title: say`That date doesn't exist`,
      body: say`Write the day like ${today.toString()}, between 2000 and 2100 (got '${invalidDay}'). This page shows today.`,
    }),
  )}`
}

const viewTexts = () => ({
  day: { name: say`Day`, now: say`today`, here: say`Today`, before: say`The day before`, after: say`The day after` },
  week: {
    name: say`Week`,
    now: say`this week`,
    here: say`This week`,
    before: say`The week before`,
    after: say`The week after`,
  },
  month: {
    name: say`Month`,
    now: say`this month`,
    here: say`This month`,
    before: say`The month before`,
    after: say`The month after`,
  },
  map: { name: say`Map` },
})
