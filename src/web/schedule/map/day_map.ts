import { html, when, type Html } from '../../../platform/html/html.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import { duration } from '../../../records/format/formats.ts'
import { localAddress } from '../../../records/page/contact_links.ts'
import { expectedRoute, MIN_LATE_MINUTES, type PlannedStop } from '../../../scheduling/day_plan/expected_route.ts'
import type { CompanyDay } from '../../../scheduling/day_plan/read_day.ts'
import type { Coordinates } from '../../../scheduling/places/coordinates.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Booking } from '../bookings.ts'
import { addressOf } from '../schedule_view.ts'
import { bookingsOn, timesOf, type BoardContext } from '../board/card.ts'
import type { Lane } from '../board/lanes.ts'
import { swatchHtml } from './swatch.ts'
import { colorClass, mapSvg, type MapRoute, type MapStop } from './map_svg.ts'

/** Stop in a person's day. `number` is its position in the route, null if it can be at any time. */
type ListedStop = {
  booking: Booking
  number: number | null
  stop: PlannedStop | undefined
  at: Coordinates | undefined
}

/** A person's day in driving order, or the unassigned visits. */
export type PersonDay = { id: string; name: string; color: number | null; stops: readonly ListedStop[] }

/** Returns the day of each lane with visits, in driving order. */
export function personDays(day: CompanyDay, lanes: readonly Lane[]): PersonDay[] {
  const positions = new Map(day.visits.map(({ id, position }) => [id, position]))
  return withColors(lanes).flatMap(({ id, name, color, bookings }) => {
    const dayBookings = bookingsOn(bookings, day.date, day.zone)
    const route = id === NOBODY ? [] : expectedRoute(day, id).stops
    const order = new Map(route.map((stop, i) => [stop.visit.id, { stop, number: i + 1 }]))
    const stops = dayBookings.map((booking): ListedStop => ({
      booking,
      number: order.get(booking.id)?.number ?? null,
      stop: order.get(booking.id)?.stop,
      at: positions.get(booking.id),
    }))
    const sorted = stops.sort(
      (a, b) => (a.number ?? 0) - (b.number ?? 0) || a.booking.scheduled_start.localeCompare(b.booking.scheduled_start),
    )
    return sorted.length === 0 ? [] : [{ id, name, color, stops: sorted }]
  })
}

/** Gives each technician a color by the position of their lane. The unassigned lane has none. */
export function withColors<T extends { id: string }>(lanes: readonly T[]): (T & { color: number | null })[] {
  let next = 0
  return lanes.map((lane) => ({ ...lane, color: lane.id === NOBODY ? null : next++ }))
}

/** Draws the stops of several people's days. */
export function dayMapSvg(
  context: MemberContext,
  day: CompanyDay,
  people: readonly PersonDay[],
  options: { target?: string; isSmall?: boolean; hasPlaces?: boolean } = {},
): Html {
  const towns = new Map<string, Coordinates[]>()
  for (const { city, position } of day.visits)
    if (city !== null && position !== undefined) towns.set(city, [...(towns.get(city) ?? []), position])
  const shownIds = new Set(people.flatMap(({ stops }) => stops.map(({ booking }) => booking.id)))
  const shownTowns = new Set(day.visits.flatMap(({ id, city }) => (shownIds.has(id) ? (city ?? []) : [])))
  return mapSvg({
    routes: people.map((person) => toRoute(person)),
    towns: new Map([...towns].filter(([name]) => shownTowns.has(name))),
    isInMiles: MILE_COUNTRIES.has(context.company.country),
    ...options,
  })
}

/** Countries that measure road distances in miles. */
export const MILE_COUNTRIES = new Set(['US', 'GB', 'LR', 'MM', 'PR'])

const toRoute = ({ id, name, color, stops }: PersonDay): MapRoute => ({
  color,
  isRoute: id !== NOBODY,
  stops: stops.flatMap(({ booking, number, at }): MapStop[] =>
    at === undefined
      ? []
      : [
          {
            job: booking.id,
            label: id === NOBODY ? '?' : number === null ? '·' : String(number),
            title: `${name}: ${booking.title}, ${booking.customer_name}`,
            at,
            isDone: booking.status === 'done',
          },
        ],
  ),
})

