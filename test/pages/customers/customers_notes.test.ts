import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callerOf, type TestService } from '../../harness/harness.ts'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import {
  errorAt,
  formAt,
  openOffice,
  pageTextOf,
  sendForm,
  submit,
  type Office,
} from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

const note = (body: string, on: object = {}) => office.call('notes_create', { body, ...on })

describe('notes on a record', () => {
  it("are written from the record's page, return to it, and show pinned ones first", async () => {
    const { id } = await office.customer('Ana')
    const on = `subject_type=customer&subject_id=${id}`
    const page = office.at('notes', 'new')
    assert.deepEqual(formAt(await office.browser.get(office.at('customers', id)), page).slice(0, 2), [
      ['subject_type', 'customer'],
      ['subject_id', id],
    ])
    const form = await office.browser.get(`${page}?${on}`)
    assert.ok(form.text.includes(`href="${office.at('customers', id)}"`))
    for (const body of ['Old <b>one</b>\nsecond line', 'New one']) {
      assert.equal(
        (
          await sendForm(office.browser, page, [
            ['subject_type', 'customer'],
            ['subject_id', id],
            ['body', body],
          ])
        ).location,
        office.at('customers', id),
      )
    }
    const [, old] = (await office.call('notes_list', { subject_type: 'customer', subject_id: id })).rows
    await office.browser.post(office.at('notes', old.id, 'do', 'notes_pin-true'), {})
    const read = pageTextOf(await office.browser.get(office.at('customers', id)))
    assert.match(read, /Old <b>one<\/b> second line Ana Ruiz, .* Activity .* Ana Ruiz · Note .* New one /)
    assert.deepEqual(
      (await office.entries(old.id)).map(({ tool, changed }) => [tool, changed['pinned']]),
      [
        ['notes.create', [null, false]],
        ['notes.pin', [false, true]],
      ],
    )
  })

  it('are available on jobs and contacts, but not on tags', async () => {
    const {
      id: customer_id,
      contacts: [contact],
    } = await office.customer('Ben', { phone: '512 555 0150' })
    const job = await office.call('jobs_create', { customer_id, title: 'Leak' })
    const tag = await office.call('tags_create', { name: 'Bare' })
    assert.match(pageTextOf(await office.browser.get(office.at('jobs', job.id))), /Write a note/)
    assert.match(pageTextOf(await office.browser.get(office.at('contacts', contact.id))), /Notes New note/)
    assert.doesNotMatch(pageTextOf(await office.browser.get(office.at('tags', tag.id))), /Write a note/)
  })

  it('are hidden without access to notes, and read-only with view access', async () => {
    const { id } = await office.customer('Cyd')
    await note('Secret words', { subject_type: 'customer', subject_id: id })
    const blind = await office.signInMember('office', { Notes: 'none' })
    assert.ok(!pageTextOf(await blind.browser.get(office.at('customers', id))).includes('Secret words'))
    assert.equal((await blind.browser.get(office.at('notes'))).status, 404)
    const reader = await office.signInMember('office', { Notes: 'view' })
    const page = pageTextOf(await reader.browser.get(office.at('customers', id)))
    assert.ok(page.includes('Secret words') && !page.includes('Write a note'))
    assert.equal((await reader.browser.get(office.at('notes', 'new'))).status, 404)
  })

  it('show their record in the list, and only its kind without access to it', async () => {
    const { id } = await office.customer('Dot')
    const job = await office.call('jobs_create', { customer_id: id, title: 'Boiler' })
    await note('About the boiler', { subject_type: 'job', subject_id: job.id })
    const invoice = await office.call('invoices_create', {
      customer_id: id,
      line_items: [{ name: 'Visit', unit_price_cents: 100 }],
    })
    await note('About the bill', { subject_type: 'invoice', subject_id: invoice.id })
    assert.match(
      pageTextOf(await office.browser.get(office.at('notes'))),
      new RegExp(`About the bill ${invoice.display_number} .*About the boiler ${job.display_number} Boiler`),
    )
    const { browser } = await office.signInMember('tech')
    const read = pageTextOf(await browser.get(office.at('notes')))
    assert.match(read, /About the bill Invoice .*About the boiler J-/)
    assert.ok(!read.includes(invoice.display_number))
  })

  it('are searched and filtered by kind, record and pinned', async () => {
    const { id } = await office.customer('Eve')
    const pinned = await note('Zebra pipe', { subject_type: 'customer', subject_id: id })
    await office.browser.post(office.at('notes', pinned.id, 'do', 'notes_pin-true'), {})
    await note('Zebra valve')
    const findNotes = async (query: string): Promise<string[]> =>
      [...(await office.browser.get(`${office.at('notes')}?${query}`)).text.matchAll(/>(Zebra \w+)<\/a>/g)]
        .map(([, name]) => name!)
        .sort()
    assert.deepEqual(await findNotes('query=zebra'), ['Zebra pipe', 'Zebra valve'])
    assert.deepEqual(await findNotes('query=zebra&pinned=yes'), ['Zebra pipe'])
    assert.deepEqual(await findNotes('query=zebra&subject_type=customer'), ['Zebra pipe'])
    const page = await office.browser.get(`${office.at('notes')}?subject_type=customer&subject_id=${id}`)
    assert.match(page.text, /class="chip"><a href="[^"]+">Eve/)
    assert.ok(
      page.text.includes(`<input type="hidden" name="subject_type" value="customer">`) &&
        !page.text.includes('Zebra valve'),
    )
    assert.equal((await office.browser.get(`${office.at('notes')}?subject_type=nothing&subject_id=${id}`)).status, 422)
  })
})

