// @ts-check
// Makes the form of a quote, or of one of its options, and reads it.

import { totalLines } from '../views/field_bill.js'
import { digits, el, money, parseNumber, say } from '../views/field_words.js'
import { field, input, findItemByName } from '../work/field_inputs.js'
import { itemPicture } from '../work/field_pictures.js'
import { depositOf, priceBill } from '../work/field_price.js'
import { billOf, itemById } from './field_offers.js'

/** @typedef {import('../work/field_phone.js').Visit} Visit */
/** @typedef {import('../work/field_phone.js').Offer} Offer */
/** @typedef {import('../work/field_inputs.js').Catalog} Catalog */
/** @typedef {import('../work/field_price.js').Share} Share */

/** Maximum lines of a quote, and lines that may be added (src/mobile/events/kinds/quote.ts). */
const [MAX_LINES, MAX_OPTIONAL_LINES] = [40, 20]

/**
 * @param {{ visit: Visit, catalog: Catalog, offer: Partial<Offer>, remove(): void }} given
 */
export function optionForm({ visit, catalog, offer, remove }) {
  const { deposit = null, terms = null } = offer
  const title = input({ name: 'title', value: offer.title ?? '' })
  let placedTitle = ''
  const titleField = field(say('option_title'), title)
  const lines = lineList(catalog, MAX_LINES)
  const optional = lineList(catalog, MAX_OPTIONAL_LINES)
  const discount = discountFields(offer.discount ?? null)
  const sum = el('div', { role: 'status' })
  const optionalPart = el(
    'div',
    { role: 'group', 'aria-label': say('optional_lines') },
    el('b', {}, say('optional_lines')),
    el('p', { class: 'help' }, say('optional_help')),
    optional.box,
  )
  const addOptional = () => {
    optionalPart.hidden = false
    optional.add('')
  }
  const removeButton = el('button', { class: 'button quiet', type: 'button', click: remove }, say('remove_option'))
  const element = el(
    'section',
    { class: 'field-option', input: () => draw() },
    titleField,
    lines.box,
    optionalPart,
    el(
      'p',
      { class: 'actions' },
      el('button', { class: 'button quiet', type: 'button', click: () => lines.add('') }, say('add_line')),
      el('button', { class: 'button quiet', type: 'button', click: addOptional }, say('add_optional')),
      removeButton,
    ),
    discount.box,
    terms !== null &&
      el('details', {}, el('summary', {}, say('terms')), el('p', { class: 'field-terms', tabindex: 0 }, terms)),
    sum,
  )
  for (const line of offer.line_items ?? []) lines.append(line)
  for (const line of offer.optional_lines ?? []) optional.append(line)
  if (lines.names().length === 0) lines.add('')
  optionalPart.hidden = optional.names().length === 0
  draw()
  return {
    element,
    read,
    place,
    add: (/** @type {string} */ name) =>
      (lines.add(name), draw()),
  }

  /** Shows its title and that it can be removed only beside others. @param {number} at @param {number} count */
  function place(at, count) {
    titleField.hidden = count === 1
    removeButton.hidden = count === 1
    if (count > 1 && title.value === '') title.value = placedTitle = say('option_name', at + 1)
    else if (count === 1 && title.value === placedTitle) title.value = ''
    element.setAttribute('aria-label', count > 1 ? say('option_name', at + 1) : say('quote'))
  }

  function draw() {
    const result = readOffer()
    const pictures = lines.names().map((name) => itemPicture(findItemByName(catalog, name)) || '')
    sum.replaceChildren(el('p', { class: 'field-items' }, ...pictures))
    if (typeof result === 'string') return
    sum.append(totalLines({ ...result.totals, deposit_cents: 0 }))
    const due = deposit === null ? 0 : depositOf(deposit, result.totals.total_cents)
    if (due > 0) sum.append(el('p', { class: 'help' }, say('deposit_due', money(due))))
  }

  /** Returns what is offered, or what is wrong with it. @returns {Offer | string} */
  function read() {
    const result = readOffer()
    return typeof result === 'string' ? result : result.offer
  }

  function readOffer() {
    const [line_items, optional_lines, share] = [lines.read(), optional.read(), discount.read()]
    if (typeof line_items === 'string') return line_items
    if (typeof optional_lines === 'string') return optional_lines
    if (typeof share === 'string') return share
    const bill = line_items.length === 0 ? null : billOf(visit, { line_items, optional_lines, discount: share })
    if (bill === null) return say('not_listed')
    const totals = priceBill({ ...bill, rate: null })
    if (totals === null) return say('discount_too_large')
    const name = title.value.trim()
    const isOverTotal = deposit?.type === 'amount' && deposit.value > totals.total_cents
    return {
      totals,
      offer: {
        ...(name !== '' && { title: name }),
        line_items,
        ...(optional_lines.length > 0 && { optional_lines }),
        ...(share !== null && { discount: share }),
        ...(deposit !== null && { deposit: isOverTotal ? { type: 'percent', value: 100 } : deposit }),
        ...(terms !== null && { terms }),
        total_cents: totals.total_cents,
      },
    }
  }
}

