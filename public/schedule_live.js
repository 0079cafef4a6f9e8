// Keeps an open schedule current: told by the service of changes, it asks for the part that changes and replaces what
// differs. `schedule.isBusy` makes it wait, the event `stale` makes it ask, `refreshed` says that it has.

const schedule = document.getElementById('schedule')
const live = document.getElementById('live')
const LATER = 60_000

let source = null
let isStale = false
let isAsking = false
let soon = 0

function connect() {
  if (source !== null || document.hidden) return
  source = new EventSource(`${schedule.dataset.events}&since=${encodeURIComponent(schedule.dataset.read)}`)
  source.addEventListener('open', () => live.replaceChildren())
  source.addEventListener('change', ({ data }) => {
    const { here, elsewhere, more } = JSON.parse(data)
    if (more || here.length > 0 || elsewhere.some((id) => schedule.querySelector(`[data-job="${id}"]`) !== null))
      askSoon()
  })
  source.addEventListener('error', () => {
    if (source?.readyState !== EventSource.CLOSED) return
    disconnect()
    live.textContent = "Changes of others don't appear by themselves at the moment. Reload the page to see them."
    setTimeout(connect, LATER)
  })
}

function disconnect() {
  source?.close()
  source = null
}

/** A tab that nobody sees needs no connection; it catches up when it is seen again. */
document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()))
window.addEventListener('pagehide', disconnect)
window.addEventListener('pageshow', connect)
schedule.addEventListener('stale', () => ask())
schedule.addEventListener('free', () => {
  if (isStale) void ask()
})

function askSoon() {
  clearTimeout(soon)
  soon = setTimeout(ask, 200)
}

async function ask() {
  isStale = true
  if (isAsking || schedule.isBusy) return
  isAsking = true
  try {
    while (isStale && !schedule.isBusy) {
      isStale = false
      const response = await fetch(schedule.dataset.part, { headers: { accept: 'text/html' } })
      const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('schedule')
      if (fresh === null) throw new Error('There is no schedule any more')
      if (schedule.isBusy) isStale = true
      else show(fresh)
    }
  } catch {
    live.textContent = 'This may not be up to date. Reload the page.'
  } finally {
    isAsking = false
    schedule.dispatchEvent(new Event('refreshed'))
  }
}

function show(fresh) {
  const focused = document.activeElement
  const visit = focused?.closest('.visit')
  const place = visit === null || visit === undefined ? -1 : [...visit.children].indexOf(focused)
  const { id, dataset } = visit ?? {}
  patch(schedule, fresh)
  if (place < 0 || document.activeElement === focused) return
  const now = document.getElementById(id) ?? schedule.querySelector(`[data-job="${dataset.job}"]`)
  now?.children[place]?.focus({ preventScroll: true })
}

/** Makes a node like `fresh`. What is the same stays, with its focus and its scrolling; elements are identified by their ids. */
function patch(old, fresh) {
  if (old.isEqualNode(fresh)) return
  if (old.nodeType !== Node.ELEMENT_NODE) return void (old.nodeValue = fresh.nodeValue)
  for (const { name } of Array.from(old.attributes)) if (!fresh.hasAttribute(name)) old.removeAttribute(name)
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value)
  const known = new Map([...old.children].filter(({ id }) => id !== '').map((child) => [child.id, child]))
  let at = old.firstChild
  for (const next of Array.from(fresh.childNodes)) {
    const same = next.id ? known.get(next.id) : at !== null && !at.id && at.nodeName === next.nodeName ? at : undefined
    if (same === undefined) {
      old.insertBefore(next, at)
    } else {
      if (same === at) at = at.nextSibling
      else old.insertBefore(same, at)
      patch(same, next)
    }
  }
  while (at !== null) {
    const next = at.nextSibling
    at.remove()
    at = next
  }
}

/** The line of the present time moves by itself. */
setInterval(() => {
  const line = document.getElementById('now')
  const board = document.getElementById('board')
  if (line === null) return
  const minute = Math.floor((Date.now() - Date.parse(board.dataset.midnight)) / 60_000)
  line.className = `now h${Math.floor(minute / 60)} m${minute % 60}`
  line.hidden = minute >= Number(board.dataset.until) * 60
}, 30_000)

schedule.isLive = true
connect()
