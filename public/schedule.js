// Moves visits on the schedule, by dragging and by keyboard. Each visit's own form does the same without script.

const schedule = document.getElementById('schedule')
const said = document.getElementById('said')
const told = document.getElementById('told')
const isRoomy = matchMedia('(min-width: 48rem)')
const SNAP = 15
const SHORTEST_SHOWN = 30
const MINUTE = 60_000
/** Sets how far a mouse moves before it drags, in pixels, and how long a finger rests, in milliseconds. */
const [FAR, LONG] = [5, 350]

/** Is off the board: among jobs without a time. */
const WAITING = { lane: null }

const board = () => document.getElementById('board')
const tray = () => document.getElementById('tray')
const under = (x, y, selector) => document.elementFromPoint(x, y)?.closest(selector) ?? null
const beside = (all, one, by) => all[Math.min(Math.max(all.indexOf(one) + by, 0), all.length - 1)]
const given = (entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined))

/** Handles a day: lanes side by side, and minutes since it began. */
const day = {
  spotOf(visit) {
    const { long, from } = visit.dataset
    const lane = visit.closest('.lane')
    return lane === null
      ? WAITING
      : { lane: lane.dataset.lane, isAny: from === undefined, from: Number(from ?? 0), long: Number(long) }
  },
  spotAt(x, y, { before, grab, isPulled, visit }) {
    if (isPulled) return { ...before, long: Math.max(SNAP, snapped(minuteAt(before.lane, y)) - before.from) }
    const lane = under(x, y, '.lane')?.dataset.lane
    if (lane === undefined) return undefined
    const isAny = y < stripOf(lane).getBoundingClientRect().bottom
    return {
      lane,
      isAny,
      from: isAny ? 0 : within(snapped(minuteAt(lane, y - grab))),
      long: Number(visit.dataset.long),
    }
  },
  first: (visit) => ({ lane: lanes()[0], isAny: false, from: within(9 * 60), long: Number(visit.dataset.long) }),
  step(spot, key, isLonger) {
    const by = { ArrowUp: -SNAP, ArrowDown: SNAP }[key] ?? 0
    if (isLonger) return { ...spot, long: Math.max(SNAP, spot.long + by) }
    if (by === 0) return { ...spot, lane: beside(lanes(), spot.lane, key === 'ArrowLeft' ? -1 : 1) }
    const even = by > 0 ? Math.floor(spot.from / SNAP) : Math.ceil(spot.from / SNAP)
    return { ...spot, isAny: false, from: within(spot.isAny ? 9 * 60 : even * SNAP + by) }
  },
  place(ghost, { lane, isAny, from, long }) {
    const shown = Math.max(SHORTEST_SHOWN, Math.min(long, shape('minutes') - from))
    if (!isAny)
      ghost.classList.add(
        `h${Math.floor(from / 60)}`,
        `m${from % 60}`,
        `fh${Math.floor(shown / 60)}`,
        `fm${shown % 60}`,
        'c0',
        'n1',
        'w1',
      )
    ghost.querySelector('b').textContent = hoursOf(from, long, isAny)
    const list = isAny ? stripOf(lane) : trackOf(lane)
    list.append(ghost)
  },
  says: ({ lane, isAny, from, long }) =>
    `${hoursOf(from, long, isAny)}, ${document.querySelector(`#lane-${lane} .lane-name`).textContent}`,
  asks(before, after) {
    const isOther = before.lane === null || before.isAny !== after.isAny
    return given([
      [
        'scheduled_start',
        isOther || before.from !== after.from
          ? after.isAny
            ? `${schedule.dataset.day}T00:00`
            : instantAt(after.from).toISOString()
          : undefined,
      ],
      ['all_day', isOther ? (after.isAny ? 'yes' : 'no') : undefined],
      ['duration_minutes', before.lane !== null && before.long !== after.long ? after.long : undefined],
    ])
  },
}