/** Makes a list of items and how many of each. @param {Catalog} catalog @param {number} max */
function lineList(catalog, max) {
  const box = el('div', { class: 'field-quote' })
  const inputs = (/** @type {string} */ name) =>
    /** @type {HTMLInputElement[]} */ ([...box.querySelectorAll(`[name="${name}"]`)])
  const valuesOf = (/** @type {string} */ name) => inputs(name).map(({ value }) => value)
  const draw = (/** @type {string} */ name, /** @type {number | string} */ quantity) =>
    box.append(
      field(say('which_part'), input({ name: 'item', list: 'items', value: name, autofocus: true })),
      field(say('quantity'), input({ name: 'quantity', inputmode: 'decimal', value: quantity })),
    )
  /** Adds a line as it was written; an item that is gone by now is left for the person to replace. */
  const append = (/** @type {import('../work/field_phone.js').OfferLine} */ { catalog_item_id, quantity }) =>
    draw(itemById(catalog_item_id)?.name ?? '', quantity)
  /** Fills an empty line before it adds another. */
  const add = (/** @type {string} */ name) => {
    const empty = inputs('item').find(({ value }) => value.trim() === '')
    if (empty !== undefined && name !== '') empty.value = name
    else if (inputs('item').length < max) draw(name, 1)
    if (name === '') inputs('item').at(-1)?.focus()
  }
  /** Returns the lines, or what is wrong with one. */
  const read = () => {
    const counts = valuesOf('quantity')
    const lines = []
    for (const [at, name] of valuesOf('item').entries()) {
      if (name.trim() === '') continue
      const [item, quantity] = [findItemByName(catalog, name), parseNumber(counts[at] ?? '')]
      if (item === undefined) return say('not_listed')
      if (!(quantity > 0)) return say('above_zero')
      lines.push({ catalog_item_id: item.id, quantity })
    }
    return lines
  }
  return { box, add, append, read, names: () => valuesOf('item') }
}

/** Makes the fields of what is taken off the whole. @param {Share | null} share */
function discountFields(share) {
  const scale = 10 ** digits()
  const initialValue =
    share === null ? '' : share.type === 'percent' ? share.value : (share.value / scale).toFixed(digits())
  const value = input({ name: 'discount', inputmode: 'decimal', value: initialValue })
  const type = /** @type {HTMLSelectElement} */ (
    el(
      'select',
      { name: 'discount_type' },
      ...['percent', 'amount'].map((one) => el('option', { value: one, selected: one === share?.type }, say(one))),
    )
  )
  /** Returns the discount, null for none, or what is wrong with it. @returns {Share | null | string} */
  const read = () => {
    if (value.value.trim() === '') return null
    const typed = parseNumber(value.value)
    if (!(typed > 0)) return say('above_zero')
    if (type.value === 'amount') return { type: 'amount', value: Math.round(typed * scale) }
    return typed > 100 ? say('discount_too_large') : { type: 'percent', value: typed }
  }
  const box = el(
    'details',
    { open: share !== null },
    el('summary', {}, say('discount')),
    el('div', { class: 'field-pair' }, field(say('discount'), value), field(say('discount_in'), type)),
  )
  return { box, read }
}
