/**
 * Parses an amount exactly into minor units; undefined if it isn't an amount, is in another currency, or has more
 * decimals than the currency.
 */
export function parseCents(
  text: string,
  { digits, currency }: AmountCurrency = { digits: 2, currency: 'USD' },
): number | undefined {
  const inner = /^\((.*)\)$/.exec(text.trim())
  const bare = bareAmount(inner?.[1] ?? text, currency)
  const english = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(bare)
  const other = /^(-?)(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2})$/.exec(bare)
  const [, sign = '', whole = '', decimals = ''] = english ?? other ?? []
  const part = decimals.slice(0, digits).padEnd(digits, '0')
  if (whole === '' || /[1-9]/.test(decimals.slice(digits))) return undefined
  const cents = Number(whole.replaceAll(/[.,]/g, '') + part)
  return Number.isSafeInteger(cents) ? ((sign === '-') !== (inner !== null) ? -cents : cents) : undefined
}

/** Currency of amounts, and its number of decimals. */
export type AmountCurrency = { digits: number; currency: string }

/**
 * Returns an amount without spaces and currency signs (`US$1,189.00`, `1,189.00 USD`), with a trailing minus moved to
 * the front.
 */
export function bareAmount(text: string, currency: string): string {
  const signs = signsOf(currency)
  const bare = signs.reduce((remaining, sign) => remaining.replace(sign, ''), text.toUpperCase().replaceAll(/\s/gu, ''))
  return bare.replace(/^([\d.,]+)-$/, '-$1')
}

const SIGNS = new Map<string, readonly string[]>()

/** Returns the signs of a currency, the longest first: `US$`, `USD`, `$`. */
function signsOf(currency: string): readonly string[] {
  const existing = SIGNS.get(currency)
  if (existing !== undefined) return existing
  const symbols = (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
    ['en-US', 'en-GB'].flatMap((locale) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .filter(({ type }) => type === 'currency')
        .map(({ value }) => value.toUpperCase()),
    ),
  )
  const signs = [...new Set([currency, ...symbols])].toSorted((a, b) => b.length - a.length)
  SIGNS.set(currency, signs)
  return signs
}

/** Parses yes or no; undefined for anything else. */
export const parseFlag = (text: string): boolean | undefined =>
  /^(?:yes|true|1|y|x|t|on)$/i.test(text) ? true : /^(?:no|false|0|n|f|off)$/i.test(text) ? false : undefined

/** Parses whether tax applies: yes and no, `Taxable`, `TAX`, `Non-taxable`, `Exempt`; undefined for anything else. */
export const parseTaxable = (text: string): boolean | undefined =>
  parseFlag(text) ??
  (/^(?:taxable|tax)$/i.test(text) ? true : /^(?:non|exempt|out of scope)/i.test(text) ? false : undefined)

/** Parses payment terms into days: `Net 30`, `30 days`, `Due on receipt`; undefined for other terms. */
export function parseTermDays(text: string): number | undefined {
  if (/^(?:due )?(?:up)?on receipt$|^immediate/i.test(text)) return 0
  const days = /^(?:net\s*)?(\d{1,3})(?:\s*days?)?$/i.exec(text)
  return days === null ? undefined : Number(days[1])
}

/** Converts decimal hours such as `1.5` exactly to whole minutes; undefined for any other text. */
export function parseMinutes(hours: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(hours) ?? []
  if (whole === undefined) return undefined
  const parts = Number(whole) * 10_000 + Number(part.padEnd(4, '0'))
  return Math.round((parts * 60) / 10_000)
}

/** Splits a cell with several names or addresses. */
export const splitList = (text = '', by = /[;,|\n]/): string[] =>
  text
    .split(by)
    .map((name) => name.trim())
    .filter(Boolean)

/** Returns the code of a country by its English name. Returns other text unchanged, for the country rule to check. */
export const parseCountry = (text: string): string => COUNTRIES[text.toLowerCase().replaceAll('.', '')] ?? text

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

export const omitUndefined = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
