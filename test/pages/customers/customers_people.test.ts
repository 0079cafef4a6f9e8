import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../../harness/harness.ts'
import {
  errorAt,
  formAt,
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

describe('a contact', () => {
  it('is created for a customer, returns there, and warns when another contact has the same phone', async () => {
    const { id } = await office.customer('Ana')
    const page = office.at('contacts', 'new')
    assert.ok(pageTextOf(await office.browser.get(page)).includes('Choose a customer'))
    const fresh = await office.browser.get(`${page}?customer_id=${id}`)
    assert.ok(fresh.text.includes(`href="${office.at('customers', id)}"`))
    const typed = { first_name: 'Joyce', phone: '512 555 0148', phone_extension: '12', sms_opt_out: 'yes' }
    const made = await sendForm(office.browser, page, [
      ...formAt(fresh, page).filter(([name]) => !(name in typed)),
      ...Object.entries(typed),
    ])
    assert.equal(made.location, office.at('customers', id))
    const [contact] = (await office.call('contacts_list', { customer_id: id })).rows
    assert.deepEqual(
      [contact.phone, contact.phone_extension, contact.sms_opt_out, contact.is_primary],
      ['+15125550148', '12', true, true],
    )
    const twin = await sendForm(office.browser, page, [
      ['customer_id', id],
      ['first_name', 'Joe'],
      ['phone', '512 555 0148'],
      ['idempotency_key', 'k1'],
    ])
    assert.match(
      pageTextOf(await office.browser.get(twin.location!)),
      /Created Joe .*Another contact of this customer has the same phone/,
    )
  })

  it('is listed with its customer, shown with phone and email links, and edited', async () => {
    const {
      id,
      contacts: [contact],
    } = await office.customer('Ben', {
      contacts: [
        {
          first_name: 'Rosa',
          last_name: '<b>Lee</b>',
          email: 'r&l@example.com',
          phone: '512 555 0160',
          notes: 'Rings\ntwice',
        },
      ],
    })
    const list = await office.browser.get(`${office.at('contacts')}?customer_id=${id}`)
    assert.match(pageTextOf(list), /Ben .*Rosa <b>Lee<\/b> Primary/)
    const page = await office.browser.get(office.at('contacts', contact.id))
    for (const part of [
      'href="tel:+15125550160"',
      'href="mailto:r%26l@example.com"',
      `href="${office.at('customers', id)}"`,
      'Rings\ntwice',
    ])
      assert.ok(page.text.includes(part), part)
    const edit = office.at('contacts', contact.id, 'edit')
    await submit(office.browser, edit)
    assert.deepEqual(
      (await office.entries(contact.id)).map(({ tool }) => tool),
      ['customers.create'],
    )
    assert.equal(
      (await submit(office.browser, edit, { role_label: 'Owner', email_opt_out: 'yes' })).location,
      office.at('contacts', contact.id),
    )
    const entry = (await office.entries(contact.id)).find(({ tool }) => tool === 'contacts.update')
    assert.deepEqual(entry!.changed, { role_label: [null, 'Owner'], email_opt_out: [false, true] })
  })

  it('shows errors for an invalid phone, no primary contact, and no name, email or phone', async () => {
    const {
      contacts: [contact],
    } = await office.customer('Cyd', { phone: '512 555 0161' })
    const edit = office.at('contacts', contact.id, 'edit')
    assert.match(
      errorAt(await submit(office.browser, edit, { phone: 'call me' }), 'phone') ?? '',
      /^Enter a phone number/,
    )
    assert.match(
      errorAt(await submit(office.browser, edit, { is_primary: null }), 'is_primary') ?? '',
      /^A customer needs a primary contact\./,
    )
    const emptied = await submit(office.browser, edit, { first_name: '', last_name: '', phone: '', email: '' })
    assert.match(pageTextOf(emptied), /Enter a name, an email address or a phone number for this contact\./)
  })

  it('can be made primary, and archiving it returns to the customer and picks a new primary', async () => {
    const { id, contacts } = await office.customer('Dot', { contacts: [{ first_name: 'One' }, { first_name: 'Two' }] })
    const second = contacts.find(({ first_name }: never) => first_name === 'Two')
    await office.browser.post(office.at('contacts', second.id, 'do', 'contacts_update-true'), {})
    assert.equal((await office.call('contacts_get', { id: second.id })).is_primary, true)
    const asks = pageTextOf(await office.browser.get(office.at('contacts', second.id, 'do', 'contacts_archive')))
    assert.match(asks, /The oldest other contact becomes the primary one/)
    assert.equal(
      (await office.browser.post(office.at('contacts', second.id, 'do', 'contacts_archive'), {})).location,
      office.at('customers', id),
    )
    assert.equal((await office.call('customers_get', { id })).contacts[0].first_name, 'One')
    assert.equal((await office.browser.get(office.at('contacts', second.id))).status, 404)
  })
})

describe('a location', () => {
  it('is created for a customer, and shown with a map link and access notes', async () => {
    const { id } = await office.customer('Eve')
    const page = office.at('locations', 'new')
    const fields: [string, string][] = [
      ['customer_id', id],
      ['type', 'billing'],
      ['name', 'Lake <i>house</i>'],
      ['address_line1', '1 Lake Rd'],
      ['city', 'Austin'],
      ['country', 'ca'],
      ['access_notes', 'Key under\nthe mat'],
      ['latitude', '30.25'],
      ['longitude', '-97.75'],
    ]
    assert.equal((await sendForm(office.browser, page, fields)).location, office.at('customers', id))
    const [location] = (await office.call('locations_list', { customer_id: id })).rows
    assert.deepEqual(
      [location.type, location.formatted_address, location.is_primary],
      ['billing', '1 Lake Rd, Austin, CA', true],
    )
    const shown = await office.browser.get(office.at('locations', location.id))
    for (const part of ['Lake &lt;i&gt;house', 'Key under\nthe mat', 'query=30.25%2C+-97.75" rel="noreferrer"'])
      assert.ok(shown.text.includes(part), part)
    const list = await office.browser.get(`${office.at('locations')}?customer_id=${id}&type=service`)
    assert.ok(pageTextOf(list).includes('No matches'))
    assert.equal((await office.browser.get(office.at('locations'))).location, office.at('customers'))
  })

  it('shows errors at the address, country and latitude', async () => {
    const { id } = await office.customer('Fay')
    const sent = await sendForm(office.browser, office.at('locations', 'new'), [
      ['customer_id', id],
      ['country', 'Texas'],
      ['latitude', 'north'],
    ])
    assert.equal(sent.status, 422)
    assert.match(errorAt(sent, 'address_line1') ?? '', /^Enter a street and number\.$/)
    assert.match(errorAt(sent, 'country') ?? '', /^Choose a country\.$/)
    assert.match(errorAt(sent, 'latitude') ?? '', /^Enter a number\.$/)
  })

  it('keeps its tax rate when a member without access to tax rates edits it', async () => {
    const rate = await office.call('tax_rates_create', { name: 'Lake tax', rate_percentage: 2 })
    const {
      locations: [location],
    } = await office.customer('Gil', { locations: [{ address_line1: '2 Oak St', tax_rate_id: rate.id }] })
    assert.ok(pageTextOf(await office.browser.get(office.at('locations', location.id))).includes('Lake tax'))
    const { browser } = await office.signInMember('office', { 'Tax rates': 'none' })
    await submit(browser, office.at('locations', location.id, 'edit'), { city: 'Austin' })
    const after = await office.call('locations_get', { id: location.id })
    assert.deepEqual([after.city, after.tax_rate_id], ['Austin', rate.id])
    await submit(office.browser, office.at('locations', location.id, 'edit'), { tax_rate_id: '' })
    assert.equal((await office.call('locations_get', { id: location.id })).tax_rate_id, null)
  })
})

describe('tags', () => {
  it('have a valid color or none and a unique name, and list their customers', async () => {
    const page = office.at('tags', 'new')
    const plain = await sendForm(office.browser, page, [
      ['name', 'Plain'],
      ['color', '#112233'],
    ])
    const green = await sendForm(office.browser, page, [
      ['name', 'Green'],
      ['color.has', 'yes'],
      ['color', '#1f6f4a'],
    ])
    const id = green.location!.split('/').at(-1)!
    assert.equal((await office.call('tags_get', { id: plain.location!.split('/').at(-1) })).color, null)
    await office.customer('Tagged', { tag_ids: [id] })
    const shown = await office.browser.get(office.at('tags', id))
    assert.ok(shown.text.includes('fill="#1F6F4A"') && !shown.text.includes('style='))
    assert.match(pageTextOf(shown), /Tagged customers Show all .*Tagged/)
    await submit(office.browser, office.at('tags', id, 'edit'))
    assert.equal((await office.entries(id)).length, 1)
    const twice = await sendForm(office.browser, page, [['name', 'GREEN']])
    assert.equal(twice.status, 409)
    const wrong = await sendForm(office.browser, page, [
      ['name', 'Odd'],
      ['color.has', 'yes'],
      ['color', 'red'],
    ])
    assert.match(errorAt(wrong, 'color') ?? '', /^Choose a color\.$/)
  })

  it('of a customer are saved as a set and audited, and a stale form is refused with 409', async () => {
    const [one, two, three] = await Promise.all(
      ['Alpha', 'Beta', 'Gamma'].map((name) => office.call('tags_create', { name })),
    )
    const { id } = await office.customer('Hal', { tag_ids: [one!.id, two!.id] })
    const page = office.at('customers', id, 'do', 'customers_tag')
    const opened = formAt(await office.browser.get(page), page)
    assert.deepEqual(
      opened
        .filter(([name]) => name === 'tag_ids')
        .map(([, value]) => value)
        .sort(),
      [one!.id, two!.id].sort(),
    )
    assert.equal(
      (await submit(office.browser, page, { tag_ids: [two!.id, three!.id] })).location,
      office.at('customers', id),
    )
    const entry = (await office.entries(id)).at(-1)!
    assert.equal(entry.tool, 'customers.tag')
    assert.deepEqual(
      entry.changed['tags']!.map((tags) => (tags as { name: string }[]).map(({ name }) => name)),
      [
        ['Alpha', 'Beta'],
        ['Beta', 'Gamma'],
      ],
    )
    assert.match(pageTextOf(await office.browser.get(office.at('customers', id))), /Ana Ruiz tagged it Beta, Gamma/)
    const stale = await sendForm(office.browser, page, opened)
    assert.equal(stale.status, 409)
    assert.deepEqual(
      (await office.call('customers_get', { id })).tags.map(({ name }: never) => name),
      ['Beta', 'Gamma'],
    )
    await submit(office.browser, page, { tag_ids: null })
    assert.deepEqual((await office.call('customers_get', { id })).tags, [])
    assert.equal((await office.call('customers_search', { tag: 'Gamma' })).rows.length, 0)
  })

  it("of a customer can't be changed without permission, or set to another company's tag", async () => {
    const { id } = await office.customer('Ivy')
    const other = await openOffice(service, 'North Cleaning')
    const foreign = await other.call('tags_create', { name: 'Foreign' })
    const page = office.at('customers', id, 'do', 'customers_tag')
    const sent = await sendForm(office.browser, page, [['tag_ids', foreign.id]])
    assert.equal(sent.status, 422)
    assert.match(errorAt(sent, 'tag_ids') ?? '', /^Tags 1: Choose a tag from the list\./)
    const { browser } = await office.signInMember('tech')
    for (const someone of [browser, other.browser]) assert.equal((await sendForm(someone, page, [])).status, 404)
    assert.equal((await newBrowser(service).get(page)).status, 303)
  })
})
