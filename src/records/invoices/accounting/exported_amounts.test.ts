import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { discountOf, isInBooks, taxByRate } from './exported_amounts.ts'

const tax = (name: string, rate_decimal: number, tax_cents: number) => ({
  tax_rate_id: '01a1fd5a-e8cf-7dd1-8b0e-1942a1470de2',
  name,
  rate_decimal,
  base_cents: 10_000,
  tax_cents,
})

describe('the amounts of an exported invoice', () => {
  it('list tax by name and rate, with the rest as other tax', () => {
    const taxes = [tax('Austin', 0.0825, 825), tax('Austin', 0.07, 70), tax('Hays', 0.0825, 30), tax('Old', 0.05, 5)]
    const rates = [
      { name: 'Austin', rate_decimal: 0.0825 },
      { name: 'Hays', rate_decimal: 0.0825 },
      { name: 'Nowhere', rate_decimal: 0.01 },
    ]
    assert.deepEqual(taxByRate({ taxes, tax_cents: 930 }, rates), { byRate: [825, 30, 0], other: 75 })
    assert.deepEqual(taxByRate({ taxes, tax_cents: 930 }, []), { byRate: [], other: 930 })
  })

  it('do not count a deducted deposit as discount', () =>
    assert.equal(discountOf({ discount_cents: 12_500, deducted_cents: 10_000 }), 2_500))

  it('are in the books unless the invoice is void', () => {
    assert.equal(isInBooks({ status: 'void' }), false)
    assert.equal(isInBooks({ status: 'sent' }), true)
  })
})
