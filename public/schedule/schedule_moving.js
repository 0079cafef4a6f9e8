// @ts-check
// Moves a visit: picks it up, shows where it would be, sends where it was dropped, and offers to take that back.
import { part, announce, schedule, sentence, tray } from './schedule_board.js'
import { checkSoon, stopCheck } from './schedule_check.js'
import { dayGrid } from './schedule_day.js'
import { weekGrid } from './schedule_week.js'

/** @typedef {import('./schedule_board.js').BoardPosition} BoardPosition*/
/** @typedef {import('./schedule_board.js').VisitMove} VisitMove*/

export const isDay = schedule.dataset['view'] === 'day'
export const grid = isDay ? dayGrid : weekGrid

/** @type {VisitMove| null} */
let move = null

export const currentMove = () => move

/**
 * @param {HTMLElement} visit
 * @param {{ by: string, grab?: number, isPulled?: boolean }} how
 */
export function startMove(visit, { by, grab = 0, isPulled = false }) {
  const before = grid.spotOf(visit)
  const ghost = /** @type {HTMLElement} */ (visit.cloneNode(true))
  ghost.removeAttribute('id')
  ghost.inert = true
  const title = visit.querySelector('.visit-title')?.textContent ?? ''
  move = { visit, ghost, before, after: before, title, by, grab, isPulled }
  schedule.isBusy = true
  visit.classList.add('held')
  document.documentElement.classList.add('holding')
  document.documentElement.classList.toggle('moving', by === 'pointer')
}

/** @param {BoardPosition} spot */
export function show(spot) {
  if (move === null) return
  const { ghost, visit, before } = move
  const isElsewhere = JSON.stringify(spot) !== JSON.stringify(move.after)
  move.after = spot
  tray()?.classList.toggle('over', spot.lane === null)
  if (isElsewhere) checkSoon(move, spot.lane === null ? null : requestFields(before, spot))
  if (spot.lane === null) return ghost.remove()
  ghost.className = `visit ${visit.classList[1]} ghost${ghost.classList.contains('checked') ? ' checked' : ''}`
  grid.place(ghost, spot)
  ghost.querySelector('.visit-clash')?.remove()
  const clash = clashText()
  if (clash === '') return
  const label = document.createElement('span')
  Object.assign(label, { className: 'visit-clash notice warning', textContent: clash })
  ghost.append(label)
  ghost.classList.add('clashing')
}

/** Returns a text about the technician's visits that the moved visit would overlap, or an empty string. */
export function clashText() {
  if (move === null || move.after.lane === null || move.after.lane === 'nobody') return ''
  const { visit, after } = move
  const times = grid.timesAt(after, visit)
  if (times === null) return ''
  const titles = Array.from(grid.visitsNear(after), (one) => /** @type {HTMLElement} */ (one))
    .filter((one) => one.id !== '' && one.dataset['job'] !== visit.dataset['job'] && !one.classList.contains('done'))
    .filter((one) => {
      const other = grid.times(one)
      return other !== null && other.from < times.until && times.from < other.until
    })
    .map((one) => one.querySelector('.visit-title')?.textContent ?? '')
  return titles.length === 0 ? '' : sentence('overlaps', titles.join(', '))
}

export function endMove() {
  if (move === null) return
  stopCheck()
  const { ghost, visit } = move
  ghost.remove()
  visit.classList.remove('held', 'sent')
  tray()?.classList.remove('over')
  document.documentElement.classList.remove('holding', 'moving')
  move = null
  schedule.isBusy = false
  schedule.dispatchEvent(new Event('free'))
}

