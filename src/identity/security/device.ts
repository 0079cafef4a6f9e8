/** Returns a browser's name for itself in words: `Chrome on Windows`; null where it says nothing that is known. */
export function deviceIn(agent: string | null): string | null {
  const text = (agent ?? '').slice(0, 400)
  const [browser, system] = [nameIn(BROWSERS, text), nameIn(SYSTEMS, text)]
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}

type Names = readonly (readonly [mark: string, name: string])[]

/** Lists marks from the most special: Edge says that it is Chrome, Chrome that it is Safari. */
const BROWSERS: Names = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const SYSTEMS: Names = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
]

const nameIn = (names: Names, text: string): string | undefined => names.find(([mark]) => text.includes(mark))?.[1]
