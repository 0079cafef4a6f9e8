// @ts-check
// Gives keys to what is done all day. Everything here is also a link, a form or a page.

import { forgetDrafts } from './drafts.js'
import { forgetRecent, openPalette } from './pages/palette.js'

const bar = /** @type {HTMLElement} */ (document.querySelector('.shell-bar'))

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable], dialog[open]') !== null

/** Time when `g` was last pressed. */
let lastGoPress = -Infinity

/** Opens a menu entry by its letter, within a second of `g`. @param {string} key */
function openMenuEntry(key) {
  const link = document.querySelector(`.rail a[data-key="${CSS.escape(key)}"]`)
  if (link instanceof HTMLAnchorElement) link.click()
}

function openCreateMenu() {
  const list = document.getElementById('makes')
  list?.showPopover()
  list?.querySelector('a')?.focus()
}

/** Shows the page that lists the keys, above this one. */
async function showKeys() {
  const before = document.querySelector('dialog.sheet')
  if (before instanceof HTMLDialogElement) return before.showModal()
  const response = await fetch(bar.dataset['keys'] ?? '', { headers: { accept: 'text/html' } })
  if (!response.ok) return
  const sheet = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('keys')
  if (sheet === null || document.querySelector('dialog.sheet') !== null) return
  const dialog = document.createElement('dialog')
  dialog.className = 'sheet'
  dialog.setAttribute('aria-labelledby', 'keys-title')
  dialog.append(...sheet.children)
  document.body.append(dialog)
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.showModal()
}

/** @type {Record<string, () => unknown>} */
const KEYS = { '/': openPalette, n: openCreateMenu, '?': showKeys }

const assistant = document.querySelector('.assistant-link')

/**
 * Opens or closes the assistant beside the page, whose script is read then.
 * @param {'toggle' | 'restore'} action
 */
async function runAssistant(action) {
  if (!(assistant instanceof HTMLAnchorElement)) return
  const script = await import(assistant.dataset['script'] ?? '')
  await script[action](assistant)
}

for (const link of document.querySelectorAll('.assistant-link, [data-assistant]'))
  link.addEventListener('click', (event) => {
    const { ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event)
    if (ctrlKey || metaKey || shiftKey) return
    event.preventDefault()
    void runAssistant('toggle')
  })
if (
  assistant !== null &&
  matchMedia('(min-width: 64rem)').matches &&
  sessionStorage.getItem('callout-assistant') !== null
)
  void runAssistant('restore')

document.addEventListener('keydown', (event) => {
  if (assistant !== null && event.ctrlKey && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'j') {
    event.preventDefault()
    return void runAssistant('toggle')
  }
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
    event.preventDefault()
    return openPalette()
  }
  if (bar.dataset['keys'] === '' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if (isTyping(event.target)) return
  if (event.timeStamp - lastGoPress < 1000) {
    lastGoPress = -Infinity
    return openMenuEntry(event.key)
  }
  if (event.key === 'g') lastGoPress = event.timeStamp
  const action = KEYS[event.key]
  if (action === undefined) return
  event.preventDefault()
  void action()
})

/** A list that opened over the page is walked with the arrows, too. */
for (const list of document.querySelectorAll('.drop'))
  list.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event)
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return
    const items = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('a, button')])
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement))
    items[(at + (key === 'ArrowDown' ? 1 : items.length - 1) + items.length) % items.length]?.focus()
    event.preventDefault()
  })

/** A sign-out forgets every draft, and makes the technician's page forget what it keeps of a day (public/mobile/field.js). */
document.querySelector('form[action="/sign-out"]')?.addEventListener('submit', () => {
  forgetDrafts()
  forgetRecent()
  try {
    localStorage.setItem('callout-left', 'yes')
    localStorage.removeItem('callout-push')
  } catch {
    // A browser without storage keeps nothing to forget.
  }
})
