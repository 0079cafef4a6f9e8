import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import { money } from '../format/formats.ts'
import { quantity } from '../format/units.ts'
import type { LineView } from '../fields/lines/line.ts'
import { say } from '../../platform/i18n/say.ts'

type PricedLine = Omit<LineView, 'catalog_item_id' | 'tax_rate_id'> & {
  line_total_cents: number
  tax_name?: string | null
}

/** Totals of a priced document (docs/spec/money.md#totals). */
export type Totals = {
  line_items: readonly PricedLine[]
  subtotal_cents: number
  discount_cents: number
  tax_cents: number
  total_cents: number
  taxes: readonly { name: string; rate_decimal: number; base_cents: number; tax_cents: number }[]
}

/** Renders the lines of a document, as in its PDF. */
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
 * Returns the rows from the subtotal to the total, for the page and the PDF. `deductions` are deposits: they are
 * deducted after tax, although the record counts them among its discounts.
 */
export const totalsOf = (
  { line_items, subtotal_cents, discount_cents, taxes, total_cents }: Totals,
  currency: string,
  deductions: readonly Amount[] = [],
): { label: string; cents: number; isSum: boolean }[] => {
  const discounts_cents = deductions.reduce((sum, [, cents]) => sum + cents, discount_cents)
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
    ...deductions.map(([label, cents]) => ({ label, cents, isSum: false })),
    { label: say`Total`, cents: total_cents, isSum: true },
  ]
}

/** Amount below the lines, with its label. */
export type Amount = readonly [label: string, cents: number]

/** Renders the rows from the subtotal to the total, with deductions after tax, and the amounts after it: paid, due. */
export const totalsHtml = (
  totals: Totals,
  currency: string,
  amountsAfter: readonly Amount[] = [],
  deductions: readonly Amount[] = [],
): Html => html`
<dl class="totals">${[
  ...totalsOf(totals, currency, deductions),
  ...amountsAfter.map(([label, cents]) => ({ label, cents, isSum: true })),
].map(
  ({ label, cents, isSum }) => html`
  <div${attribute('class', isSum, 'sum')}><dt>${label}</dt><dd>${money(cents, currency)}</dd></div>`,
)}
</dl>`

/** Renders the total of a visit's lines before tax. If there are discounts, renders the subtotal and them, too. */
export function linesTotalHtml(lines: readonly PricedLine[], currency: string): Html {
  const sum = (group: readonly PricedLine[]) =>
    group.reduce((cents, { line_total_cents }) => cents + line_total_cents, 0)
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

/** Formats the figures of a line, for the page and the PDF. */
export const figuresOf = (line: PricedLine, currency: string): { quantity: string; price: string; total: string } => ({
  ...(line.kind === 'discount'
    ? { quantity: '', price: line.discount_type === 'percent' ? `${line.discount_value}%` : '' }
    : { quantity: quantity(line.quantity, line.unit), price: money(line.unit_price_cents ?? 0, currency) }),
  total: money(line.line_total_cents, currency),
})

/** Formats a rate of at most six decimals as an exact percentage of at most four. */
const percentOf = (rate: number): string => `${Number((rate * 100).toFixed(4))}%`
