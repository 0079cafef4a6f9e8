// @ts-check
// Marks everything that stands for a visit while the pointer or the focus is on one of it: on the board, the map, a list.

/** @param {string | undefined} job */
export const elementsOfJob = (job) => document.querySelectorAll(`#schedule [data-job="${job}"]`)

/** @param {{ type: string, target: EventTarget | null }} event */
function highlight({ type, target }) {
  const one = target instanceof Element ? target.closest('[data-job]') : null
  if (!(one instanceof HTMLElement || one instanceof SVGElement)) return
  const isOn = type === 'mouseover' || type === 'focusin'
  for (const other of elementsOfJob(one.dataset['job'])) other.classList.toggle('lit', isOn)
}
for (const type of ['mouseover', 'mouseout', 'focusin', 'focusout']) document.addEventListener(type, highlight)

/** Marks again what the pointer or the focus is on, where a fresh part of the page or a late script lost it. */
function highlightAgain() {
  for (const one of document.querySelectorAll('#schedule [data-job]:is(:hover, :focus-within)'))
    highlight({ type: 'mouseover', target: one })
}
document.getElementById('schedule')?.addEventListener('refreshed', highlightAgain)
highlightAgain()

/** A click on a pin leads to its visit in the list. */
document.addEventListener('click', (event) => {
  const pin = event.target instanceof Element ? event.target.closest('a.pin') : null
  const stop = document.getElementById(pin?.getAttribute('href')?.slice(1) ?? '')
  if (stop === null) return
  event.preventDefault()
  stop.querySelector('a')?.focus()
  stop.scrollIntoView({ block: 'nearest' })
})
