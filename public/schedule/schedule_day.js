// @ts-check
// Handles a day: lanes side by side, and minutes since it began.
import {
  SNAP,
  WAITING,
  neighborOf,
  toTimes,
  board,
  definedFields,
  part,
  schedule,
  sentence,
  elementAt,
} from './schedule_board.js'

/** @typedef {import('./schedule_board.js').Grid} Grid */

const MIN_SHOWN_MINUTES = 30
const MINUTE = 60_000
const DEFAULT_START = 9 * 60
const SLOT = 30

/** @type {Grid} */
export const dayGrid = {
  spotOf(visit) {
    const { long, from } = visit.dataset
    const lane = /** @type {HTMLElement | null} */ (visit.closest('.lane'))
    return lane === null
      ? WAITING
      : { lane: lane.dataset['lane'] ?? '', isAny: from === undefined, from: Number(from ?? 0), long: Number(long) }
  },
  spotAt(x, y, { before, grab, isPulled, visit }) {
    if (isPulled) {
      const length = snap(minuteAt(before.lane ?? '', y)) - (before.from ?? 0)
      return { ...before, long: Math.max(SNAP, length) }
    }
    const lane = elementAt(x, y, '.lane')?.dataset['lane']
    if (lane === undefined) return undefined
    const isAny = y < stripOf(lane).getBoundingClientRect().bottom
    const from = isAny ? 0 : clampMinute(snap(minuteAt(lane, y - grab)))
    return { lane, isAny, from, long: Number(visit.dataset['long']) }
  },
  first: (visit) => ({
    lane: lanes()[0] ?? '',
    isAny: false,
    from: clampMinute(DEFAULT_START),
    long: Number(visit.dataset['long']),
  }),
  step(spot, key, isLonger) {
    const by = { ArrowUp: -SNAP, ArrowDown: SNAP }[key] ?? 0
    if (isLonger) return { ...spot, long: Math.max(SNAP, (spot.long ?? SNAP) + by) }
    if (by === 0) return { ...spot, lane: neighborOf(lanes(), spot.lane, key === 'ArrowLeft' ? -1 : 1) }
    const from = spot.from ?? 0
    const even = by > 0 ? Math.floor(from / SNAP) : Math.ceil(from / SNAP)
    return { ...spot, isAny: false, from: clampMinute(spot.isAny ? DEFAULT_START : even * SNAP + by) }
  },
  place(ghost, { lane, isAny = false, from = 0, long = SNAP }) {
    const visibleMinutes = Math.max(MIN_SHOWN_MINUTES, Math.min(long, boardNumber('minutes') - from))
    if (!isAny) ghost.classList.add(...trackClasses(from, visibleMinutes), 'c0', 'n1', 'w1')
    const hours = ghost.querySelector('b')
    if (hours !== null) hours.textContent = hoursOf(from, long, isAny)
    ;(isAny ? stripOf(lane ?? '') : trackOf(lane ?? '')).append(ghost)
  },
  times: ({ dataset: { from, long } }) => (from === undefined ? null : toTimes(Number(from), Number(long))),
  timesAt: ({ isAny = false, from = 0, long = SNAP }) => (isAny ? null : toTimes(from, long)),
  visitsNear: ({ lane }) => trackOf(lane ?? '').children,
  describe: ({ lane, isAny = false, from = 0, long = SNAP }) =>
    `${hoursOf(from, long, isAny)}, ${document.querySelector(`#lane-${lane} .lane-name`)?.textContent ?? ''}`,
  changedFields(before, after) {
    const isOther = before.lane === null || before.isAny !== after.isAny
    const start = after.isAny ? `${schedule.dataset['day']}T00:00` : instantAt(after.from ?? 0).toISOString()
    return definedFields([
      ['scheduled_start', isOther || before.from !== after.from ? start : undefined],
      ['all_day', isOther ? (after.isAny ? 'yes' : 'no') : undefined],
      ['duration_minutes', before.lane !== null && before.long !== after.long ? after.long : undefined],
    ])
  },
  emptyAt({ target, clientY }) {
    const track = target instanceof Element && target.closest('.visit, a') === null ? target.closest('.track') : null
    const lane = /** @type {HTMLElement | null | undefined} */ (track?.closest('.lane'))?.dataset['lane']
    if (lane === undefined) return null
    const minute = clampMinute(Math.floor(minuteAt(lane, clientY) / SLOT) * SLOT)
    return { start: WALL.format(instantAt(minute)).replace(' ', 'T'), who: lane === 'nobody' ? '' : lane }
  },
}

/**
 * Returns the classes that place something on a track, in minutes.
 * @param {number} from
 * @param {number} long
 */
const trackClasses = (from, long) => [
  `h${Math.floor(from / 60)}`,
  `m${from % 60}`,
  `fh${Math.floor(long / 60)}`,
  `fm${long % 60}`,
]

const timeZone = schedule.dataset['zone'] ?? 'UTC'
const CLOCK = new Intl.DateTimeFormat(document.documentElement.lang, { timeZone, hour: 'numeric', minute: '2-digit' })
/** Writes a time as a field of date and time holds it. */
const WALL = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })

/** @param {string} name */
const boardNumber = (name) => Number(board().dataset[name])
const lanes = () =>
  Array.from(document.querySelectorAll('.lane'), (lane) => /** @type {HTMLElement} */ (lane).dataset['lane'] ?? '')
/** @param {string} lane */
const trackOf = (lane) => part(`track-${lane}`)
/** @param {string} lane */
const stripOf = (lane) => part(`any-${lane}`)
/** @param {number} minute */
const snap = (minute) => Math.round(minute / SNAP) * SNAP
/** @param {number} minute */
const clampMinute = (minute) =>
  Math.min(
    Math.max(minute, boardNumber('since') * 60),
    Math.min(boardNumber('until') * 60, boardNumber('minutes')) - SNAP,
  )
/** @param {number} minute */
const instantAt = (minute) => new Date(Date.parse(board().dataset['midnight'] ?? '') + minute * MINUTE)
/**
 * @param {number} from
 * @param {number} long
 * @param {boolean} isAny
 */
const hoursOf = (from, long, isAny) =>
  isAny ? sentence('any') : CLOCK.formatRange(instantAt(from), instantAt(from + long))

/**
 * @param {string} lane
 * @param {number} y
 */
function minuteAt(lane, y) {
  const { top, height } = trackOf(lane).getBoundingClientRect()
  return (boardNumber('since') + ((y - top) / height) * (boardNumber('until') - boardNumber('since'))) * 60
}
