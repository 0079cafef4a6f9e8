import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../harness/harness.ts'
import { openOffice, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

/** Returns the link to the new customer form from another form. */
const wayFrom = async (form: string): Promise<string> =>
  /href="([^"]*\/customers\/new\?onward=[^"]*)"/
    .exec((await office.browser.get(form)).text)![1]!
    .replaceAll('&amp;', '&')

describe('a customer created from another form', () => {
  it('returns to that form with the customer and the earlier values filled in', async () => {
    const way = await wayFrom(`${office.at('jobs', 'new')}?title=Leak`)
    const made = await submit(
      office.browser,
      way,
      { customer_type: 'individual', first_name: 'Nora' },
      office.at('customers', 'new'),
    )
    const { pathname, searchParams } = new URL(made.location!, 'http://localhost')
    assert.equal(pathname, office.at('jobs', 'new'))
    assert.equal(searchParams.get('title'), 'Leak')
    const form = await office.browser.get(made.location!)
    assert.match(form.text, new RegExp(`name="customer_id" value="${searchParams.get('customer_id')}"`))
    assert.match(form.text, /name="title"[^>]* value="Leak"/)
  })

  it('keeps the return address after a validation error', async () => {
    const way = await wayFrom(office.at('quotes', 'new'))
    const refused = await submit(
      office.browser,
      way,
      { customer_type: 'individual', first_name: '', last_name: '' },
      office.at('customers', 'new'),
    )
    assert.equal(refused.status, 422)
    assert.match(refused.text, new RegExp(`name="onward" value="${office.at('quotes', 'new')}`))
  })

  it('never redirects to another site', async () => {
    for (const onward of ['https://evil.example/', '//evil.example', 'javascript:alert(1)']) {
      const way = `${office.at('customers', 'new')}?onward=${encodeURIComponent(onward)}`
      const made = await submit(
        office.browser,
        way,
        { customer_type: 'individual', first_name: 'Nora' },
        office.at('customers', 'new'),
      )
      assert.match(made.location ?? '', new RegExp(`^${office.at('customers')}/[0-9a-f-]{36}$`), onward)
    }
  })
})