const clock = new Intl.DateTimeFormat('en-US', { timeZone: schedule.dataset.zone, hour: 'numeric', minute: '2-digit' })
const shape = (name) => Number(board().dataset[name])
const lanes = () => [...document.querySelectorAll('.lane')].map(({ dataset }) => dataset.lane)
const trackOf = (lane) => document.getElementById(`track-${lane}`)
const stripOf = (lane) => document.getElementById(`any-${lane}`)
const snapped = (minute) => Math.round(minute / SNAP) * SNAP
const within = (minute) =>
  Math.min(Math.max(minute, shape('since') * 60), Math.min(shape('until') * 60, shape('minutes')) - SNAP)
const instantAt = (minute) => new Date(Date.parse(board().dataset.midnight) + minute * MINUTE)
const hoursOf = (from, long, isAny) => (isAny ? 'Any time' : clock.formatRange(instantAt(from), instantAt(from + long)))

function minuteAt(lane, y) {
  const { top, height } = trackOf(lane).getBoundingClientRect()
  return (shape('since') + ((y - top) / height) * (shape('until') - shape('since'))) * 60
}

/**
 * Handles a week: a row for each technician, a column for each day. The time of the day stays, and a job without a time
 * becomes all-day.
 */
const week = {
  spotOf(visit) {
    const cell = visit.closest('td')
    return cell === null ? WAITING : { lane: cell.dataset.lane, day: cell.dataset.day, time: visit.dataset.time }
  },
  spotAt(x, y, { before }) {
    const cell = under(x, y, 'td[data-lane]')
    return cell === null ? undefined : { lane: cell.dataset.lane, day: cell.dataset.day, time: before.time ?? '' }
  },
  first: () => ({ lane: named('lane')[0], day: named('day')[0], time: '' }),
  step(spot, key) {
    const by = key === 'ArrowUp' || key === 'ArrowLeft' ? -1 : 1
    const name = key === 'ArrowUp' || key === 'ArrowDown' ? 'lane' : 'day'
    return { ...spot, [name]: beside(named(name), spot[name], by) }
  },
  place: (ghost, { lane, day }) => cellOf(lane, day).querySelector('.stack').append(ghost),
  says: ({ lane, day }) => `${cellOf(lane, day).dataset.label}, ${cellOf(lane, day).dataset.name}`,
  asks: (before, after) =>
    given([
      ['scheduled_start', before.day !== after.day ? `${after.day}T${after.time || '00:00'}` : undefined],
      ['all_day', before.lane === null ? 'yes' : undefined],
    ]),
}

const cellOf = (lane, day) => document.getElementById(`on-${lane}-${day}`)
const named = (name) => [
  ...new Set([...document.querySelectorAll('td[data-lane]')].map(({ dataset }) => dataset[name])),
]

const grid = schedule.dataset.view === 'week' ? week : day

/** Holds what is being moved: `by` pointer or keys, from one position to another, shown by a ghost. */
let held = null

function pickUp(visit, more) {
  const before = grid.spotOf(visit)
  const ghost = visit.cloneNode(true)
  ghost.removeAttribute('id')
  ghost.inert = true
  held = { visit, ghost, before, after: before, title: visit.querySelector('.visit-title').textContent, ...more }
  schedule.isBusy = true
  visit.classList.add('held')
  document.documentElement.classList.toggle('moving', held.by === 'pointer')
}

function show(spot) {
  const { ghost, visit } = held
  held.after = spot
  tray().classList.toggle('over', spot.lane === null)
  if (spot.lane === null) return ghost.remove()
  ghost.className = `visit ${visit.classList[1]} ghost`
  grid.place(ghost, spot)
}

function letGo() {
  const { ghost, visit } = held
  ghost.remove()
  visit.classList.remove('held', 'sent')
  tray().classList.remove('over')
  document.documentElement.classList.remove('moving')
  held = null
  schedule.isBusy = false
  schedule.dispatchEvent(new Event('free'))
}

