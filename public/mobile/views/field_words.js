// @ts-check
// Formats texts, times and amounts in the reader's language, and creates elements.

const main = /** @type {HTMLElement} */ (document.getElementById('main'))

/** @type {Record<string, string>} */
const words = JSON.parse(main.dataset['words'] ?? '{}')
const icons = main.dataset['icons'] ?? ''
const { lang } = document.documentElement

/** Time zone, currency and country for formatting. The stored day sets them. */
export const localSettings = { timezone: 'UTC', currency: 'USD', country: 'US' }

/**
 * Returns a text in the reader's language.
 * @param {string} name
 * @param {...(string | number)} values
 */
export const say = (name, ...values) =>
  (words[name] ?? name).replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)] ?? ''))

const locale = () => `${lang}-${localSettings.country}`

/**
 * Returns the time of day at the company.
 * @param {string | number} at
 */
export const formatTime = (at) => timeFormat().format(new Date(at))

/**
 * Returns the span of two times at the company: `1:30 – 3:30 PM`; over midnight `Mon, 10:00 PM – Tue, 2:00 AM`.
 * @param {string | number} from
 * @param {string | number} to
 */
export function formatTimeRange(from, to) {
  if (dayAt(from) === dayAt(to)) return timeFormat().formatRange(new Date(from), new Date(to))
  return [from, to].map((at) => timeFormat({ weekday: 'short' }).format(new Date(at))).join(' – ')
}

/** @param {Intl.DateTimeFormatOptions} [more] */
const timeFormat = (more) =>
  new Intl.DateTimeFormat(locale(), { hour: 'numeric', minute: '2-digit', timeZone: localSettings.timezone, ...more })

/** @param {string | number} at */
const dayAt = (at) => new Date(at).toLocaleDateString('en-CA', { timeZone: localSettings.timezone })

/** @param {string} at */
export const formatDate = (at) =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: localSettings.timezone }).format(
    new Date(at),
  )

/** Returns a calendar date with its year. @param {string} day */
export const formatDay = (day) =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/**
 * Returns when something was: the time of day, behind the date where that is another than today.
 * @param {string | number} at
 */
export function formatMoment(at) {
  const day = formatDate(new Date(at).toISOString())
  return day === formatDate(new Date().toISOString()) ? formatTime(at) : `${day}, ${formatTime(at)}`
}

/** @param {number} cents */
export const money = (cents) => {
  const format = new Intl.NumberFormat(locale(), { style: 'currency', currency: localSettings.currency })
  return format.format(cents / 10 ** digits())
}

/** Returns how many digits of the currency follow its point. */
export const digits = () =>
  new Intl.NumberFormat('en', { style: 'currency', currency: localSettings.currency }).resolvedOptions()
    .maximumFractionDigits ?? 2

/**
 * Returns a number that was typed with a point or a comma, or NaN.
 * @param {string} typed
 */
export const parseNumber = (typed) => {
  const plain = typed.trim().replace(',', '.')
  return /^\d{1,9}(\.\d{1,4})?$/.test(plain) ? Number(plain) : NaN
}

/**
 * Returns a duration as hours and minutes.
 * @param {number} seconds
 */
export const formatDuration = (seconds) => {
  const minutes = Math.max(0, Math.floor(seconds / 60))
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`
}

/** @typedef {Node | string | false | null | undefined | readonly (Node | string | false | null | undefined)[]} Child */

/**
 * Makes an element. A property that is a function listens; true is an attribute without a value.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? '' : String(value))
  }
  for (const child of children.flat())
    if (child !== false && child !== null && child !== undefined && child !== '') element.append(child)
  return element
}

const SVG = 'http://www.w3.org/2000/svg'

/** @param {string} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const use = svg.appendChild(document.createElementNS(SVG, 'use'))
  use.setAttribute('href', `${icons}#${name}`)
  return svg
}

/** @param {string} id */
export const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id))
