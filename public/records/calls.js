// @ts-check
// Follows a call as it is typed: finds who calls, and shows the free times for another length or day. The page does the
// same without script, by its buttons.

const form = /** @type {HTMLFormElement} */ (document.getElementById('call'))
const phone = /** @type {HTMLInputElement} */ (document.getElementById('q'))
const find = /** @type {HTMLButtonElement} */ (document.getElementById('find'))
const book = /** @type {HTMLButtonElement} */ (document.getElementById('book'))
const found = /** @type {HTMLElement} */ (document.getElementById('found'))
const PAUSE_MS = 180

/** How often each part was requested. Only the answer to the newest request counts. @type {Record<string, number>} */
const requests = {}
let timer = 0

/**
 * Requests a part of the page for the form's current values, and replaces the old part if they differ. Until the answer
 * is here the part is busy: times of the old place can't be chosen for the new one.
 * @param {string} address
 * @param {string} id
 * @param {Record<string, string>} overrides
 */
async function refreshPart(address, id, overrides = {}) {
  const requestId = (requests[id] = (requests[id] ?? 0) + 1)
  const before = new FormData(form)
  const query = new URLSearchParams()
  for (const [name, value] of before) if (typeof value === 'string' && value !== '') query.append(name, value)
  query.delete('idempotency_key')
  for (const [name, value] of Object.entries(overrides)) query.set(name, value)
  document.getElementById(id)?.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(`${address}?${query.toString()}`, { headers: { accept: 'text/html' } })
    if (!response.ok || requestId !== requests[id]) return
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(id)
    const old = document.getElementById(id)
    if (fresh === null || old === null || requestId !== requests[id]) return
    if (fresh.dataset['key'] !== undefined && fresh.dataset['key'] === old.dataset['key']) return
    keepNewer(fresh, before)
    const focused = old.contains(document.activeElement) ? document.activeElement : null
    old.replaceWith(document.adoptNode(fresh))
    if (focused !== null) restoreFocus(fresh, focused)
    if (id === 'caller') found.textContent = fresh.querySelector('.known-name, .who-calls, .eyebrow')?.textContent ?? ''
    form.dispatchEvent(new Event('input', { bubbles: true }))
    if (id === 'caller') void refreshTimes()
  } catch {
    // The buttons of the page still ask.
  } finally {
    if (requestId === requests[id]) document.getElementById(id)?.removeAttribute('aria-busy')
  }
}

/**
 * Keeps what was typed or chosen while a part was on its way.
 * @param {HTMLElement} fresh
 * @param {FormData} before
 */
function keepNewer(fresh, before) {
  const now = new FormData(form)
  for (const control of fresh.querySelectorAll('input:not([type="hidden"]), select')) {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) continue
    const value = now.get(control.name)
    if (value === before.get(control.name)) continue
    if (control instanceof HTMLInputElement && ['radio', 'checkbox'].includes(control.type))
      control.checked = control.value === value
    else if (typeof value === 'string') control.value = value
  }
}

/** Gives the focus to the control that is like the one that had it. @param {HTMLElement} fresh @param {Element} focused */
function restoreFocus(fresh, focused) {
  const { name, value } = /** @type {HTMLInputElement} */ (focused)
  const controls = /** @type {NodeListOf<HTMLInputElement>} */ (fresh.querySelectorAll('input, select'))
  const [match] = [...controls].filter((one) => one.name === name && one.value === value)
  match?.focus({ preventScroll: true })
}

/** The drives, and by them the times, depend on where the visit is; who has time for it also on the skills it needs. */
const refreshTimes = () => refreshPart(form.dataset['times'] ?? '', 'times')
const refreshCaller = (more = {}) => refreshPart(form.dataset['caller'] ?? '', 'caller', more)

phone.addEventListener('input', () => {
  clearTimeout(timer)
  timer = window.setTimeout(() => refreshCaller({ customer_id: '' }), PAUSE_MS)
})

form.addEventListener('change', (event) => {
  const { id, name, value } = /** @type {HTMLInputElement} */ (event.target)
  if (['minutes', 'after', 'location_id', 'address'].includes(id)) void refreshTimes()
  if ((name === 'start' || name === 'who') && value !== '') choose('when', 'other')
  if (name === 'title' && value !== '') clear('kind')
  if (name === 'kind') /** @type {HTMLInputElement} */ (form.elements.namedItem('title')).value = ''
  if (['kind', 'title'].includes(name) && 'skilled' in form.dataset) void refreshTimes()
})

/** The enter key books, except in the field of the phone, where it finds. */
form.addEventListener('submit', (event) => {
  const { submitter } = event
  if (submitter === find) {
    event.preventDefault()
    if (document.activeElement === phone || document.activeElement === find) void refreshCaller({ customer_id: '' })
    else form.requestSubmit(book)
  } else if (
    submitter instanceof HTMLButtonElement &&
    submitter.name === 'customer_id' &&
    submitter.formMethod === 'get'
  ) {
    event.preventDefault()
    void refreshCaller({ customer_id: submitter.value })
  }
})

/**
 * @param {string} name
 * @param {string} value
 */
function choose(name, value) {
  for (const input of form.querySelectorAll(`input[name="${name}"]`))
    if (input instanceof HTMLInputElement && input.value === value) input.checked = true
}

/** @param {string} name */
function clear(name) {
  for (const input of form.querySelectorAll(`input[name="${name}"]`))
    if (input instanceof HTMLInputElement) input.checked = false
}

/** A draft that is back asks again who calls, with the customer and the location that were chosen. */
form.addEventListener('draft', (event) => {
  const values = /** @type {CustomEvent<Record<string, string[]>>} */ (event).detail
  const chosen = ['customer_id', 'location_id'].map((name) => [name, values[name]?.[0] ?? ''])
  setTimeout(() => {
    clearTimeout(timer)
    void refreshCaller(Object.fromEntries(chosen))
  })
})

form.classList.add('alive')
/** Looks up a number typed before the script loaded. */
if (phone.value !== phone.defaultValue) void refreshCaller({ customer_id: '' })