/** Draws a day as a map and an equivalent list: each person's route, order and driving times. */
export function mapHtml({ context, streets = '' }: BoardContext, day: CompanyDay, lanes: readonly Lane[]): Html {
  const people = personDays(day, lanes)
  const hasPlaces = people.some(({ stops }) => stops.some(({ at }) => at !== undefined))
  return html`
<div class="day-map" id="board">
  ${
    hasPlaces
      ? html`<figure class="map-room">
    <figcaption class="unseen">${say`Map of the day. The list has the same stops.`}</figcaption>
    ${dayMapSvg(context, day, people, { target: 'stop-', hasPlaces: streets !== '' })}${streets}</figure>`
      : html`<p class="empty">${
          people.length === 0
            ? say`No visits`
            : say`This day has no mapped addresses yet. Add addresses to see them here.`
        }</p>`
  }
  <div class="map-list">${people.map((person) => personHtml(context, day, person))}</div>
</div>`
}

function personHtml(context: MemberContext, day: CompanyDay, { id, name, color, stops }: PersonDay): Html {
  const driving = stops.reduce((sum, { stop }) => sum + (stop?.driving ?? 0), 0)
  return html`
    <section class="map-person ${colorClass(color)}" aria-label="${name}">
      <h2>${swatchHtml(color)}${name} <span class="help">${sayCount(stops.length, 'one visit', '{0} visits')}${when(
        driving > 0,
        () => html`, ${say`about ${duration(driving)} driving`}`,
      )}</span></h2>
      <ol>${stops.map((stop) => stopHtml(context, day, stop, id))}</ol>
    </section>`
}

const stopHtml = (
  context: MemberContext,
  day: CompanyDay,
  { booking, number, stop, at }: ListedStop,
  person: string,
): Html => html`
      <li class="map-stop ${booking.status}" id="stop-${booking.id}${
        isListedEarlier(booking, person) ? `-${person}` : ''
      }" data-job="${booking.id}">${when(
        stop !== undefined && stop.driving > 0,
        () => html`<span class="map-drive">${say`${duration(stop?.driving ?? 0)} drive`}</span>`,
      )}<a href="${context.path('jobs', booking.id)}">
        <span class="map-number" aria-hidden="true">${number ?? '·'}</span>
        <b>${timesOf(booking, day.zone)}</b> <span class="visit-title">${booking.title}</span>
        <span class="help">${booking.customer_name}${when(
          booking.location_address,
          (address) => html` · ${localAddress(address, context.company.country)}`,
        )}${when(at === undefined, () => html` · ${say`place unknown`}`)}</span>${when(
          stop !== undefined && stop.late >= MIN_LATE_MINUTES && booking.status === 'scheduled',
          () => html`<span class="map-late">${say`about ${duration(stop?.late ?? 0)} late`}</span>`,
        )}</a></li>`

/** Checks whether a crew's visit is already listed under another member, so that element ids stay unique. */
const isListedEarlier = ({ assignees }: Booking, person: string): boolean =>
  assignees.some(({ user_id }) => user_id === person) && assignees[0]?.user_id !== person

/** Draws a small map beside the board that links to the large one. The board has the same visits. */
export function smallMapHtml(
  { context, scheduleView }: BoardContext,
  day: CompanyDay,
  lanes: readonly Lane[],
): Html | '' {
  const people = personDays(day, lanes)
  const count = people.reduce((sum, { stops }) => sum + stops.filter(({ at }) => at !== undefined).length, 0)
  return when(
    count > 1,
    () => html`
  <figure class="small-map"><a href="${addressOf(context, { ...scheduleView, view: 'map' })}">
    <span class="unseen">${say`Map`}</span>
    ${dayMapSvg(context, day, people, { isSmall: true })}</a></figure>`,
  )
}
