import { html, when, type Html } from '../html/html.ts'
import { money, quantity } from './formats.ts'
import type { ShownLine } from './fields/line.ts'

type PricedLine = ShownLine & { line_total_cents: number; tax_name?: string | null }

/** Holds the totals that a priced document answers (docs/spec/money.md#totals). */
export type Totals = {
  line_items: readonly PricedLine[]
  subtotal_cents: number
  discount_cents: number
  tax_cents: number
  total_cents: number
  taxes: readonly { name: string; rate_decimal: number; base_cents: number; tax_cents: number }[]
}

/** Draws the lines of a document, as on paper. */
export const linesHtml = (
  lines: readonly PricedLine[],
  currency: string,
  look: 'table' | 'paper-lines' = 'table',
): Html =>
  lines.length === 0
    ? html`<p class="empty">No lines yet.</p>`
    : html`
<table class="${look}">
  <caption class="unseen">Lines</caption>
  <thead><tr><th scope="col">Name</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Price</th><th scope="col" class="number">Total</th></tr></thead>
  <tbody>${lines.map(
    (line) => html`
    <tr>
      <td data-label="Name"><span>${line.name}${when(line.description, (description) => html`<span class="help written">${description}</span>`)}</span></td>${
        line.kind === 'discount'
          ? html`
      <td data-label="Quantity" class="number"></td><td data-label="Price" class="number">${line.discount_type === 'percent' ? `${line.discount_value}%` : ''}</td>`
          : html`
      <td data-label="Quantity" class="number">${quantity(line.quantity, line.unit)}</td><td data-label="Price" class="number">${money(line.unit_price_cents ?? 0, currency)}</td>`
      }
      <td data-label="Total" class="number">${money(line.line_total_cents, currency)}</td>
    </tr>`,
  )}
  </tbody>
</table>`

/** Draws what leads from the lines to the total, with what is deducted after tax, and what follows it: paid, due. */
export const totalsHtml = (
  { line_items, subtotal_cents, discount_cents, taxes, total_cents }: Totals,
  currency: string,
  after: readonly (readonly [label: string, cents: number])[] = [],
  deducted: readonly (readonly [label: string, cents: number])[] = [],
): Html => {
  const discounts_cents = deducted.reduce((left, [, cents]) => left + cents, discount_cents)
  const rows: [string, number, isSum?: boolean][] = [
    ['Subtotal', subtotal_cents],
    ...(discounts_cents === 0
      ? []
      : [
          [line_items.some(({ kind }) => kind === 'discount') ? 'All discounts' : 'Discount', -discounts_cents] as [
            string,
            number,
          ],
        ]),
    ...taxes
      .filter(({ base_cents }) => base_cents !== 0)
      .map(({ name, rate_decimal, base_cents, tax_cents }): [string, number] => [
        `${name} ${percentOf(rate_decimal)} on ${money(base_cents, currency)}`,
        tax_cents,
      ]),
    ...deducted.map(([label, cents]): [string, number] => [label, cents]),
    ['Total', total_cents, true],
    ...after.map(([label, cents]): [string, number, boolean] => [label, cents, true]),
  ]
  return html`
<dl class="totals">${rows.map(
    ([label, cents, isSum = false]) => html`
  <div${when(isSum, () => html` class="sum"`)}><dt>${label}</dt><dd>${money(cents, currency)}</dd></div>`,
  )}
</dl>`
}

/** Returns a rate of at most six decimals as a percentage of at most four, exactly. */
const percentOf = (rate: number): string => `${Number((rate * 100).toFixed(4))}%`
