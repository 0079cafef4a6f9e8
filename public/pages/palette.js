// @ts-check
// The command palette: finds people, records, pages and settings while you type, and what can be done on this page.
// Without script the same field leads to a page of results, and everything here is a link or a button elsewhere.

const box = /** @type {HTMLFormElement} */ (document.querySelector('.shell-bar .search'))
const input = /** @type {HTMLInputElement} */ (document.getElementById('search'))
const results = /** @type {HTMLElement} */ (document.getElementById('found'))
const said = document.createElement('span')
said.className = 'unseen'
said.setAttribute('role', 'status')
results.after(said)

const PAUSE_MS = 120
const RECENT = 'callout-recent'
const MAX_RECENT = 6
const MAX_ACTIONS = 6

let asking = new AbortController()
let waiting = 0
/** Text that the list is about; undefined before the first answer. @type {string | undefined} */
let answered

/** @returns {HTMLAnchorElement[]} */
const options = () => [...results.querySelectorAll('a')]
const chosen = () => options().findIndex((option) => option.getAttribute('aria-selected') === 'true')

/** @param {number} at */
function choose(at) {
  options().forEach((option, i) => option.setAttribute('aria-selected', String(i === at)))
  const option = options()[at]
  if (option === undefined) return input.removeAttribute('aria-activedescendant')
  input.setAttribute('aria-activedescendant', option.id)
  option.scrollIntoView({ block: 'nearest' })
}

/** Keeps the list as it is: what was asked for comes too late. */
function stopAsking() {
  clearTimeout(waiting)
  asking.abort()
}

function close() {
  stopAsking()
  results.hidden = true
  box.classList.remove('palette')
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
}

function open() {
  results.hidden = false
  input.setAttribute('aria-expanded', 'true')
}

/** Words without case and accents. @param {string} text */
const wordsIn = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** @param {string} label @param {readonly string[]} terms */
const fits = (label, terms) => terms.every((term) => wordsIn(label).some((word) => word.startsWith(term)))

/** What can be done on this page, and with one's account. @returns {HTMLElement[]} */
const actions = () => [
  ...document.querySelectorAll(
    /** @type {'a'} */ ('main .page-head .actions :is(a, button), .next-steps :is(.button), #self :is(a, button)'),
  ),
]

/** @typedef {{ label: string, about?: string, href?: string, press?: HTMLElement }} Choice */

/**
 * Draws choices in front of what the server found, or behind records that have what was typed. A choice that is there
 * already, such as a link to the same form, is left out behind.
 * @param {string} title @param {Choice[]} choices @param {string} id
 */
function addGroup(title, choices, id) {
  const list = results.querySelector('.hits')
  if (choices.length === 0 || list === null) return
  const labels = new Set(choices.map(({ label }) => label))
  for (const option of list.querySelectorAll('[role=group] > a')) if (labels.has(textOf(option))) option.remove()
  for (const group of list.querySelectorAll('[role=group]')) if (group.querySelector('a') === null) group.remove()
  list.querySelector('.none')?.remove()
  const group = document.createElement('div')
  group.setAttribute('role', 'group')
  group.setAttribute('aria-label', title)
  const head = document.createElement('h2')
  head.setAttribute('aria-hidden', 'true')
  head.textContent = title
  group.append(head)
  choices.forEach(({ label, about = '', href = '', press }, i) => {
    const option = document.createElement('a')
    option.id = `${id}-${i}`
    option.tabIndex = -1
    option.setAttribute('role', 'option')
    if (press === undefined) option.href = href
    else option.addEventListener('click', () => press.click())
    const name = document.createElement('b')
    name.textContent = label
    option.append(name)
    if (about !== '') {
      const more = document.createElement('span')
      more.className = 'help'
      more.textContent = about
      option.append(more)
    }
    group.append(option)
  })
  const isBehind = answered !== '' && list.querySelector('[role=group]:not(.make-from)') !== null
  list.insertBefore(group, isBehind ? list.querySelector('.make-from') : list.firstChild)
}

/** @param {Element} element */
const textOf = (element) => (element.querySelector('b') ?? element).textContent?.trim() ?? ''

