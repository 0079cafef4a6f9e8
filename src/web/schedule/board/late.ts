import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { duration, time } from '../../../records/format/formats.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import {
  clockOf,
  expectedStops,
  MIN_LATE_MINUTES,
  type PlannedStop,
} from '../../../scheduling/day_plan/expected_route.ts'
import type { CompanyDay } from '../../../scheduling/day_plan/read_day.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Lane } from './lanes.ts'

/** Visit that is expected to start late, with its expected start and the minutes late. */
type LateVisit = { id: string; title: string; at: string; minutes: number; isWindowBroken: boolean }

/** Late visits by lane and visit id. */
export type LateVisits = ReadonlyMap<string, ReadonlyMap<string, LateVisit>>

/** Returns the visits expected to start late today, based on field reports and the clock; empty for other days. */
export const lateVisits = (day: CompanyDay, lanes: readonly Pick<Lane, 'id'>[]): LateVisits =>
  new Map(
    (clockOf(day) === undefined ? [] : lanes).map(({ id }) => {
      const stops = [...expectedStops(day, id === NOBODY ? null : id).values()]
      return [id, new Map(stops.flatMap((stop) => lateOf(day, stop)).map((late) => [late.id, late]))]
    }),
  )

const lateOf = ({ date, zone }: CompanyDay, { visit, starts, late, isWindowBroken }: PlannedStop): LateVisit[] =>
  late < MIN_LATE_MINUTES || (visit.status !== 'scheduled' && visit.status !== 'en_route')
    ? []
    : [
        {
          id: visit.id,
          title: visit.title,
          at: date.toZonedDateTime(zone).add({ minutes: starts }).toInstant().toString(),
          minutes: late,
          isWindowBroken,
        },
      ]

/** Marks a visit with its expected start. */
export const lateMark = ({ at, minutes, isWindowBroken }: LateVisit, zone: string): Html =>
  html`<span class="visit-late${isWindowBroken ? '' : ' kept'}"><span aria-hidden="true">→ </span>${time(
    at,
    zone,
  )}<span class="unseen">, ${say`about ${duration(minutes)} late`}</span></span> `

/** Maximum visits in the list. The board marks all of them. */
const MAX_LISTED = 8

/** Lists the late visits, with a message to each customer not notified yet; empty if none are late. */
export function lateList(
  context: MemberContext,
  late: LateVisits,
  { lanes, notified, mayWrite }: { lanes: readonly Lane[]; notified: ReadonlySet<string>; mayWrite: boolean },
): Html | '' {
  const all = lanes
    .flatMap(({ id, name }) => [...(late.get(id)?.values() ?? [])].map((visit) => ({ name, ...visit })))
    .sort((a, b) => Number(b.isWindowBroken) - Number(a.isWindowBroken) || a.at.localeCompare(b.at))
  return when(
    all.length > 0,
    () => html`
  <section class="late-visits" aria-labelledby="late-head"><h2 id="late-head">${say`Running late`}</h2>
    <ol>${all.slice(0, MAX_LISTED).map(
      ({ name, id, title, minutes, ...visit }) => html`
      <li><span><b>${name}</b> · <a href="${context.path('jobs', id)}">${title}</a></span>
        <span class="help">${say`about ${duration(minutes)} late`}${when(
          visit.isWindowBroken,
          () => html` · ${say`after its arrival window`}`,
        )}</span>${
          notified.has(id)
            ? html` <span class="help">${say`Customer notified`}</span>`
            : when(
                mayWrite,
                () => html`
        <a class="button quiet" href="${messagePath(context, id, minutes)}">${say`Text the customer`}<span
          class="unseen"> ${title}</span></a>`,
              )
        }</li>`,
    )}
    </ol>${when(
      all.length - MAX_LISTED > 0,
      () => html`<p class="help">${say`and ${all.length - MAX_LISTED} more`}</p>`,
    )}</section>`,
  )
}

/** Returns the page of the running-late message, rounded up to five minutes. */
const messagePath = (context: MemberContext, job: string, minutes: number): string =>
  `${context.path('jobs', job, 'send')}?kind=running_late&by=sms&minutes=${Math.min(480, Math.ceil(minutes / 5) * 5)}`
