import { say } from '../../platform/i18n/say.ts'

/** Translated units, singular and plural. Other units are shown as entered. */
const UNITS: Readonly<Record<string, readonly [one: () => string, more: () => string]>> = {
  hour: [() => say`hour`, () => say`hours`],
  day: [() => say`day`, () => say`days`],
  week: [() => say`week`, () => say`weeks`],
  month: [() => say`month`, () => say`months`],
  visit: [() => say`visit`, () => say`visits`],
  foot: [() => say`foot`, () => say`feet`],
  gallon: [() => say`gallon`, () => say`gallons`],
  pound: [() => say`pound`, () => say`pounds`],
  box: [() => say`box`, () => say`boxes`],
}

/** Returns a unit in the reader's language, singular or plural by `count`. */
export function formatUnit(unit: string, count = 1): string {
  const unitName = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  return unitName === undefined ? unit : unitName[count === 1 ? 0 : 1]()
}

/** Formats a quantity with its unit, except `each`: `1.5 hours`. */
export const quantity = (value: number | null, unit: string | null): string =>
  [value, unit === null || unit === 'each' ? null : formatUnit(unit, value ?? 1)]
    .filter((part) => part !== null)
    .join(' ')