describe('a note', () => {
  it("can be edited and archived by its author and owners only, and others don't see the buttons", async () => {
    const author = await office.signInMember('tech')
    const { key } = await createKey(
      service.database,
      { tenant: office.id },
      { user: author.user_id, name: 'Phone', scopes: SCOPES, expires_at: null },
    )
    const { id } = await callerOf(service.url, key).call('notes_create', { body: 'Mine' })
    const other = await office.signInMember('office')
    const buttons = async (browser: typeof other.browser) => {
      const read = pageTextOf(await browser.get(office.at('notes', id)))
      return [read.includes(' Edit '), read.includes('Archive note'), read.includes(' Pin ')]
    }
    assert.deepEqual(await buttons(author.browser), [true, true, true])
    assert.deepEqual(await buttons(office.browser), [true, true, true])
    assert.deepEqual(await buttons(other.browser), [false, false, true])
    const refused = await submit(other.browser, office.at('notes', id, 'edit'), { body: 'Yours' })
    assert.equal(refused.status, 422)
    assert.match(pageTextOf(refused), /Only the person who wrote this note or an owner can change it\./)
    const kept = await other.browser.post(office.at('notes', id, 'do', 'notes_archive'), {})
    assert.equal(kept.status, 422)
    assert.match(pageTextOf(kept), /Only the person who wrote this note or an owner can change it\./)
    assert.equal(
      (await submit(author.browser, office.at('notes', id, 'edit'), { body: 'Mine\nstill' })).location,
      office.at('notes', id),
    )
    assert.ok((await office.browser.get(office.at('notes', id))).text.includes('Mine\nstill'))
    assert.equal(
      (await author.browser.post(office.at('notes', id, 'do', 'notes_archive'), {})).location,
      office.at('notes'),
    )
  })

  it('can be pinned and unpinned by anyone who can write notes', async () => {
    const { id } = await note('Pin me')
    const { browser } = await office.signInMember('tech')
    await browser.post(office.at('notes', id, 'do', 'notes_pin-true'), {})
    assert.equal((await office.call('notes_get', { id })).pinned, true)
    assert.equal(
      (await browser.post(office.at('notes', id, 'do', 'notes_pin-true'), {})).location,
      office.at('notes', id),
    )
    assert.ok(!(await browser.get(office.at('notes', id))).text.includes('>Pin</button>'))
    await browser.post(office.at('notes', id, 'do', 'notes_pin-false'), {})
    assert.equal((await office.call('notes_get', { id })).pinned, false)
    const reader = await office.signInMember('tech', { Notes: 'view' })
    assert.equal((await reader.browser.post(office.at('notes', id, 'do', 'notes_pin-true'), {})).status, 404)
    assert.equal(
      (
        await office.browser.post(
          office.at('notes', id, 'do', 'notes_pin-true'),
          {},
          { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        )
      ).status,
      403,
    )
    assert.equal((await office.call('notes_get', { id })).pinned, false)
  })

  it('requires text and an existing record', async () => {
    const page = office.at('notes', 'new')
    const empty = await sendForm(office.browser, page, [['body', ' ']])
    assert.equal(empty.status, 422)
    assert.match(errorAt(empty, 'body') ?? '', /^Enter a note\.$/)
    const gone = await sendForm(office.browser, page, [
      ['subject_type', 'customer'],
      ['subject_id', '01900000-0000-7000-8000-000000000000'],
      ['body', 'Lost'],
    ])
    assert.equal(gone.status, 404)
    assert.ok(gone.text.includes('Lost'))
    assert.ok(
      (await office.browser.get(`${page}?subject_type=customer&subject_id=../../evil`)).text.includes(
        `href="${office.at('notes')}"`,
      ),
    )
  })
})
