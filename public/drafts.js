// @ts-check
// Keeps what is typed into a form until it is sent, so that a reload, a step back or an ended session loses nothing.
// Drafts stay in this tab, and each is shown to the person who typed it.

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
/** @typedef {Record<string, string[]>} Values */

const PREFIX = 'draft '
const MAX_LENGTH = 100_000
const MAX_DRAFTS = 20
const SECRET = '[type=password], [autocomplete=one-time-code]'
const TYPED_FIELDS =
  'textarea, select, input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=submit])'
const EXCLUDED_TYPES = new Set(['submit', 'button', 'reset', 'image', 'file', 'password'])

const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById('draft'))
const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'))

/** Values of each form as the server drew it. @type {Map<HTMLFormElement, Values>} */
const initialValues = new Map()

/** Drafts that the server refused: this page shows their values. @type {Set<string>} */
const refusedKeys = new Set()

/** Forms that are being filled in from their draft. @type {Set<HTMLFormElement>} */
const restoring = new Set()

/**
 * Forms that were sent or given up. What scripts change in them begins no draft; what a person types does.
 * @type {Set<HTMLFormElement>}
 */
const finishedForms = new Set()

/**
 * Removes every draft of this tab, for example when the person signs out.
 * @param {(draft: { sent?: boolean }) => boolean} shouldRemove
 */
export function forgetDrafts(shouldRemove = () => true) {
  for (const key of keys()) if (shouldRemove(JSON.parse(storage()?.getItem(key) ?? '{}'))) storage()?.removeItem(key)
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
const draftForms = () =>
  [...document.forms].filter(
    (form) =>
      form.getAttribute('method') === 'post' &&
      form.querySelector(TYPED_FIELDS) !== null &&
      form.querySelector(SECRET) === null,
  )

/** @param {HTMLFormElement} form */
function draftKey(form) {
  const sameAction = [...document.forms].filter(({ action }) => action === form.action)
  const { pathname, search } = new URL(form.action)
  return `${PREFIX}${template?.dataset['person']} ${location.pathname} ${pathname}${search} ${sameAction.indexOf(form)}`
}

/** @param {HTMLFormElement} form @returns {Control[]} */
const controlsOf = (form) =>
  /** @type {Control[]} */ ([...form.elements]).filter(
    ({ name, type, dataset }) =>
      name !== '' && type !== undefined && !EXCLUDED_TYPES.has(type) && (type !== 'hidden' || 'draft' in dataset),
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
function currentValues(control) {
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map(({ value }) => value)
  return isCheckable(control) && !control.checked ? [] : [control.value]
}

/** @param {Control} control @returns {string[]} */
function defaultValues(control) {
  if (control instanceof HTMLSelectElement) {
    const chosen = [...control.options].filter(({ defaultSelected }) => defaultSelected)
    return (chosen.length > 0 || control.multiple ? chosen : [...control.options].slice(0, 1)).map(({ value }) => value)
  }
  if (isCheckable(control)) return control.defaultChecked ? [control.value] : []
  return [control.defaultValue]
}

/** @param {Control} control @returns {control is HTMLInputElement} */
const isCheckable = (control) => control.type === 'checkbox' || control.type === 'radio'

/** Name of the rows that a field belongs to: `lines` of `lines.2.name`. @param {string} name */
const rowGroup = (name) => /^(.+)\.\d+\./.exec(name)?.[1]

/** Returns what differs from what the server drew; rows are kept whole. @param {HTMLFormElement} form @returns {Values} */
function changedValues(form) {
  const [before, now] = [initialValues.get(form) ?? {}, valuesOf(form, currentValues)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const changed = names.filter((name) => before[name]?.join('\n') !== now[name]?.join('\n'))
  const rows = new Set(changed.flatMap((name) => rowGroup(name) ?? []))
  const draftNames = names.filter((name) => (rows.has(rowGroup(name) ?? '') ? name in now : changed.includes(name)))
  return Object.fromEntries(draftNames.map((name) => [name, now[name] ?? []]))
}

/** @param {HTMLFormElement} form @param {boolean} sent */
function save(form, sent = false) {
  const [values, key] = [changedValues(form), draftKey(form)]
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
  const typedValues = changedValues(form)
  form.dispatchEvent(new CustomEvent('draft', { detail: values }))
  for (const [name, fieldValues] of Object.entries(values)) {
    const controls = controlsOf(form).filter((control) => control.name === name)
    if (!(name in typedValues)) controls.forEach((control, i) => fill(control, fieldValues, i))
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
    discardDraft(form)
    location.reload()
  })
  form.before(notice)
}

/**
 * @param {Control} control
 * @param {string[]} fieldValues
 * @param {number} i
 */
function fill(control, fieldValues, i) {
  if (control instanceof HTMLSelectElement)
    for (const option of control.options) option.selected = fieldValues.includes(option.value)
  else if (isCheckable(control)) control.checked = fieldValues.includes(control.value)
  else if (control.type !== 'hidden') control.value = fieldValues[i] ?? ''
}

/** @param {HTMLFormElement} form */
function discardDraft(form) {
  finishedForms.add(form)
  storage()?.removeItem(draftKey(form))
}

/** @param {Event} event */
function saveOnInput({ target, isTrusted }) {
  const form = target instanceof HTMLFormElement ? target : /** @type {Control} */ (target).form
  if (!form || !initialValues.has(form) || restoring.has(form) || (finishedForms.has(form) && !isTrusted)) return
  finishedForms.delete(form)
  save(form)
}

if (navigation?.type === 'navigate') {
  const isRefused = template !== null && document.querySelector('main .notice.error') !== null
  for (const key of isRefused ? draftForms().map(draftKey) : []) {
    const draft = JSON.parse(storage()?.getItem(key) ?? '{}')
    if (draft.sent !== true) continue
    storage()?.setItem(key, JSON.stringify({ ...draft, sent: false }))
    refusedKeys.add(key)
  }
  forgetDrafts(({ sent }) => sent === true)
}

if (template !== null) {
  document.addEventListener('DOMContentLoaded', () => {
    for (const form of draftForms()) {
      initialValues.set(form, valuesOf(form, defaultValues))
      const draft = JSON.parse(storage()?.getItem(draftKey(form)) ?? '{}')
      if (draft.values !== undefined && !refusedKeys.has(draftKey(form))) restore(form, draft.values)
    }
  })
  document.addEventListener('input', saveOnInput)
  document.addEventListener('change', saveOnInput)
  window.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    const isGetSubmit = event.submitter?.getAttribute('formmethod') === 'get'
    if (!initialValues.has(form) || event.defaultPrevented || isGetSubmit) return
    finishedForms.add(form)
    save(form, true)
  })
  /** A link beside a form's buttons cancels it. */
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('form .actions a') : null
    const form = link?.closest('form')
    if (form && initialValues.has(form)) discardDraft(form)
  })
}
