/** Display format of numbers: plain, date, time, both, elapsed hours beyond 24, percentage, or zero-padded. */
export type NumberFormat = {
  kind: 'number' | 'date' | 'time' | 'datetime' | 'elapsed' | 'percent'
  /** Number of displayed decimals, if the format specifies it. */
  decimals?: number
  /** Number of digits to pad a whole number to, as in ZIP codes. */
  digits?: number
}

/** Built-in formats a workbook needn't declare (ECMA-376 part 1, 18.8.30). East Asian ones follow below. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0',
  6: '$#,##0',
  7: '$#,##0.00',
  8: '$#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  39: '#,##0.00',
  40: '#,##0.00',
  44: '$#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
}
const EAST_ASIAN_DAYS = [27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]
const EAST_ASIAN_TIMES = [32, 33, 34, 35, 55, 56]

/** Maximum length of a format code to parse. */
const MAX_CODE = 255

/** Returns the format of an id: the workbook's own code, or the built-in one. */
export function findNumberFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined && EAST_ASIAN_DAYS.includes(id)) return { kind: 'date' }
  if (code === undefined && EAST_ASIAN_TIMES.includes(id)) return { kind: 'time' }
  return parseNumberFormat(code ?? BUILT_IN[id] ?? '')
}

/** Parses a format code, such as `[$-409]m/d/yy h:mm AM/PM;@`. */
function parseNumberFormat(code: string): NumberFormat {
  const [bare = ''] = code
    .slice(0, MAX_CODE)
    .toLowerCase()
    .replaceAll(/"[^"]*"|\\.|[_*]./g, '')
    .split(';', 1)
  if (/\[(?:h+|m+|s+)\]/.test(bare)) return { kind: 'elapsed' }
  const plain = bare.replaceAll(/\[[^\]]*\]/g, '')
  if (plain === 'general') return { kind: 'number' }
  const hasClock = /[hs]|am\/pm|a\/p/.test(plain)
  const hasDay = /[yd]/.test(plain) || (plain.includes('m') && (!hasClock || plain.includes('mmm')))
  if (hasClock) return { kind: hasDay ? 'datetime' : 'time' }
  if (hasDay) return { kind: 'date' }
  const decimals = /[0#?]\.([0#?]+)/.exec(plain)?.[1]?.length
  if (plain.includes('%')) return { kind: 'percent' }
  if (/^0{2,}$/.test(plain)) return { kind: 'number', digits: plain.length }
  return { kind: 'number', ...(decimals === undefined ? {} : { decimals }) }
}
