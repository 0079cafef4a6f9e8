// @ts-check
// Says what dropping the held visit where it is would change: the driving before and after, and what is odd about it.
import { announce, schedule } from './schedule_board.js'

/** Milliseconds that a visit rests at a place before it is asked about. */
const REST_MS = 120

let timer = 0
let controller = new AbortController()

/** Ends the question about the place that the visit was at. */
export function stopCheck() {
  clearTimeout(timer)
  controller.abort()
}

/**
 * Asks about a place soon; without fields there is nothing to ask.
 * @param {import('./schedule_board.js').VisitMove} move
 * @param {Record<string, string> | null} fields
 */
export function checkSoon(move, fields) {
  stopCheck()
  clear(move.ghost)
  const { check } = schedule.dataset
  if (fields === null || check === undefined) return
  timer = window.setTimeout(() => void requestCheck(move, `${check}/${move.visit.dataset['job']}`, fields), REST_MS)
}

/**
 * @param {import('./schedule_board.js').VisitMove} move
 * @param {string} address
 * @param {Record<string, string>} fields
 */
async function requestCheck(move, address, fields) {
  controller = new AbortController()
  const { signal } = controller
  try {
    const response = await fetch(`${address}?${new URLSearchParams(fields).toString()}`, { signal })
    if (!response.ok) return
    const { driving, warnings } = await response.json()
    if (!signal.aborted) show(move, [driving, ...warnings].filter(Boolean))
  } catch {
    // Without an answer the visit can still be dropped: the service warns then.
  }
}

/**
 * @param {import('./schedule_board.js').VisitMove} held
 * @param {string[]} texts
 */
function show({ ghost, by }, texts) {
  clear(ghost)
  if (texts.length === 0) return
  const label = document.createElement('span')
  label.className = `visit-check notice ${texts.length > 1 ? 'warning' : 'info'}`
  label.append(
    ...texts.map((text) => {
      const line = document.createElement('span')
      line.textContent = text
      return line
    }),
  )
  ghost.append(label)
  ghost.classList.add('checked')
  if (by === 'keys') announce(texts.join(' '))
}

/** @param {HTMLElement} ghost */
function clear(ghost) {
  ghost.querySelector('.visit-check')?.remove()
  ghost.classList.remove('checked')
}
