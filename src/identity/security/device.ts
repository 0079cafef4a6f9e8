import { sayFor } from '../../platform/i18n/say.ts'

/** Returns a readable browser name, such as `Chrome on Windows`; null if the User-Agent isn't recognized. */
export function deviceIn(agent: string | null): string | null {
  const text = (agent ?? '').slice(0, 400)
  const [browser, system] = [nameIn(BROWSERS, text), nameIn(SYSTEMS, text)]
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}

/** Translates a stored device name for the reader. */
export function deviceText(device: string): string {
  const [, browser, system] = /^(.+) on (\w+)$/.exec(device) ?? []
  return browser === undefined || system === undefined ? device : sayFor('phone')`${browser} on ${system}`
}

type NamePatterns = readonly (readonly [pattern: string, name: string])[]

/** User-Agent marks, most specific first: Edge also claims to be Chrome, and Chrome to be Safari. */
const BROWSERS: NamePatterns = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const SYSTEMS: NamePatterns = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
]

const nameIn = (names: NamePatterns, text: string): string | undefined =>
  names.find(([pattern]) => text.includes(pattern))?.[1]
