import { html, type Html } from '../../html/html.ts'
import { labeled, select, type Option } from '../../html/field.ts'
import { localeNow } from '../../language/reader.ts'
import { say } from '../../language/say.ts'
import { COUNTRIES } from '../../shape/fields.ts'

/** Draws the choice of a country by its name in the reader's language. */
export function countryField(chosen: string, help: string): Html {
  const names = new Intl.DisplayNames([localeNow()], { type: 'region' })
  const { compare } = new Intl.Collator(localeNow())
  const countries = [...COUNTRIES].map((code): Option => ({ value: code, label: names.of(code) ?? code }))
  const options = countries.sort((a, b) => compare(a.label, b.label))
  return select({ name: 'country', label: say`Country`, options, chosen: chosen.trim().toUpperCase(), help })
}

/** Draws the choice of a time zone: those of a country by the names that people there use, all others folded away. */
export function zoneField(chosen: string, country: string): Html {
  const own = ownZones(country)
  const near = own.includes(chosen) ? own : [chosen, ...own]
  return html`
${select({ name: 'timezone', label: say`Time zone`, options: near.map(optionOf), chosen, help: say`For every visit and due date` })}
<details class="other-zones"><summary>${say`Another time zone`}</summary>
  ${otherZones(new Set(near))}
</details>`
}

/** Returns the zone that a form chose: one from the fold counts more than the short list, which always has one. */
export const chosenZone = (sent: URLSearchParams): string => sent.get('other_timezone') || (sent.get('timezone') ?? '')

/** Zones that people name theirs by, where a country has several with the same time. */
const WELL_KNOWN: ReadonlySet<string> = new Set([
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Halifax',
  'America/Toronto',
  'America/Winnipeg',
  'America/Regina',
  'America/Mexico_City',
  'America/Tijuana',
  'America/Sao_Paulo',
  'America/Argentina/Buenos_Aires',
  'Australia/Sydney',
  'Asia/Shanghai',
  'Europe/Berlin',
])

const ALL_ZONES = Intl.supportedValuesOf('timeZone')

/** Returns a country's zones from east to west, one of those that have the same name; none for a code that is no country. */
function ownZones(country: string): string[] {
  const code = country.trim().toUpperCase()
  if (!COUNTRIES.has(code)) return []
  const zones = new Intl.Locale('und', { region: code }).getTimeZones?.() ?? []
  const named = Map.groupBy(zones, (zone) => zoneName(zone, 'en'))
  const now = Temporal.Now.instant()
  const offset = (zone: string): number => now.toZonedDateTimeISO(zone).offsetNanoseconds
  return [...named.values()]
    .map((alike) => alike.find((zone) => WELL_KNOWN.has(zone)) ?? alike[0]!)
    .sort((a, b) => offset(b) - offset(a))
}

const optionOf = (zone: string): Option => ({ value: zone, label: zoneLabel(zone) })

/** Returns what people call a zone, with a city: `Central Time (Chicago)`. What is no zone is shown as it was typed. */
export function zoneLabel(zone: string): string {
  try {
    const name = zoneName(zone, localeNow())
    return `${name.charAt(0).toLocaleUpperCase(localeNow())}${name.slice(1)} (${cityOf(zone)})`
  } catch {
    return zone
  }
}

const zoneName = (timeZone: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')!.value

/** Returns the place of a zone, the smallest first: `Knox, Indiana` of `America/Indiana/Knox`. */
const cityOf = (zone: string): string => zone.split('/').slice(1).toReversed().join(', ').replaceAll('_', ' ') || zone

/** Draws all zones that the short list hasn't, by continent and city. */
function otherZones(near: ReadonlySet<string>): Html {
  const continents = Map.groupBy(
    ALL_ZONES.filter((zone) => !near.has(zone)),
    (zone) => zone.split('/')[0]!,
  )
  return labeled(
    { name: 'other_timezone', label: say`City in that time zone` },
    html`
  <select id="other_timezone" name="other_timezone"><option value="">${say`Keep the time zone above`}</option>${[
    ...continents,
  ].map(
    ([continent, zones]) => html`
    <optgroup label="${continent}">${zones.map((zone) => html`<option value="${zone}">${cityOf(zone)}</option>`)}</optgroup>`,
  )}
  </select>`,
  )
}
