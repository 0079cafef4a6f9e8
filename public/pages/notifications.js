// @ts-check
// Turns notifications on and off from the settings, and on Today tells the service again what is wanted here.

import { pushProblem, refreshPush, setPush, enabledKinds } from '../mobile/push.js'

// There is none where the service has no key.
const holder = /** @type {HTMLElement | null} */ (document.querySelector('[data-push-key]'))
const { pushKey: key = '', company = '', user = '' } = holder?.dataset ?? {}
const target = { company, user, key }

if (holder instanceof HTMLFormElement) showForm(holder)
else if (holder !== null) void refreshPush(target)

/** @param {HTMLFormElement} form */
function showForm(form) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input[type=checkbox]')])
  const enabled = enabledKinds(target)
  const problem = pushProblem()
  const off = /** @type {HTMLButtonElement} */ (form.querySelector('[name=off]'))
  if (problem !== '') return show(form, problem)
  form.querySelector('.push-choice')?.removeAttribute('hidden')
  off.hidden = enabled.length === 0
  if (enabled.length > 0) {
    for (const box of boxes) box.checked = enabled.includes(box.value)
    const on = /** @type {HTMLElement} */ (form.querySelector('.button.main'))
    on.textContent = form.dataset['save'] ?? ''
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const isOff = /** @type {SubmitEvent} */ (event).submitter === off
    void save(form, isOff ? [] : boxes.filter(({ checked }) => checked).map(({ value }) => value))
  })
}

/**
 * @param {HTMLFormElement} form
 * @param {string[]} kinds
 */
async function save(form, kinds) {
  try {
    if (await setPush(target, kinds)) return location.reload()
    show(form, 'blocked')
  } catch {
    show(form, 'failed')
  }
}

/**
 * Shows one of the messages that the page has.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function show(form, name) {
  for (const line of form.querySelectorAll('[data-problem]'))
    /** @type {HTMLElement} */ (line).hidden = line.getAttribute('data-problem') !== name
}
