import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { FILES } from '../../harness/files/files.ts'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage, until, waitOnWhole } from '../harness/launch.ts'
import { signInAs } from '../harness/sign_in.ts'

let service: TestService
let office: Office
let browser: Browser
let job: string
let quote: string
let paths: string[]
/** More pages, built from the same parts. */
let alike: string[]

const LINES = [
  {
    name: 'Boiler service with a long name that has to wrap on a phone',
    description: 'Two\nlines',
    unit_price_cents: 15_000,
  },
  { name: 'Neighbor', kind: 'discount', discount_type: 'percent', discount_value: 10 },
]

/** Creates one record of each kind, for a customer with a long unbreakable name. */
async function fill(): Promise<void> {
  const { call, at } = office
  await call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
  const customer = await office.customer('Ottoline', {
    last_name: 'Featherstonehaugh-Cholmondeley',
    phone: '(512) 555-0143',
    email: 'ottoline.featherstonehaugh@cholmondeley-residence.example',
    locations: [{ address_line1: '9 Elm St', city: 'Austin' }],
  })
  const category = await call('catalog_categories_create', { name: 'Heating' })
  const item = await call('catalog_items_create', {
    kind: 'service',
    name: 'Flue check',
    unit_price_cents: 4_900,
    category_id: category.id,
    cost_cents: 2_000,
  })
  const bundle = await call('catalog_items_create', {
    kind: 'bundle',
    name: 'Winter set',
    components: [{ catalog_item_id: item.id, quantity: 2 }],
  })
  const of = { customer_id: customer.id, line_items: LINES }
  quote = (await call('quotes_create', { ...of, title: 'New boiler', message: 'As said', terms: 'Half before' })).id
  const invoice = (
    await call('invoices_create', {
      ...of,
      subject: 'Boiler',
      po_number: 'PO-1',
      message: 'Thanks',
      internal_memo: 'Watch it',
    })
  ).id
  const sent = (await call('invoices_create', { ...of, issue_date: '2026-01-02' })).id
  await call('invoices_update', { id: sent, status: 'sent' })
  const plan = (await call('plans_create', { ...of, name: 'Comfort', cadence: 'monthly' })).id
  const start = Temporal.Now.plainDateISO('America/New_York').add({ days: 2 }).toString()
  const series = (
    await call('job_series_create', {
      ...of,
      title: 'Filters',
      rrule: 'FREQ=WEEKLY;BYDAY=TU',
      dtstart: `${start}T09:00`,
    })
  ).id
  job = (await call('jobs_create', { ...of, title: 'Leak', scheduled_start: `${start}T09:00`, instructions: 'Ladder' }))
    .id
  const rate = (await call('tax_rates_list', {})).rows[0].id
  paths = [
    at('invoices'),
    at('invoices', invoice),
    at('invoices', invoice, 'edit'),
    at('invoices', sent, 'do', 'invoices_void'),
    at('invoices', invoice, 'print'),
    at('quotes', quote),
    at('plans', plan),
    at('job_series', series),
    `${at('job_series', 'new')}?customer_id=${customer.id}&dtstart=${start}`,
    at('catalog_items', 'new'),
    `${at('catalog_items', 'new')}?kind=bundle`,
    at('catalog_items', bundle.id),
    at('catalog_categories'),
    at('tax_rates', rate),
    at('jobs', job),
  ]
  alike = [
    at('invoices', sent, 'edit'),
    at('quotes'),
    `${at('quotes', 'new')}?customer_id=${customer.id}`,
    at('quotes', quote, 'print'),
    at('plans', plan, 'edit'),
    at('job_series'),
    at('catalog_items'),
    at('catalog_items', bundle.id, 'edit'),
    at('catalog_categories', category.id),
    at('tax_rates'),
    at('jobs'),
  ]
}

const signIn = (page: Page): Promise<void> => signInAs(page, service.config.baseUrl, office.owner.email)

const open = (page: Page, path: string) => page.goto(`${service.config.baseUrl}${path}`)

