// @ts-check
// Draws what a visit costs its customer, and the next step to its money.

import { isOpen } from '../quotes/field_offers.js'
import { hasPayment, invoiceKey } from '../work/field_money.js'
import { phone } from '../work/field_phone.js'
import { priceBill } from '../work/field_price.js'
import { el, icon, money, say } from './field_words.js'

/** @typedef {import('../work/field_phone.js').Visit} Visit */
/** @typedef {import('../work/field_phone.js').Quote} Quote */

/** Draws the parts of a visit with their prices, and what they come to. @param {Visit} visit */
export function billSection(visit) {
  const { parts, bill } = visit
  if (parts.length === 0 && visit.invoices.length === 0) return null
  const totals = bill === null ? null : priceBill(bill)
  return el(
    'section',
    { class: 'field-part' },
    el('h2', {}, say('parts')),
    el('ul', { class: 'field-bill' }, ...parts.map((line) => el('li', {}, ...partCells(line)))),
    totals !== null && totals.total_cents + totals.deposit_cents > 0
      ? totalLines(totals)
      : bill === null && visit.invoices.length === 0 && subtotalLine(parts),
    ...visit.invoices.map((invoice) => invoiceCard(visit, invoice)),
  )
}

/** @param {Visit['parts'][number]} part */
export const partCells = ({ name, quantity, unit, price_cents, total_cents }) => {
  const count = `${quantity} ${['', 'each'].includes(unit) ? '×' : unit}`
  if (price_cents === null || total_cents === null) return [`${count} ${name}`]
  return [el('span', {}, name, el('span', { class: 'help' }, `${count} ${money(price_cents)}`)), amount(total_cents)]
}

/** @param {number} cents */
const amount = (cents) => el('b', { class: 'field-amount' }, money(cents))

/** Draws the sum for who may see prices and not bill: what tax comes to they aren't told. @param {Visit['parts']} parts */
function subtotalLine(parts) {
  const cents = parts.reduce((sum, { total_cents }) => sum + (total_cents ?? NaN), 0)
  return Number.isNaN(cents) ? false : sumList([['before_tax', cents]])
}

/** @param {import('../work/field_price.js').BillTotals} totals */
export const totalLines = ({ subtotal_cents, discount_cents, tax_cents, deposit_cents, total_cents }) =>
  sumList([
    ...(discount_cents + tax_cents > 0 ? [line('subtotal', subtotal_cents)] : []),
    ...(discount_cents > 0 ? [line('discount', -discount_cents)] : []),
    ...(tax_cents > 0 ? [line('tax', tax_cents)] : []),
    ...(deposit_cents > 0 ? [line('deposit', -deposit_cents)] : []),
    line('total', total_cents),
  ])

/** @param {string} word @param {number} cents @returns {[string, number]} */
const line = (word, cents) => [word, cents]

/** @param {readonly [string, number][]} rows */
const sumList = (rows) =>
  el(
    'dl',
    { class: 'field-sums' },
    ...rows.map(([word, cents]) => el('div', {}, el('dt', {}, say(word)), el('dd', {}, money(cents)))),
  )

/**
 * @param {Visit} visit
 * @param {Visit['invoices'][number]} invoice
 * @param {{ word?: string, next?: Node | false }} [more]
 */
const invoiceCard = (visit, { id, display_number, total_cents, due_cents, receipt_to }, more = {}) =>
  card(
    `${say(more.word ?? 'invoice')} ${display_number}`.trim(),
    stateOf(total_cents, due_cents, receipt_to),
    total_cents,
    [
      phone.day?.may['payments'] === true &&
        due_cents > 0 &&
        (id === null
          ? el('span', { class: 'help' }, say('code_waits'))
          : cardButton('do-code', say('code'), { do: 'code', visit: visit.id, value: id })),
      more.next ?? false,
    ],
  )

/** Draws the quotes of a visit, each with what it comes to, and the way to its signature. @param {Visit} visit */
export const quoteSection = (visit) => {
  const quotes = visit.quotes ?? []
  const sets = [...new Set(quotes.map(({ act }) => act))].map((act) => quotes.filter((quote) => quote.act === act))
  return (
    sets.length > 0 &&
    el('section', { class: 'field-part' }, el('h2', {}, say('quotes')), ...sets.flatMap((set) => setCards(visit, set)))
  )
}

