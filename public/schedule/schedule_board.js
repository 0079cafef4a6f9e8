// @ts-check
// What the schedule's scripts share: the parts of the page, its texts, and positions on the board.

/**
 * Position of a visit: off the board (`lane` null), in a day's lane from a minute on, or on a day of a week.
 * @typedef {{ lane: string | null, isAny?: boolean, from?: number, long?: number, day?: string, time?: string }} BoardPosition
 */

/**
 * Start and end in minutes of a day. Null if no time of day is set.
 * @typedef {{ from: number, until: number }} Times
 */

/**
 * Visit that is being moved by pointer or keys, with its ghost.
 * @typedef {{ visit: HTMLElement, ghost: HTMLElement, before: BoardPosition, after: BoardPosition, title: string, by: string, grab: number, isPulled: boolean }} VisitMove
 */

/**
 * Differences between the day and the views of several days: a visit's position, how to draw it, its text, and what to send.
 * @typedef {{
 *   spotOf(visit: HTMLElement): BoardPosition,
 *   spotAt(x: number, y: number, held: VisitMove): BoardPosition| undefined,
 *   first(visit: HTMLElement): BoardPosition,
 *   step(spot: BoardPosition, key: string, isLonger: boolean): BoardPosition,
 *   place(ghost: HTMLElement, spot: BoardPosition): void,
 *   describe(spot: BoardPosition): string,
 *   times(visit: HTMLElement): Times | null,
 *   timesAt(spot: BoardPosition, visit: HTMLElement): Times | null,
 *   visitsNear(spot: BoardPosition): Iterable<Element>,
 *   changedFields(before: BoardPosition, after: BoardPosition): Record<string, string>,
 *   emptyAt(event: MouseEvent): Record<string, string> | null,
 * }} Grid
 */

export const schedule = /** @type {HTMLElement & { isBusy?: boolean, isLive?: boolean }} */ (
  document.getElementById('schedule')
)

/** Position off the board, among jobs without a time. */
export const WAITING = /** @type {BoardPosition} */ ({ lane: null })

export const SNAP = 15

/** @param {string} id */
export const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

export const board = () => part('board')
/** The month and the map have none. */
export const tray = () => document.getElementById('tray')

/**
 * @param {number} x
 * @param {number} y
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const elementAt = (x, y, selector) => document.elementFromPoint(x, y)?.closest(selector) ?? null

/**
 * @param {readonly string[]} all
 * @param {string | null | undefined} one
 * @param {number} by
 */
export const neighborOf = (all, one, by) =>
  /** @type {string} */ (all[Math.min(Math.max(all.indexOf(one ?? '') + by, 0), all.length - 1)])

/**
 * @param {number} from
 * @param {number} long
 * @returns {import('./schedule_board.js').Times}
 */
export const toTimes = (from, long) => ({ from, until: from + long })

/**
 * @param {readonly (readonly [string, string | number | undefined])[]} entries
 * @returns {Record<string, string>}
 */
export const definedFields = (entries) =>
  Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))

/** @type {Record<string, string>} */
const words = JSON.parse(schedule.dataset['words'] ?? '{}')

/**
 * Returns one of the page's texts, in the reader's language.
 * @param {string} name
 * @param {...string} values
 */
export const sentence = (name, ...values) =>
  (words[name] ?? name).replace(/\{(\d)\}/g, (_, at) => values[Number(at)] ?? '')

/** @param {string} text */
export const announce = (text) => {
  part('said').textContent = text
}
