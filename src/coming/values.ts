/** Returns an amount in minor units, read digit by digit; undefined for what is none, or has more decimals than the currency. */
export function centsOf(text: string, digits = 2): number | undefined {
  const inner = /^\((.*)\)$/.exec(text.trim())
  const bare = (inner?.[1] ?? text).replaceAll(/[\s\p{Sc}]|USD|CAD/gu, '')
  const english = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(bare)
  const other = /^(-?)(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2})$/.exec(bare)
  const [, sign = '', whole = '', decimals = ''] = english ?? other ?? []
  const part = decimals.slice(0, digits).padEnd(digits, '0')
  if (whole === '' || /[1-9]/.test(decimals.slice(digits))) return undefined
  const cents = Number(whole.replaceAll(/[.,]/g, '') + part)
  return Number.isSafeInteger(cents) ? ((sign === '-') !== (inner !== null) ? -cents : cents) : undefined
}

/** Returns yes or no; undefined for anything else. */
export const flagOf = (text: string): boolean | undefined =>
  /^(?:yes|true|1|y|x|t|on)$/i.test(text) ? true : /^(?:no|false|0|n|f|off)$/i.test(text) ? false : undefined

/** Returns whether tax applies: yes and no, `Taxable`, `TAX`, `Non-taxable`, `Exempt`; undefined for anything else. */
export const taxableOf = (text: string): boolean | undefined =>
  flagOf(text) ??
  (/^(?:taxable|tax)$/i.test(text) ? true : /^(?:non|exempt|out of scope)/i.test(text) ? false : undefined)

/** Returns days to pay: `Net 30`, `30 days`, `Due on receipt`; undefined for other terms. */
export function termDaysOf(text: string): number | undefined {
  if (/^(?:due )?(?:up)?on receipt$|^immediate/i.test(text)) return 0
  const days = /^(?:net\s*)?(\d{1,3})(?:\s*days?)?$/i.exec(text)
  return days === null ? undefined : Number(days[1])
}

/** Returns whole minutes of `1.5` hours, read digit by digit; undefined for what is no such number. */
export function minutesOf(hours: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(hours) ?? []
  if (whole === undefined) return undefined
  const parts = Number(whole) * 10_000 + Number(part.padEnd(4, '0'))
  return Math.round((parts * 60) / 10_000)
}

/** Splits `Ruiz, Ana` and `Ana Ruiz`. */
export function splitName(name: string): [string | undefined, string | undefined] {
  const [last, first] = name.split(',').map((part) => part.trim())
  if (first !== undefined) return [first || undefined, last || undefined]
  const words = name.split(/\s+/).filter(Boolean)
  return [words.slice(0, -1).join(' ') || words[0], words.length > 1 ? words.at(-1) : undefined]
}

/** Splits a cell of several names or addresses. */
export const severalIn = (text = '', by = /[;,|\n]/): string[] =>
  text
    .split(by)
    .map((name) => name.trim())
    .filter(Boolean)

/** Returns the code of a country by its English name; what is none of the usual goes to the rule of countries as it is. */
export const countryOf = (text: string): string => COUNTRIES[text.toLowerCase().replaceAll('.', '')] ?? text

const COUNTRIES: Readonly<Record<string, string>> = {
  usa: 'US',
  'united states': 'US',
  'united states of america': 'US',
  canada: 'CA',
  mexico: 'MX',
  'united kingdom': 'GB',
  uk: 'GB',
  ireland: 'IE',
  australia: 'AU',
  'new zealand': 'NZ',
  'puerto rico': 'PR',
}

/** Returns the fields that have a value. */
export const given = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
