import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { detectFormat } from '../../src/imports/formats/source_format.ts'
import { SOURCE_FORMATS } from '../../src/imports/formats/index.ts'
import { EXAMPLES } from '../../src/imports/formats/examples.ts'
import { KINDS } from '../../src/imports/rows/kinds.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { shellMenu, type Shell } from '../../src/platform/html/shell.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, type Office } from '../harness/identity/people_pages.ts'
import { startSite, newBrowser } from '../harness/web_client.ts'

let service: TestService
let office: Office

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

describe('global search', () => {
  const findPages = async (browser: Office['browser'], q: string): Promise<Map<string, string>> => {
    const $ = load((await browser.get(`${office.at('search', 'results')}?q=${q}`)).text)
    return new Map(
      $('[role=group][aria-label="Pages and settings"] a')
        .get()
        .map((one) => [$(one).find('b').text(), one.attribs['href']!]),
    )
  }

  it('finds pages and settings by the beginnings of words', async () => {
    assert.equal((await findPages(office.browser, 'remind')).get('Reminders'), office.at('settings', 'reminders'))
    assert.equal((await findPages(office.browser, 'api+ke')).get('API keys'), office.at('settings', 'keys'))
    assert.equal((await findPages(office.browser, 'repor')).get('Reports'), office.at('reports'))
    assert.equal((await findPages(office.browser, 'new+invo')).get('New invoice'), office.at('invoices', 'new'))
  })

  it('finds only pages the user has access to', async () => {
    const { browser } = await office.signInMember('tech')
    assert.deepEqual([...(await findPages(browser, 'reminders')).keys()], [])
    assert.deepEqual([...(await findPages(browser, 'invoices')).keys()], [])
    assert.ok((await findPages(browser, 'schedule')).has('Schedule'))
  })
})

describe('a password field', () => {
  it('has a Show password button, hidden until its script runs', async () => {
    const page = await newBrowser(service).get('/sign-in')
    const $ = load(page.text)
    const button = $('button.reveal')
    assert.deepEqual([button.attr('aria-controls'), button.attr('hidden')], ['password', 'hidden'])
    assert.equal(button.text(), 'Show password')
    assert.match($('script').toString(), /reveal\.[\w-]+\.js/)
    assert.doesNotMatch((await office.browser.get(office.at('invoices'))).text, /reveal\.[\w-]+\.js/)
  })
})

describe('the import page', () => {
  it('offers an example file of each kind, which is detected as that kind', async () => {
    const page = await office.browser.get(office.at('settings', 'import'))
    for (const kind of KINDS) {
      const href = office.at('settings', 'import', 'examples', kind)
      assert.ok(page.text.includes(`href="${href}"`), kind)
      const { status, text, headers } = await office.browser.get(href)
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8; header=present'])
      const lines = text.replace('\uFEFF', '').trim().split('\r\n')
      assert.equal(lines.length, EXAMPLES[kind].rows.length + 1)
      const { kind: known } = detectFormat(SOURCE_FORMATS, [...EXAMPLES[kind].columns], {})
      assert.equal(known, kind)
    }
    assert.equal((await office.browser.get(office.at('settings', 'import', 'examples', 'members'))).status, 404)
    const { browser } = await office.signInMember('tech')
    assert.equal((await browser.get(office.at('settings', 'import', 'examples', 'customers'))).status, 404)
  })
})

describe('counts of waiting items', () => {
  it('are hidden on the schedule when no jobs wait', async () => {
    const head = async () => load((await office.browser.get(office.at('schedule'))).text)('#tray-head')
    assert.equal((await head()).find('.count').length, 0)
    const customer = await office.customer('Dora')
    await office.call('jobs_create', { customer_id: customer.id, title: 'Leak' })
    assert.equal((await head()).find('.count').text(), '1')
  })

  it('of messages appear on the phone menu button that contains Messages', () => {
    const entry = { href: '/', icon: 'messages', isHere: false, within: [] } as const
    const entries = Array.from({ length: 6 }, (_, i) => ({
      ...entry,
      label: `Entry ${i}`,
      ...(i === 5 ? { count: { number: 3, label: '3 unread conversations', isNew: true } } : {}),
    }))
    const $ = load(String(shellMenu({ entries, below: [] } as unknown as Shell)))
    assert.equal($('.dock button .count.new').text(), '33 unread conversations')
    assert.equal($('.dock a .count').length, 0)
  })
})

describe('the job page', () => {
  it('offers a reply to users who can write messages, and an SMS link to technicians unless opted out', async () => {
    const customer = await office.customer('Emil', { phone: '+15125550143' })
    const job = await office.call('jobs_create', { customer_id: customer.id, title: 'Text me' })
    const page = await office.browser.get(office.at('jobs', String(job.id)))
    assert.ok(page.text.includes(`href="${office.at('messages', 'with', String(customer.id))}#reply"`))
    const { browser } = await office.signInMember('tech')
    const theirs = await browser.get(office.at('jobs', String(job.id)))
    assert.ok(theirs.text.includes('href="sms:+15125550143"'))
    assert.ok(!theirs.text.includes('#reply'))
    await office.call('contacts_update', { id: job.contact_id, sms_opt_out: true })
    assert.ok(!(await browser.get(office.at('jobs', String(job.id)))).text.includes('href="sms:'))
  })
})

describe('Today', () => {
  it("offers to undo an assistant's changes, but not the creation of the demo data", async () => {
    assert.ok(pageTextOf(await office.browser.get(office.at())).includes('Agent changed'))
    await writeTenant(service.database, { tenant: office.id }, async (db) => {
      await db.run(sql`update tenants set is_demo = true where id = ${office.id}`)
      await db.run(sql`update session_uses set first_at = now() where tenant_id = ${office.id}`)
    })
    assert.ok(!pageTextOf(await office.browser.get(office.at())).includes('Agent changed'))
    await office.customer('Later')
    assert.ok(pageTextOf(await office.browser.get(office.at())).includes('Agent changed one record today'))
  })
})

describe('the note list in Spanish', () => {
  it('names the record kinds in Spanish', async () => {
    const page = await office.browser.send(office.at('notes'), {
      headers: { accept: 'text/html', 'accept-language': 'es' },
    })
    for (const word of ['Trabajo recurrente', 'Artículo del catálogo']) assert.ok(page.text.includes(word), word)
    assert.ok(!page.text.includes('Job series'))
  })
})

describe('the undo link of a change', () => {
  it('has an accessible name with the time of the change', async () => {
    const customer = await office.customer('Undine')
    const $ = load((await office.browser.get(office.at('customers', customer.id))).text)
    const names = $('a .unseen')
      .get()
      .filter((one) => $(one).parent().text().startsWith('Undo'))
      .map((one) => $(one).text())
    assert.ok(names.length > 0)
    for (const name of names) assert.match(name, /^: .*\d{1,2}:\d\d/)
  })
})
