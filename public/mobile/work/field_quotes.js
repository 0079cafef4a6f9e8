// @ts-check
// Writes a quote of the kept catalog at the door, and takes the customer's signature under it.

import { partCells, totalLines } from '../views/field_bill.js'
import { billWith, catalogShown, emptyBill } from '../views/field_shown.js'
import { el, money, numberIn, say } from '../views/field_words.js'
import { favoriteButtons, field, input, itemIn, itemList, readSignature, signatureFields } from './field_inputs.js'
import { phone } from './field_phone.js'
import { itemPicture } from './field_pictures.js'
import { priceBill } from './field_price.js'

/** @typedef {import('./field_phone.js').Visit} Visit */
/** @typedef {import('./field_inputs.js').Asked} Asked */
/** @typedef {import('./field_inputs.js').Sheet} Sheet */

/** Maximum lines of a quote (src/mobile/events/kinds/quote.ts). */
const MAX_LINES = 40

/** @param {Asked} asked @returns {Sheet} */
export function quoteSheet({ visit, before }) {
  const catalog = catalogShown()
  const lines = el('div', { class: 'field-quote', input: () => drawSum() })
  const sum = el('div', { role: 'status' })
  const boxes = () => /** @type {HTMLInputElement[]} */ ([...lines.querySelectorAll('[name="item"]')])
  const add = (/** @type {string} */ name, quantity = 1) => {
    const empty = boxes().find(({ value }) => value.trim() === '')
    if (empty !== undefined && name !== '') empty.value = name
    else if (boxes().length < MAX_LINES)
      lines.append(
        field(say('which_part'), input({ name: 'item', list: 'items', value: name, autofocus: boxes().length === 0 })),
        field(say('quantity'), input({ name: 'quantity', inputmode: 'decimal', value: quantity })),
      )
    drawSum()
  }
  const addLine = () => {
    add('')
    boxes().at(-1)?.focus()
  }
  const drawSum = () => {
    const priced = priceQuote(visit, catalog, valuesIn(lines))
    const pictures = valuesIn(lines).names.map((name) => itemPicture(itemIn(catalog, name)) || '')
    sum.replaceChildren(
      el('p', { class: 'field-items' }, ...pictures),
      typeof priced === 'string' ? '' : totalLines(priced.totals),
    )
  }
  for (const { catalog_item_id, quantity } of before['line_items'] ?? [])
    add(catalog.find(({ id }) => id === catalog_item_id)?.name ?? '', quantity)
  if (boxes().length === 0) add('')
  return {
    title: say('quote'),
    fields: [
      lines,
      itemList(catalog),
      el('button', { class: 'button quiet', type: 'button', click: addLine }, say('add_line')),
      favoriteButtons(catalog, add),
      sum,
      el(
        'p',
        {},
        el('a', { href: `/${phone.company}/quotes/new?customer_id=${visit.customer.id}` }, say('quote_online')),
      ),
    ],
    read: () => {
      const priced = priceQuote(visit, catalog, valuesIn(lines))
      if (typeof priced === 'string') return priced
      const { line_items, totals } = priced
      return { fields: { line_items, total_cents: totals.total_cents }, says: money(totals.total_cents) }
    },
  }
}

/** Returns what is typed into the lines. @param {HTMLElement} lines */
function valuesIn(lines) {
  /** @param {string} name */
  const all = (name) =>
    [.../** @type {NodeListOf<HTMLInputElement>} */ (lines.querySelectorAll(`[name="${name}"]`))].map(
      ({ value }) => value,
    )
  return { names: all('item'), counts: all('quantity') }
}

/**
 * Returns what lines come to, tax included, or what is wrong with them.
 * @param {Visit} visit
 * @param {import('./field_inputs.js').Catalog} catalog
 * @param {{ names: readonly string[], counts: readonly string[] }} typed
 */
function priceQuote(visit, catalog, { names, counts }) {
  const line_items = []
  let bill = /** @type {Visit['bill']} */ (emptyBill(visit))
  for (const [at, name] of names.entries()) {
    if (name.trim() === '') continue
    const [item, quantity] = [itemIn(catalog, name), numberIn(counts[at] ?? '')]
    if (item === undefined) return say('not_listed')
    if (!(quantity > 0)) return say('above_zero')
    line_items.push({ catalog_item_id: item.id, quantity })
    bill = billWith(bill, quantity, item)
  }
  const totals = bill === null || line_items.length === 0 ? null : priceBill(bill)
  return totals === null ? say('not_listed') : { line_items, totals }
}

/** @param {Asked} asked @returns {Sheet} */
export function quoteSignatureSheet(asked) {
  const { visit, before, value } = asked
  const quotes = visit.quotes ?? []
  const shown = quotes.find(({ act }) => act === (before['quote_act'] ?? value)) ?? quotes[0]
  return {
    title: say('sign_quote'),
    button: say('sign_quote'),
    fields:
      shown === undefined
        ? []
        : [
            el('ul', { class: 'field-bill' }, ...shown.lines.map((line) => el('li', {}, ...partCells(line)))),
            totalLines({ ...shown, deposit_cents: 0 }),
            ...signatureFields(asked),
          ],
    read: (data) => {
      const signed = readSignature(data)
      if (typeof signed === 'string' || shown === undefined) return signed
      const { act: quote_act, updated_at } = shown
      return { ...signed, fields: { quote_act, ...(updated_at !== null && { updated_at }), ...signed.fields } }
    },
  }
}
