import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { todayIn } from '../../../src/platform/validation/formats/instants.ts'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, sendForm, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, type Browser, type BrowserResponse } from '../../harness/web_client.ts'

let service: TestService
let office: Office

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

const viewsIn = ({ text }: Pick<BrowserResponse, 'text'>): Map<string, string> => {
  const $ = load(text)
  return new Map(
    $('.views a')
      .get()
      .map((one) => [$(one).text(), one.attribs['href']!]),
  )
}
const currentIn = ({ text }: Pick<BrowserResponse, 'text'>): string => load(text)('.views [aria-current]').text()

/** Submits the view menu's form with the given button and some fields filled in. */
async function send(
  browser: Browser,
  page: string,
  button: string,
  values: Record<string, string>,
): Promise<BrowserResponse> {
  const $ = load((await browser.get(page)).text)
  const pressed = $('.view-form form button').filter((_, one) => $(one).text() === button)
  assert.equal(pressed.length, 1, `${page} has no button ${button}`)
  const fields = pressed.closest('form').serializeArray()
  const name = pressed.attr('name')
  return sendForm(browser, pressed.closest('form').attr('action')!, [
    ...fields
      .filter((field) => !(field.name in values) && field.name !== 'shared')
      .map((field): [string, string] => [field.name, field.value]),
    ...Object.entries(values),
    ...(name === undefined ? [] : [[name, pressed.attr('value')!] as [string, string]]),
  ])
}

const list = (query: string, entity = 'invoices'): string => `${office.at(entity)}?${query}`

describe('a saved view', () => {
  it("saves a list's filters and sort order under a name, next to the built-in views", async () => {
    const answer = await send(office.browser, list('status=sent&sort=due_asc&page=3'), 'Save view', {
      name: 'Due first',
    })
    assert.equal(answer.status, 303)
    assert.equal(answer.location, list('status=sent&sort=due_asc'))
    const page = await office.browser.get(answer.location!)
    assert.equal(viewsIn(page).get('Due first'), list('status=sent&sort=due_asc'))
    assert.equal(currentIn(page), 'Due first')
    assert.ok(!viewsIn(await office.browser.get(office.at('quotes'))).has('Due first'))
  })

  it('drops search text and customer, and stores today as a relative date', async () => {
    const today = todayIn('America/New_York').toString()
    const customer = await office.customer('Dora')
    const query = `title=Vance&customer_id=${String(customer.id)}&scheduled_from=${today}&status=open&sort=scheduled_desc`
    await send(office.browser, list(query, 'jobs'), 'Save view', { name: 'Late ones' })
    const stored = await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.one<{ query: string }>(
        sql`select query from saved_views where tenant_id = ${office.id} and name = 'Late ones'`,
      ),
    )
    assert.equal(stored.query, 'status=open&scheduled_from=today&sort=scheduled_desc')
    const href = viewsIn(await office.browser.get(office.at('jobs'))).get('Late ones')!
    assert.equal(new URL(href, 'http://x').searchParams.get('scheduled_from'), today)
    assert.equal((await office.browser.get(href)).status, 200)
  })

  it("is offered only for filters that aren't a built-in view or just a search", async () => {
    for (const query of ['status=sent', 'query=dora', ''])
      assert.ok(!(await office.browser.get(list(query))).text.includes('Save view'), query)
    assert.ok((await office.browser.get(list('status=lead', 'customers'))).text.includes('Save view'))
  })

  it('can be renamed and deleted by its creator', async () => {
    const at = list('status=draft&sort=total_desc')
    await send(office.browser, at, 'Save view', { name: 'Big drafts' })
    await send(office.browser, at, 'Change view', { name: 'Largest drafts' })
    assert.equal(currentIn(await office.browser.get(at)), 'Largest drafts')
    await send(office.browser, at, 'Delete view', {})
    assert.ok(!viewsIn(await office.browser.get(at)).has('Largest drafts'))
  })

  it('is visible to others once shared, and can be deleted by its creator or an owner only', async () => {
    const at = list('status=paid&sort=total_desc')
    const { browser: colleague } = await office.signInMember('office')
    await send(colleague, at, 'Save view', { name: 'Best payers' })
    assert.ok(!viewsIn(await office.browser.get(at)).has('Best payers'))
    await send(colleague, at, 'Change view', { name: 'Best payers', shared: 'yes' })
    assert.equal(currentIn(await office.browser.get(at)), 'Best payers')
    const { browser: third } = await office.signInMember('office')
    const page = await third.get(at)
    assert.ok(viewsIn(page).has('Best payers') && !/Change view|Delete view/.test(page.text))
    const $ = load((await colleague.get(at)).text)
    const action = $('.view-form form').first().attr('action')!
    for (const fields of [[['name', 'Mine now']], [['do', 'delete']]] as [string, string][][])
      await sendForm(third, action, fields)
    assert.ok(viewsIn(await third.get(at)).has('Best payers'))
    await send(office.browser, at, 'Delete view', {})
    assert.ok(!viewsIn(await colleague.get(at)).has('Best payers'))
  })

  it('requires a name of up to 40 characters, and is limited to 12 per user and list', async () => {
    const { browser } = await office.signInMember('office')
    const saveView = (name: string) => send(browser, list('overdue=yes&sort=due_asc'), 'Save view', { name })
    await saveView('  ')
    assert.ok(pageTextOf(await browser.get(office.at('invoices'))).includes('Enter a name of up to 40 characters.'))
    await saveView('x'.repeat(41))
    assert.equal(load((await browser.get(office.at('invoices'))).text)('.views a').length, 6 + 0)
    for (let i = 0; i < 13; i++)
      await sendForm(browser, office.at('invoices', 'views'), [
        ['name', `View ${i}`],
        ['asked', `due_to=2026-01-${String(i + 1).padStart(2, '0')}`],
      ])
    const page = await browser.get(office.at('invoices'))
    assert.ok(pageTextOf(page).includes('This list already has the maximum number of saved views.'))
    assert.equal([...viewsIn(page).keys()].filter((name) => name.startsWith('View ')).length, 12)
  })

  it('is limited to 12 shared views per list, even when six members share at once', async () => {
    const company = await openOffice(service, 'Cedar Heating')
    const { browser } = company
    const members = [
      browser,
      ...(await Promise.all(Array.from({ length: 5 }, () => company.signInMember('office')))).map(
        (member) => member.browser,
      ),
    ]
    const share = (member: Browser, number: number) =>
      sendForm(member, company.at('invoices', 'views'), [
        ['name', `Shared ${number}`],
        ['shared', 'yes'],
        ['asked', `due_to=2026-01-${String(number).padStart(2, '0')}`],
      ])
    for (let number = 1; number <= 10; number++) await share(members[number % 6]!, number)
    await Promise.all(members.map((member, i) => share(member, 11 + i)))
    const page = await browser.get(company.at('invoices'))
    assert.equal([...viewsIn(page).keys()].filter((name) => name.startsWith('Shared ')).length, 12)
  })

  it("can't be saved without access to the list, or seen in another company", async () => {
    const { browser } = await office.signInMember('tech', { invoices: 'none' } as never)
    assert.equal(
      (
        await sendForm(browser, office.at('invoices', 'views'), [
          ['name', 'x'],
          ['asked', 'status=paid'],
        ])
      ).status,
      404,
    )
    const other = await openOffice(service, 'Birch Heating')
    assert.equal((await sendForm(other.browser, office.at('invoices', 'views'), [['name', 'x']])).status, 404)
    assert.ok(!viewsIn(await other.browser.get(other.at('invoices'))).has('Due first'))
  })
})
