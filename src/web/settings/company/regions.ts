import { html, when, type Html } from '../../../platform/html/html.ts'
import { select, type Option } from '../../../platform/html/parts/field.ts'
import { currentLocale } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { COUNTRIES } from '../../../platform/validation/fields.ts'

/** Extent of a form's lists: all countries with one country's zones, or that country with all zones. */
export type RegionChoice = 'countries' | 'zones'

/** Draws the choice of a country, by name in the reader's language. */
export function countryField(chosen: string, choice: RegionChoice, help: string): Html {
  const own = chosen.trim().toUpperCase()
  const names = new Intl.DisplayNames([currentLocale()], { type: 'region' })
  const codes = [...COUNTRIES].filter((code) => choice === 'countries' || code === own)
  const options = codes
    .map((code): Option => ({ value: code, label: names.of(code) ?? code }))
    .sort((a, b) => a.label.localeCompare(b.label, currentLocale()))
  return select({ name: 'country', label: say`Country`, options, chosen: own, help })
}

/**
 * Draws the choice of a time zone: a country's zones by their common names, with a link to the full list, or all zones.
 */
export function zoneField(chosen: string, country: string, choice: RegionChoice, allZonesUrl: string): Html {
  const own = ownZones(country)
  const listed = own.includes(chosen) ? own : [chosen, ...own]
  const options = [...listed.map(optionOf), ...(choice === 'zones' ? otherZones(listed) : [])]
  const help = html`${say`For every visit and due date`}${when(
    choice === 'countries',
    () => html` · <a href="${allZonesUrl}">${say`Another time zone`}</a>`,
  )}`
  return select({ name: 'timezone', label: say`Time zone`, options, chosen, help })
}

/** Preferred zones where a country has several with the same name. */
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

/** Returns a country's zones from east to west, one per name; empty for an unknown country code. */
export function ownZones(country: string): string[] {
  const code = country.trim().toUpperCase()
  if (!COUNTRIES.has(code)) return []
  const zones = new Intl.Locale('und', { region: code }).getTimeZones?.() ?? []
  const named = Map.groupBy(zones, (zone) => zoneName(zone, 'en'))
  const now = Temporal.Now.instant()
  const offset = (zone: string): number => now.toZonedDateTimeISO(zone).offsetNanoseconds
  return [...named.values()].map(wellKnownOf).sort((a, b) => offset(b) - offset(a))
}

const wellKnownOf = (zones: readonly string[]): string => zones.find((zone) => WELL_KNOWN.has(zone)) ?? zones[0]!

const optionOf = (zone: string): Option => ({ value: zone, label: zoneLabel(zone) })

/** Returns a zone's common name with a city: `Central Time (Chicago)`. An invalid zone is returned as is. */
export function zoneLabel(zone: string): string {
  try {
    return `${capitalize(zoneName(zone, currentLocale()), currentLocale())} (${cityOf(zone)})`
  } catch {
    return zone
  }
}

const capitalize = (name: string, locale: string): string => name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)

const zoneName = (timeZone: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')!.value

/** Returns the place of a zone, smallest unit first: `Knox, Indiana` for `America/Indiana/Knox`. */
const cityOf = (zone: string): string => zone.split('/').slice(1).toReversed().join(', ').replaceAll('_', ' ') || zone

/** Returns the world's other zones by name, without those in the short list. */
function otherZones(listed: readonly string[]): readonly Option[] {
  const names = new Set(listed.flatMap((zone) => (ALL_ZONES.includes(zone) ? [zoneName(zone, 'en')] : [])))
  return worldZones(currentLocale()).filter(({ english }) => !names.has(english))
}

type NamedZone = Option & { english: string }

/** Returns one zone per name, sorted for a locale. Cached, since naming 400 zones is too slow for every page. */
function worldZones(locale: string): readonly NamedZone[] {
  const cached = ZONES_BY_LOCALE.get(locale)
  if (cached !== undefined) return cached
  const zones = [...Map.groupBy(ALL_ZONES, (zone) => zoneName(zone, 'en'))].map(([english, group]): NamedZone => {
    const value = wellKnownOf(group)
    return { value, label: capitalize(zoneName(value, locale), locale), english }
  })
  const sorted = zones.sort((a, b) => a.label.localeCompare(b.label, locale))
  if (ZONES_BY_LOCALE.size < MAX_LOCALES) ZONES_BY_LOCALE.set(locale, sorted)
  return sorted
}

const MAX_LOCALES = 100
const ZONES_BY_LOCALE = new Map<string, readonly NamedZone[]>()
