// @ts-check
// Turns a fact into its form where it stands, and saves it by the same POST; without script the form has its own page.

import { patch } from '../patch.js'

const columns = document.querySelector('.record-columns')
if (columns instanceof HTMLElement) {
  const styles = document.createElement('link')
  styles.rel = 'stylesheet'
  styles.href = columns.dataset['styles'] ?? ''
  document.head.append(styles)
}

/** @param {string} text */
const parse = (text) => new DOMParser().parseFromString(text, 'text/html')

document.addEventListener('click', (event) => {
  const { target, ctrlKey, metaKey, shiftKey, button } = /** @type {MouseEvent} */ (event)
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || ctrlKey || metaKey || shiftKey || button !== 0) return
  const editor = link.closest('.in-place')
  if (editor !== null && link.closest('.actions') !== null) {
    event.preventDefault()
    close(editor)
  } else if (link.matches('[data-edit]')) {
    event.preventDefault()
    void open(link)
  }
})

document.addEventListener('keydown', (event) => {
  const editor = event.target instanceof Element ? event.target.closest('.in-place') : null
  if (event.key !== 'Escape' || editor === null) return
  event.preventDefault()
  close(editor)
})

document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  const editor = form.closest('.in-place')
  if (editor === null || form.method !== 'post' || event.defaultPrevented) return
  event.preventDefault()
  void save(editor, form, event.submitter)
})

/** The form that is on its way; a second press asks anew. */
let opening = new AbortController()

/** @param {HTMLAnchorElement} link */
async function open(link) {
  document.querySelectorAll('.in-place').forEach(close)
  opening.abort()
  opening = new AbortController()
  const { signal } = opening
  const page = await fetch(link.href, { signal, headers: { accept: 'text/html' } })
    .then((answer) => (answer.ok && !answer.redirected ? answer.text() : undefined))
    .catch(() => undefined)
  if (signal.aborted) return
  const fact = link.closest('dd')
  const editor = document.createElement('dd')
  editor.className = 'in-place'
  if (page === undefined || fact === null || !fill(editor, page)) return location.assign(link.href)
  fact.hidden = true
  fact.after(editor)
  const field = editor.querySelector(FIELD)
  if (field instanceof HTMLElement) field.focus()
}

const FIELD = 'input:not([type=hidden]), select, textarea'

/** Puts the form of a page, and what is wrong with it, into the editor. @param {Element} editor @param {string} page */
function fill(editor, page) {
  const fresh = parse(page)
  const form = fresh.querySelector('main form.record-form')
  if (form === null) return false
  editor.replaceChildren(...fresh.querySelectorAll('main .ticket > .notice, main .ticket > .versions'), form)
  return true
}

/** @param {Element} editor */
function close(editor) {
  const fact = /** @type {HTMLElement | null} */ (editor.previousElementSibling)
  editor.remove()
  if (fact === null) return
  fact.hidden = false
  const link = fact.querySelector('[data-edit]')
  if (link instanceof HTMLElement) link.focus()
}

/**
 * @param {Element} editor
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function save(editor, form, submitter) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) if (typeof value === 'string') body.append(name, value)
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } }).catch(
    () => undefined,
  )
  if (answer === undefined) {
    form.removeAttribute('data-sent')
    return
  }
  const page = await answer.text()
  if (!answer.redirected) {
    if (!fill(editor, page)) location.reload()
    return
  }
  const [main, fresh] = [document.getElementById('main'), parse(page).getElementById('main')]
  if (new URL(answer.url).pathname !== location.pathname || main === null || fresh === null)
    return location.assign(answer.url)
  const href = editor.previousElementSibling?.querySelector('[data-edit]')?.getAttribute('href')
  close(editor)
  patch(main, fresh)
  const link = href == null ? null : document.querySelector(`[data-edit][href="${CSS.escape(href)}"]`)
  if (link instanceof HTMLElement) link.focus()
}

// Photos and files that are pasted or dropped anywhere on a page go through the form of its record.

const dropForm = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-drop]'))

/** @param {DataTransfer | null} data */
const filesOf = (data) => [...(data?.files ?? [])]

/** @param {DragEvent} event */
const hasFiles = (event) => event.dataTransfer?.types.includes('Files') === true

/** @param {File[]} files */
function upload(files) {
  const input = /** @type {HTMLInputElement | null} */ (dropForm?.querySelector('input[type=file][multiple]') ?? null)
  if (dropForm === null || input === null || files.length === 0) return
  const transfer = new DataTransfer()
  for (const file of files) transfer.items.add(file)
  input.files = transfer.files
  dropForm.requestSubmit()
}

if (dropForm !== null) {
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) document.body.classList.remove('dropping')
  })
  document.addEventListener('drop', (event) => {
    document.body.classList.remove('dropping')
    if (!hasFiles(event)) return
    event.preventDefault()
    upload(filesOf(event.dataTransfer))
  })
  document.addEventListener('paste', (event) => {
    const files = filesOf(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    upload(files)
  })
}
