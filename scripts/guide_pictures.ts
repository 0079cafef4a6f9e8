import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startDemo, type AtWork, type DemoSite } from '../test/browser/harness/demo_site.ts'
import { toWebp, waitForTypeface } from '../test/browser/gallery/pictures.ts'
import { SIZES, launch } from '../test/browser/harness/launch.ts'
import { ACCOUNTS, startQuickbooks } from '../test/harness/books/quickbooks.ts'
import { callerOf } from '../test/harness/harness.ts'
import { root } from '../test/harness/repository.ts'

// Takes the pictures for docs/guide/ from a new demo company: node scripts/guide_pictures.ts [name…]
const folder = join(root, 'docs', 'guide', 'pictures')

const LAPTOP = { width: 1120, height: 700 }
const TALL = { width: 1120, height: 900 }

/** Maximum size of a picture in bytes. */
const MAX_BYTES = 60_000

const QUALITY = 0.75

/** Page and site that the steps of a picture use. */
type Scene = { page: Page; open: AtWork['open']; site: DemoSite; browser: Browser }

type Picture = {
  name: string
  viewport?: { width: number; height: number }
  person?: 'luis'
  steps: (scene: Scene) => Promise<void>
}

const PICTURES: readonly Picture[] = [
  { name: 'today', steps: async ({ open }) => void (await open()) },
  { name: 'invite', steps: async (scene) => openAt(scene, 'Create invite link', 'settings', 'members') },
  {
    name: 'customer',
    viewport: TALL,
    steps: async (scene) => openFirst(scene, 'customers', { query: 'June Whitaker' }),
  },
  { name: 'new-call', viewport: TALL, steps: typeCall },
  { name: 'schedule', viewport: TALL, steps: async (scene) => openAt(scene, 'Toilet keeps running', 'schedule') },
  { name: 'phone-day', viewport: SIZES.phone, person: 'luis', steps: openVisits },
  { name: 'phone-visit', viewport: SIZES.phone, person: 'luis', steps: openVisit },
  { name: 'quote', viewport: TALL, steps: async (scene) => openFirst(scene, 'quotes', { status: ['sent'] }) },
  { name: 'send-invoice', viewport: TALL, steps: openSendPage },
  { name: 'customer-quote', viewport: SIZES.phone, steps: openCustomerLink },
  { name: 'invoice', viewport: TALL, steps: async (scene) => openFirst(scene, 'invoices', { status: ['sent'] }) },
  { name: 'messages', steps: async ({ open }) => void (await open('messages')) },
  { name: 'recurring-job', viewport: TALL, steps: async (scene) => openForm(scene, 'job_series') },
  { name: 'import-columns', viewport: TALL, steps: openImport },
  { name: 'key-areas', viewport: TALL, steps: showAreas },
  { name: 'proposal', viewport: TALL, steps: openProposal },
  { name: 'activity', steps: async ({ open }) => void (await open('activity')) },
  { name: 'reports', steps: async ({ open }) => void (await open('reports')) },
  { name: 'erase', viewport: TALL, steps: openErasure },
  { name: 'books', viewport: TALL, steps: openBooks },
]

/** Opens a page and scrolls to a text on it. */
async function openAt({ page, open }: Scene, text: string, ...steps: string[]): Promise<void> {
  await open(...steps)
  await page.getByRole('main').getByText(text).first().scrollIntoViewIfNeeded()
}

async function openFirst({ site, page }: Scene, list: string, filter: object): Promise<void> {
  const { rows } = await site.call(list === 'customers' ? 'customers_search' : `${list}_list`, filter)
  await page.goto(site.baseUrl + site.path(list, String(rows[0].id)))
}

async function openForm({ site, page }: Scene, list: string): Promise<void> {
  const { rows } = await site.call('customers_search', { query: 'June Whitaker' })
  await page.goto(`${site.baseUrl}${site.path(list, 'new')}?customer_id=${String(rows[0].id)}`)
}

async function typeCall({ page, open }: Scene): Promise<void> {
  await open('calls', 'new')
  await page.getByLabel('Phone').first().fill('0107')
  await page.getByText('June Whitaker').first().waitFor()
}

async function openVisits({ page, site }: Scene): Promise<void> {
  await page.goto(`${site.baseUrl}/field/${site.demo.tenant.id}/`)
  await page.locator('.field-state.sent').waitFor()
}

async function openVisit(scene: Scene): Promise<void> {
  await openVisits(scene)
  await scene.page.locator('main a', { hasText: 'Pressure drops' }).first().click()
  await scene.page.locator('.field-head').waitFor()
}

async function openSendPage({ site, page }: Scene): Promise<void> {
  const { rows } = await site.call('invoices_list', { status: ['draft'] })
  await page.goto(site.baseUrl + site.path('invoices', String(rows[0].id), 'send'))
}

