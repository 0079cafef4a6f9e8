// @ts-check
// Computes what quotes of the kept catalog offer and come to, before the service has them.

import { phone } from '../work/field_phone.js'
import { depositOf, priceBill } from '../work/field_price.js'

/** @typedef {import('../work/field_phone.js').Visit} Visit */
/** @typedef {import('../work/field_phone.js').Quote} Quote */
/** @typedef {import('../work/field_phone.js').Offer} Offer */
/** @typedef {NonNullable<typeof phone.day>['catalog'][number]} Item */

/** Returns what a quote of a visit is added up from, or null where its tax isn't known. @param {Visit} visit */
const emptyBill = ({ quote_tax: tax }) => (tax ? { lines: [], ...tax, deposit_cents: 0 } : null)

/**
 * Returns a bill with one more item, or null where its price isn't known.
 * @param {Visit['bill']} bill
 * @param {number} quantity
 * @param {Item | undefined} item
 */
export const billWith = (bill, quantity, item) => {
  if (bill === null || item === undefined || item.price_cents === null) return null
  const rate = item.rate === undefined ? bill.rate : item.rate
  return { ...bill, lines: [...bill.lines, { quantity, unit_price_cents: item.price_cents, rate }] }
}

/** @param {string} id */
export const itemById = (id) => phone.day?.catalog.find((item) => item.id === id)

/** Returns an item as a line of a visit or of a quote. @param {Item | undefined} item @param {number} quantity */
export function toPart(item, quantity) {
  const price_cents = item?.price_cents ?? null
  const total_cents = price_cents === null ? null : Math.round(quantity * price_cents)
  return { name: item?.name ?? '', quantity, unit: item?.unit ?? '', price_cents, total_cents }
}

/**
 * Returns what an offer is added up from, or null where a price isn't known.
 * @param {Visit} visit
 * @param {Pick<Offer, 'line_items' | 'optional_lines' | 'discount'>} offer
 */
export function billOf(visit, { line_items, optional_lines = [], discount = null }) {
  const [bill, optional] = [line_items, optional_lines].map((lines) =>
    lines.reduce(
      (before, { catalog_item_id, quantity }) => billWith(before, Number(quantity), itemById(catalog_item_id)),
      /** @type {Visit['bill']} */ (emptyBill(visit)),
    ),
  )
  return bill && optional ? { ...bill, optional: optional.lines, discount } : null
}

/**
 * Returns what a quote comes to with some of its optional lines, and what is due up front.
 * @param {Quote} quote
 * @param {readonly number[]} ticks positions of lines
 */
export function totalsOf(quote, ticks) {
  const { bill = null, deposit = null } = quote
  const chosen = ticks.flatMap((at) => bill?.optional[at] ?? [])
  const priced =
    bill === null || chosen.length === 0
      ? quote
      : (priceBill({ ...bill, lines: [...bill.lines, ...chosen], rate: null, deposit_cents: 0 }) ?? quote)
  const { subtotal_cents, discount_cents, tax_cents, total_cents } = priced
  const deposit_cents = deposit === null ? 0 : depositOf(deposit, total_cents)
  return { subtotal_cents, discount_cents, tax_cents, total_cents, deposit_cents }
}

/**
 * Returns the quotes that an act makes, as the day will have them.
 * @param {Visit} visit
 * @param {import('../work/field_phone.js').FieldEvent} event
 * @returns {Quote[]}
 */
export const quotesOf = (visit, event) =>
  [event, ...(event['options'] ?? [])].map((/** @type {any} */ one, option) => {
    const offer = /** @type {Offer} */ (one)
    const bill = billOf(visit, offer)
    const totals = bill === null ? null : priceBill({ ...bill, rate: null })
    const [lines, optional_lines] = [offer.line_items, offer.optional_lines ?? []].map((all) =>
      all.map(({ catalog_item_id, quantity }) => toPart(itemById(catalog_item_id), Number(quantity))),
    )
    return {
      act: event.id,
      option,
      id: null,
      display_number: '',
      title: offer.title ?? visit.title,
      status: 'draft',
      updated_at: null,
      ...(totals ?? { subtotal_cents: 0, discount_cents: 0, tax_cents: 0 }),
      total_cents: offer.total_cents,
      lines: lines ?? [],
      optional_lines: optional_lines ?? [],
      bill,
      terms: offer.terms ?? null,
      deposit: offer.deposit ?? null,
      deposit_invoice: null,
    }
  })

/** Checks whether a quote waits for an answer. @param {Quote} quote */
export const isOpen = ({ status }) => status === 'draft' || status === 'sent'

/**
 * Returns the quotes of a visit once one of them is signed: it is accepted, and the others of its set are closed.
 * @param {readonly Quote[]} quotes
 * @param {import('../work/field_phone.js').FieldEvent} act
 * @returns {Quote[]}
 */
export const withSignedQuote = (quotes, { id, quote_act, option = 0, optional_lines: ticks = [] }) =>
  quotes.map((quote) => {
    if (quote.act !== quote_act || !isOpen(quote)) return quote
    if ((quote.option ?? 0) !== option) return { ...quote, status: 'declined' }
    const { deposit_cents: due_cents, ...totals } = totalsOf(quote, ticks)
    const added = ticks.flatMap((/** @type {number} */ at) => quote.optional_lines?.[at] ?? [])
    const invoice = { id: null, act: id, display_number: '', status: 'sent', receipt_to: null }
    return {
      ...quote,
      ...totals,
      status: 'accepted',
      lines: [...quote.lines, ...added],
      optional_lines: [],
      deposit_invoice:
        due_cents > 0 && phone.day?.may['payments'] ? { ...invoice, total_cents: due_cents, due_cents } : null,
    }
  })

/** Lists the invoices of a visit, those of deposits too. @param {Visit} visit */
export const invoicesOf = ({ invoices, quotes = [] }) => [
  ...invoices,
  ...quotes.flatMap(({ deposit_invoice }) => deposit_invoice ?? []),
]
