import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { PageContext } from './page_context.ts'
import { sheetFacts } from './sheet_facts.ts'

const context = { company: { currency: 'USD', timezone: 'America/Chicago' } } as unknown as PageContext

it('a page shows texts as entered and omits empty fields and fields that it draws itself', () => {
  const fields = {
    po_number: { label: () => 'Purchase order', onSheet: true, text: 'customer' },
    sku: { label: () => 'SKU', onSheet: true, text: 'company' },
    deposit_cents: { label: () => 'Deposit', onSheet: true },
    model: { label: () => 'Model', onSheet: true, text: 'company' },
    name: { label: () => 'Name', text: 'customer' },
  } as const
  const record = { po_number: '2027-01-15', sku: '+15125550100', deposit_cents: 12_500, model: null, name: 'Ana' }
  assert.deepEqual(sheetFacts(context, { table: 'invoices', parts: {}, fields }, record), [
    { label: 'Purchase order', value: '2027-01-15' },
    { label: 'SKU', value: '+15125550100' },
    { label: 'Deposit', value: '$125.00' },
  ])
})
