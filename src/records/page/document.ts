import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import { money } from '../format/formats.ts'
import { quantity } from '../format/units.ts'
import type { LineView } from '../fields/lines/line.ts'
import { say } from '../../platform/i18n/say.ts'

type PricedLine = Omit<LineView, 'catalog_item_id' | 'tax_rate_id'> & {
  line_total_cents: number
  tax_name?: string | null
}

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
export const linesHtml = (lines: readonly PricedLine[], currency: string): Html =>
  lines.length === 0
    ? html`<p class="empty">${say`No lines yet.`}</p>`
    : html`
<table class="table priced">
  <caption class="unseen">${say`Lines`}</caption>
  <thead><tr><th scope="col">${say`Name`}</th><th scope="col" class="number">${say`Quantity`}</th>
    <th scope="col" class="number">${say`Price`}</th><th scope="col" class="number">${say`Total`}</th></tr></thead>
  <tbody>${lines.map((line) => {
    const { quantity, price, total } = figuresOf(line, currency)
    return html`
    <tr>
      <td data-label="${say`Name`}"><span>${line.name}${when(
        line.description,
        (description) => html`<span class="help written">${description}</span>`,
      )}</span></td>
      <td data-label="${say`Quantity`}" class="number">${quantity}</td>
      <td data-label="${say`Price`}" class="number">${price}</td>
      <td data-label="${say`Total`}" class="number">${total}</td>
    </tr>`
  })}
  </tbody>
</table>`

/**
 * Returns what leads from the lines to the total, row by row, on the page as on paper; `deducted` are deposits, which
 * are taken off after tax and are among the discounts of the record.
 */
export const totalsOf = (
  { line_items, subtotal_cents, discount_cents, taxes, total_cents }: Totals,
  currency: string,
  deducted: readonly Amount[] = [],
): { label: string; cents: number; isSum: boolean }[] => {
  const discounts_cents = deducted.reduce((sum, [, cents]) => sum + cents, discount_cents)
  return [
    { label: say`Subtotal`, cents: subtotal_cents, isSum: false },
    ...(discounts_cents === 0
      ? []
      : [
          {
            label: line_items.some(({ kind }) => kind === 'discount') ? say`All discounts` : say`Discount`,
            cents: -discounts_cents,
            isSum: false,
          },
        ]),
    ...taxes
      .filter(({ base_cents }) => base_cents !== 0)
      .map(({ name, rate_decimal, base_cents, tax_cents }) => ({
        label: say`${name} ${percentOf(rate_decimal)} on ${money(base_cents, currency)}`,
        cents: tax_cents,
        isSum: false,
      })),
    ...deducted.map(([label, cents]) => ({ label, cents, isSum: false })),
    { label: say`Total`, cents: total_cents, isSum: true },
  ]
}

/** An amount below the lines, with its name. */
export type Amount = readonly [label: string, cents: number]

/** Draws what leads from the lines to the total, with what is deducted after tax, and what follows it: paid, due. */
export const totalsHtml = (
  totals: Totals,
  currency: string,
  after: readonly Amount[] = [],
  deducted: readonly Amount[] = [],
): Html => html`
<dl class="totals">${[
  ...totalsOf(totals, currency, deducted),
  ...after.map(([label, cents]) => ({ label, cents, isSum: true })),
].map(
  ({ label, cents, isSum }) => html`
  <div${attribute('class', isSum, 'sum')}><dt>${label}</dt><dd>${money(cents, currency)}</dd></div>`,
)}
</dl>`

/** Draws what the lines of a visit come to before tax: with a discount among them, before it and after it too. */
export function linesTotalHtml(lines: readonly PricedLine[], currency: string): Html {
  const sum = (some: readonly PricedLine[]) => some.reduce((cents, { line_total_cents }) => cents + line_total_cents, 0)
  const [discounts, others] = [
    lines.filter(({ kind }) => kind === 'discount'),
    lines.filter(({ kind }) => kind !== 'discount'),
  ]
  if (discounts.length === 0)
    return html`<p class="totals-line">${say`Subtotal`} <b>${money(sum(others), currency)}</b></p>`
  return html`
<dl class="totals">
  <div><dt>${say`Subtotal`}</dt><dd>${money(sum(others), currency)}</dd></div>
  <div><dt>${say`All discounts`}</dt><dd>${money(sum(discounts), currency)}</dd></div>
  <div class="sum"><dt>${say`Total before tax`}</dt><dd>${money(sum(lines), currency)}</dd></div>
</dl>`
}

/** Returns the figures of a line as they are written, on the page as on paper. */
export const figuresOf = (line: PricedLine, currency: string): { quantity: string; price: string; total: string } => ({
  ...(line.kind === 'discount'
    ? { quantity: '', price: line.discount_type === 'percent' ? `${line.discount_value}%` : '' }
    : { quantity: quantity(line.quantity, line.unit), price: money(line.unit_price_cents ?? 0, currency) }),
  total: money(line.line_total_cents, currency),
})

/** Returns a rate of at most six decimals as a percentage of at most four, exactly. */
const percentOf = (rate: number): string => `${Number((rate * 100).toFixed(4))}%`
