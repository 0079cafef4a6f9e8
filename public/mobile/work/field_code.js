// @ts-check
// Shows a code that the customer's phone reads to pay: a link to the invoice, made by the service, so it needs a signal.

import { el, money, part, say } from '../views/field_words.js'
import { currentVisit } from '../views/field_shown.js'
import { showMessage } from './field_acting.js'
import { phone, findVisit } from './field_phone.js'
import { ServiceUnavailableError, request, readBody, sendAndSync } from './field_sending.js'

/** Interval in milliseconds at which an open code looks whether it was paid. */
const POLL_INTERVAL = 5_000

/**
 * Shows the code of a visit's invoice until it is closed or paid.
 * @param {string} id
 * @param {string} invoice
 */
export async function showCode(id, invoice) {
  const visit = findVisit(id)
  if (visit === undefined) return showMessage(say('gone'))
  const dialog = /** @type {HTMLDialogElement} */ (part('sheet'))
  const panel = el('div', { class: 'field-code', role: 'status' }, say('loading'))
  dialog.replaceChildren(
    el('h2', { id: 'sheet-title', tabindex: -1, autofocus: true }, say('code_title')),
    panel,
    el(
      'p',
      { class: 'actions' },
      el('button', { class: 'button plain', type: 'button', click: () => dialog.close() }, say('close')),
    ),
  )
  dialog.showModal()
  const payCode = await makeCode(invoice)
  if (typeof payCode === 'string') return panel.replaceChildren(payCode)
  panel.replaceChildren(
    codeSvg(payCode.code),
    el('b', { class: 'field-code-due' }, money(payCode.due_cents)),
    el('span', {}, say(payCode.online ? 'code_help' : 'code_offline')),
  )
  await sendAndSync()
  pollPayment(dialog, panel, id, invoice)
}

/**
 * Returns the code, or why there is none.
 * @param {string} invoice
 * @returns {Promise<{ url: string, online: boolean, due_cents: number, code: { size: number, path: string } } | string>}
 */
async function makeCode(invoice) {
  try {
    const answer = await request(`pay-codes/${invoice}`, { method: 'POST' })
    const payCode = await readBody(answer)
    return answer.ok ? payCode : (payCode.error_description ?? say('not_taken', answer.status))
  } catch (error) {
    return say(error instanceof ServiceUnavailableError ? 'code_needs_signal' : phone.trouble || 'code_needs_signal')
  }
}

/**
 * Looks whether the invoice was paid while its code is open.
 * @param {HTMLDialogElement} dialog
 * @param {HTMLElement} panel
 * @param {string} id
 * @param {string} invoice
 */
function pollPayment(dialog, panel, id, invoice) {
  const timer = setInterval(async () => {
    if (!dialog.open || !dialog.contains(panel)) return clearInterval(timer)
    if (document.hidden) return
    await sendAndSync()
    const visit = findVisit(id)
    const due = visit && currentVisit(visit).invoices.find((one) => one.id === invoice)?.due_cents
    if (due === undefined || due > 0) return
    clearInterval(timer)
    panel.replaceChildren(el('b', { class: 'field-code-due' }, say('paid')))
  }, POLL_INTERVAL)
}

const SVG = 'http://www.w3.org/2000/svg'

/** @param {{ size: number, path: string }} code */
function codeSvg({ size, path }) {
  const svg = document.createElementNS(SVG, 'svg')
  for (const [name, value] of Object.entries({
    class: 'qr',
    viewBox: `0 0 ${size} ${size}`,
    role: 'img',
    'aria-label': say('code'),
    'shape-rendering': 'crispEdges',
  }))
    svg.setAttribute(name, value)
  const dark = document.createElementNS(SVG, 'path')
  dark.setAttribute('d', path)
  svg.append(dark)
  return svg
}
