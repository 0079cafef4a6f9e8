// @ts-check
// Handles a week, a row for each technician and a column for each day, and a month, whose days are in nobody's lane. The
// time of the day stays, and a job without a time becomes all-day.
import { WAITING, neighborOf, toTimes, definedFields, part, schedule } from './schedule_board.js'

/** @typedef {import('./schedule_board.js').Grid} Grid */

/** @type {Grid} */
export const weekGrid = {
  spotOf(visit) {
    const cell = visit.closest('td')
    return cell === null ? WAITING : { ...cellPosition(cell), time: visit.dataset['time'] ?? '' }
  },
  spotAt(x, y, { before }) {
    // A bar of several days covers the cells behind it.
    const cell = document.elementsFromPoint(x, y).find((one) => one.matches('td[data-lane]'))
    return !(cell instanceof HTMLElement) ? undefined : { ...cellPosition(cell), time: before.time ?? '' }
  },
  first: () => ({ lane: valuesOf('lane')[0] ?? '', day: valuesOf('day')[0] ?? '', time: '' }),
  step(spot, key) {
    const by = key === 'ArrowUp' || key === 'ArrowLeft' ? -1 : 1
    const isRow = key === 'ArrowUp' || key === 'ArrowDown'
    if (isMonth && isRow) {
      const day = dayAfter(spot.day, by * 7)
      return day === undefined ? spot : { ...spot, day }
    }
    const name = isRow ? 'lane' : 'day'
    return { ...spot, [name]: neighborOf(valuesOf(name), spot[name], by) }
  },
  place: (ghost, { lane, day }) => cellOf(lane, day).querySelector('.stack')?.append(ghost),
  times: ({ dataset: { time, long } }) => timesOf(time, long),
  timesAt: ({ time }, { dataset: { long } }) => timesOf(time, long),
  visitsNear: ({ lane, day }) => cellOf(lane, day).querySelectorAll('.visit'),
  describe({ lane, day }) {
    const cell = cellOf(lane, day)
    if (isMonth) return cell.querySelector('.month-day > .unseen')?.textContent ?? ''
    const [row, table] = [cell.closest('tr'), cell.closest('table')]
    const dayName = table?.tHead?.rows[0]?.cells[/** @type {HTMLTableCellElement} */ (cell).cellIndex]?.textContent
    return `${dayName?.trim()}, ${row?.cells[0]?.textContent?.trim()}`
  },
  changedFields: (before, after) =>
    definedFields([
      ['scheduled_start', before.day !== after.day ? `${after.day}T${after.time || '00:00'}` : undefined],
      ['all_day', before.lane === null ? 'yes' : undefined],
    ]),
  emptyAt({ target }) {
    const cell = target instanceof Element && target.closest('.visit, a') === null ? target.closest('td') : null
    const { lane, day } = cell?.dataset ?? {}
    return lane === undefined || day === undefined ? null : { after: day, who: lane === 'nobody' ? '' : lane }
  },
}

const isMonth = schedule.dataset['view'] === 'month'

/**
 * Returns a day of the month by its distance from another, if it is among those drawn.
 * @param {string | undefined} day
 * @param {number} by
 */
const dayAfter = (day, by) => valuesOf('day')[valuesOf('day').indexOf(day ?? '') + by]

/**
 * Returns the start and end of a visit that begins at a time of day, such as `09:30`.
 * @param {string | undefined} time
 * @param {string | undefined} long
 */
function timesOf(time, long) {
  const [hour = NaN, minute = NaN] = (time ?? '').split(':').map(Number)
  return time ? toTimes(hour * 60 + minute, Number(long)) : null
}

/** @param {HTMLElement} cell */
const cellPosition = ({ dataset }) => ({ lane: dataset['lane'] ?? '', day: dataset['day'] ?? '' })

/**
 * @param {string | null} lane
 * @param {string | undefined} day
 */
const cellOf = (lane, day) => part(`on-${lane}-${day}`)

/**
 * @param {'lane' | 'day'} name
 * @returns {string[]}
 */
const valuesOf = (name) => [
  ...new Set(
    Array.from(
      document.querySelectorAll('td[data-lane]'),
      (cell) => cellPosition(/** @type {HTMLElement} */ (cell))[name],
    ),
  ),
]
