import { button } from '../../platform/html/parts/button.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import { say } from '../../platform/i18n/say.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { findNextPrice, hasOwnPrice } from '../catalog_items/index.ts'
import { choicesField, dayField, moneyField } from '../fields/fields.ts'
import { day, money } from '../format/formats.ts'
import { customerCell, recordLink } from '../page/links.ts'
import type { PageContext } from '../page/page_context.ts'
import { part } from '../page/parts.ts'
import type { Action } from '../page/screen.ts'
import { listChangeable, previewRecurring } from './recurring_work.ts'

type Item = { id: string; kind: Parameters<typeof hasOwnPrice>[0]['kind']; unit_price_cents?: number | null }

/** Returns the actions for the scheduled price of an item. */
export const priceActions = (item: Item & { pricing?: unknown }): Action[] =>
  !hasOwnPrice(item)
    ? []
    : [
        {
          wire: 'catalog_items_schedule_price',
          label: say`Change price from a day`,
          notice: say`The new price is set. Check below what changes.`,
          warning: say`From that day, everything new uses it. Existing documents keep their prices.`,
          fields: [
            moneyField({ name: 'unit_price_cents', label: say`New price`, isRequired: true }),
            dayField({ name: 'from', label: say`Starts on`, isRequired: true }),
            recurringField(item),
          ],
        },
        {
          wire: 'catalog_items_cancel_price',
          label: say`Cancel the new price`,
          notice: say`The price stays as it is`,
          isHidden: true,
        },
      ]

/** Returns the field for the recurring work that takes the new price; all of it is selected by default. */
const recurringField = ({ id, unit_price_cents }: Item) => {
  const field = choicesField({
    name: 'recurring',
    label: say`Recurring jobs and plans that take it too`,
    help: say`Visits from that day on use it. A visit with its own changes to the work keeps its price.`,
    options: async (context) =>
      (await context.read((db) => listChangeable(db, context.caller.scopes, id, unit_price_cents ?? 0))).map((one) => ({
        value: one.id,
        label: `${one.customer_name}: ${one.name}, ${money(one.cents, context.company.currency)}`,
      })),
  })
  return {
    ...field,
    html: (...[values, context]: Parameters<typeof field.html>) =>
      field.html(values.has('from') ? values : selectAll(values, context.options), context),
  }
}

function selectAll(values: URLSearchParams, options: readonly { value: string }[]): URLSearchParams {
  const selected = new URLSearchParams(values)
  for (const { value } of options) selected.append('recurring', value)
  return selected
}

/** Renders the scheduled price of an item: the work that changes with it, and the customers to notify. */
export async function nextPricePart(context: PageContext, { id, unit_price_cents }: Item): Promise<Html | ''> {
  const { currency, timezone } = context.company
  const from = unit_price_cents ?? 0
  const next = await context.read((db) => findNextPrice(db, id))
  if (next === null) return ''
  const step = { item: id, from, to: next.unit_price_cents }
  const mayRead = context.may('read:job_series') && context.may('read:plans')
  const work = mayRead ? await context.read((db) => previewRecurring(db, step, next.recurring)) : []
  const cancel = context.path('catalog_items', id, 'do', 'catalog_items_cancel_price')
  const isLate = next.from <= todayIn(timezone).toString()
  return part(
    say`New price from ${day(next.from)}`,
    html`<p><b>${money(next.unit_price_cents, currency)}</b> ${say`instead of ${money(from, currency)}`}${
      isLate ? html` <span class="help">${say`Takes effect within the hour.`}</span>` : ''
    }</p>
${table({
  caption: say`What changes, and whom to notify`,
  columns: [
    { label: say`Customer`, cell: (row) => customerCell(context, row) },
    { label: say`Recurring work`, cell: (row) => recordLink(context, row.kind, row.id, row.name) },
    { label: say`Now`, cell: (row) => money(row.cents, currency), isNumber: true },
    { label: say`Then`, cell: (row) => money(row.next_cents, currency), isNumber: true },
  ],
  rows: work,
  empty: say`No recurring job or plan changes with it.`,
})}`,
    context.may('write:catalog_items')
      ? html`<form method="post" action="${cancel}">${button({ label: say`Cancel the new price`, kind: 'quiet' })}</form>`
      : undefined,
  )
}
