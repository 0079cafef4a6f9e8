// @ts-check
// Formats texts, times and amounts in the reader's language, and creates elements.

const main = /** @type {HTMLElement} */ (document.getElementById('main'))

/** @type {Record<string, string>} */
const words = JSON.parse(main.dataset['words'] ?? '{}')
const icons = main.dataset['icons'] ?? ''
const { lang } = document.documentElement

/** Time zone, currency and country for formatting. The stored day sets them. */
export const place = { timezone: 'UTC', currency: 'USD', country: 'US' }

/**
 * Returns a text in the reader's language.
 * @param {string} name
 * @param {...(string | number)} values
 */
export const say = (name, ...values) =>
  (words[name] ?? name).replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)] ?? ''))

const locale = () => `${lang}-${place.country}`

/**
 * Returns the time of day at the company.
 * @param {string | number} at
 */
export const clock = (at) => times().format(new Date(at))

/**
 * Returns the span of two times at the company: `1:30 – 3:30 PM`; over midnight `Mon, 10:00 PM – Tue, 2:00 AM`.
 * @param {string | number} from
 * @param {string | number} to
 */
export function clocks(from, to) {
  if (dayAt(from) === dayAt(to)) return times().formatRange(new Date(from), new Date(to))
  return [from, to].map((at) => times({ weekday: 'short' }).format(new Date(at))).join(' – ')
}

/** @param {Intl.DateTimeFormatOptions} [more] */
const times = (more) =>
  new Intl.DateTimeFormat(locale(), { hour: 'numeric', minute: '2-digit', timeZone: place.timezone, ...more })

/** @param {string | number} at */
const dayAt = (at) => new Date(at).toLocaleDateString('en-CA', { timeZone: place.timezone })

/** @param {string} at */
export const dated = (at) =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: place.timezone }).format(new Date(at))

/** Returns a calendar date with its year. @param {string} day */
export const plainDay = (day) =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/**
 * Returns when something was: the time of day, behind the date where that is another than today.
 * @param {string | number} at
 */
export function moment(at) {
  const day = dated(new Date(at).toISOString())
  return day === dated(new Date().toISOString()) ? clock(at) : `${day}, ${clock(at)}`
}

/** @param {number} cents */
export const money = (cents) => {
  const format = new Intl.NumberFormat(locale(), { style: 'currency', currency: place.currency })
  return format.format(cents / 10 ** digits())
}

/** Returns how many digits of the currency follow its point. */
export const digits = () =>
  new Intl.NumberFormat('en', { style: 'currency', currency: place.currency }).resolvedOptions()
    .maximumFractionDigits ?? 2

/**
 * Returns a number that was typed with a point or a comma, or NaN.
 * @param {string} typed
 */
export const numberIn = (typed) => {
  const plain = typed.trim().replace(',', '.')
  return /^\d{1,9}(\.\d{1,4})?$/.test(plain) ? Number(plain) : NaN
}

/**
 * Returns a duration as hours and minutes.
 * @param {number} seconds
 */
export const duration = (seconds) => {
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
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(name, value)
    else if (value !== false && value !== null && value !== undefined)
      made.setAttribute(name, value === true ? '' : String(value))
  }
  for (const child of children.flat())
    if (child !== false && child !== null && child !== undefined && child !== '') made.append(child)
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

/** @param {string} name */
export function icon(name) {
  const drawn = document.createElementNS(SVG, 'svg')
  drawn.setAttribute('class', 'icon')
  drawn.setAttribute('aria-hidden', 'true')
  const use = drawn.appendChild(document.createElementNS(SVG, 'use'))
  use.setAttribute('href', `${icons}#${name}`)
  return drawn
}

/** @param {string} id */
export const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id))