/** Opens the link for the customer of a sent quote. */
async function openCustomerLink({ site, page }: Scene): Promise<void> {
  const { rows } = await site.call('quotes_list', { status: ['sent'] })
  const own = rows.find((row: { owner_name: string }) => row.owner_name === 'Dana Whitfield')
  await page.goto(site.baseUrl + site.path('quotes', String(own.id)))
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.goto(await textOn(page, /http:\/\/\S+\/c\/[\w-]{22}/))
}

/** Waits for a text on the page, and returns it. */
async function textOn(page: Page, pattern: RegExp): Promise<string> {
  await page.getByText(pattern).first().waitFor()
  return pattern.exec(await page.getByRole('main').innerText())?.[0] ?? ''
}

async function openImport({ page, open }: Scene): Promise<void> {
  await open('settings', 'import')
  const lines = [
    'Client ID,First Name,Last Name,Mobile Phone,Email,Street Address,City,State,ZIP Code',
    '17,Rosa,Delgado,512-555-0170,rosa@example.com,88 Juniper Lane,Austin,TX,78704',
    '18,Amos,Field,512-555-0171,amos@example.com,12 Cedar Bend,Austin,TX,78745',
  ]
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\n')}\n`) })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Columns').first().waitFor()
}

async function showAreas({ page, open }: Scene): Promise<void> {
  await open('settings', 'keys')
  await page.getByLabel('Name', { exact: false }).last().fill('Office assistant')
  await page.getByText('Catalog & pricing').last().scrollIntoViewIfNeeded()
}

/** Creates a key that proposes, proposes a change with it, and opens the proposal. */
async function openProposal({ page, open, site }: Scene): Promise<void> {
  const key = await makeProposingKey({ page, open })
  const { refusal } = callerOf(site.service.url, key)
  const { rows } = await site.call('jobs_list', { title: 'Pool house' })
  const answer = await refusal('jobs_update', { id: rows[0].id, priority: 'high', assignees: ['Luis Ortega'] })
  await page.goto(/http:\/\/\S+\/proposals\/[\w-]{36}/.exec(answer)?.[0] ?? '')
}

async function makeProposingKey({ page, open }: Pick<Scene, 'page' | 'open'>): Promise<string> {
  await open('settings', 'keys')
  await page.getByLabel('Name', { exact: false }).last().fill('Office assistant')
  for (const choice of await page.getByLabel('Propose').all()) await choice.check()
  await page.getByRole('button', { name: 'Create key' }).click()
  return textOn(page, /svc_uk_\w{43}/)
}

async function openErasure({ site, page }: Scene): Promise<void> {
  const { rows } = await site.call('customers_search', { query: 'Curtis Hayes' })
  await page.goto(site.baseUrl + site.path('customers', String(rows[0].id), 'data'))
}

/** Connects an accounting program, and shows its dry run. */
async function openBooks({ site, page, open }: Scene): Promise<void> {
  await open('settings', 'books')
  await page.getByRole('button', { name: 'Connect QuickBooks Online' }).click()
  await page.waitForURL(/\/connect\/oauth2\?/)
  await page.goto(`${site.baseUrl}/books/callback?${program.agree(page.url()).toString()}`)
  const { receivable: _, ...accounts } = ACCOUNTS
  for (const [name, id] of Object.entries(accounts)) await page.locator(`select[name=${name}]`).selectOption(id)
  await page.getByRole('button', { name: 'Save accounts' }).click()
  await page.getByRole('button', { name: 'Start dry run' }).click()
  await page.getByText('Totals by account').scrollIntoViewIfNeeded()
}

const names = process.argv.slice(2)
const program = await startQuickbooks()
const site = await startDemo({
  QUICKBOOKS_CLIENT_ID: program.app.id,
  QUICKBOOKS_CLIENT_SECRET: program.app.secret,
  QUICKBOOKS_API_URL: program.apiUrl,
})
const browser = await launch('whole')
try {
  await mkdir(folder, { recursive: true })
  for (const { name, viewport = LAPTOP, person = 'dana', steps } of PICTURES) {
    if (names.length > 0 && !names.includes(name)) continue
    const { page, open, close } = await site.atWork(browser, person, { viewport, colorScheme: 'light' })
    await waitForTypeface(page)
    await steps({ page, open, site, browser })
    await page.waitForLoadState()
    const picture = await toWebp(browser, await page.screenshot(), QUALITY)
    if (picture.length > MAX_BYTES) throw new Error(`${name} has ${picture.length} bytes, more than ${MAX_BYTES}`)
    await writeFile(join(folder, `${name}.webp`), picture)
    console.log(name, picture.length)
    await close()
  }
} finally {
  await browser.close()
  await site.stop()
  await program.stop()
}
