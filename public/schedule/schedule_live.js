// @ts-check
// Keeps an open schedule current: when the server reports a change, it requests the part that changes and replaces what
// differs. `schedule.isBusy` makes it wait, the event `stale` makes it request, and `refreshed` says that it is done.

import { patch } from '../patch.js'
import { keepStreamOpen } from '../live/stream.js'
import { board, part, schedule, sentence } from './schedule_board.js'

const live = part('live')
const RECONNECT_DELAY = 60_000

let isStale = false
let isRefreshing = false
let timer = 0

const stream = keepStreamOpen(() => {
  const source = new EventSource(
    `${schedule.dataset['events']}&since=${encodeURIComponent(schedule.dataset['read'] ?? '')}`,
  )
  source.addEventListener('open', () => live.replaceChildren())
  source.addEventListener('change', ({ data }) => {
    const { here, elsewhere, more } = JSON.parse(data)
    if (
      more ||
      here.length > 0 ||
      elsewhere.some((/** @type {string} */ id) => schedule.querySelector(`[data-job="${id}"]`) !== null)
    )
      refreshSoon()
  })
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) return
    stream.disconnect()
    live.textContent = sentence('not_live')
    setTimeout(stream.connect, RECONNECT_DELAY)
  })
  return source
})

schedule.addEventListener('stale', () => refresh())
schedule.addEventListener('free', () => {
  if (isStale) void refresh()
})

function refreshSoon() {
  clearTimeout(timer)
  timer = window.setTimeout(refresh, 200)
}

async function refresh() {
  isStale = true
  if (isRefreshing || schedule.isBusy) return
  isRefreshing = true
  try {
    while (isStale && !schedule.isBusy) {
      isStale = false
      const response = await fetch(schedule.dataset['part'] ?? '', { headers: { accept: 'text/html' } })
      const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('schedule')
      if (fresh === null) throw new Error('The schedule is no longer there')
      if (schedule.isBusy) isStale = true
      else show(fresh)
    }
  } catch {
    live.textContent = sentence('stale')
  } finally {
    isRefreshing = false
    schedule.dispatchEvent(new Event('refreshed'))
  }
}

/** @param {HTMLElement} fresh */
function show(fresh) {
  const focused = document.activeElement
  const visit = /** @type {HTMLElement | null} */ (focused?.closest('.visit') ?? null)
  patch(schedule, fresh)
  if (visit === null || focused === null || document.activeElement === focused) return
  const index = [...visit.children].indexOf(focused)
  const newVisit =
    document.getElementById(visit.id) ?? schedule.querySelector(`.visit[data-job="${visit.dataset['job']}"]`)
  const target = newVisit?.children[index]
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

/** The line of the present time moves by itself. */
setInterval(() => {
  const line = document.getElementById('now')
  if (line === null) return
  const { midnight = '', until } = board().dataset
  const minute = Math.floor((Date.now() - Date.parse(midnight)) / 60_000)
  line.className = `now h${Math.floor(minute / 60)} m${minute % 60}`
  line.hidden = minute >= Number(until) * 60
}, 30_000)

/** As time passes, so does when visits are expected. */
setInterval(() => {
  if (document.querySelector('#now, .map-late') !== null && !document.hidden) refreshSoon()
}, 2 * RECONNECT_DELAY)

schedule.isLive = true
