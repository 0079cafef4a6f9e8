// @ts-check
// Writes a quote of the kept catalog at the door, with up to four options.

import { currentCatalog } from '../views/field_shown.js'
import { el, money, say } from '../views/field_words.js'
import { favoriteButtons, field, itemList } from '../work/field_inputs.js'
import { phone } from '../work/field_phone.js'
import { optionForm } from './field_option.js'

/** @typedef {import('../work/field_phone.js').Offer} Offer */
/** @typedef {import('../work/field_inputs.js').SheetRequest} SheetRequest*/
/** @typedef {import('../work/field_inputs.js').Sheet} Sheet */

/** Maximum options of a set (src/records/quotes/options/option.ts). */
const MAX_OPTIONS = 4

/** @param {SheetRequest} asked @returns {Sheet} */
export function quoteSheet({ visit, before }) {
  const catalog = currentCatalog()
  const list = el('div', { class: 'field-options' })
  const addButton = el('button', { class: 'button quiet', type: 'button', click: addOption }, say('add_option'))
  /** @type {ReturnType<typeof optionForm>[]} */
  let forms = []
  show(before['line_items'] === undefined ? [{}] : [before, ...(before['options'] ?? [])])
  return {
    title: say('quote'),
    fields: [
      before['line_items'] === undefined && templateField(show),
      list,
      itemList(catalog),
      favoriteButtons(catalog, (name) => forms.at(-1)?.add(name)),
      el('p', {}, addButton),
      el(
        'p',
        {},
        el('a', { href: `/${phone.company}/quotes/new?customer_id=${visit.customer.id}` }, say('quote_online')),
      ),
    ],
    read: () => {
      const [first, ...options] = forms.map((form) => form.read())
      const problem = [first, ...options].find((offer) => typeof offer === 'string')
      if (problem !== undefined || first === undefined) return String(problem)
      const totals = /** @type {Offer[]} */ ([first, ...options]).map(({ total_cents }) => total_cents)
      const [lowest, highest] = [Math.min(...totals), Math.max(...totals)].map(money)
      return {
        fields: { .../** @type {Offer} */ (first), ...(options.length > 0 && { options }) },
        says: lowest === highest ? (lowest ?? '') : `${lowest} – ${highest}`,
      }
    },
  }

  /** @param {readonly Partial<Offer>[]} offers */
  function show(offers) {
    forms = offers.map(newForm)
    arrange()
  }

  /** @param {Partial<Offer>} offer */
  function newForm(offer) {
    const remove = () => {
      forms = forms.filter((one) => one !== form)
      arrange()
    }
    const form = optionForm({ visit, catalog, offer, remove })
    return form
  }

  /** Adds an option that begins as the last one. */
  function addOption() {
    const last = forms.at(-1)?.read()
    forms = [...forms, newForm(typeof last === 'object' ? { ...last, title: '' } : {})]
    arrange()
    forms.at(-1)?.element.scrollIntoView({ block: 'start' })
  }

  function arrange() {
    list.replaceChildren(...forms.map(({ element }) => element))
    for (const [at, form] of forms.entries()) form.place(at, forms.length)
    addButton.hidden = forms.length >= MAX_OPTIONS
  }
}

/** Asks for a template to begin with, where the phone has some. @param {(offers: Offer[]) => void} use */
function templateField(use) {
  const templates = phone.day?.templates ?? []
  const choose = (/** @type {Event & { target: HTMLSelectElement }} */ { target }) => {
    const template = templates.find(({ id }) => id === target.value)
    if (template !== undefined) use(template.options)
  }
  return (
    templates.length > 0 &&
    field(
      say('template'),
      el(
        'select',
        { name: 'template', change: choose },
        el('option', { value: '' }, say('choose_template')),
        ...templates.map(({ id, name }) => el('option', { value: id }, name)),
      ),
    )
  )
}
