// @ts-check
// The command palette: finds people, records, pages and settings while you type, and what can be done on this page.
// Without script the same field leads to a page of results, and everything here is a link or a button elsewhere.

const box = /** @type {HTMLFormElement} */ (document.querySelector('.shell-bar .search'))
const input = /** @type {HTMLInputElement} */ (document.getElementById('search'))
const results = /** @type {HTMLElement} */ (document.getElementById('found'))
const announcement = document.createElement('span')
announcement.className = 'unseen'
announcement.setAttribute('role', 'status')
results.after(announcement)

const PAUSE_MS = 120
const RECENT = 'callout-recent'
const MAX_RECENT = 6
const MAX_ACTIONS = 6

let activeSearch = new AbortController()
let timer = 0
/** Text that the list is about; undefined before the first answer. @type {string | undefined} */
let shownQuery

/** @returns {HTMLAnchorElement[]} */
const options = () => [...results.querySelectorAll('a')]
const selectedIndex = () => options().findIndex((option) => option.getAttribute('aria-selected') === 'true')

/** @param {number} index */
function select(index) {
  options().forEach((option, i) => option.setAttribute('aria-selected', String(i === index)))
  const option = options()[index]
  if (option === undefined) return input.removeAttribute('aria-activedescendant')
  input.setAttribute('aria-activedescendant', option.id)
  option.scrollIntoView({ block: 'nearest' })
}

/** Keeps the list as it is: what was asked for comes too late. */
function cancelSearch() {
  clearTimeout(timer)
  activeSearch.abort()
}

function close() {
  cancelSearch()
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
const matchesTerms = (label, terms) => terms.every((term) => wordsIn(label).some((word) => word.startsWith(term)))

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
  const isBehind = shownQuery !== '' && list.querySelector('[role=group]:not(.make-from)') !== null
  list.insertBefore(group, isBehind ? list.querySelector('.make-from') : list.firstChild)
}

/** @param {Element} element */
const textOf = (element) => (element.querySelector('b') ?? element).textContent?.trim() ?? ''

/** @param {string} text */
function addLocalChoices(text) {
  const terms = wordsIn(text)
  if (terms.length === 0)
    addGroup(
      input.dataset['recent'] ?? '',
      recent().filter(({ href }) => href !== location.pathname),
      'recent',
    )
  const matching = actions().filter((action) => matchesTerms(textOf(action), terms))
  const localActions = terms.length === 0 ? matching.filter((action) => action.closest('#self') === null) : matching
  addGroup(
    input.dataset['here'] ?? '',
    localActions.slice(0, MAX_ACTIONS).map((press) => ({ label: textOf(press), press })),
    'here',
  )
}

/** Asks for what the text finds, and returns whether the answer still counts. */
async function search() {
  const text = input.value.trim()
  cancelSearch()
  const controller = new AbortController()
  activeSearch = controller
  try {
    const response = await fetch(`${input.dataset['results']}?q=${encodeURIComponent(text)}`, {
      signal: controller.signal,
      headers: { accept: 'text/html' },
    })
    if (!response.ok || response.redirected) throw new Error('There is no list')
    results.innerHTML = await response.text()
    shownQuery = text
    announcement.textContent =
      /** @type {HTMLElement | null} */ (results.querySelector('[data-says]'))?.dataset['says'] ?? ''
    addLocalChoices(text)
    select(0)
    if (document.activeElement === input) open()
  } catch {
    if (controller.signal.aborted) return false
    close()
  }
  return true
}

/** Opens the chosen option once the list is about all that was typed; where nothing was found, the page of results. */
async function openChosen() {
  const { value } = input
  if (shownQuery !== value.trim() && !((await search()) && input.value === value)) return
  const option = options()[selectedIndex()]
  if (results.hidden || option === undefined) return box.requestSubmit()
  input.blur()
  option.click()
}

input.setAttribute('role', 'combobox')
input.setAttribute('aria-autocomplete', 'list')
input.setAttribute('aria-controls', 'found')
input.setAttribute('aria-expanded', 'false')
input.addEventListener('input', () => {
  clearTimeout(timer)
  timer = window.setTimeout(search, PAUSE_MS)
})
/** Searches for text typed before the script loaded. */
if (input.value !== input.defaultValue) void search()
input.addEventListener('focus', () => {
  if (shownQuery === input.value.trim()) open()
  else void search()
})
input.addEventListener('blur', () => setTimeout(close))
results.addEventListener('mousedown', (event) => {
  event.preventDefault()
  cancelSearch()
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
    select((selectedIndex() + (event.key === 'ArrowDown' ? 1 : count - 1)) % count)
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