/** @param {string} text */
function addOwn(text) {
  const terms = wordsIn(text)
  if (terms.length === 0)
    addGroup(
      input.dataset['recent'] ?? '',
      recent().filter(({ href }) => href !== location.pathname),
      'recent',
    )
  const matching = actions().filter((action) => fits(textOf(action), terms))
  const here = terms.length === 0 ? matching.filter((action) => action.closest('#self') === null) : matching
  addGroup(
    input.dataset['here'] ?? '',
    here.slice(0, MAX_ACTIONS).map((press) => ({ label: textOf(press), press })),
    'here',
  )
}

/** Asks for what the text finds, and returns whether the answer still counts. */
async function ask() {
  const text = input.value.trim()
  stopAsking()
  const asked = new AbortController()
  asking = asked
  try {
    const response = await fetch(`${input.dataset['results']}?q=${encodeURIComponent(text)}`, {
      signal: asked.signal,
      headers: { accept: 'text/html' },
    })
    if (!response.ok || response.redirected) throw new Error('There is no list')
    results.innerHTML = await response.text()
    answered = text
    said.textContent = /** @type {HTMLElement | null} */ (results.querySelector('[data-says]'))?.dataset['says'] ?? ''
    addOwn(text)
    choose(0)
    if (document.activeElement === input) open()
  } catch {
    if (asked.signal.aborted) return false
    close()
  }
  return true
}

/** Opens the chosen option once the list is about all that was typed; where nothing was found, the page of results. */
async function openChosen() {
  const { value } = input
  if (answered !== value.trim() && !((await ask()) && input.value === value)) return
  const option = options()[chosen()]
  if (results.hidden || option === undefined) return box.requestSubmit()
  input.blur()
  option.click()
}

input.setAttribute('role', 'combobox')
input.setAttribute('aria-autocomplete', 'list')
input.setAttribute('aria-controls', 'found')
input.setAttribute('aria-expanded', 'false')
input.addEventListener('input', () => {
  clearTimeout(waiting)
  waiting = window.setTimeout(ask, PAUSE_MS)
})
/** Searches for text typed before the script loaded. */
if (input.value !== input.defaultValue) void ask()
input.addEventListener('focus', () => {
  if (answered === input.value.trim()) open()
  else void ask()
})
input.addEventListener('blur', () => setTimeout(close))
results.addEventListener('mousedown', (event) => {
  event.preventDefault()
  stopAsking()
})
input.addEventListener('keydown', (event) => {
  const count = options().length
  if (event.key === 'Escape') {
    if (results.hidden || box.classList.contains('palette')) input.blur()
    close()
    event.preventDefault()
  }
  if (event.key === 'Enter') {
    event.preventDefault()
    void openChosen()
  }
  if (results.hidden || count === 0) return
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    choose((chosen() + (event.key === 'ArrowDown' ? 1 : count - 1)) % count)
    event.preventDefault()
  }
})

/** Opens the palette over the page, with the field's text marked. */
export function openPalette() {
  box.classList.add('palette')
  input.focus()
  input.select()
}

/** On a phone the field is not in the bar: its button opens it over the page. */
document.querySelector('.search-link')?.addEventListener('click', (event) => {
  const { ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event)
  if (ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  openPalette()
})

/** Records opened lately in this tab, the last first. @returns {{ href: string, label: string, about: string }[]} */
function recent() {
  try {
    return JSON.parse(sessionStorage.getItem(RECENT) ?? '[]')
  } catch {
    return []
  }
}

/** Forgets which records were opened, when the person signs out. */
export function forgetRecent() {
  try {
    sessionStorage.removeItem(RECENT)
  } catch {
    // A browser without storage has nothing to forget.
  }
}

const head = document.querySelector('.record-head')
if (head !== null) {
  const title = head.querySelector('h1')?.firstChild?.textContent?.trim() ?? ''
  const about = head.querySelector('.eyebrow')?.textContent?.trim() ?? ''
  const others = recent().filter(({ href }) => href !== location.pathname)
  const all = [{ href: location.pathname, label: title, about }, ...others].slice(0, MAX_RECENT)
  try {
    sessionStorage.setItem(RECENT, JSON.stringify(all))
  } catch {
    // A browser without storage keeps none.
  }
}
