import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sql } from '../../../src/platform/db/tenant.ts'
import { PERIODIC_TASKS } from '../../../src/worker/periodic_tasks.ts'
import { configurableTasks } from '../../../src/worker/configurable_tasks.ts'
import { startCheckoutProvider, type CheckoutProvider } from '../../harness/money/checkout_provider.ts'
import { startMailServer } from '../../harness/messaging/mail_server.ts'
import { paidThere, runChores } from '../../harness/money/paid_there.ts'
import { ACCOUNT } from '../../harness/money/payments.ts'
import { WEBHOOK_ENV } from '../../harness/clients/webhook_calls.ts'
import { openPortalScene, type PortalScene } from '../../customer_portal/portal_scene.ts'
import { dayFromNow, savedSceneAt } from '../../payments/saved_scene.ts'
import { PHONE, openVisits } from '../mobile/phone_page.ts'
import { countEffort } from '../harness/counting.ts'
import { SIZES, inBrowser, launch, openPage } from '../harness/launch.ts'
import { signOn } from '../harness/signing.ts'
import { signInAs } from '../harness/sign_in.ts'

const MAIL = 'maria@example.com'

/** Maximum effort of each person, from the booking to the statement. */
const MOST = {
  office: { clicks: 34, keys: 72, loads: 30 },
  customer: { clicks: 11, keys: 0, loads: 16 },
  technician: { clicks: 6, keys: 0, loads: 0 },
}

let provider: CheckoutProvider
let post: Awaited<ReturnType<typeof startMailServer>>
let portal: PortalScene
let scene: Awaited<ReturnType<typeof savedSceneAt>>
let browser: Browser

/** Has the worker send queued mail. Returns the newest mail to the customer with its link. */
async function mail(address = MAIL, about = /./): Promise<{ subject: string; link: string }> {
  const tasks = configurableTasks(portal.service.config, portal.service.database)
  await runChores(
    portal.service,
    tasks.filter(({ name }) => name === 'notices' || name === 'email_sending'),
  )
  await runChores(
    portal.service,
    tasks.filter(({ name }) => name === 'email_sending'),
  )
  const { mail } = post.taken.findLast((one) => one.to.includes(address) && about.test(one.mail.subject ?? ''))!
  return { subject: mail.subject!, link: /http:\S+\/(?:c|quotes)\/[\w-]+/.exec(mail.text!)?.[0] ?? '' }
}

/** Returns whether the automatic payment of an invoice has failed. */
const hasFailed = async (invoice: string): Promise<boolean> =>
  (await portal.all(sql`select from autopay_runs where invoice_id = ${invoice} and failures > 0`)).length > 0

const main = (page: Page) => page.getByRole('main')
const press = (page: Page, name: string | RegExp): Promise<void> =>
  main(page)
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .click()
const follow = (page: Page, name: string | RegExp): Promise<void> =>
  main(page)
    .getByRole('link', typeof name === 'string' ? { name, exact: true } : { name })
    .first()
    .click()
const openMenu = (page: Page): Promise<void> => page.locator('.page-head .more > summary').click()
const title = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()
const says = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()

