import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { addOperator } from '../../src/identity/people/operators.ts'
import { findUser } from '../../src/identity/people/users.ts'
import { MAILBOXES, addChannel } from '../../src/messaging/inbox/directory.ts'
import type { TestService } from '../harness/harness.ts'
import { freshId } from '../harness/messaging/inbound.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { PASSWORD, startSite } from '../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'
import { passesAxe } from './harness/axe.ts'
import { complainOfAnswers } from './harness/demo_site.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage } from './harness/launch.ts'
import { signInAs } from './harness/sign_in.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']
const LONG = 'Rechtsschutzversicherungsgesellschaften'

let service: TestService
let browser: Browser
let office: Office
let state: NonNullable<Exclude<BrowserContextOptions['storageState'], string>>
/** Paths of pages, for the signed-in person and for everyone. */
let paths: string[]

const address = (path: string): string => service.config.baseUrl + path

/** Returns a page in its own profile, with the owner already signed in. */
async function atWork(options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, { storageState: state, ...options })
  complainOfAnswers(opened)
  return { ...opened, open: (path: string) => opened.page.goto(address(path)) }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(office.owner.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Brings a page to a state that exists only after a submission. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a form that is refused': async (page) => {
    await page.goto(address(`${office.at('jobs', 'new')}?customer_id=${(await anybody()).id}`))
    await page.getByLabel('Name').first().fill('Pump')
    await page.getByLabel('Price').first().fill('12.345')
    await page.locator('.further > summary').click()
    await page.getByLabel('Custom fields').fill('nothing')
    await page.getByRole('button', { name: 'Create job' }).click()
    await page
      .getByRole('alert')
      .getByRole('link', { name: /price: Enter an amount, such as/ })
      .waitFor()
  },
  'two versions of a record': async (page) => {
    const tag = await office.call('tags_create', { name: freshId('Stale') })
    await page.goto(address(office.at('tags', tag.id, 'edit')))
    await office.call('tags_update', { id: tag.id, color: '#1E90FF' })
    await page.getByLabel('Name').fill(freshId(LONG))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('table', { name: 'Differences' }).waitFor()
  },
  'a new key': async (page) => {
    await page.goto(address(office.at('settings', 'keys')))
    await page.getByLabel('Name').fill('Nightly export')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText("You won't see it again").waitFor()
  },
  'a list without what is looked for': (page) => page.goto(address(`${office.at('tags')}?query=nothing`)),
  'a filter that is refused': (page) => page.goto(address(`${office.at('jobs')}?scheduled_from=soon`)),
  'a file with rows to fix': async (page) => {
    await upload(page, 'Name,Email\nAna Right,ana@example.com\nBo Wrong,nobody')
    await page.getByText('One row needs fixing').waitFor()
    await page.getByRole('table', { name: 'Rows to fix' }).waitFor()
    await page.getByRole('button', { name: 'Import one record' }).waitFor()
  },
  'a file to be imported': async (page) => {
    await upload(page, `Name,Email,Shoe\n${LONG} ${LONG},${LONG}@example.com,7`)
    await page.getByRole('button', { name: 'Import one record' }).waitFor()
  },
  'an invitation': async (page) => {
    await page.goto(address(office.at('settings', 'members')))
    await page.getByLabel('Email').fill(`${freshId('new')}@example.com`)
    await page.getByRole('button', { name: 'Create invite link' }).click()
    const link = await page.locator('code', { hasText: '/join?' }).innerText()
    await page.context().clearCookies()
    await page.goto(link)
    await page.getByLabel('Your name').waitFor()
  },
  'a lost session': async (page) => {
    await page.goto(address(office.at('tags', 'new')))
    await page.getByLabel('Name').fill('Kept')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Create tag' }).click()
    await page.getByText('Your changes are kept').waitFor()
  },
  'back from a lost session': async (page) => {
    await STATES['a lost session']!(page)
    await signIn(page)
    await page.getByText('Your changes are still here').waitFor()
  },
}

const anybody = (): Promise<{ id: string }> => office.customer('Dora') as Promise<{ id: string }>

async function upload(page: Page, content: string): Promise<void> {
  await page.goto(address(office.at('settings', 'import')))
  await page
    .getByLabel('Excel or CSV file')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Check the file' }).click()
}

