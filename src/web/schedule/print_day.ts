import { pageResponse } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { phone } from '../../records/format/formats.ts'
import { readDay, type CompanyDay } from '../../scheduling/day_plan/read_day.ts'
import { listSiteAccess, type SiteAccess } from '../../records/jobs/index.ts'
import { localAddress } from '../../records/page/contact_links.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { addressOf, readScheduleView, titleOf } from './schedule_view.ts'
import { requireSchedule } from './board/board.ts'
import { readBookings, type Booking } from './bookings.ts'
import { bookingsOn, timesOf } from './board/card.ts'
import { lanesOf, type Lane } from './board/lanes.ts'
import { dayMapSvg, personDays, type PersonDay } from './map/day_map.ts'

/** Shows a day as printable sheets, one per technician: time, title, address, phone number and access notes. */
export async function printDay(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireSchedule(site, request)
  const scheduleView = { ...readScheduleView(context, new URL(request.req.url).searchParams), view: 'day' as const }
  const days = [scheduleView.day]
  const zone = context.company.timezone
  const [bookings, companyDay] = await Promise.all([
    readBookings(context, scheduleView.day, scheduleView.day),
    context.read((db) => readDay(db, zone, scheduleView.day)),
  ])
  const allLanes = lanesOf(bookings, context.user.id)
  const people = new Map(personDays(companyDay, allLanes).map((person) => [person.id, person]))
  const lanes = allLanes
    .map((lane) => ({ ...lane, bookings: bookingsOn(lane.bookings, scheduleView.day, zone).sort(compareByTime) }))
    .filter((lane) => lane.bookings.length > 0)
  const sites = await readSiteAccess(
    context,
    lanes.flatMap(({ bookings }) => bookings.map(({ id }) => id)),
  )
  const title = titleOf({ ...scheduleView, days })
  return pageResponse(
    layout({
      title: say`Schedule, ${title}`,
      person: context.user,
      company: context.company,
      styles: ['paper.css', 'schedule_pins.css', 'day_sheet.css'],
      scripts: ['print.js'],
      body: html`
<div class="paper-tools">${linkButton(say`Back`, addressOf(context, scheduleView))}
  <print-button label="${say`Print`}"></print-button></div>${
    lanes.length === 0
      ? html`
<section class="paper day-sheet"><h1>${title}</h1><p>${say`No visits`}</p></section>`
      : lanes.map((lane) => sheet(context, { title, lane, sites, person: people.get(lane.id), day: companyDay }))
  }`,
    }),
  )
}

const compareByTime = (a: Booking, b: Booking): number =>
  Number(b.all_day) - Number(a.all_day) || a.scheduled_start.localeCompare(b.scheduled_start)

/** Draws the map of a person's stops, if there are at least two. */
const mapOf = (context: MemberContext, day: CompanyDay, person: PersonDay | undefined): Html | '' =>
  person === undefined || person.stops.filter(({ at }) => at !== undefined).length < 2
    ? ''
    : html`<figure class="day-sheet-map">${dayMapSvg(context, day, [person])}</figure>`

type Sheet = {
  title: string
  lane: Lane
  sites: ReadonlyMap<string, SiteAccess>
  person: PersonDay | undefined
  day: CompanyDay
}

const sheet = (context: MemberContext, { title, lane: { name, bookings }, sites, person, day }: Sheet): Html => html`
<section class="paper day-sheet">
  <h1>${name}</h1>
  <p class="day-sheet-day">${title} · ${context.company.name}</p>
  ${mapOf(context, day, person)}
  <ol>${bookings.map((booking) => {
    const access = sites.get(booking.id)
    return html`
    <li><p class="day-sheet-time">${timesOf(booking, context.company.timezone)}</p>
      <div><h2>${when(
        person?.stops.find((one) => one.booking.id === booking.id)?.number,
        (number) => html`<span class="day-sheet-number">${number}</span> `,
      )}${booking.display_number} ${booking.title}</h2>
      <p><b>${booking.customer_name}</b>${when(access?.phone, (number) => html` · ${phone(number)}`)}</p>${when(
        booking.location_address,
        (address) => html`
      <p>${localAddress(address, context.company.country)}</p>`,
      )}${[access?.access_notes, access?.instructions].map((text) =>
        when(
          text,
          (text) => html`
      <p class="written">${text}</p>`,
        ),
      )}</div></li>`
  })}
  </ol>
</section>`

/** Reads the site details of jobs. Phone number and access notes require read access to customers. */
async function readSiteAccess(context: MemberContext, ids: readonly string[]): Promise<Map<string, SiteAccess>> {
  const sites = await context.read((db) => listSiteAccess(db, ids, context.may('read:customers')))
  return new Map(sites.map((site) => [site.id, site]))
}
