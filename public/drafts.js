// @ts-check
// Keeps what is typed into a form until it is sent, so that a reload, a step back or an ended session loses nothing.
// Drafts stay in this tab, and each is shown to the person who typed it.

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
/** @typedef {Record<string, string[]>} Values */

const PREFIX = 'draft '
const MAX_LENGTH = 100_000
const MAX_DRAFTS = 20
const SECRET = '[type=password], [autocomplete=one-time-code]'
const TYPED = 'textarea, select, input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=submit])'
const LEFT_OUT = new Set(['submit', 'button', 'reset', 'image', 'file', 'password'])

const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById('draft'))
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'))

/** Values of each form as the server drew it. @type {Map<HTMLFormElement, Values>} */
const drawn = new Map()

/** Drafts that the server refused: this page shows their values. @type {Set<string>} */
const refused = new Set()

/** Forms that are being filled in from their draft. @type {Set<HTMLFormElement>} */
const restoring = new Set()

/**
 * Forms that were sent or given up. What scripts change in them begins no draft; what a person types does.
 * @type {Set<HTMLFormElement>}
 */
const over = new Set()

/**
 * Removes every draft of this tab, for example when the person signs out.
 * @param {(draft: { sent?: boolean }) => boolean} isOver
 */
export function forgetDrafts(isOver = () => true) {
  for (const key of keys()) if (isOver(JSON.parse(storage()?.getItem(key) ?? '{}'))) storage()?.removeItem(key)
}

/** @returns {Storage | undefined} */
function storage() {
  try {
    return sessionStorage
  } catch {
    return undefined // The browser allows no storage: nothing is kept.
  }
}

/** @returns {string[]} */
const keys = () => Object.keys(storage() ?? {}).filter((key) => key.startsWith(PREFIX))

/** @returns {HTMLFormElement[]} */
const keptForms = () =>
  [...document.forms].filter(
    (form) =>
      form.getAttribute('method') === 'post' &&
      form.querySelector(TYPED) !== null &&
      form.querySelector(SECRET) === null,
  )

/** @param {HTMLFormElement} form */
function keyOf(form) {
  const alike = [...document.forms].filter(({ action }) => action === form.action)
  const { pathname, search } = new URL(form.action)
  return `${PREFIX}${template?.dataset['person']} ${location.pathname} ${pathname}${search} ${alike.indexOf(form)}`
}

/** @param {HTMLFormElement} form @returns {Control[]} */
const controlsOf = (form) =>
  /** @type {Control[]} */ ([...form.elements]).filter(
    ({ name, type, dataset }) =>
      name !== '' && type !== undefined && !LEFT_OUT.has(type) && (type !== 'hidden' || 'draft' in dataset),
  )

/**
 * @param {HTMLFormElement} form
 * @param {(control: Control) => string[]} read
 * @returns {Values}
 */
function valuesOf(form, read) {
  /** @type {Values} */
  const values = {}
  for (const control of controlsOf(form)) (values[control.name] ??= []).push(...read(control))
  return values
}

/** @param {Control} control @returns {string[]} */
function present(control) {
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map(({ value }) => value)
  return isTick(control) && !control.checked ? [] : [control.value]
}

/** @param {Control} control @returns {string[]} */
function initial(control) {
  if (control instanceof HTMLSelectElement) {
    const chosen = [...control.options].filter(({ defaultSelected }) => defaultSelected)
    return (chosen.length > 0 || control.multiple ? chosen : [...control.options].slice(0, 1)).map(({ value }) => value)
  }
  if (isTick(control)) return control.defaultChecked ? [control.value] : []
  return [control.defaultValue]
}

/** @param {Control} control @returns {control is HTMLInputElement} */
const isTick = (control) => control.type === 'checkbox' || control.type === 'radio'

/** Name of the rows that a field belongs to: `lines` of `lines.2.name`. @param {string} name */
const rowsOf = (name) => /^(.+)\.\d+\./.exec(name)?.[1]

