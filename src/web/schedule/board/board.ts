import { pageResponse } from '../../../platform/http/answer.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { listDelayNotices } from '../../../messaging/reminders/late.ts'
import { rosterOf } from '../../../scheduling/roster.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { frame } from '../../frame.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { readDay, type CompanyDay } from '../../../scheduling/day_plan/read_day.ts'
import { mapHtml, smallMapHtml, withColors } from '../map/day_map.ts'
import { streetMapHtml } from '../map/streets.ts'
import { headHtml, toolsHtml } from './head.ts'
import { MAX_PER_DAY, monthHtml } from './month.ts'
import { agendaHtml } from './agenda.ts'
import { addressOf, readScheduleView, titleOf, type ScheduleView, type View } from '../schedule_view.ts'
import { readBookings, readMonth, type Bookings } from '../bookings.ts'
import type { BoardContext } from './card.ts'
import { dayTimeline } from '../clock.ts'
import { dayHtml } from './day.ts'
import { lateList, lateVisits, type LateVisits } from './late.ts'
import { lanesOf, type Lane } from './lanes.ts'
import { scriptTexts } from '../script_words.ts'
import { trayHtml } from './tray.ts'
import { weekHtml } from './week.ts'

/** Shows the schedule for the selected view, with the unscheduled jobs. */
export async function showBoard(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireSchedule(site, request)
  const scheduleView = readScheduleView(context, new URL(request.req.url).searchParams)
  const board = await boardHtml(site, context, scheduleView)
  const hasStreets = scheduleView.view === 'map' && site.streets !== null
  return pageResponse(
    frame(context, {
      title: say`Schedule, ${titleOf(scheduleView)}`,
      here: context.path('schedule'),
      isBoard: true,
      styles: stylesOf(scheduleView),
      scripts: ['schedule_live.js', ...SCRIPTS[scheduleView.view], ...(hasStreets ? ['street_map.js'] : [])],
      body: html`
${headHtml(context, scheduleView)}
${board}
<p class="help" id="live"></p>
<p class="unseen" id="said" role="status"></p>
<div class="told" id="told" role="status"></div>`,
    }),
    { status: scheduleView.invalidDay === undefined ? 200 : 422, hasWorker: hasStreets },
  )
}

const stylesOf = ({ view, isByPerson }: ScheduleView): string[] => [
  ...new Set(['schedule.css', ...STYLES[view], ...(isByPerson ? ['schedule_pins.css', 'schedule_people.css'] : [])]),
]

const STYLES: Readonly<Record<View, readonly string[]>> = {
  day: ['schedule_day.css', 'schedule_pins.css'],
  week: ['schedule_week.css'],
  month: ['schedule_month.css'],
  map: ['schedule_pins.css', 'schedule_map.css'],
}

/** Scripts of each view, besides the one that keeps it up to date. */
const SCRIPTS: Readonly<Record<View, readonly string[]>> = {
  day: ['schedule.js', 'schedule_light.js'],
  week: ['schedule.js'],
  month: ['schedule.js'],
  map: ['schedule_light.js'],
}

/** Sends only the board, to refresh an open page. */
export async function showBoardFragment(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireSchedule(site, request)
  return pageResponse(await boardHtml(site, context, readScheduleView(context, new URL(request.req.url).searchParams)))
}

/** Returns the context of a member who may see jobs. Answers 404 to others. */
export async function requireSchedule(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:jobs')) throw notFoundRefusal()
  return context
}

async function boardHtml(site: Site, context: MemberContext, scheduleView: ScheduleView): Promise<Html> {
  const [first, last] = [scheduleView.days[0]!, scheduleView.days.at(-1)!]
  const [bookings, [roster, companyDay, notified]] = await Promise.all([
    scheduleView.view === 'month' ? readMonth(context, [first, last], MAX_PER_DAY) : readBookings(context, first, last),
    context.read((db) =>
      Promise.all([
        rosterOf(db, first, last),
        scheduleView.view === 'map' || scheduleView.view === 'day'
          ? readDay(db, context.company.timezone, first)
          : undefined,
        listDelayNotices(db, first.toString()),
      ]),
    ),
  ])
  const lanes = lanesOf(bookings, context.user.id)
  const people = new Map(withColors(lanes).flatMap(({ id, color }) => (color === null ? [] : [[id, color]])))
  const colors = scheduleView.isByPerson ? people : undefined
  const mayMove = context.may('write:jobs')
  const hasTray = scheduleView.view === 'day' || scheduleView.view === 'week'
  const mayBook = mayMove && context.may('read:customers')
  const late: LateVisits = companyDay === undefined ? new Map() : lateVisits(companyDay, lanes)
  const board: BoardContext = { context, scheduleView, roster, colors, people, mayMove, mayBook, late }
  const { timezone } = context.company
  return html`
<div class="schedule${hasTray ? '' : ' roomy'}" id="schedule" data-view="${scheduleView.view}"
  data-day="${scheduleView.day.toString()}" data-zone="${timezone}"
  data-read="${bookings.readAt}" data-events="${addressOf(context, scheduleView, 'events')}"
  data-part="${addressOf(context, scheduleView, 'board')}"
  data-words="${JSON.stringify(scriptTexts(scheduleView.view))}"${when(
    mayMove,
    () => html` data-moves="yes" data-check="${context.path('schedule', 'check')}"`,
  )}${when(board.mayBook, () => html` data-calls="${context.path('calls', 'new')}"`)}>
  ${when(bookings.hasMore.booked, () =>
    notice({
      kind: 'warning',
      title: say`There are more visits than fit`,
      body: say`Only the first 1,000 are shown. See the job list for all of them.`,
    }),
  )}
  ${viewHtml({ ...board, streets: streetMapHtml(site, context) }, lanes, bookings, companyDay)}
  ${when(hasTray, () => agendaHtml(board, bookings.booked))}
  <div class="schedule-side">${lateList(context, late, { lanes, notified, mayWrite: mayBook })}${toolsHtml(board)}
  ${when(scheduleView.view === 'day' && companyDay, (day) =>
    smallMapHtml(board, day, lanes),
  )}${when(hasTray, () => trayHtml(board, bookings))}</div>
  ${footHtml(board)}
</div>`
}

function footHtml({ context: { company }, scheduleView, mayMove }: BoardContext): Html {
  const { timezone } = company
  const line = dayTimeline(scheduleView.day, timezone)
  return html`<p class="schedule-foot help"
    id="schedule-foot">${say`Times are in the ${timezone.replaceAll('_', ' ')} time zone.`}${
      scheduleView.view === 'day' && line.minutes !== 1440
        ? ` ${say`The clocks change on this day: it has ${line.minutes / 60} hours.`}`
        : ''
    }${when(
      mayMove && scheduleView.view !== 'map',
      () =>
        html` <span class="with-script">${
          scheduleView.view === 'day'
            ? say`Drag a visit to move it, or its lower edge to change its length; with the keyboard, press M on it.`
            : say`Drag a visit to move it; with the keyboard, press M on it.`
        }</span>`,
    )}</p>`
}

function viewHtml(board: BoardContext, lanes: readonly Lane[], { days }: Bookings, day: CompanyDay | undefined): Html {
  const { scheduleView, context } = board
  if (scheduleView.view === 'map' && day !== undefined) return mapHtml(board, day, lanes)
  if (scheduleView.view === 'month') return monthHtml(board, days)
  return scheduleView.view === 'week'
    ? weekHtml(board, lanes)
    : dayHtml(board, dayTimeline(scheduleView.day, context.company.timezone), lanes)
}
