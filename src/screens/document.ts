import { html, when, type Html } from '../html/html.ts'
import { money, quantity } from './formats.ts'
import type { ShownLine } from './fields/line.ts'
import { say } from '../language/say.ts'

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
    ? html`<p class="empty">${say`No lines yet.`}</p>`
    : html`
<table class="${look}">
  <caption class="unseen">${say`Lines`}</caption>
  <thead><tr><th scope="col">${say`Name`}</th><th scope="col" class="number">${say`Quantity`}</th><th scope="col" class="number">${say`Price`}</th><th scope="col" class="number">${say`Total`}</th></tr></thead>
  <tbody>${lines.map(
    (line) => html`
    <tr>
      <td data-label="${say`Name`}"><span>${line.name}${when(line.description, (description) => html`<span class="help written">${description}</span>`)}</span></td>${
        line.kind === 'discount'
          ? html`
      <td data-label="${say`Quantity`}" class="number"></td><td data-label="${say`Price`}" class="number">${line.discount_type === 'percent' ? `${line.discount_value}%` : ''}</td>`
          : html`
      <td data-label="${say`Quantity`}" class="number">${quantity(line.quantity, line.unit)}</td><td data-label="${say`Price`}" class="number">${money(line.unit_price_cents ?? 0, currency)}</td>`
      }
      <td data-label="${say`Total`}" class="number">${money(line.line_total_cents, currency)}</td>
    </tr>`,
  )}
  </tbody>
</table>`

/** Draws what leads from the lines to the total, and what follows it: paid, due. */
export const totalsHtml = (
  { line_items, subtotal_cents, discount_cents, taxes, total_cents }: Totals,
  currency: string,
  after: readonly (readonly [label: string, cents: number])[] = [],
): Html => {
  const rows: [string, number, isSum?: boolean][] = [
    [say`Subtotal`, subtotal_cents],
    ...(discount_cents === 0
      ? []
      : [
          [
            line_items.some(({ kind }) => kind === 'discount') ? say`All discounts` : say`Discount`,
            -discount_cents,
          ] as [string, number],
        ]),
    ...taxes
      .filter(({ base_cents }) => base_cents !== 0)
      .map(({ name, rate_decimal, base_cents, tax_cents }): [string, number] => [
        say`${name} ${percentOf(rate_decimal)} on ${money(base_cents, currency)}`,
        tax_cents,
      ]),
    [say`Total`, total_cents, true],
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