/** Returns what differs from what the server drew; rows are kept whole. @param {HTMLFormElement} form @returns {Values} */
function changesIn(form) {
  const [before, now] = [drawn.get(form) ?? {}, valuesOf(form, present)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const changed = names.filter((name) => before[name]?.join('\n') !== now[name]?.join('\n'))
  const rows = new Set(changed.flatMap((name) => rowsOf(name) ?? []))
  const kept = names.filter((name) => (rows.has(rowsOf(name) ?? '') ? name in now : changed.includes(name)))
  return Object.fromEntries(kept.map((name) => [name, now[name] ?? []]))
}

/** @param {HTMLFormElement} form @param {boolean} sent */
function save(form, sent = false) {
  const [values, key] = [changesIn(form), keyOf(form)]
  const text = JSON.stringify({ at: Date.now(), sent, values })
  if (Object.keys(values).length === 0 || text.length > MAX_LENGTH) return storage()?.removeItem(key)
  try {
    storage()?.setItem(key, text)
  } catch {
    storage()?.removeItem(key)
  }
  const all = keys().map((one) => [one, JSON.parse(storage()?.getItem(one) ?? '{}').at])
  for (const [oldest] of all.sort(([, a], [, b]) => b - a).slice(MAX_DRAFTS)) storage()?.removeItem(oldest)
}

/**
 * Fills a form from its draft, except what is typed already, and says so.
 * @param {HTMLFormElement} form
 * @param {Values} values
 */
function restore(form, values) {
  restoring.add(form)
  const typed = changesIn(form)
  form.dispatchEvent(new CustomEvent('draft', { detail: values }))
  for (const [name, kept] of Object.entries(values)) {
    const controls = controlsOf(form).filter((control) => control.name === name)
    if (!(name in typed)) controls.forEach((control, i) => fill(control, kept, i))
    for (const control of controls) control.closest('details')?.setAttribute('open', '')
  }
  form.dispatchEvent(new Event('input', { bubbles: true }))
  restoring.delete(form)
  const notice = document.createElement('div')
  notice.className = 'saying'
  notice.setAttribute('role', 'status')
  notice.append(/** @type {HTMLTemplateElement} */ (template).content.cloneNode(true))
  const discard = /** @type {HTMLButtonElement} */ (notice.querySelector('button'))
  discard.className = 'button plain'
  discard.addEventListener('click', () => {
    giveUp(form)
    location.reload()
  })
  form.before(notice)
}

/**
 * @param {Control} control
 * @param {string[]} kept
 * @param {number} i
 */
function fill(control, kept, i) {
  if (control instanceof HTMLSelectElement)
    for (const option of control.options) option.selected = kept.includes(option.value)
  else if (isTick(control)) control.checked = kept.includes(control.value)
  else if (control.type !== 'hidden') control.value = kept[i] ?? ''
}

/** @param {HTMLFormElement} form */
function giveUp(form) {
  over.add(form)
  storage()?.removeItem(keyOf(form))
}

/** @param {Event} event */
function keep({ target, isTrusted }) {
  const form = target instanceof HTMLFormElement ? target : /** @type {Control} */ (target).form
  if (!form || !drawn.has(form) || restoring.has(form) || (over.has(form) && !isTrusted)) return
  over.delete(form)
  save(form)
}

if (arrival?.type === 'navigate') {
  const isRefused = template !== null && document.querySelector('main .notice.error') !== null
  for (const key of isRefused ? keptForms().map(keyOf) : []) {
    const draft = JSON.parse(storage()?.getItem(key) ?? '{}')
    if (draft.sent !== true) continue
    storage()?.setItem(key, JSON.stringify({ ...draft, sent: false }))
    refused.add(key)
  }
  forgetDrafts(({ sent }) => sent === true)
}

if (template !== null) {
  document.addEventListener('DOMContentLoaded', () => {
    for (const form of keptForms()) {
      drawn.set(form, valuesOf(form, initial))
      const draft = JSON.parse(storage()?.getItem(keyOf(form)) ?? '{}')
      if (draft.values !== undefined && !refused.has(keyOf(form))) restore(form, draft.values)
    }
  })
  document.addEventListener('input', keep)
  document.addEventListener('change', keep)
  window.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    const isAsking = event.submitter?.getAttribute('formmethod') === 'get'
    if (!drawn.has(form) || event.defaultPrevented || isAsking) return
    over.add(form)
    save(form, true)
  })
  /** A link beside a form's buttons cancels it. */
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('form .actions a') : null
    const form = link?.closest('form')
    if (form && drawn.has(form)) giveUp(form)
  })
}
