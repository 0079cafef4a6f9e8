import { clockText, momentFromNumber, type Epoch } from '../reading/day_numbers.ts'
import type { NumberFormat } from './number_formats.ts'

/** Formats a cell's number for people: dates as `2026-01-05`, times as `14:05`, percentages as `8.25%`. */
export function numberText(stored: string, format: NumberFormat, epoch: Epoch): string {
  const value = Number(stored)
  if (stored.trim() === '' || !Number.isFinite(value)) return stored
  if (format.kind === 'percent') return `${decimalText(value * 100)}%`
  if (format.kind === 'elapsed') return formatElapsed(value)
  if (format.kind !== 'number') return momentText(value, format.kind, epoch) ?? decimalText(value)
  const text = decimalText(value, format.decimals)
  return format.digits !== undefined && /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text
}

function momentText(value: number, kind: 'date' | 'time' | 'datetime', epoch: Epoch): string | undefined {
  if (value < 0) return undefined
  const { day, seconds } = momentFromNumber(value, epoch)
  if (kind === 'time' || (kind === 'datetime' && value < 1)) return clockText(seconds)
  // A date ignores the time, so that rounding to the second can't move it to the next day.
  if (kind === 'date') return momentFromNumber(Math.floor(value), epoch).day
  return day === undefined || seconds === 0 ? day : `${day} ${clockText(seconds)}`
}

const formatElapsed = (value: number): string => {
  const minutes = Math.round(Math.abs(value) * 1440)
  return `${value < 0 ? '-' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** Significant digits that a spreadsheet keeps. Further ones are artifacts of binary fractions. */
const DIGITS = 15

/**
 * Formats a number as a decimal, without an exponent. Rounds it to its format if that has two decimals or more, as for
 * amounts; otherwise keeps its full precision.
 */
function decimalText(value: number, digits = 0): string {
  const precise = Number(value.toPrecision(DIGITS))
  const size = Math.abs(precise)
  if (precise === 0) return '0'
  if (size >= 1e21 || size < 1e-15) return String(precise)
  const decimals = digits >= 2 ? Math.min(digits, 15) : decimalsOf(precise)
  const text = formatRounded(precise, decimals)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** Counts the decimals of a number's shortest representation. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}

/** Rounds half up by decimal digits instead of the binary fraction: 1.005 becomes 1.01. */
function formatRounded(value: number, decimals: number): string {
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e')
  const bare = digits.replace('.', '')
  const scale = Number(exponent) - (bare.length - 1) + decimals
  const whole =
    scale >= 0
      ? BigInt(bare) * 10n ** BigInt(scale)
      : (BigInt(bare) * 2n + 10n ** BigInt(-scale)) / (2n * 10n ** BigInt(-scale))
  const text = String(whole).padStart(decimals + 1, '0')
  const at = text.length - decimals
  const sign = value < 0 && whole > 0n ? '-' : ''
  return decimals === 0 ? `${sign}${text}` : `${sign}${text.slice(0, at)}.${text.slice(at)}`
}
