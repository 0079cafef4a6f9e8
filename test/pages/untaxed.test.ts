import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf } from '../harness/identity/people_pages.ts'
import { startSite, newBrowser } from '../harness/web_client.ts'

/** Checks when a company is warned about its first invoice without tax (docs/spec/money.md#no-tax). */
let service: TestService
let serial = 0
before(async () => {
  service = await startSite()
})
after(() => service.stop())

const open = () => openOffice(service, `Company ${++serial}`)
type Office = Awaited<ReturnType<typeof open>>

const lines = { line_items: [{ name: 'Visit', unit_price_cents: 10_000 }] }
const person = { customer_type: 'individual', first_name: 'Dora', email: 'dora@example.com' }
const customer = async ({ call }: Office, more: object = {}): Promise<string> =>
  (await call('customers_create', { ...person, ...more }))['id']
const draft = async (office: Office, customer_id: string, more: object = lines): Promise<Result> =>
  office.call('invoices_create', { customer_id, ...more })
const WARNS = / has no tax: the company has no tax rate yet and has not confirmed that it charges no tax\./
const readInvoiceWarnings = async ({ call }: Office, { id }: Result): Promise<string[]> =>
  ((await call('invoices_update', { id, status: 'sent' }))['warnings'] ?? []).filter((one: string) => WARNS.test(one))
const TITLE = 'This invoice has no tax'

/** Returns whether the new invoice form and a draft's message show the warning. */
async function pages(office: Office, customer_id: string, { id }: Result): Promise<[boolean, boolean]> {
  const [form, letter] = await Promise.all([
    office.browser.get(`${office.at('invoices', 'new')}?customer_id=${customer_id}`),
    office.browser.get(office.at('invoices', id, 'send')),
  ])
  assert.deepEqual([form.status, letter.status], [200, 200])
  return [pageTextOf(form).includes(TITLE), pageTextOf(letter).includes(TITLE)]
}

describe('the warning about a first invoice without tax', () => {
  it('is shown on the invoice form, before sending and in the tool result, for the first invoice only', async () => {
    const office = await open()
    const customer_id = await customer(office)
    const invoice = await draft(office, customer_id)
    assert.deepEqual(await pages(office, customer_id, invoice), [true, true])
    assert.equal((await readInvoiceWarnings(office, invoice)).length, 1)
    const next = await draft(office, customer_id)
    assert.deepEqual(await pages(office, customer_id, next), [false, false])
    assert.deepEqual(await readInvoiceWarnings(office, next), [])
  })

  it("isn't shown once there is a tax rate, or once the owner has said there is none", async () => {
    const taxed = await open()
    await taxed.call('tax_rates_create', { rate_percentage: 8.25 })
    const theirs = await customer(taxed)
    const one = await draft(taxed, theirs)
    assert.deepEqual(await pages(taxed, theirs, one), [false, false])
    assert.deepEqual(await readInvoiceWarnings(taxed, one), [])

    const free = await open()
    const customer_id = await customer(free)
    const invoice = await draft(free, customer_id)
    const here = free.at('invoices', invoice['id'], 'send')
    const { text } = await free.browser.get(here)
    const [, action, to] =
      /action="([^"]+\/company\/tax)"><input type="hidden" name="charges_no_tax" value="yes"><input type="hidden" name="to" value="([^"]+)"/.exec(
        text,
      )!
    assert.equal(to, here)
    assert.equal((await free.browser.post(action!, { charges_no_tax: 'yes', to })).location, here)
    assert.deepEqual(await pages(free, customer_id, invoice), [false, false])
    assert.deepEqual(await readInvoiceWarnings(free, invoice), [])
  })

  it("isn't shown for an exempt customer, or when sending an empty invoice", async () => {
    const office = await open()
    const exempt = await customer(office, { tax_exempt: true })
    const invoice = await draft(office, exempt)
    assert.deepEqual(await pages(office, exempt, invoice), [false, false])
    assert.deepEqual(await readInvoiceWarnings(office, invoice), [])
    await office.call('invoices_update', { id: invoice['id'], status: 'draft' })
    const customer_id = await customer(office, { email: 'two@example.com' })
    const empty = await draft(office, customer_id, {})
    assert.deepEqual(await pages(office, customer_id, empty), [true, false])
    assert.deepEqual(await readInvoiceWarnings(office, empty), [])
  })

  it('offers a new tax rate with edit access to tax rates only, and the no-tax answer to owners only', async () => {
    const office = await open()
    const customer_id = await customer(office)
    const formOf = async (level: 'view' | 'edit'): Promise<string> => {
      const clerk = await office.hire('office', { 'Tax rates': level })
      const browser = newBrowser(service)
      await browser.signIn(clerk.email)
      const { text } = await browser.get(`${office.at('invoices', 'new')}?customer_id=${customer_id}`)
      assert.ok(text.includes(TITLE))
      assert.ok(!text.includes('company/tax'))
      return text
    }
    assert.ok((await formOf('edit')).includes(office.at('tax_rates', 'new')))
    const ask = await formOf('view')
    assert.ok(!ask.includes(office.at('tax_rates', 'new')))
    assert.match(ask, /ask an owner to add the rate first/)
  })

  it('is shown on the invoice page after marking it as sent', async () => {
    const office = await open()
    const invoice = await draft(office, await customer(office))
    const there = office.at('invoices', invoice['id'])
    const action = /action="([^"]+\/do\/invoices_update[^"]*sent[^"]*)"/.exec((await office.browser.get(there)).text)
    assert.ok(action !== null, 'Mark as sent')
    await office.browser.post(action[1]!, {})
    assert.match(
      pageTextOf(await office.browser.get(there)),
      /This invoice has no tax: your company has no tax rate yet\./,
    )
  })
})
