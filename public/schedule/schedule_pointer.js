// @ts-check
// Moves visits by pointer: a mouse drags at once, a finger after a rest, so that a swipe scrolls.
import { WAITING, board, schedule, under } from './schedule_board.js'
import { drop, grid, heldNow, letGo, pickUp, show } from './schedule_moving.js'

const isRoomy = matchMedia('(min-width: 48rem)')
/** Sets how far a mouse moves before it drags, in pixels, and how long a finger rests, in milliseconds. */
const [FAR, LONG] = [5, 350]

/** @type {{ visit: HTMLElement, x: number, y: number, grab: number, isPulled: boolean, isTouch: boolean, timer: number } | null} */
let pressed = null
let pointer = { x: 0, y: 0 }
let isOnEmpty = false

document.addEventListener('pointerdown', (event) => {
  const target = /** @type {Element} */ (event.target)
  const visit = /** @type {HTMLElement | null} */ (target.closest('.visit'))
  isOnEmpty = visit === null
  if (visit === null || heldNow() !== null || event.button !== 0) return
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
    timer: isTouch ? window.setTimeout(begin, LONG) : 0,
  }
})

document.addEventListener('pointermove', (event) => {
  pointer = { x: event.clientX, y: event.clientY }
  if (isDragging()) return follow()
  if (pressed === null || Math.hypot(pointer.x - pressed.x, pointer.y - pressed.y) < FAR) return
  if (pressed.isTouch) release()
  else begin()
})

document.addEventListener('pointerup', () => {
  if (!isDragging()) return release()
  window.addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', stop, { capture: true }))
  release()
  void drop()
})
document.addEventListener('pointercancel', () => {
  release()
  if (isDragging()) letGo()
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
  const place = calls === undefined || !isOnEmpty || !isRoomy.matches ? null : grid.emptyAt(event)
  if (place !== null) location.assign(`${calls}?${new URLSearchParams(place).toString()}`)
})

const isDragging = () => heldNow()?.by === 'pointer'

/** @param {HTMLElement} visit */
export const mayMove = (visit) =>
  isRoomy.matches && schedule.dataset['moves'] === 'yes' && visit.dataset['fixed'] === undefined

export const hasRoom = () => isRoomy.matches

/** @param {Event} event */
function stop(event) {
  event.preventDefault()
  event.stopPropagation()
}

function release() {
  clearTimeout(pressed?.timer)
  pressed = null
}

function begin() {
  // Somebody else may have moved what was pressed.
  if (!pressed?.visit.isConnected) return release()
  const { visit, grab, isPulled } = pressed
  pickUp(visit, { by: 'pointer', grab, isPulled })
  follow()
  requestAnimationFrame(scroll)
}

function follow() {
  const held = heldNow()
  if (held === null) return
  const isOff = !held.isPulled && under(pointer.x, pointer.y, '#tray') !== null
  const spot = isOff ? WAITING : grid.spotAt(pointer.x, pointer.y, held)
  if (spot !== undefined) show(spot)
}

/** Scrolls the board when the pointer is near its edge. */
function scroll() {
  if (!isDragging()) return
  const { left, right, top, bottom } = board().getBoundingClientRect()
  const below = board().querySelector('.strip')?.getBoundingClientRect().bottom ?? top
  if (pointer.x > left && pointer.x < right)
    board().scrollBy(pace(pointer.x, left, right), pace(pointer.y, below, bottom))
  follow()
  requestAnimationFrame(scroll)
}

/**
 * @param {number} at
 * @param {number} low
 * @param {number} high
 */
const pace = (at, low, high) => (at < low || at > high ? 0 : at < low + 40 ? -8 : at > high - 40 ? 8 : 0)
