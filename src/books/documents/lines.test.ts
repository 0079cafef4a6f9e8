import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { priceDocument } from '../../money/document.ts'
import { invoiceLines } from './lines.ts'
import type { InvoiceSource } from './sources.ts'

const rate = { tax_rate_id: 'r', name: 'Sales tax', rate_decimal: 0.0825 }

const line = fc.record({
  kind: fc.constant('service' as const),
  quantity: fc.integer({ min: 1, max: 99_999 }).map((thousandths) => thousandths / 1000),
  unit_price_cents: fc.integer({ min: 0, max: 500_000 }),
  taxable: fc.boolean(),
})

/** Returns a stored invoice with these priced lines. */
function invoiceOf(lines: readonly (typeof line extends fc.Arbitrary<infer T> ? T : never)[], percent: number) {
  const price = priceDocument({
    line_items: lines.map((one) => ({ ...one, rate })),
    discount: { type: 'percent', value: percent },
    tax_exempt: false,
  })
  const line_items = lines.map((one, position) => ({
    ...one,
    ...price.line_items[position]!,
    id: String(position),
    position,
    catalog_item_id: null,
    name: 'Work',
    description: null,
    unit: 'h',
    discount_type: null,
    discount_value: null,
  }))
  const { subtotal_cents, discount_cents, tax_cents, total_cents, taxes } = price
  return { line_items, subtotal_cents, discount_cents, tax_cents, total_cents, taxes }
}

const toSource = (given: ReturnType<typeof invoiceOf>, more: Partial<InvoiceSource> = {}): InvoiceSource => ({
  ...given,
  id: 'i',
  display_number: 'INV-1',
  status: 'sent',
  issue_date: '2026-02-01',
  due_date: '2026-03-01',
  po_number: null,
  currency: 'USD',
  balance_due_cents: given.total_cents,
  is_deposit: false,
  deducted_cents: 0,
  deductions: [],
  customer_id: 'c',
  version: 1,
  ...more,
})

describe('accounting lines of an invoice', () => {
  it('add up to the invoice total, and each amount is quantity times price', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.nat(100), (lines, percent) => {
        const invoice = toSource(invoiceOf(lines, percent))
        const made = invoiceLines(invoice)
        assert.equal(
          made.reduce((sum, { cents }) => sum + cents, 0),
          invoice.total_cents,
        )
        for (const { quantity, unit_cents, cents } of made)
          if (quantity !== null && unit_cents !== null)
            assert.equal(BigInt(Math.round(quantity * 1000)) * BigInt(unit_cents), BigInt(cents) * 1000n)
      }),
    )
  })

  it('throw "held (inexact)" when they do not add up to the total', () => {
    const invoice = invoiceOf([{ kind: 'service', quantity: 1, unit_price_cents: 1_000, taxable: true }], 0)
    assert.throws(() => invoiceLines(toSource({ ...invoice, tax_cents: invoice.tax_cents + 1 })), /held \(inexact\)/)
    assert.throws(() => invoiceLines(toSource(invoice, { deducted_cents: 5 })), /held \(inexact\)/)
  })
})