/** Shows the visit where it was dropped, and asks the service; a refused one goes back, with the reason. */
export async function drop() {
  if (move === null) return
  stopCheck()
  const { visit, ghost, before, after, title } = move
  const fields = requestFields(before, after)
  if (fields === null) {
    announce(sentence('stays', title))
    return endMove()
  }
  move.by = 'nothing'
  visit.classList.add('sent')
  ghost.classList.replace('ghost', 'sent-ghost')
  showNotice('')
  const { problem, undo, warnings } = await sendChange(addressOf(visit), {
    expected_updated_at: visit.dataset['at'] ?? '',
    ...fields,
  })
  const hadFocus = visit.contains(document.activeElement)
  const positionText = after.lane === null ? sentence('waits') : grid.describe(after)
  if (problem !== null) showNotice(sentence('refused', problem))
  else offerUndo(sentence('moved', title, positionText), addressOf(visit), undo, warnings)
  const { job } = visit.dataset
  if (!schedule.isLive) return location.reload()
  await refresh()
  endMove()
  const lane = after.lane === null || problem !== null ? '' : `[data-lane="${after.lane}"] `
  if (hadFocus && !focusOn(`${lane}[data-job="${job}"] a`)) focusOn(`[data-job="${job}"] a`)
}

/** @param {HTMLElement} visit */
const addressOf = (visit) => /** @type {HTMLAnchorElement} */ (visit.querySelector('.visit-move')).href

/** @param {string} selector */
function focusOn(selector) {
  const found = /** @type {HTMLElement | null} */ (schedule.querySelector(selector))
  found?.focus({ preventScroll: true })
  return found !== null
}

async function refresh() {
  schedule.isBusy = false
  schedule.dispatchEvent(new Event('stale'))
  await new Promise((resolve) => {
    schedule.addEventListener('refreshed', resolve, { once: true })
  })
}

/**
 * Returns the fields that change, or null when none does.
 * @param {BoardPosition} before
 * @param {BoardPosition} after
 * @returns {Record<string, string> | null}
 */
function requestFields(before, after) {
  if (after.lane === null) return before.lane === null ? null : { unschedule: 'yes' }
  const fields = grid.changedFields(before, after)
  if (before.lane !== after.lane)
    Object.assign(fields, before.lane === null ? {} : { from: before.lane }, { to: after.lane })
  return Object.keys(fields).length === 0 ? null : fields
}

/**
 * Sends a change; answers the reason when it was refused, and what takes it back when it is done.
 * @param {string} address
 * @param {Record<string, string>} fields
 * @returns {Promise<{ problem: string | null, undo?: Record<string, string>, warnings?: string[] }>}
 */
async function sendChange(address, fields) {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams(fields),
    })
    if (response.status === 401) return { problem: sentence('signed_out') }
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    if (!isJson) return { problem: sentence('unable') }
    const { undo, warnings, error_description } = await response.json()
    return response.ok ? { problem: null, undo, warnings } : { problem: error_description }
  } catch {
    return { problem: sentence('offline') }
  }
}

/**
 * Shows what was done, with an undo button.
 * @param {string} text
 * @param {string} address
 * @param {Record<string, string> | undefined} undo
 * @param {string[]} warnings
 */
function offerUndo(text, address, undo, warnings = []) {
  if (undo === undefined) return announce(text)
  const kind = warnings.length === 0 ? 'good' : 'warning'
  showNotice([text, ...warnings].join(' '), {
    kind,
    label: sentence('undo'),
    onPress: async () => {
      showNotice('')
      const { problem } = await sendChange(address, undo)
      if (problem !== null) showNotice(sentence('refused', problem))
      else announce(sentence('undone'))
      if (!schedule.isLive) return location.reload()
      schedule.dispatchEvent(new Event('stale'))
    },
  })
}

/**
 * Shows a sentence above the schedule with one button; nothing takes it away. An error interrupts a screen reader.
 * @param {string} text
 * @param {{ kind?: 'good' | 'warning' | 'error', label?: string, onPress?: () => void }} how
 */
export function showNotice(text, { kind = 'error', label = sentence('close'), onPress = () => showNotice('') } = {}) {
  const notice = part('told')
  notice.className = `told notice ${kind}`
  notice.setAttribute('role', kind === 'error' ? 'alert' : 'status')
  if (text === '') return notice.replaceChildren()
  const message = document.createElement('span')
  const button = document.createElement('button')
  message.textContent = text
  Object.assign(button, { type: 'button', className: 'button quiet', textContent: label, onclick: onPress })
  notice.replaceChildren(message, button)
}
