// @ts-check
// Asks how a customer paid, and where the receipt goes.

import { invoicesOf } from '../quotes/field_offers.js'
import { digits, el, money, parseNumber, say } from '../views/field_words.js'
import { field, input, textOf } from './field_inputs.js'
import { phone } from './field_phone.js'

/** @typedef {import('./field_phone.js').Visit} Visit */
/** @typedef {import('./field_inputs.js').SheetRequest} SheetRequest*/
/** @typedef {import('./field_inputs.js').Sheet} Sheet */
/** @typedef {Visit['invoices'][number]} Invoice */

/** Names an invoice by its id, or by the act that makes it. @param {Invoice} invoice */
export const invoiceKey = ({ id, act }) => id ?? act ?? ''

/** @param {Invoice} invoice */
const invoiceReference = ({ id, act }) => (id === null ? { invoice_act: act } : { invoice_id: id })

/** @param {Invoice} invoice */
export const hasPayment = ({ total_cents, due_cents }) => total_cents > 0 && due_cents < total_cents

/** @param {SheetRequest} asked @returns {Sheet} */
export function paymentSheet({ visit, before, value }) {
  const preselected = before['invoice_id'] ?? before['invoice_act'] ?? value
  const due = invoicesOf(visit)
    .filter(({ due_cents }) => due_cents > 0)
    .sort((a, b) => Number(invoiceKey(b) === preselected) - Number(invoiceKey(a) === preselected))
  const [only, another] = due
  const scale = 10 ** digits()
  const amount = (before['amount_cents'] ?? only?.due_cents ?? 0) / scale
  return {
    title: say('payment'),
    button: '',
    fields: [
      another === undefined
        ? el('input', { type: 'hidden', name: 'invoice', value: only === undefined ? '' : invoiceKey(only) })
        : field(
            say('invoice'),
            el(
              'select',
              { name: 'invoice' },
              ...due.map((one) =>
                el('option', { value: invoiceKey(one) }, `${one.display_number} · ${money(one.due_cents)}`),
              ),
            ),
          ),
      field(say('amount'), input({ name: 'amount', inputmode: 'decimal', value: amount.toFixed(digits()) })),
      field(say('reference'), input({ name: 'reference', maxlength: 100, value: before['reference'] ?? '' })),
      el(
        'div',
        { class: 'field-choices', role: 'group', 'aria-label': say('method') },
        ...['cash', 'check'].map((method) => el('button', { class: 'button', value: method }, say(method))),
      ),
    ],
    read: (data, pressed) => {
      const invoice = due.find((one) => invoiceKey(one) === textOf(data, 'invoice'))
      const cents = Math.round(parseNumber(textOf(data, 'amount')) * scale)
      const method = pressed || 'cash'
      const reference = textOf(data, 'reference')
      if (invoice === undefined || !(cents > 0) || cents > invoice.due_cents)
        return say('over_due', money(invoice?.due_cents ?? 0))
      return {
        fields: { ...invoiceReference(invoice), amount_cents: cents, method, ...(reference !== '' && { reference }) },
        says: money(cents),
      }
    },
  }
}

/** @param {SheetRequest} asked @returns {Sheet} */
export function receiptSheet({ visit, before, value }) {
  const channels = phone.day?.channels ?? []
  const paid = invoicesOf(visit).filter(hasPayment)
  const invoice =
    paid.find((one) => invoiceKey(one) === value) ?? paid.find(({ receipt_to }) => receipt_to === null) ?? paid[0]
  const addresses = [
    ...(visit.email !== null && channels.includes('email') ? [visit.email] : []),
    ...(visit.contact?.may_text && channels.includes('sms') ? [visit.contact.phone] : []),
  ]
  return {
    title: say('send_receipt'),
    button: say('send'),
    fields: [
      addresses.length > 0 &&
        el(
          'div',
          { class: 'field-choices field-addresses' },
          ...addresses.map((to) => el('button', { class: 'button', value: to }, to)),
        ),
      field(
        say(addresses.length > 0 ? 'another_address' : channels.length > 1 ? 'email_or_phone' : `to_${channels[0]}`),
        input({ name: 'to', maxlength: 254, value: before['to'] ?? '', autofocus: addresses.length === 0 }),
      ),
    ],
    read: (data, pressed) => {
      const to = pressed || textOf(data, 'to')
      const channel = to.includes('@') ? 'email' : 'sms'
      if (to === '' || invoice === undefined || !channels.includes(channel)) return say('give_address')
      return { fields: { ...invoiceReference(invoice), channel, to }, says: to }
    },
  }
}
