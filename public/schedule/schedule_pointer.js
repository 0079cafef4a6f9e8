// @ts-check
// Moves visits by pointer: a mouse drags at once, a finger after a rest, so that a swipe scrolls.
import { WAITING, board, schedule, elementAt } from './schedule_board.js'
import { drop, grid, currentMove, endMove, startMove, show } from './schedule_moving.js'

const wideScreen = matchMedia('(min-width: 48rem)')
/** Sets how far a mouse moves before it drags, in pixels, and how long a finger rests, in milliseconds. */
const [DRAG_DISTANCE, LONG_PRESS_MS] = [5, 350]

/** @type {{ visit: HTMLElement, x: number, y: number, grab: number, isPulled: boolean, isTouch: boolean, timer: number } | null} */
let pressed = null
let pointer = { x: 0, y: 0 }
let isOnEmpty = false

document.addEventListener('pointerdown', (event) => {
  const target = /** @type {Element} */ (event.target)
  const visit = /** @type {HTMLElement | null} */ (target.closest('.visit'))
  isOnEmpty = visit === null
  if (visit === null || currentMove() !== null || event.button !== 0) return
  if (target.closest('.visit-move') !== null || !mayMove(visit)) return
  const { top, bottom } = visit.getBoundingClientRect()
  pointer = { x: event.clientX, y: event.clientY }
  const isOnTrack = visit.closest('.track') !== null
  const isTouch = event.pointerType === 'touch'
  pressed = {
    visit,
    ...pointer,
    grab: isOnTrack ? event.clientY - top : 0,
    isPulled: isOnTrack && target === visit && bottom - event.clientY < 12,
    isTouch,
    timer: isTouch ? window.setTimeout(startDrag, LONG_PRESS_MS) : 0,
  }
})

document.addEventListener('pointermove', (event) => {
  pointer = { x: event.clientX, y: event.clientY }
  if (isDragging()) return moveGhost()
  if (pressed === null || Math.hypot(pointer.x - pressed.x, pointer.y - pressed.y) < DRAG_DISTANCE) return
  if (pressed.isTouch) release()
  else startDrag()
})

document.addEventListener('pointerup', () => {
  if (!isDragging()) return release()
  window.addEventListener('click', suppressClick, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', suppressClick, { capture: true }))
  release()
  void drop()
})
document.addEventListener('pointercancel', () => {
  release()
  if (isDragging()) endMove()
})
document.addEventListener(
  'touchmove',
  (event) => {
    if (isDragging()) event.preventDefault()
  },
  { passive: false },
)
document.addEventListener('dragstart', (event) => {
  if (event.target instanceof Element && event.target.closest('.visit') !== null) event.preventDefault()
})
document.addEventListener('contextmenu', (event) => {
  if (pressed?.isTouch || isDragging()) event.preventDefault()
})

/** A press on an empty place of the board books a call there; one that began on a visit was a move given up. */
document.addEventListener('click', (event) => {
  const { calls } = schedule.dataset
  const fields = calls === undefined || !isOnEmpty || !wideScreen.matches ? null : grid.emptyAt(event)
  if (fields !== null) location.assign(`${calls}?${new URLSearchParams(fields).toString()}`)
})

const isDragging = () => currentMove()?.by === 'pointer'

/** @param {HTMLElement} visit */
export const mayMove = (visit) =>
  wideScreen.matches && schedule.dataset['moves'] === 'yes' && visit.dataset['fixed'] === undefined

export const isWideScreen = () => wideScreen.matches

/** @param {Event} event */
function suppressClick(event) {
  event.preventDefault()
  event.stopPropagation()
}

function release() {
  clearTimeout(pressed?.timer)
  pressed = null
}

function startDrag() {
  // Somebody else may have moved what was pressed.
  if (!pressed?.visit.isConnected) return release()
  const { visit, grab, isPulled } = pressed
  startMove(visit, { by: 'pointer', grab, isPulled })
  moveGhost()
  requestAnimationFrame(scroll)
}

function moveGhost() {
  const move = currentMove()
  if (move === null) return
  const isOverTray = !move.isPulled && elementAt(pointer.x, pointer.y, '#tray') !== null
  const spot = isOverTray ? WAITING : grid.spotAt(pointer.x, pointer.y, move)
  if (spot !== undefined) show(spot)
}

/** Scrolls the board when the pointer is near its edge. */
function scroll() {
  if (!isDragging()) return
  const { left, right, top, bottom } = board().getBoundingClientRect()
  const below = board().querySelector('.strip')?.getBoundingClientRect().bottom ?? top
  if (pointer.x > left && pointer.x < right)
    board().scrollBy(scrollSpeed(pointer.x, left, right), scrollSpeed(pointer.y, below, bottom))
  moveGhost()
  requestAnimationFrame(scroll)
}

/**
 * @param {number} at
 * @param {number} low
 * @param {number} high
 */
const scrollSpeed = (at, low, high) => (at < low || at > high ? 0 : at < low + 40 ? -8 : at > high - 40 ? 8 : 0)