/** Types into a field after a click. */
async function type(page: Page, field: string, text: string): Promise<void> {
  await main(page)
    .getByLabel(new RegExp(`^${field}`))
    .first()
    .click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

inBrowser('the life of one customer', () => {
  before(async () => {
    provider = await startCheckoutProvider(WEBHOOK_ENV.PAYMENTS_SECRET_KEY)
    post = await startMailServer()
    portal = await openPortalScene({
      ...WEBHOOK_ENV,
      PAYMENTS_API_URL: provider.apiUrl,
      SMTP_URL: `smtp://user:p%40ss@127.0.0.1:${post.config.port}`,
      MAIL_FROM: 'Callout <callout@mail.example>',
    })
    scene = await savedSceneAt(portal, provider, ACCOUNT)
    await scene.allow({ max_charge: '1000.00' })
    browser = await launch('whole')
  })
  after(async () => {
    await browser.close()
    await portal.service.stop()
    await post.stop()
    await provider.stop()
  })

  it('goes from the booking to the statement in the UI alone', async () => {
    const { baseUrl } = portal.service.config
    const customer = String(portal.customer['id'])
    const tech = await portal.office.signInMember('tech', { Invoices: 'edit' })
    const office = await openPage(browser)
    const { page } = office
    await signInAs(page, baseUrl, portal.office.owner.email)
    await page.goto(baseUrl + portal.office.at())
    const home = await openPage(browser, { viewport: SIZES.phone, hasTouch: true })
    const phone = home.page
    await phone.route('https://checkout.example/**', (route) => route.fulfill({ body: 'The provider' }))
    const [atOffice, atHome] = [await countEffort(page), await countEffort(phone)]
    const pay = async (): Promise<void> => {
      await press(phone, /^Pay \$/)
      await says(phone, 'The provider')
      await paidThere(portal.service, provider.started().at(-1)!)
    }

    // Booked.
    await page.goto(baseUrl + portal.office.at('customers', customer))
    await follow(page, 'New job')
    await type(page, 'Title', 'Look at the heater')
    await press(page, 'Create job')
    await title(page, /Look at the heater/)

    // Options by link.
    await page.goto(baseUrl + portal.office.at('customers', customer))
    await follow(page, 'New quote')
    await type(page, 'Title', 'Repair')
    await type(page, 'Name', 'Repair')
    await type(page, 'Price', '200')
    await press(page, 'Create quote')
    await title(page, /^Q-/)
    await openMenu(page)
    await follow(page, 'Ask for a deposit')
    await type(page, 'Deposit', '30')
    await press(page, 'Ask for a deposit')
    await title(page, /^Q-/)
    await openMenu(page)
    await press(page, 'Add an option')
    await says(page, 'This is the new option.')
    await follow(page, 'Edit')
    await type(page, 'Title', 'Replace')
    await type(page, 'Price', '900')
    await press(page, 'Save')
    await follow(page, 'Send')
    await press(page, 'Send')
    await says(page, `is on its way to ${MAIL}`)

    // Accepted, with a deposit.
    const offer = await mail()
    await phone.goto(offer.link)
    await phone.getByRole('link', { name: /See option.*Replace/ }).click()
    await phone.getByRole('link', { name: 'Accept', exact: true }).click()
    await phone.getByLabel('Your name').fill('Maria Lopez')
    await signOn(phone)
    await press(phone, 'Accept for $900.00')
    await follow(phone, 'Pay the deposit')
    await pay()

    // Notified by mail, the office creates the job and schedules it for today.
    await page.goto((await mail(portal.office.owner.email, /accepted quote/)).link)
    await press(page, 'Create job')
    await follow(page, 'Schedule')
    const start = `${dayFromNow(0)}T09:00`
    await main(page)
      .getByLabel(/^Start/)
      .first()
      .fill(start)
    await main(page).getByLabel('Leo Park').check()
    const job = /[0-9a-f-]{36}$/.exec(new URL(page.url()).pathname)![0]
    await press(page, 'Move')
    await page.getByRole('status').first().waitFor()

    // The visit, and its invoice from the technician's phone.
    const field = await openPage(browser, PHONE)
    await openVisits(field.page, baseUrl, portal.office.id, tech.email)
    const atVisit = await countEffort(field.page)
    await field.page.locator(`#card-${job}`).tap()
    for (const to of ['en_route', 'in_progress', 'done'])
      await field.page.locator(`.field-dock .field-step.${to}`).tap()
    await field.page.locator('#invoice-dock', { hasText: 'Create invoice · $630.00' }).tap()
    const code = field.page.waitForResponse((answer) => answer.url().includes('/pay-codes/'))
    await field.page.locator('#do-code').tap()
    await field.page.locator('#sheet svg.qr').waitFor()
    const { url: bill } = (await (await code).json()) as { url: string }

    // The customer saves a card with the code, and the office charges it. The receipt comes by mail.
    await phone.goto(bill)
    await follow(phone, 'Save a card')
    await press(phone, 'Agree and continue')
    await says(phone, 'The provider')
    const setup = [...scene.saved.setups.values()].at(-1)!
    const card = scene.saved.completeSetup(setup)
    await phone.goto(String(setup.asked['success_url']))
    await says(phone, 'Visa ending in 4242')
    await page.goto(baseUrl + portal.office.at('jobs', job))
    await follow(page, /INV-1002/)
    await follow(page, 'Charge')
    await press(page, 'Charge now')
    await says(page, '$630.00 was charged.')
    assert.match((await mail()).subject, /^Receipt for invoice /)

    // A yearly plan, for which the customer allows automatic charges.
    await page.goto(baseUrl + portal.office.at('customers', customer))
    await openMenu(page)
    await follow(page, 'New plan')
    await type(page, 'Name', 'Comfort')
    await main(page)
      .getByLabel(/^Cadence|^How often/)
      .first()
      .selectOption({ label: 'Yearly' })
    await main(page)
      .getByRole('group', { name: 'Line 1', exact: true })
      .getByLabel('Name', { exact: true })
      .fill('Service')
    await main(page)
      .getByRole('group', { name: 'Line 1', exact: true })
      .getByLabel(/^Price/)
      .fill('240')
    await press(page, 'Create plan')
    await title(page, /Comfort/)
    await phone.goto(bill)
    await follow(phone, /^Visa ending in/)
    await main(phone)
      .locator('form', { hasText: '“Comfort”' })
      .getByRole('button', { name: 'Agree and pay automatically' })
      .click()
    await says(phone, 'Automatic payments are on.')

    // The first charge fails, and both the customer and the office see it. The next one succeeds.
    card.result = { decline_code: 'insufficient_funds' }
    const night = Temporal.Now.instant().add({ hours: 24 })
    await scene.work(
      PERIODIC_TASKS.filter(({ name }) => name === 'plan_runs'),
      night,
    )
    const [due] = await portal.all<{ id: string }>(sql`select id from invoices where plan_id is not null`)
    assert.ok(due)
    let days = 1
    for (; days < 60 && !(await hasFailed(due.id)); days++) await scene.workOn(days)
    assert.match((await mail()).subject, /^Your automatic payment for invoice \S+ didn't go through$/)
    await page.goto(baseUrl + portal.office.at())
    await says(page, 'Automatic payments that failed')
    card.result = 'succeeded'
    for (const more of [0, 1, 2, 3]) await scene.workOn(days + more)
    assert.deepEqual(await scene.money(due.id), ['paid', 24_000])
    await page.reload()
    assert.equal(await page.getByText('Automatic payments that failed').count(), 0)

    // The statement.
    await page.goto(baseUrl + portal.office.at('customers', customer))
    await follow(page, 'Statement')
    await press(page, 'Email statement')
    await says(page, MAIL)
    assert.match((await mail()).subject, /^Your statement of /)
    const efforts = { office: { ...atOffice }, customer: { ...atHome }, technician: { ...atVisit } }
    process.stdout.write(`the life of one customer ${JSON.stringify(efforts)}\n`)
    for (const [who, most] of Object.entries(MOST))
      for (const what of ['clicks', 'keys', 'loads'] as const)
        assert.ok(efforts[who as keyof typeof MOST][what] <= most[what], `${who} ${what}`)
    assert.deepEqual([...office.complaints, ...home.complaints, ...field.complaints], [])
  })
})
