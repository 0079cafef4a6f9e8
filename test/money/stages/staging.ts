import assert from 'node:assert/strict'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { findProgress, type BillingProgress, type StagedWork } from '../../../src/records/invoices/index.ts'
import type { Result } from '../../harness/harness.ts'
import { openOffice, submit } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

export type Share = { type: 'percent' | 'amount'; value: string }

export type Staging = Awaited<ReturnType<typeof openStaging>>

/** Starts a company with a customer and a tax rate, and helpers to bill its quotes. */
export async function openStaging() {
  const service = await startSite()
  const office = await openOffice(service, 'Alder Plumbing')
  const customer = await office.customer('Dora')
  await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
  async function createAcceptedQuote(cents: number, deposit?: Share): Promise<Result> {
    const { id } = await office.call('quotes_create', {
      customer_id: customer['id'],
      title: 'Bathroom',
      line_items: [{ name: 'Bathroom', unit_price_cents: cents }],
    })
    if (deposit !== undefined)
      await submit(office.browser, office.at('quotes', id, 'do', 'quotes_ask_deposit'), {
        'deposit.value': deposit.value,
        'deposit.type': deposit.type,
      })
    return office.call('quotes_update', { id, status: 'accepted' })
  }
  const bill = (quote: string, { type, value }: Share, name = 'Rough-in') =>
    submit(office.browser, office.at('quotes', quote, 'do', 'invoices_bill_stage'), {
      name,
      'share.value': value,
      'share.type': type,
    })
  const progressOf = async (of: string | StagedWork): Promise<BillingProgress> => {
    const work = typeof of === 'string' ? { quote: of } : of
    const progress = await readTenant(service.database, { tenant: office.id }, (db) => findProgress(db, work))
    assert.ok(progress !== undefined)
    return progress
  }
  const readCentsLeft = async (quote: string | StagedWork): Promise<number> => (await progressOf(quote)).left_cents
  const final = (quote: string): Promise<Result> =>
    office.call('invoices_create', { customer_id: customer['id'], from_quote_id: quote })
  return { service, office, customer, createAcceptedQuote, bill, progressOf, readCentsLeft, final }
}
