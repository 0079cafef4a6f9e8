import { listCrewMembers, type Colleague } from '../../identity/people/crew.ts'
import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import { currentLocale } from '../../platform/i18n/reader.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { findFreeSlots, HORIZON_DAYS, type FreeMember, type FreeSlot } from '../../scheduling/availability.ts'
import type { SearchPlace } from '../../scheduling/places/positions.ts'
import { duration, time } from '../../records/format/formats.ts'
import { locationQuery } from '../../records/locations/index.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { addressIn } from '../../platform/validation/formats/address.ts'
import { isId } from '../../platform/validation/id.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { listNeededSkills } from '../../scheduling/skills/skills.ts'
import type { MemberContext } from '../member_context.ts'
import { findCatalogLine, readTitle } from './kinds.ts'

/** Free times, and all members who can take a visit at another time. */
export type FreeTimes = { minutes: number; after: Temporal.PlainDate; free: FreeMember[]; members: Colleague[] }

const DURATIONS = [30, 60, 90, 120, 180, 240, 360, 480]
const DEFAULT_MINUTES = 120
const MAX_DAYS_AHEAD = 366
const MAX_MEMBERS = 200
const MAX_ADDRESS = 500

/** Returns the requested duration in minutes, or two hours. */
export function readMinutes(form: URLSearchParams): number {
  const minutes = Number(form.get('minutes'))
  return Number.isInteger(minutes) && minutes >= 5 && minutes <= 1440 ? minutes : DEFAULT_MINUTES
}

/** Finds the next free times for a visit at the customer's location or the caller's address. */
export async function findFreeTimes(
  context: MemberContext,
  form: URLSearchParams,
  customer = form.get('customer_id') ?? '',
): Promise<FreeTimes> {
  const { timezone } = context.company
  const [minutes, today] = [readMinutes(form), todayIn(timezone)]
  const after = parseStartDay(form.get('after') ?? '', today)
  const now = Temporal.Now.instant()
  const from = after.equals(today) ? now : after.toZonedDateTime(timezone).toInstant()
  const lines = await findCatalogLine(context, readTitle(form))
  const [free, members] = await context.read(async (db) => {
    const [place, skills] = [locationOf(context, db, form, customer), await listNeededSkills(db, lines)]
    return Promise.all([
      findFreeSlots(db, timezone, { minutes, from, limit: 3, place, skills }),
      listCrewMembers(db, MAX_MEMBERS),
    ])
  })
  return { minutes, after, free, members }
}

/** Returns the location of the visit, with the same rule as the booking. */
function locationOf(context: MemberContext, db: Db, form: URLSearchParams, customer: string): SearchPlace | undefined {
  const location = form.get('location_id') ?? ''
  if (isId(customer))
    return { location: locationQuery(db, customer, isId(location) ? location : undefined, ['service']) }
  const { country } = context.company
  const address = (form.get('address') ?? '').slice(0, MAX_ADDRESS)
  const { postal_code } = addressIn(address, country) ?? {}
  return postal_code === undefined ? undefined : { address: { postal_code, country } }
}

function parseStartDay(text: string, today: Temporal.PlainDate): Temporal.PlainDate {
  const day = parseDay(text)
  if (day === undefined) return today
  return today.until(day).days < 0 || today.until(day).days > MAX_DAYS_AHEAD ? today : day
}

/** Renders the time section: each technician's next free times, another time, or none yet. */
export function timesPart(context: MemberContext, freeTimes: FreeTimes, form: URLSearchParams): Html {
  const { minutes, after, free, members } = freeTimes
  const chosen = chosenTime(form)
  const durations = DURATIONS.includes(minutes) ? DURATIONS : [...DURATIONS, minutes].sort((a, b) => a - b)
  const today = todayIn(context.company.timezone)
  return html`
<fieldset class="times" id="times">
  <legend>${say`When and who`}</legend>
  <div class="times-for">
    <label>${sayFor('time')`For`} <select name="minutes" id="minutes">${durations.map(
      (one) => html`<option value="${one}"${attribute('selected', one === minutes)}>${duration(one)}</option>`,
    )}</select></label>
    <label>${sayFor('date')`From`} <input type="date" name="after" id="after" value="${after.toString()}"
      min="${today.toString()}"></label>
    <button class="button plain" id="show-times" formmethod="get" formaction="${context.path('calls', 'new')}"
      formnovalidate>${say`Show times`}</button>
  </div>
  <div class="slots">${free.map(
    ({ user_id, name, slots }) => html`
    <div role="group" aria-label="${name}"><span class="slot-who">${name}</span>${
      slots.length === 0
        ? html`<span class="help">${say`No free times in the next ${HORIZON_DAYS} days`}</span>`
        : slots.map(({ start, driving }) => {
            const value = `${start}|${user_id}`
            return html`<label class="slot"><input type="radio"
              name="when" value="${value}"${attribute('checked', value === chosen)}><span>${slotName(start, context.company.timezone, today)}${when(
                driving,
                (driving) => html` <small>${drivingText(driving)}</small>`,
              )}</span></label>`
          })
    }</div>`,
  )}
    <div><label class="slot"><input type="radio" name="when" required
      value="later"${attribute('checked', chosen === 'later')}><span>${say`Schedule later`}</span></label></div>
    <div class="other-time" role="group" aria-label="${say`Another time`}"><label class="slot"><input type="radio"
      name="when" value="other"${attribute('checked', chosen === 'other')}><span>${say`Another time`}</span></label>
      <input type="datetime-local" name="start" value="${
        form.get('start') ?? ''
      }" aria-label="${say`Start`}"><select name="who" aria-label="${say`Technician`}"><option value="">${say`Unassigned`}</option>${members.map(
        ({ id, name }) => html`<option value="${id}"${attribute('selected', form.get('who') === id)}>${name}</option>`,
      )}</select></div>
  </div>
</fieldset>`
}

/** Formats the extra driving time: `About +10 min driving`. */
export function drivingText({ minutes, isEstimate }: NonNullable<FreeSlot['driving']>): string {
  if (minutes === 0) return say`No extra driving`
  return isEstimate ? say`About +${minutes} min driving` : say`+${minutes} min driving`
}

/** Returns the chosen time: an offered slot, `other` if a start was typed, or else `later`. */
export function chosenTime(form: URLSearchParams): string {
  const choice = form.get('when') ?? ''
  if (choice !== '' && choice !== 'later') return choice
  return (form.get('start') ?? '') === '' ? 'later' : 'other'
}

/** Parses a slot as the form submits it. */
export function parseSlot(chosen: string): { start: string; user: string } | undefined {
  const [start = '', user = ''] = chosen.split('|')
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(start) && isId(user) ? { start, user } : undefined
}

/** Formats a free time: `Today 1:00 PM`, `Tue 8:00 AM`, `Dec 3 8:00 AM`. */
export function slotName(start: string, zone: string, today: Temporal.PlainDate): string {
  const day = Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainDate()
  const timeText = time(start, zone)
  const days = today.until(day).days
  if (days === 0) return say`Today ${timeText}`
  if (days === 1) return say`Tomorrow ${timeText}`
  const dateFormat = days < 7 ? ({ weekday: 'short' } as const) : ({ month: 'short', day: 'numeric' } as const)
  return `${day.toLocaleString(currentLocale(), dateFormat)} ${timeText}`
}
