// @ts-check
// Moves visits on the schedule, by dragging (schedule_pointer.js) and by keyboard: M picks up the visit that has the
// focus. Each visit's own form does the same without script.
import { WAITING, board, part, announce, schedule, sentence } from './schedule_board.js'
import { clashText, drop, grid, currentMove, isDay, endMove, startMove, show } from './schedule_moving.js'
import { isWideScreen } from './schedule_pointer.js'

document.addEventListener('keydown', (event) => {
  const move = currentMove()
  if (move === null) startKeyMove(event)
  else if (event.key === 'Escape' && move.by !== 'nothing') cancelMove(event)
  else if (move.by === 'keys') handleMoveKey(event)
  // While a move is saved, another Enter doesn't open its visit.
  else if (event.key === 'Enter' && move.visit.contains(/** @type {Node} */ (event.target))) event.preventDefault()
})
document.addEventListener('focusout', ({ relatedTarget }) => {
  const move = currentMove()
  if (move?.by === 'keys' && !(relatedTarget instanceof Node && move.visit.contains(relatedTarget))) endMove()
})

/** @param {KeyboardEvent} event */
function startKeyMove(event) {
  const visit = /** @type {HTMLElement | null} */ (
    event.target instanceof Element ? event.target.closest('.visit') : null
  )
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (visit === null || event.key.toLowerCase() !== 'm' || !isPlain || schedule.dataset['moves'] !== 'yes') return
  const { fixed } = visit.dataset
  if (fixed !== undefined) return announce(sentence(fixed === 'done' ? 'fixed_done' : 'fixed_earlier'))
  if (!isWideScreen()) return /** @type {HTMLElement} */ (visit.querySelector('.visit-move')).click()
  startMove(visit, { by: 'keys' })
  const move = currentMove()
  if (move === null) return
  show(move.before.lane === null ? grid.first(visit) : move.before)
  announce(sentence('picked', move.title, grid.describe(move.after)))
}

/** @param {KeyboardEvent} event */
function cancelMove(event) {
  event.preventDefault()
  announce(sentence('back', currentMove()?.title ?? ''))
  endMove()
}

/** @param {KeyboardEvent} event */
function handleMoveKey(event) {
  const move = currentMove()
  const isArrow = event.key.startsWith('Arrow')
  if (move === null || (!isArrow && !['Enter', 'Delete', 'Backspace'].includes(event.key))) return
  event.preventDefault()
  if (event.key === 'Enter') return void drop()
  const from = move.after.lane === null ? grid.first(move.visit) : move.after
  show(isArrow ? grid.step(from, event.key, event.shiftKey && isDay) : WAITING)
  move.ghost.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  announce(
    move.after.lane === null
      ? sentence('among_waiting')
      : [grid.describe(move.after), clashText()].filter(Boolean).join('. '),
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
