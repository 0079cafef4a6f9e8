// @ts-check
// Ties the moves of a proposal to the board: a move that isn't checked stays where it is, and the pointer or focus on a
// move, or on a visit of the board, marks both.

const form = /** @type {HTMLElement} */ (document.getElementById('proposal'))

/** @param {string | undefined} job */
const drawn = (job) => document.querySelectorAll(`#schedule [data-job="${job}"]`)

form.addEventListener('change', ({ target }) => {
  const move = target instanceof HTMLInputElement ? target.closest('li') : null
  if (move === null || !(target instanceof HTMLInputElement)) return
  for (const one of drawn(move.dataset['job'])) one.classList.toggle('unchosen', !target.checked)
})

/** @param {Event} event */
function light({ type, target }) {
  const one = target instanceof Element ? target.closest('[data-job]') : null
  if (!(one instanceof HTMLElement)) return
  const isOn = type === 'mouseover' || type === 'focusin'
  for (const other of drawn(one.dataset['job'])) other.classList.toggle('lit', isOn)
}
for (const type of ['mouseover', 'mouseout', 'focusin', 'focusout']) document.addEventListener(type, light)
