import assert from 'node:assert/strict'
import { sql } from '../../../src/platform/db/tenant.ts'
import { idAt, sendForm, submit } from '../../../test/harness/identity/people_pages.ts'
import { todayIn } from '../../../src/platform/validation/formats/instants.ts'
import { LARGEST_LINES } from '../large_company.ts'
import { EMPTY, type Sent } from '../requests.ts'
import { NOBODY, formBy, requestBy, type StateContext, type States } from './context.ts'

/** Creates an invoice with the maximum number of lines for a customer with a card on file. Returns the page that charges it. */
async function chargePage({ saved }: StateContext) {
  const { office } = saved
  const { id } = await saved.customerWithCard()
  const invoice = await saved.invoiceOf(id, { line_items: LARGEST_LINES })
  return { browser: await office.signInAs(office.owner.email), path: office.at('invoices', invoice, 'charge') }
}

/** Records a payment of an invoice. Returns the receipt's address behind the customer's link. */
async function receiptAt({ saved }: StateContext): Promise<string> {
  const { office, issue, all } = saved
  const { id: customer } = await saved.customer()
  const invoice = await saved.invoiceOf(customer, { line_items: LARGEST_LINES })
  await submit(office.browser, office.at('invoices', invoice, 'payment'), { amount_cents: '1.00', method: 'check' })
  const [payment] = await all<{ id: string }>(sql`select id from payments where invoice_id = ${invoice}`)
  const path = await issue({ kind: 'customers', id: customer })
  return `${path}/invoices/${invoice}/receipts/${payment!.id}`
}

/** Routes of saved cards, codes to pay, receipts and statements. */
export const moneyStates: States = {
  'GET /c/:secret/saved': async ({ saved }) => {
    const { path } = await saved.customerWithCard()
    return requestBy(NOBODY, `${path}/saved`)
  },
  'POST /c/:secret/saved': async ({ saved }) => {
    const { browser, path } = await saved.customer()
    return formBy(NOBODY, await browser.get(`${path}/saved`), `${path}/saved`, { act: 'save' })
  },
  'GET /c/:secret/saved/done': async ({ saved }) => {
    const one = await saved.customer()
    saved.saved.completeSetup(await saved.startSetup(one))
    return requestBy(NOBODY, `${one.path}/saved/done`)
  },
  'POST /:tenant{[0-9a-f-]{36}}/customers/:id{[0-9a-f-]{36}}/saved': async ({ saved }) => {
    const { office } = saved
    const { id } = await saved.customerWithCard()
    return requestBy(office.browser, office.at('customers', id, 'saved'), { act: 'remove', id: '' })
  },
  'GET /:tenant{[0-9a-f-]{36}}/invoices/:id{[0-9a-f-]{36}}/charge': async (context) => {
    const { browser, path } = await chargePage(context)
    return requestBy(browser, path)
  },
  'POST /:tenant{[0-9a-f-]{36}}/invoices/:id{[0-9a-f-]{36}}/charge': async (context) => {
    const { browser, path } = await chargePage(context)
    return formBy(browser, await browser.get(path), path, { amount_cents: '1.00' })
  },
  'GET /c/:secret/invoices/:id{[0-9a-f-]{36}}/receipts/:payment{[0-9a-f-]{36}}': async (context) =>
    requestBy(NOBODY, await receiptAt(context)),
  'POST /field/:tenant{[0-9a-f-]{36}}/pay-codes/:invoice{[0-9a-f-]{36}}': async ({ saved }): Promise<Sent> => {
    const { office } = saved
    const invoice = await saved.invoiceOf((await saved.customer()).id)
    return { ...requestBy(office.browser, `/field/${office.id}/pay-codes/${invoice}`, {}), body: EMPTY }
  },
  'POST /:tenant{[0-9a-f-]{36}}/reports/statements/:run{[0-9a-f-]{36}}/stop': async ({ saved }) => {
    const { office } = saved
    await saved.invoiceOf((await saved.customer()).id)
    const today = todayIn('America/New_York')
    const { location } = await sendForm(office.browser, office.at('reports', 'statements'), [
      ['from', today.with({ day: 1 }).toString()],
      ['to', today.toString()],
    ])
    assert.ok(location)
    return requestBy(office.browser, office.at('reports', 'statements', idAt(location), 'stop'), {})
  },
}
