import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../../harness/harness.ts'
import {
  errorAt,
  formAt,
  idAt,
  readKeptForm,
  openOffice,
  pageTextOf,
  sendForm,
  submit,
  type Office,
} from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser } from '../../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

describe('the new customer form', () => {
  const page = (): string => office.at('customers', 'new')

  it('creates a person with a contact, an address, tags and custom fields', async () => {
    const [one, two] = await Promise.all(['Blue', 'Green'].map((name) => office.call('tags_create', { name })))
    const made = await submit(office.browser, page(), {
      first_name: 'Ana',
      last_name: 'Ruiz',
      phone: '512 555 0191',
      email: 'Ana@example.com',
      'locations.address_line1': '1 Main St',
      'locations.city': 'Austin',
      'locations.access_notes': 'Gate 4417',
      tag_ids: [one!.id, two!.id],
      payment_terms_days: '30',
      fields: 'Dog: Biscuit\nVisits: 3',
    })
    const customer = await office.call('customers_get', { id: idAt(made.location) })
    assert.deepEqual(
      [customer.customer_type, customer.display_name, customer.status, customer.payment_terms_days],
      ['individual', 'Ana Ruiz', 'active', 30],
    )
    assert.deepEqual(
      customer.contacts.map(({ phone, email, is_primary }: never) => [phone, email, is_primary]),
      [['+15125550191', 'ana@example.com', true]],
    )
    assert.deepEqual(
      customer.locations.map(({ formatted_address, access_notes }: never) => [formatted_address, access_notes]),
      [['1 Main St, Austin, US', 'Gate 4417']],
    )
    assert.deepEqual(
      customer.tags.map(({ name }: never) => name),
      ['Blue', 'Green'],
    )
    assert.deepEqual(customer.fields, { Dog: 'Biscuit', Visits: 3 })
  })

  it('creates a company, without a location when no address is entered', async () => {
    const made = await submit(office.browser, page(), { customer_type: 'company', company_name: 'Alder & Sons' })
    const customer = await office.call('customers_get', { id: idAt(made.location) })
    assert.deepEqual([customer.display_name, customer.locations, customer.contacts], ['Alder & Sons', [], []])
  })

  it('shows errors at the fields and keeps what was typed', async () => {
    const sent = await submit(office.browser, page(), {
      last_name: 'Kept',
      phone: '555-0100',
      email: 'nobody',
      'locations.city': 'Austin',
      external_id: 'x'.repeat(101),
    })
    assert.equal(sent.status, 422)
    assert.match(errorAt(sent, 'email') ?? '', /^Enter an email address/)
    assert.match(errorAt(sent, 'external_id') ?? '', /^Enter at most 100 characters/)
    assert.match(pageTextOf(sent), /Enter a street and number\./)
    assert.ok(sent.text.includes('value="Kept"') && sent.text.includes('href="#email"'))
    const phone = await submit(office.browser, page(), { last_name: 'Kept', phone: '555-0100' })
    assert.match(errorAt(phone, 'phone') ?? '', /^Enter a phone number with its area code/)
    const nameless = await submit(office.browser, page(), {})
    assert.equal(errorAt(nameless, 'first_name'), 'Enter a first or last name.')
    const mixed = await submit(office.browser, page(), {
      customer_type: 'company',
      company_name: 'Alder',
      first_name: 'Ana',
    })
    assert.match(errorAt(mixed, 'first_name') ?? '', /add the person as a contact/)
  })

  it("shows errors in the reader's language, without tool or field names", async () => {
    const fields = formAt(await office.browser.get(page()), page())
    const inLanguage = async (language: string, more: Record<string, string>): Promise<string | undefined> => {
      const body = new URLSearchParams([...fields.filter(([name]) => !(name in more)), ...Object.entries(more)])
      const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': language }
      const sent = await office.browser.send(page(), { method: 'POST', body, headers })
      assert.equal(sent.status, 422)
      assert.doesNotMatch(pageTextOf(sent), /customers_|contacts_|first_name|individual|is required/)
      return errorAt(sent, 'first_name')
    }
    assert.equal(await inLanguage('en', {}), 'Enter a first or last name.')
    assert.equal(await inLanguage('es', {}), 'Escriba un nombre o un apellido.')
    const company = { customer_type: 'company', company_name: 'Alder', first_name: 'Ana' }
    assert.equal(
      await inLanguage('en', company),
      'A company has no first or last name. Leave them empty and add the person as a contact.',
    )
    assert.equal(
      await inLanguage('es', company),
      'Una empresa no lleva nombre de pila ni apellido. Déjelos en blanco y agregue a la persona como contacto.',
    )
  })

  it('creates one customer when sent twice, and none when sent from another site', async () => {
    const fields = formAt(await office.browser.get(page()), page()).filter(([name]) => name !== 'last_name')
    const once = await Promise.all(
      [1, 2].map(() => sendForm(office.browser, page(), [...fields, ['last_name', 'Twice']])),
    )
    assert.equal(once[0]!.location, once[1]!.location)
    assert.equal((await office.call('customers_search', { query: 'Twice' })).rows.length, 1)
    assert.equal(
      (
        await office.browser.post(
          page(),
          { last_name: 'Evil' },
          { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        )
      ).status,
      403,
    )
    assert.equal((await office.call('customers_search', { query: 'Evil' })).rows.length, 0)
  })

  it('says which other customer has the same phone number', async () => {
    await office.customer('Paula', { phone: '512 555 0177' })
    const sent = await submit(office.browser, page(), { first_name: 'Paul', phone: '512 555 0177' })
    assert.equal(sent.status, 303)
    assert.match(
      pageTextOf(await office.browser.get(sent.location!)),
      /Created Paul .*\(512\) 555-0177 also belongs to Paula\./,
    )
  })
})

describe('editing a customer', () => {
  it('shows the name fields of its type and saves only what changed, so an unchanged form writes nothing', async () => {
    const company = await office.call('customers_create', {
      customer_type: 'company',
      company_name: 'Fir Co',
      fields: { Code: '007' },
      lead_source: 'Web',
    })
    const [person, edit] = [await office.customer('Ida'), office.at('customers', company.id, 'edit')]
    const form = await office.browser.get(edit)
    assert.ok(
      form.text.includes('name="company_name"') &&
        !form.text.includes('name="first_name"') &&
        !form.text.includes('id="customer_type"'),
    )
    assert.ok(
      !(await office.browser.get(office.at('customers', person.id, 'edit'))).text.includes('name="company_name"'),
    )
    await submit(office.browser, edit)
    assert.equal((await office.entries(company.id)).length, 1)
    assert.equal(
      (await submit(office.browser, edit, { company_name: 'Fir & Co', lead_source: '' })).location,
      office.at('customers', company.id),
    )
    const [, entry] = await office.entries(company.id)
    assert.deepEqual(entry!.changed, {
      company_name: ['Fir Co', 'Fir & Co'],
      display_name: ['Fir Co', 'Fir & Co'],
      lead_source: ['Web', null],
    })
    assert.ok(
      pageTextOf(await office.browser.get(office.at('customers', company.id))).includes(
        'Ana Ruiz called it “Fir & Co”',
      ),
    )
  })

  it('refuses a missing name or a duplicate external ID with an error at the field', async () => {
    await office.customer('First', { external_id: 'taken' })
    const { id } = await office.customer('Second')
    const sent = await submit(office.browser, office.at('customers', id, 'edit'), { first_name: '' })
    assert.equal(errorAt(sent, 'first_name'), 'Enter a first or last name.')
    const duplicate = await submit(office.browser, office.at('customers', id, 'edit'), { external_id: 'taken' })
    assert.equal(duplicate.status, 409)
    assert.equal(
      errorAt(duplicate, 'external_id'),
      'Another customer has this ID in another system. Enter a different one.',
    )
  })

  it('shows both versions and saves nothing when the customer changed meanwhile', async () => {
    const { id } = await office.customer('Slow')
    const edit = office.at('customers', id, 'edit')
    const form = formAt(await office.browser.get(edit), edit)
    await office.call('customers_update', { id, last_name: 'Agent' })
    const stale = await sendForm(
      office.browser,
      edit,
      form.map(([name, value]) => [name, name === 'last_name' ? 'Person' : value]),
    )
    assert.equal(stale.status, 409)
    assert.match(pageTextOf(stale), /Last name Agent Person/)
    assert.equal((await office.call('customers_get', { id })).last_name, 'Agent')
  })

  it('keeps what was typed when the session is lost', async () => {
    const { id } = await office.customer('Lost')
    const edit = office.at('customers', id, 'edit')
    const form = formAt(await office.browser.get(edit), edit).map(([name, value]): [string, string] => [
      name,
      name === 'last_name' ? 'Typed words' : value,
    ])
    const away = await sendForm(newBrowser(service), edit, form)
    assert.equal(away.status, 401)
    assert.ok(readKeptForm(away).includes('Typed+words'))
  })

  it('refuses to archive a customer with active work, and names that work', async () => {
    const { id } = await office.customer('Busy')
    await office.call('plans_create', {
      customer_id: id,
      name: 'Spring check',
      cadence: 'monthly',
      line_items: [{ name: 'Visit', unit_price_cents: 100 }],
    })
    const sent = await office.browser.post(office.at('customers', id, 'do', 'customers_archive'), {})
    assert.equal(sent.status, 409)
    assert.match(pageTextOf(sent), /active work: “Spring check”\. End it before you archive the customer\./)
  })
})
