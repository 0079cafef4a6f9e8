// @ts-check
// Moves visits on the schedule, by dragging (schedule_pointer.js) and by keyboard: M picks up the visit that has the
// focus. Each visit's own form does the same without script.
import { WAITING, board, part, say, schedule, sentence } from './schedule_board.js'
import { clashSaid, drop, grid, heldNow, isDay, letGo, pickUp, show } from './schedule_moving.js'
import { hasRoom } from './schedule_pointer.js'

document.addEventListener('keydown', (event) => {
  const held = heldNow()
  if (held === null) start(event)
  else if (event.key === 'Escape' && held.by !== 'nothing') back(event)
  else if (held.by === 'keys') carry(event)
  // While a move is saved, another Enter doesn't open its visit.
  else if (event.key === 'Enter' && held.visit.contains(/** @type {Node} */ (event.target))) event.preventDefault()
})
document.addEventListener('focusout', ({ relatedTarget }) => {
  const held = heldNow()
  if (held?.by === 'keys' && !(relatedTarget instanceof Node && held.visit.contains(relatedTarget))) letGo()
})

/** @param {KeyboardEvent} event */
function start(event) {
  const visit = /** @type {HTMLElement | null} */ (
    event.target instanceof Element ? event.target.closest('.visit') : null
  )
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (visit === null || event.key.toLowerCase() !== 'm' || !isPlain || schedule.dataset['moves'] !== 'yes') return
  const { fixed } = visit.dataset
  if (fixed !== undefined) return say(sentence(fixed === 'done' ? 'fixed_done' : 'fixed_earlier'))
  if (!hasRoom()) return /** @type {HTMLElement} */ (visit.querySelector('.visit-move')).click()
  pickUp(visit, { by: 'keys' })
  const held = heldNow()
  if (held === null) return
  show(held.before.lane === null ? grid.first(visit) : held.before)
  say(sentence('picked', held.title, grid.says(held.after)))
}

/** @param {KeyboardEvent} event */
function back(event) {
  event.preventDefault()
  say(sentence('back', heldNow()?.title ?? ''))
  letGo()
}

/** @param {KeyboardEvent} event */
function carry(event) {
  const held = heldNow()
  const isArrow = event.key.startsWith('Arrow')
  if (held === null || (!isArrow && !['Enter', 'Delete', 'Backspace'].includes(event.key))) return
  event.preventDefault()
  if (event.key === 'Enter') return void drop()
  const from = held.after.lane === null ? grid.first(held.visit) : held.after
  show(isArrow ? grid.step(from, event.key, event.shiftKey && isDay) : WAITING)
  held.ghost.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  say(
    held.after.lane === null
      ? sentence('among_waiting')
      : [grid.says(held.after), clashSaid()].filter(Boolean).join('. '),
  )
}

part('main').classList.add('alive')
if (isDay) {
  const now = document.getElementById('now')
  const tops = Array.from(
    board().querySelectorAll('.track > .visit'),
    (one) => /** @type {HTMLElement} */ (one).offsetTop,
  )
  board().scrollTop = (now === null ? Math.min(...tops, Infinity) : now.offsetTop - board().clientHeight / 2) - 40
}
