import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, sendForm, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser } from '../../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

async function look(typed: Record<string, string>): Promise<string> {
  const path = `${office.at('customers', 'alike')}?${new URLSearchParams(typed).toString()}`
  const { status, text } = await office.browser.get(path)
  assert.ok([200, 422].includes(status), String(status))
  return text
}

it('the duplicate check lists customers with the same phone, email or name as the new one', async () => {
  const ana = await office.customer('Ana Peña', { phone: '512 555 0143', email: 'ana@example.com' })
  const link = `href="${office.at('customers', ana.id)}"`
  for (const typed of [
    { phone: '(512) 555-0143' },
    { email: 'ANA@example.com' },
    { first_name: 'peña', last_name: 'ANA' },
    { customer_type: 'company', company_name: 'x', phone: '+1 512 555 0143' },
  ]) {
    const text = await look(typed)
    assert.ok(text.includes(link), JSON.stringify(typed))
    assert.match(text, /Ana Peña.*\(512\) 555-0143/s)
    assert.match(text, new RegExp(`name="then" value="merge.${ana.id}"`))
  }
})

it('the duplicate check ignores other numbers, partial names, archived customers and malformed input', async () => {
  const gone = await office.customer('Gone Girl', { phone: '512 555 0199' })
  await office.call('customers_archive', { id: gone.id })
  for (const typed of [
    {},
    { phone: '512 555 0144' },
    { phone: '512 555 0199' },
    { first_name: 'Ana' },
    { first_name: 'Ana', last_name: 'Peñafiel' },
    { email: '%' },
    { email: 'a\0b', first_name: '\0', last_name: '\ud800' },
    { phone: 'x'.repeat(2000), email: '@'.repeat(2000), first_name: '\u202e', last_name: '\u202e' },
  ])
    assert.doesNotMatch(await look(typed), /<li>/, JSON.stringify(typed).slice(0, 80))
})

it("creating a customer with another customer's phone warns about it and offers a merge", async () => {
  const zoe = await office.customer('Zoe Quinn', { phone: '512 555 0150' })
  const form = [
    ['customer_type', 'individual'],
    ['first_name', 'Zoé'],
    ['phone', '5125550150'],
  ] as [string, string][]
  const made = await sendForm(office.browser, office.at('customers', 'new'), form)
  assert.equal(made.status, 303)
  const { text } = await office.browser.get(made.location!)
  assert.match(text, /\(512\) 555-0150 also belongs to Zoe Quinn\./)
  assert.doesNotMatch(text, /check whether it is the same/)
  assert.match(text, new RegExp(`/merge\\?with=${zoe.id}">Merge with Zoe Quinn`))
  const id = made.location!.split('/').at(-1)!
  const { text: compared } = await office.browser.get(office.at('customers', id, `merge?with=${zoe.id}`))
  assert.match(compared, /Zoe Quinn/)
})

it('creating a customer can lead on to a merge with the chosen customer, and ignores an invalid choice', async () => {
  const kim = await office.customer('Kim Lee', { phone: '512 555 0160' })
  const typed = [
    ['customer_type', 'individual'],
    ['first_name', 'Kimberly'],
    ['phone', '512 555 0160'],
  ] as [string, string][]
  const made = await sendForm(office.browser, office.at('customers', 'new'), [...typed, ['then', `merge.${kim.id}`]])
  assert.match(made.location ?? '', new RegExp(`/customers/[0-9a-f-]{36}/merge\\?with=${kim.id}$`))
  const other = await sendForm(office.browser, office.at('customers', 'new'), [...typed, ['then', 'merge.//evil']])
  assert.match(other.location ?? '', /\/customers\/[0-9a-f-]{36}$/)
})

it('the duplicate check shows no customers to signed-out users', async () => {
  const { status, text } = await newBrowser(service).get(`${office.at('customers', 'alike')}?phone=5125550143`)
  assert.notEqual(status, 200)
  assert.doesNotMatch(text, /Ana/)
})