/** Shows the visit where it was dropped, and asks the service; a refused one goes back, with the reason. */
async function drop() {
  const { visit, ghost, before, after, title } = held
  const wanted = wantedOf(before, after)
  if (wanted === null) {
    say(`${title} stays where it was.`)
    return letGo()
  }
  held.by = 'nothing'
  visit.classList.add('sent')
  ghost.classList.replace('ghost', 'sent-ghost')
  tell('')
  const problem = await ask(visit, wanted)
  const hadFocus = visit.contains(document.activeElement)
  if (problem === null) say(`Moved ${title}: ${after.lane === null ? 'it waits for a time again' : grid.says(after)}.`)
  else tell(problem)
  const { job } = visit.dataset
  if (!schedule.isLive) return location.reload()
  schedule.isBusy = false
  schedule.dispatchEvent(new Event('stale'))
  await new Promise((resolve) => {
    schedule.addEventListener('refreshed', resolve, { once: true })
  })
  letGo()
  const lane = after.lane === null || problem !== null ? '' : `[data-lane="${after.lane}"] `
  if (hadFocus)
    (schedule.querySelector(`${lane}[data-job="${job}"] a`) ?? schedule.querySelector(`[data-job="${job}"] a`))?.focus({
      preventScroll: true,
    })
}

/** Returns the fields that change, or null when none does. */
function wantedOf(before, after) {
  if (after.lane === null) return before.lane === null ? null : { unschedule: 'yes' }
  const wanted = grid.asks(before, after)
  if (before.lane !== after.lane)
    Object.assign(wanted, before.lane === null ? {} : { from: before.lane }, { to: after.lane })
  return Object.keys(wanted).length === 0 ? null : wanted
}

/** Sends a change; returns the reason when it was refused, or null when it is done. */
async function ask(visit, wanted) {
  try {
    const response = await fetch(visit.querySelector('.visit-move').href, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ expected_updated_at: visit.dataset.at, ...wanted }),
    })
    if (response.ok) return null
    if (response.status === 401) return 'Your session has ended. Reload the page and sign in again.'
    const isTold = response.headers.get('content-type')?.startsWith('application/json')
    return isTold ? (await response.json()).error_description : "The service can't do it at the moment. Try again."
  } catch {
    return 'There is no connection to the service. Try again.'
  }
}

const say = (text) => {
  said.textContent = text
}

function tell(problem) {
  if (problem === '') return told.replaceChildren()
  const text = document.createElement('span')
  const close = document.createElement('button')
  text.textContent = `Not moved. ${problem}`
  Object.assign(close, {
    type: 'button',
    className: 'button quiet',
    textContent: 'Close',
    onclick: () => told.replaceChildren(),
  })
  told.replaceChildren(text, close)
}

/** By pointer, a mouse drags at once, a finger after a rest, so that a swipe scrolls. */

let pressed = null
let pointer = { x: 0, y: 0 }

document.addEventListener('pointerdown', (event) => {
  const visit = event.target.closest('.visit')
  if (
    visit === null ||
    held !== null ||
    event.button !== 0 ||
    event.target.closest('.visit-move') !== null ||
    !mayMove(visit)
  )
    return
  const { top, bottom } = visit.getBoundingClientRect()
  pointer = { x: event.clientX, y: event.clientY }
  const isPulled = visit.closest('.track') !== null && event.target === visit && bottom - event.clientY < 12
  pressed = {
    visit,
    ...pointer,
    grab: visit.closest('.track') === null ? 0 : event.clientY - top,
    isPulled,
    isTouch: event.pointerType === 'touch',
  }
  if (pressed.isTouch) pressed.timer = setTimeout(begin, LONG)
})

document.addEventListener('pointermove', (event) => {
  pointer = { x: event.clientX, y: event.clientY }
  if (held?.by === 'pointer') return follow()
  if (pressed === null || Math.hypot(pointer.x - pressed.x, pointer.y - pressed.y) < FAR) return
  if (pressed.isTouch) release()
  else begin()
})