inBrowser('pages of jobs, quotes and invoices', () => {
  before(async () => {
    service = await startSite()
    office = await openOffice(service, 'Alder Plumbing')
    await fill()
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('upload photos from a phone and show them, and report a file that is not a photo', async () => {
    const { page, complaints, close } = await openPage(browser, {
      viewport: SIZES.phone,
      hasTouch: true,
      isMobile: true,
    })
    await signIn(page)
    await open(page, office.at('jobs', job))
    const [png, jpeg] = [
      { name: 'leak.png', mimeType: 'image/png', buffer: FILES['image/png']! },
      { name: 'after.jpg', mimeType: 'image/jpeg', buffer: FILES['image/jpeg']! },
    ]
    await page.getByText('Add photos or files').click()
    await page.getByLabel('Take a photo').setInputFiles(jpeg)
    await page
      .getByLabel('Choose photos and files')
      .setInputFiles([png, { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<p>') }])
    await page.getByLabel('Caption').fill('Under the sink')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('alert').getByText('page.html').waitFor()
    await page.getByRole('link', { name: 'Back to the job' }).click()
    await page.getByRole('img', { name: 'Under the sink' }).first().waitFor()
    assert.equal(await page.getByRole('img', { name: 'Under the sink' }).count(), 2)
    await page.getByRole('link', { name: 'Remove Under the sink' }).first().click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('img', { name: 'Under the sink' }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it('pass every axe rule in light and dark, follow their CSP, and fit a phone', async () => {
    const { page, complaints, close } = await openPage(browser)
    await signIn(page)
    for (const path of [...paths, ...alike]) {
      await page.setViewportSize(SIZES.desktop)
      await open(page, path)
      if (paths.includes(path)) await passesAxe(page, path)
      for (const width of [390, 320]) {
        await page.setViewportSize({ ...SIZES.phone, width })
        assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width, `${path} at ${width}`)
      }
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  it('suggest items for the line typed in last, even when an earlier response arrives later', async () => {
    const { page, complaints, close } = await openPage(browser)
    await signIn(page)
    await open(
      page,
      alike.find((path) => path.includes('/quotes/new'))!,
    )
    const { promise: isLate, resolve: answer } = Promise.withResolvers<void>()
    await page.route(/suggest\?q=Flue/, async (route) => {
      await isLate
      await route.continue()
    })
    const asked = page.waitForRequest(/suggest\?q=Flue/)
    await page.getByLabel('Name', { exact: true }).fill('Flue check')
    await asked
    await page.getByRole('button', { name: 'Add line' }).click()
    await page.getByLabel('Name', { exact: true }).nth(1).fill('Winter')
    const suggested = `[...document.querySelectorAll('#catalog option')].map(({ value }) => value).join()`
    await until(page, `${suggested} === 'Winter set'`)
    answer()
    await until(page, `document.querySelector('input[name$=".0.price"]').value === '49.00'`)
    assert.equal(await evaluateOn(page, suggested), 'Winter set')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('support a quote from draft to sent, accepted and invoiced by keyboard alone', async () => {
    const { page, complaints, close } = await openPage(browser)
    await signIn(page)
    await open(page, office.at('quotes', 'new'))
    await page.getByRole('link', { name: /Featherstonehaugh/ }).focus()
    await page.keyboard.press('Enter')
    await waitOnWhole(page.getByLabel('Title'))
    await page.getByLabel('Title').focus()
    await page.keyboard.type('Boiler swap')
    const cell = (line: number, name: string) =>
      page.getByRole('group', { name: `Line ${line}`, exact: true }).getByLabel(name, { exact: true })
    await page.getByRole('button', { name: 'Add line' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Flue check')
    await page.getByRole('button', { name: 'Add line' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Cleaning')
    const lines = await page.locator('.line').count()
    await cell(lines, 'Price').focus()
    await page.keyboard.type('10')
    await page.keyboard.press('Enter')
    await waitOnWhole(page.getByRole('heading', { name: /Boiler swap/ }))
    for (const [press, next] of [
      ['Mark as accepted', /^Q-\d+ .*Accepted/],
      ['Create job', /^J-\d+ /],
      ['Done', /^J-\d+ .*Done/],
      ['Create invoice', /^INV-\d+/],
    ] as const) {
      if (press === 'Mark as accepted' || press === 'Done')
        await page.locator('.page-head .more > summary').press('Enter')
      await page.getByRole('button', { name: press, exact: true }).focus()
      await page.keyboard.press('Enter')
      await waitOnWhole(page.getByRole('heading', { level: 1, name: next }))
    }
    const [, id = ''] = /invoices\/([0-9a-f-]{36})$/.exec(page.url()) ?? []
    assert.equal((await office.call('invoices_get', { id })).subtotal_cents, 5_900)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('print without navigation, dark on white', async () => {
    const { page, complaints, close } = await openPage(browser, { colorScheme: 'dark' })
    await signIn(page)
    await open(page, office.at('quotes', quote, 'print'))
    await page.getByRole('button', { name: 'Print', exact: true }).waitFor()
    await page.emulateMedia({ media: 'print' })
    const seen = await evaluateOn(
      page,
      `[...document.querySelectorAll('.bar, .skip, .paper-tools')].map((one) => getComputedStyle(one).display)`,
    )
    assert.deepEqual(seen, ['none', 'none', 'none'])
    assert.deepEqual(
      await evaluateOn(
        page,
        `[getComputedStyle(document.body).backgroundColor, ...['.paper h1', '.paper h1 span', '.paper td'].map((one) => getComputedStyle(document.querySelector(one)).color)]`,
      ),
      ['rgb(255, 255, 255)', 'rgb(15, 84, 82)', 'rgb(23, 33, 31)', 'rgb(23, 33, 31)'],
    )
    await page.setViewportSize({ width: 640, height: 900 })
    assert.deepEqual(
      await evaluateOn(
        page,
        `[...document.querySelectorAll('.paper thead, .paper td')].map((one) => getComputedStyle(one).display).filter((how, i, all) => all.indexOf(how) === i)`,
      ),
      ['table-header-group', 'table-cell'],
    )
    assert.equal((await page.pdf({ format: 'A4' })).subarray(0, 4).toString(), '%PDF')
    assert.deepEqual(complaints, [])
    await close()
  })
})