/** Asserts that nothing scrolls horizontally, even when narrow, and that touch targets are at least 44 pixels. */
async function fits(page: Page, name: string): Promise<void> {
  const small = await evaluateOn(
    page,
    `[...document.querySelectorAll('button:not(.unseen), input:not([type=hidden]), select, textarea, .button, .brand, .menu a, .rail a, .dock a, .settings-menu a, .companies a')]
    .filter((one) => one.offsetParent !== null).map((one) => [one.outerHTML, (one.closest('.tick label, .tick-list label, .composer label:has(> .unseen)') ?? one).getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([html]) => html)`,
  )
  assert.deepEqual(small, [], name)
  for (const width of [390, 320]) {
    await page.setViewportSize({ ...SIZES.phone, width })
    assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width, `${name} at ${width}`)
  }
}

inBrowser('pages', () => {
  before(async () => {
    service = await startSite(WEBHOOK_ENV)
    office = await openOffice(service, `${LONG} & Sons of Greater Northampton`)
    await addOperator(service.database, await findUser(service.database, office.owner.email))
    await addChannel(service.database, MAILBOXES, office.id, `${LONG.toLowerCase()}@in.example.com`)
    const { id } = await office.customer(LONG, {
      last_name: LONG,
      email: `${LONG}@${LONG}.example`,
      phone: '(512) 555-0143',
    })
    const tag = await office.call('tags_create', { name: LONG, color: '#C62828' })
    const job = await office.call('jobs_create', {
      customer_id: id,
      title: LONG.repeat(3),
      scheduled_start: Temporal.Now.plainDateISO('America/New_York').toPlainDateTime('10:00').toString(),
      line_items: [{ name: LONG, unit_price_cents: 123_456_789 }],
      fields: { [LONG]: LONG },
    })
    const { email, event } = providerOf(service)
    await email('/api/webhooks/email/inbound', {
      from: `Ana <${LONG}@example.com>`,
      to: 'nobody@in.example.com',
      messageId: freshId('m'),
      subject: LONG,
      text: LONG.repeat(4),
      attachments: [],
    })
    await event({
      id: freshId('evt_'),
      type: 'charge.succeeded',
      livemode: true,
      account: `acct_${LONG}`,
      data: { object: { id: 'ch_1', amount: 1500, currency: 'usd' } },
    })
    const held = (await office.browser.get('/operator')).text
    paths = [
      '/docs',
      '/docs/limits',
      '/docs/tools/invoices',
      '/operator',
      ...['messages', 'events'].map((kind) => new RegExp(`/operator/${kind}/[0-9a-f-]{36}`).exec(held)![0]),
      office.at(),
      office.at('review'),
      office.at('tags'),
      office.at('tags', 'new'),
      office.at('tags', tag.id),
      office.at('tags', tag.id, 'do', 'tags_delete'),
      office.at('jobs'),
      office.at('jobs', job.id),
      office.at('jobs', job.id, 'edit'),
      office.at('jobs', 'new'),
      office.at('settings', 'import'),
      office.at('settings', 'members', office.owner.user_id),
      ...['', 'apps', 'keys', 'company', 'members', 'clients', 'places'].map((tab) =>
        office.at('settings', tab).replace(/\/$/, ''),
      ),
    ]
    browser = await launch()
    const { page, close } = await openPage(browser)
    await signInAs(page, service.config.baseUrl, office.owner.email)
    state = await page.context().storageState()
    await close()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('pass WCAG 2.2 AA in light and dark, and fit desktop, tablet and phone, with the longest words', async () => {
    const { page, complaints, open, close } = await atWork()
    for (const path of paths) {
      await page.setViewportSize(SIZES.desktop)
      assert.equal((await open(path))?.status(), 200, path)
      await passesAxe(page, path, TAGS)
      for (const width of [1185, 1024, 930, 768]) {
        await page.setViewportSize({ ...SIZES.desktop, width })
        assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width, `${path} at ${width}`)
      }
      await page.setViewportSize(SIZES.phone)
      await fits(page, path)
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  it('pass axe when signed out', async () => {
    const { page, complaints, close } = await openPage(browser)
    for (const path of ['/', '/sign-in', '/nothing']) {
      await page.goto(address(path))
      await passesAxe(page, path, TAGS)
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  describe('after a submission', () => {
    for (const [name, reach] of Object.entries(STATES)) {
      it(`${name} passes axe and fits a phone`, async () => {
        const { page, complaints, close } = await atWork({ viewport: SIZES.phone })
        await reach(page)
        await passesAxe(page, name, TAGS)
        await fits(page, name)
        assert.deepEqual(complaints, [])
        await close()
      })
    }
  })

  it('work without JavaScript: the phone menu, a list, and creating, changing and deleting a record', async () => {
    const { page, open, close } = await atWork({ javaScriptEnabled: false, viewport: SIZES.phone })
    await open(office.at())
    assert.equal(await page.getByRole('link', { name: 'Tags' }).isVisible(), false)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Tags' }).click()
    await page.getByRole('link', { name: 'New tag' }).click()
    await page.getByLabel('Name').fill('Made without script')
    await page.getByRole('button', { name: 'Create tag' }).click()
    await page.getByRole('heading', { name: 'Made without script' }).waitFor()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Changed without script')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Changed without script' }).waitFor()
    await open(office.at('tags'))
    await page.getByLabel('Name begins with').fill('changed')
    await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('link', { name: 'Changed without script', exact: true }).click()
    await page.locator('.page-head .more > summary').click()
    await page.getByRole('link', { name: /^Delete tag/ }).click()
    await page.getByRole('main').getByRole('button', { name: 'Delete tag', exact: true }).click()
    await page.getByRole('heading', { name: 'Tags' }).waitFor()
    assert.equal((await office.call('tags_list', { query: 'changed' })).rows.length, 0)
    await close()
  })

  it('work with the keyboard alone: the skip link, the menu, and creating and changing a record', async () => {
    const { page, complaints, open, close } = await atWork({ viewport: SIZES.phone })
    const readFocus = () =>
      evaluateOn(
        page,
        '[document.activeElement.id, document.activeElement.innerText, getComputedStyle(document.activeElement).outlineWidth]',
      ) as Promise<[string, string, string]>
    const tabTo = async (name: string): Promise<void> => {
      if ((await readFocus())[0] === name) return
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab')
        const [id, text, outline] = await readFocus()
        assert.equal(outline, '3px', `${id} ${text} shows that it has the focus`)
        if (id === name || text.trim() === name) return
      }
      throw new Error(`Tab doesn't reach ${name}`)
    }
    await open(office.at())
    await tabTo('Skip to the content')
    await page.keyboard.press('Enter')
    await tabTo('New call')
    await open(office.at())
    await tabTo('More')
    await page.keyboard.press('Enter')
    await tabTo('Close')
    await page.keyboard.press('Escape')
    assert.equal((await readFocus())[1], 'More')
    await page.keyboard.press('Enter')
    await tabTo('Tags')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/tags$/)
    await tabTo('New tag')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/tags\/new$/)
    await tabTo('name')
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'By hand' }).waitFor()
    await tabTo('Edit')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/edit$/)
    await tabTo('name')
    await page.keyboard.press('End')
    await page.keyboard.type(' and keys')
    await tabTo('Save')
    await page.keyboard.press('Space')
    await page.getByRole('heading', { name: 'By hand and keys' }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it('link from an error to its field, and submit a form only once', async () => {
    const { page, open, close } = await atWork()
    await STATES['a form that is refused']!(page)
    await page
      .getByRole('alert')
      .getByRole('link', { name: /name, a colon and a value/ })
      .press('Enter')
    assert.equal(await evaluateOn(page, 'document.activeElement.id'), 'fields')
    await page
      .getByRole('alert')
      .getByRole('link', { name: /price: Enter an amount/ })
      .press('Enter')
    assert.equal(await evaluateOn(page, 'document.activeElement.id'), 'line_items')
    await page.getByRole('button', { name: 'Add line' }).click()
    await page.getByRole('group', { name: 'Line 2', exact: true }).getByLabel('Name').fill('One more')
    assert.equal(await page.getByRole('group', { name: /^Line \d+$/ }).count(), 2)
    await open(office.at('tags', 'new'))
    await page.getByLabel('Name').fill('Pressed twice')
    await page.getByRole('button', { name: 'Create tag' }).dblclick()
    await page.getByRole('heading', { name: 'Pressed twice' }).waitFor()
    assert.equal((await office.call('tags_list', { query: 'Pressed twice' })).rows.length, 1)
    await close()
  })
})
