import { answer } from '../../../platform/http/answer.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { rosterOf } from '../../../scheduling/roster.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { frame } from '../../frame.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { agendaHtml } from './agenda.ts'
import { addressOf, readScheduleView, titleOf, type ScheduleView } from '../schedule_view.ts'
import { readBookings } from '../bookings.ts'
import type { BoardContext } from './card.ts'
import { dayLine } from '../clock.ts'
import { dayHtml } from './day.ts'
import { lanesOf } from './lanes.ts'
import { scriptWords } from '../script_words.ts'
import { trayHtml } from './tray.ts'
import { weekHtml } from './week.ts'

/** Shows the schedule of a day or week, with the jobs that have no time yet. */
export async function showBoard(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireSchedule(site, visit)
  const asked = readScheduleView(context, new URL(visit.req.url).searchParams)
  const board = await boardHtml(context, asked)
  return answer(
    frame(context, {
      title: say`Schedule, ${titleOf(asked)}`,
      here: context.path('schedule'),
      isBoard: true,
      styles: ['schedule.css', `schedule_${asked.view}.css`],
      scripts: ['schedule_live.js', 'schedule.js'],
      body: html`
${head(context, asked)}
${board}
<p class="help" id="live"></p>
<p class="unseen" id="said" role="status"></p>
<div class="told" id="told" role="status"></div>`,
    }),
    { status: asked.refused === undefined ? 200 : 422 },
  )
}

/** Sends the same without the page around it, for a page that is open. */
export async function showPart(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireSchedule(site, visit)
  return answer(await boardHtml(context, readScheduleView(context, new URL(visit.req.url).searchParams)))
}

/** Returns the context of a member who may see jobs. For others there is no such page. */
export async function requireSchedule(site: Site, visit: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, visit)
  if (!context.may('read:jobs')) throw notFoundRefusal()
  return context
}

async function boardHtml(context: MemberContext, asked: ScheduleView): Promise<Html> {
  const [first, last] = [asked.days[0]!, asked.days.at(-1)!]
  const [bookings, roster] = await Promise.all([
    readBookings(context, first, last),
    context.read((db) => rosterOf(db, first, last)),
  ])
  const lanes = lanesOf(bookings, context.user.id)
  const mayMove = context.may('write:jobs')
  const around: BoardContext = { context, asked, roster, mayMove, mayBook: mayMove && context.may('read:customers') }
  const { timezone } = context.company
  const line = dayLine(asked.day, timezone)
  return html`
<div class="schedule" id="schedule" data-view="${asked.view}" data-day="${asked.day.toString()}" data-zone="${timezone}"
  data-read="${bookings.readAt}" data-events="${addressOf(context, asked, 'events')}"
  data-part="${addressOf(context, asked, 'board')}"
  data-words="${JSON.stringify(scriptWords(asked.view))}"${when(mayMove, () => html` data-moves="yes"`)}${when(
    around.mayBook,
    () => html` data-calls="${context.path('calls', 'new')}"`,
  )}>
  ${when(bookings.isCut.booked, () =>
    notice({
      kind: 'warning',
      title: say`There are more visits than fit`,
      body: say`Only the first 1,000 are shown. See the job list for all of them.`,
    }),
  )}
  ${asked.view === 'week' ? weekHtml(around, lanes) : dayHtml(around, line, lanes)}
  ${agendaHtml(around, bookings.booked)}
  <div class="schedule-side">${toolsHtml(around)}
  ${trayHtml(around, bookings)}</div>
  <p class="schedule-foot help"
    id="schedule-foot">${say`Times are in the ${timezone.replaceAll('_', ' ')} time zone.`}${
      asked.view === 'day' && line.minutes !== 1440
        ? ` ${say`The clocks change on this day: it has ${line.minutes / 60} hours.`}`
        : ''
    }${when(
      mayMove,
      () =>
        html` <span class="with-script">${say`Drag a visit to move it, or its lower edge to change its length; with the keyboard, press M on it.`}</span>`,
    )}</p>
</div>`
}

/** Draws what can be done with a whole day. */
function toolsHtml({ context, asked, mayMove }: BoardContext): Html | '' {
  const { day, today, view } = asked
  const isPlannable = mayMove && Temporal.PlainDate.compare(day, today) >= 0
  return when(
    view === 'day',
    () => html`
  <p class="schedule-tools">${when(
    isPlannable,
    () => html`${linkButton(say`Plan the day`, addressOf(context, { day, view }, 'plan'))}
    ${linkButton(say`Off sick`, addressOf(context, { day, view }, 'off'))}`,
  )}
    ${linkButton(say`Print`, `${context.path('schedule', 'print')}?day=${day.toString()}`)}</p>`,
  )
}

function head(context: MemberContext, asked: ScheduleView): Html {
  const { view, day, today } = asked
  const by = (steps: number): string =>
    addressOf(context, { day: day.add(view === 'week' ? { weeks: steps } : { days: steps }), view })
  const isNow = asked.days.some((one) => one.equals(today))
  return html`
<header class="page-head schedule-head">
  <div>
    <p class="eyebrow">
      ${say`Schedule`}${when(isNow, () => html` · ${view === 'week' ? say`this week` : say`today`}`)}
    </p>
  <h1>${titleOf(asked)}</h1></div>
  <nav class="turning" aria-label="${say`Days`}">
    <a class="button plain" rel="prev" href="${by(-1)}"><span aria-hidden="true">‹</span><span class="unseen">${
      view === 'week' ? say`The week before` : say`The day before`
    }</span></a>
    <a class="button plain"
      href="${addressOf(context, { day: today, view })}"${when(isNow, () => html` aria-current="date"`)}>${
        view === 'week' ? say`This week` : say`Today`
      }</a>
    <a class="button plain" rel="next" href="${by(1)}"><span aria-hidden="true">›</span><span class="unseen">${
      view === 'week' ? say`The week after` : say`The day after`
    }</span></a>
  </nav>
  <form class="going" method="get" action="${context.path('schedule')}" role="search"
    aria-label="${say`Go to a day`}">${when(view === 'week', () => hidden('view', 'week'))}
    <input type="date" name="day" value="${day.toString()}" aria-label="${say`Day`}" min="2000-01-01" max="2100-12-31"
      required><button class="button plain">${say`Go`}</button>
  </form>
  <nav class="turning" aria-label="${say`Views`}">${(['day', 'week'] as const).map(
    (one) => html`
    <a class="button plain"
      href="${addressOf(context, { day, view: one })}"${when(
        one === view,
        () => html` aria-current="page"`,
      )}>${one === 'day' ? say`Day` : say`Week`}</a>`,
  )}
  </nav>
  <p class="actions">${when(context.may('write:jobs') && context.may('read:customers'), () =>
    linkButton(say`New call`, `${context.path('calls', 'new')}?after=${day.toString()}`, 'main'),
  )}</p>
</header>${when(asked.refused, (refused) =>
    notice({
      kind: 'error',
      title: say`That date doesn't exist`,
      body: say`A day is written like ${today.toString()} and lies between 2000 and 2100 (got '${refused}'). This is today.`,
    }),
  )}`
}