/** Draws a quote, or the options of which the customer signs one. @param {Visit} visit @param {readonly Quote[]} set */
function setCards(visit, set) {
  const [first, another] = set
  const sign = (/** @type {string} */ word) =>
    set.some(isOpen) &&
    cardButton(`sign-${first?.act}`, say(word), { do: 'quote_signature', visit: visit.id, value: first?.act ?? '' })
  return [
    ...set.flatMap((quote) => [
      card(
        another === undefined ? quote.display_number || say('quote') : `${quote.title} ${quote.display_number}`.trim(),
        el('span', { class: 'help' }, say(`quote_${quote.status}`)),
        quote.total_cents,
        [another === undefined && sign('sign_quote')],
      ),
      quote.deposit_invoice && depositCard(visit, quote.deposit_invoice),
    ]),
    another !== undefined && sign('compare_sign'),
  ]
}

/** Draws the invoice of a deposit with the ways to its money. @param {Visit} visit @param {Visit['invoices'][number]} invoice */
function depositCard(visit, invoice) {
  const { may, channels } = /** @type {NonNullable<typeof phone.day>} */ (phone.day)
  const value = invoiceKey(invoice)
  const step = (/** @type {string} */ does, /** @type {string} */ words) =>
    cardButton(`${does}-${value}`, words, { do: does, visit: visit.id, value })
  const isReceiptDue = channels.length > 0 && invoice.due_cents <= 0 && invoice.receipt_to === null
  const next =
    may['payments'] && invoice.due_cents > 0
      ? step('payment', say('take_payment', money(invoice.due_cents)))
      : may['receipts'] && isReceiptDue && step('receipt', say('send_receipt'))
  return invoiceCard(visit, invoice, { word: 'deposit', next: next ?? false })
}

/** @param {string} title @param {Node} state @param {number} cents @param {(Node | false)[]} next */
const card = (title, state, cents, next) =>
  el('div', { class: 'field-invoice' }, el('span', {}, el('b', {}, title), state), amount(cents), ...next)

/** @param {string} id @param {string} words @param {Record<string, string>} data */
const cardButton = (id, words, data) => {
  const attributes = Object.entries(data).map(([name, value]) => [`data-${name}`, value])
  return el('button', { class: 'button plain', type: 'button', id, ...Object.fromEntries(attributes) }, words)
}

/** @param {number} total @param {number} due @param {string | null} receipt */
const stateOf = (total, due, receipt) =>
  el(
    'span',
    { class: 'help' },
    due > 0 ? (due < total ? say('left_to_pay', money(due)) : say('to_pay')) : say('paid'),
    receipt !== null && ` · ${say('receipt_sent', receipt)}`,
  )

/** Draws the next step to a visit's money once the work is done. @param {Visit} visit @param {string} where */
export function moneyStep(visit, where) {
  const { may, channels } = /** @type {NonNullable<typeof phone.day>} */ (phone.day)
  if (visit.status !== 'done' || !may['payments']) return null
  const totals = visit.bill === null ? null : priceBill(visit.bill)
  const [due] = visit.invoices.filter(({ due_cents }) => due_cents > 0)
  if (visit.invoices.length === 0)
    return (
      visit.parts.length > 0 && totals !== null && button('invoice', say('make_invoice', money(totals.total_cents)))
    )
  if (due !== undefined) return button('payment', say('take_payment', money(due.due_cents)))
  const hasReceipt = visit.invoices.every((one) => !hasPayment(one) || one.receipt_to !== null)
  return may['receipts'] && channels.length > 0 && !hasReceipt && button('receipt', say('send_receipt'))

  /** @param {string} does @param {string} words */
  function button(does, words) {
    return el(
      'button',
      {
        class: 'button main field-step',
        type: 'button',
        id: `${does}-${where}`,
        'data-do': does,
        'data-visit': visit.id,
      },
      icon('money'),
      words,
    )
  }
}