document.addEventListener('pointerup', () => {
  if (held?.by !== 'pointer') return release()
  window.addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', stop, { capture: true }))
  release()
  void drop()
})
document.addEventListener('pointercancel', () => {
  release()
  if (held?.by === 'pointer') letGo()
})
document.addEventListener(
  'touchmove',
  (event) => {
    if (held?.by === 'pointer') event.preventDefault()
  },
  { passive: false },
)
document.addEventListener('dragstart', (event) => {
  if (event.target.closest?.('.visit') != null) event.preventDefault()
})
document.addEventListener('contextmenu', (event) => {
  if (pressed?.isTouch || held?.by === 'pointer') event.preventDefault()
})

const mayMove = (visit) => isRoomy.matches && schedule.dataset.moves === 'yes' && visit.dataset.fixed === undefined

function stop(event) {
  event.preventDefault()
  event.stopPropagation()
}

function release() {
  clearTimeout(pressed?.timer)
  pressed = null
}

function begin() {
  const { visit, grab, isPulled } = pressed
  pickUp(visit, { by: 'pointer', grab, isPulled })
  follow()
  requestAnimationFrame(scroll)
}

function follow() {
  const spot =
    !held.isPulled && under(pointer.x, pointer.y, '#tray') !== null ? WAITING : grid.spotAt(pointer.x, pointer.y, held)
  if (spot !== undefined) show(spot)
}

/** Scrolls near an edge of the board to what is beyond. */
function scroll() {
  if (held?.by !== 'pointer') return
  const { left, right, top, bottom } = board().getBoundingClientRect()
  const pace = (at, low, high) => (at < low || at > high ? 0 : at < low + 40 ? -8 : at > high - 40 ? 8 : 0)
  const below = board().querySelector('.strip')?.getBoundingClientRect().bottom ?? top
  if (pointer.x > left && pointer.x < right)
    board().scrollBy(pace(pointer.x, left, right), pace(pointer.y, below, bottom))
  follow()
  requestAnimationFrame(scroll)
}

/** By keyboard, M picks up the visit that has the focus. */

document.addEventListener('keydown', (event) => {
  if (held === null) start(event)
  else if (event.key === 'Escape' && held.by !== 'nothing') back(event)
  else if (held.by === 'keys') carry(event)
})
document.addEventListener('focusout', ({ relatedTarget }) => {
  if (held?.by === 'keys' && !held.visit.contains(relatedTarget)) letGo()
})

function start(event) {
  const visit = event.target.closest?.('.visit') ?? null
  if (
    visit === null ||
    event.key.toLowerCase() !== 'm' ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    schedule.dataset.moves !== 'yes'
  )
    return
  if (visit.dataset.fixed !== undefined)
    return say(
      visit.dataset.fixed === 'done'
        ? 'It is done and stays where it was.'
        : 'It began on another day. Move it there, or by its form.',
    )
  if (!isRoomy.matches) return visit.querySelector('.visit-move').click()
  pickUp(visit, { by: 'keys' })
  show(held.before.lane === null ? grid.first(visit) : held.before)
  say(
    `Picked up ${held.title}, ${grid.says(held.after)}. Arrows move it${grid === day ? ', with Shift they make it longer or shorter' : ''}; Delete takes it off the schedule, Enter drops it, Escape puts it back.`,
  )
}

function back(event) {
  event.preventDefault()
  say(`${held.title} is back where it was.`)
  letGo()
}

function carry(event) {
  const isArrow = event.key.startsWith('Arrow')
  if (!isArrow && event.key !== 'Enter' && event.key !== 'Delete' && event.key !== 'Backspace') return
  event.preventDefault()
  if (event.key === 'Enter') return void drop()
  const from = held.after.lane === null ? grid.first(held.visit) : held.after
  show(isArrow ? grid.step(from, event.key, event.shiftKey && grid === day) : WAITING)
  held.ghost.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  say(held.after.lane === null ? 'Among those that wait for a time.' : grid.says(held.after))
}

document.getElementById('main').classList.add('alive')
if (grid === day) {
  const now = document.getElementById('now')
  const tops = [...board().querySelectorAll('.track > .visit')].map(({ offsetTop }) => offsetTop)
  board().scrollTop = (now === null ? Math.min(...tops, Infinity) : now.offsetTop - board().clientHeight / 2) - 40
}
