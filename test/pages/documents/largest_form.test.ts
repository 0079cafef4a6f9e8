import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import { formAt, openOffice, sendForm, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance' })
})
after(() => service.stop())

/** A line with texts of maximum length, in characters that take nine bytes each in a form. */
const longestLine = { name: '名'.repeat(200), description: '詳'.repeat(2_000), unit: '個'.repeat(20), quantity: 1.5 }
const LINES = Array.from({ length: 200 }, () => ({ ...longestLine, unit_price_cents: 1_250 }))

describe('a document with 200 lines of maximum length', () => {
  for (const kind of ['jobs', 'quotes', 'invoices'] as const)
    it(`of type ${kind} is edited and copied through its form`, async () => {
      const titled = kind === 'invoices' ? {} : { title: 'All of it' }
      const made = await office.call(`${kind}_create`, { customer_id: customer.id, ...titled, line_items: LINES })
      const path = office.at(kind, made.id, 'edit')
      const fields = formAt(await office.browser.get(path), path)
      assert.ok(new URLSearchParams(fields).toString().length > 4_000_000)
      const renamed = fields.map(([name, value]): [string, string] => [
        name,
        name === 'line_items.199.name' ? 'The last one' : value,
      ])
      const saved = await sendForm(office.browser, path, renamed)
      assert.deepEqual([saved.status, saved.location], [303, office.at(kind, made.id)])
      const { line_items: kept } = await office.call(`${kind}_get`, { id: made.id })
      assert.deepEqual(
        [kept.length, kept[198].description, kept[199].name, kept[199].description],
        [200, longestLine.description, 'The last one', longestLine.description],
      )
      const another = renamed.filter(([name]) => !/^expected_updated_at$|\.(?:item|was)$/.test(name))
      const copy = await sendForm(office.browser, office.at(kind, 'new'), [...another, ['customer_id', customer.id]])
      assert.equal(copy.status, 303)
      assert.notEqual(copy.location, office.at(kind, made.id))
    })

  it('over the form size limit is refused with 413', async () => {
    const { status } = await office.browser.post(office.at('quotes', 'new'), { notes: 'x'.repeat(9 * 2 ** 20) })
    assert.equal(status, 413)
  })
})
