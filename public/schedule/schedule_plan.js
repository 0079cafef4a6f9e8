// @ts-check
// Ties the moves of a proposal to the board: a move that isn't checked stays where it is. The pointer or focus on one of
// them marks both (schedule_light.js).
import { elementsOfJob } from './schedule_light.js'

const form = /** @type {HTMLElement} */ (document.getElementById('proposal'))

form.addEventListener('change', ({ target }) => {
  const move = target instanceof HTMLInputElement ? target.closest('li') : null
  if (move === null || !(target instanceof HTMLInputElement)) return
  for (const one of elementsOfJob(move.dataset['job'])) one.classList.toggle('unchosen', !target.checked)
})
