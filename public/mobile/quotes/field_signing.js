// @ts-check
// Shows a customer what a quote offers, its options beside each other, and takes the signature under the one they choose.

import { partCells, totalLines } from '../views/field_bill.js'
import { el, money, say } from '../views/field_words.js'
import { readSignature, signatureFields } from '../work/field_inputs.js'
import { isOpen, totalsOf } from './field_offers.js'

/** @typedef {import('../work/field_phone.js').Quote} Quote */
/** @typedef {import('../work/field_inputs.js').SheetRequest} SheetRequest*/
/** @typedef {import('../work/field_inputs.js').Sheet} Sheet */

/** @param {SheetRequest} request @returns {Sheet} */
export function quoteSignatureSheet(request) {
  const { visit, before, value } = request
  const quotes = visit.quotes ?? []
  const namedQuote = quotes.find(({ act }) => act === (before['quote_act'] ?? value)) ?? quotes[0]
  const offers = quotes.filter((quote) => quote.act === namedQuote?.act && isOpen(quote))
  const [only, another] = offers
  const cards = offers.map((quote) =>
    optionCard(quote, {
      isOnly: another === undefined,
      ticks: (quote.option ?? 0) === (before['option'] ?? 0) ? (before['optional_lines'] ?? []) : [],
      isChosen: before['name'] !== undefined && (quote.option ?? 0) === (before['option'] ?? 0),
    }),
  )
  return {
    title: say(another === undefined ? 'sign_quote' : 'options'),
    button: only === undefined ? '' : say('sign_quote'),
    fields:
      only === undefined
        ? [el('p', {}, say('quote_over'))]
        : [el('div', { class: 'field-options' }, ...cards.map(({ element }) => element)), ...signatureFields(request)],
    read: (data) => {
      const chosen =
        another === undefined ? cards[0] : cards.find(({ option }) => String(option) === data.get('option'))
      if (chosen === undefined) return say('choose_option')
      const signature = readSignature(data)
      return typeof signature === 'string'
        ? signature
        : { ...signature, fields: { ...chosen.read(), ...signature.fields } }
    },
  }
}

/**
 * Draws an option: what it offers, what may be added, and what it comes to with that.
 * @param {Quote} quote
 * @param {{ isOnly: boolean, isChosen: boolean, ticks: readonly number[] }} shown
 */
function optionCard(quote, { isOnly, isChosen, ticks }) {
  const { act: quote_act, option = 0, optional_lines = [], updated_at, terms } = quote
  const boxes = optional_lines.map((line, at) => ({
    line,
    at,
    box: /** @type {HTMLInputElement} */ (el('input', { type: 'checkbox', checked: ticks.includes(at) })),
  }))
  const chosen = () => boxes.filter(({ box }) => box.checked).map(({ at }) => at)
  const sum = el('div', { role: 'status' })
  const draw = () => {
    const { deposit_cents, ...totals } = totalsOf(quote, chosen())
    sum.replaceChildren(
      totalLines({ ...totals, deposit_cents: 0 }),
      deposit_cents > 0 ? el('p', { class: 'help' }, say('deposit_due', money(deposit_cents))) : '',
    )
  }
  draw()
  const element = el(
    'section',
    { class: 'field-option', change: draw, 'aria-label': quote.title },
    isOnly
      ? quote.title !== undefined && el('h3', {}, quote.title)
      : el(
          'label',
          { class: 'field-tick' },
          el('input', { type: 'radio', name: 'option', value: option, checked: isChosen }),
          el('b', {}, quote.title),
        ),
    el('ul', { class: 'field-bill' }, ...quote.lines.map((line) => el('li', {}, ...partCells(line)))),
    boxes.length > 0 && el('p', { class: 'help' }, say('optional_choose')),
    boxes.length > 0 &&
      el(
        'ul',
        { class: 'field-bill' },
        ...boxes.map(({ line, box }) => el('li', {}, el('label', { class: 'field-tick' }, box, ...partCells(line)))),
      ),
    sum,
    terms && el('p', { class: 'field-terms', tabindex: 0, 'aria-label': say('terms') }, terms),
  )
  return { element, option, read }

  /** Names what is signed; a quote without a choice needs no more than its act. */
  function read() {
    const optional = chosen()
    return {
      quote_act,
      ...(option > 0 && { option }),
      ...(optional.length > 0 && { optional_lines: optional, total_cents: totalsOf(quote, optional).total_cents }),
      ...(updated_at !== null && { updated_at }),
    }
  }
}
