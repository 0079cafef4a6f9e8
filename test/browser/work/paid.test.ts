import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sql } from '../../../src/platform/db/tenant.ts'
import { MAILBOXES, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { connectPaymentAccount } from '../../../src/payments/accounts.ts'
import { configurableTasks } from '../../../src/worker/configurable_tasks.ts'
import { startCheckoutProvider, type CheckoutProvider } from '../../harness/money/checkout_provider.ts'
import { startMailServer } from '../../harness/messaging/mail_server.ts'
import { paidThere, runChores } from '../../harness/money/paid_there.ts'
import { ACCOUNT } from '../../harness/money/payments.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'
import { openPortalScene, type PortalScene } from '../../customer_portal/portal_scene.ts'
import { countEffort } from '../harness/counting.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { signOn } from '../harness/signing.ts'
import { tabTo } from '../harness/tabbing.ts'
import { signInAs } from '../harness/sign_in.ts'

let provider: CheckoutProvider
let post: Awaited<ReturnType<typeof startMailServer>>
let portal: PortalScene
let browser: Browser

/** Has the worker send queued mail. Returns the newest mail to an address. */
async function mailTo(address: string): Promise<{ subject: string; text: string; link: string }> {
  const chores = configurableTasks(portal.service.config, portal.service.database).filter(
    ({ name }) => name === 'email_sending',
  )
  assert.equal(chores.length, 1)
  await runChores(portal.service, chores)
  const { mail } = post.taken.findLast(({ to }) => to.includes(address))!
  const text = mail.text!
  return { subject: mail.subject!, text, link: /http:\S+\/(?:c|quotes)\/[\w-]+/.exec(text)![0] }
}

const main = (page: Page) => page.getByRole('main')
const press = (page: Page, name: string): Promise<void> => main(page).getByRole('button', { name, exact: true }).click()

inBrowser('from quote to payment', () => {
  before(async () => {
    provider = await startCheckoutProvider(WEBHOOK_ENV.PAYMENTS_SECRET_KEY)
    post = await startMailServer()
    portal = await openPortalScene({
      ...WEBHOOK_ENV,
      PAYMENTS_API_URL: provider.apiUrl,
      SMTP_URL: `smtp://user:p%40ss@127.0.0.1:${post.config.port}`,
      MAIL_FROM: 'Callout <callout@mail.example>',
    })
    await connectPaymentAccount(portal.service.database, null, portal.office.id, ACCOUNT)
    browser = await launch('whole')
  })
  after(async () => {
    await browser.close()
    await portal.service.stop()
    await post.stop()
    await provider.stop()
  })

  it('goes through quote, mail, link, signature, job, invoice, checkout and webhook in the UI alone', async () => {
    const { baseUrl } = portal.service.config
    const office = await openPage(browser)
    const { page } = office
    await signInAs(page, baseUrl, portal.office.owner.email)
    await page.goto(baseUrl + portal.office.at('customers', portal.customer['id']))
    const effort = await countEffort(page)

    await main(page).getByRole('link', { name: 'New quote' }).first().click()
    await page.getByLabel('Title').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Heater')
    const line = page.getByRole('group', { name: 'Line 1', exact: true })
    await line.getByLabel('Name', { exact: true }).click()
    await page.keyboard.type('Heater')
    await tabTo(page, /^Price/)
    await page.keyboard.type('900')
    await press(page, 'Create and send')
    await page.getByText('is on its way to maria@example.com').waitFor()

    const phone = await openPage(browser, { viewport: SIZES.phone, hasTouch: true })
    const offer = await mailTo('maria@example.com')
    await phone.page.goto(offer.link)
    await phone.page.getByRole('link', { name: 'Accept', exact: true }).click()
    await phone.page.getByLabel('Your name').fill('Maria Lopez')
    await signOn(phone.page)
    await phone.page.getByRole('button', { name: 'Accept for $900.00' }).click()
    await phone.page.getByText('You accepted this quote').first().waitFor()
    const drawn = String(await evaluateOn(phone.page, `document.querySelector('.signed path').getAttribute('d')`))
    assert.match(drawn, /^M\d+ \d+(L\d+ \d+)+$/)

    const told = await mailTo(portal.office.owner.email)
    assert.match(told.subject, /^Maria Lopez accepted quote Q-\d+$/)
    await page.goto(told.link)
    await page.locator('.page-head .more > summary').click()
    await press(page, 'Done, bill and send')
    await press(page, 'Send')
    await page.getByText('is on its way to maria@example.com').waitFor()
    const counted = { ...effort }

    const bill = await mailTo('maria@example.com')
    await phone.page.route('https://checkout.example/**', (route) => route.fulfill({ body: 'The provider' }))
    await phone.page.goto(bill.link)
    await phone.page.getByRole('button', { name: 'Pay $900.00' }).click()
    await phone.page.getByText('The provider').waitFor()
    const [session, ...others] = provider.started()
    assert.equal(others.length, 0)
    await paidThere(portal.service, session!)
    await phone.page.goto(bill.link)
    await phone.page.getByText('Paid in full. Thank you.').waitFor()
    await page.reload()
    await page.locator('h1 .status').getByText('Paid', { exact: true }).waitFor()
    assert.deepEqual(
      await portal.all(sql`select q.status as quote, j.quote_id = q.id as is_of_quote, i.status, i.balance_due_cents from quotes q
        join jobs j on j.tenant_id = q.tenant_id and j.id = q.converted_job_id
        join invoice_jobs b on b.tenant_id = j.tenant_id and b.job_id = j.id
        join invoices i on i.tenant_id = b.tenant_id and i.id = b.invoice_id where q.tenant_id = ${portal.office.id}`),
      [{ quote: 'accepted', is_of_quote: true, status: 'paid', balance_due_cents: 0 }],
    )
    assert.deepEqual(await portal.all(sql`select name, signature from acceptances`), [
      { name: 'Maria Lopez', signature: drawn },
    ])
    assert.deepEqual([...office.complaints, ...phone.complaints], [])
    process.stdout.write(`quote to paid ${JSON.stringify(counted)}\n`)
    const most = { clicks: 7, keys: 35, loads: 5 }
    for (const what of ['clicks', 'keys', 'loads'] as const)
      assert.ok(counted[what] > 0 && counted[what] <= most[what], `${what}: ${counted[what]}`)
  })

  it('answers and books a message from its conversation in at most 5 clicks, 10 keys, 2 loads', async () => {
    const { service, office, customer } = portal
    await addChannel(service.database, MAILBOXES, office.id, 'acme@in.example.com')
    await providerOf(service).email('/api/webhooks/email/inbound', {
      from: 'Maria <maria@example.com>',
      to: 'acme@in.example.com',
      messageId: 'leak-1',
      subject: 'A leak',
      text: 'The kitchen tap leaks. Can somebody come?',
      attachments: [],
    })
    const { page, complaints, close } = await openPage(browser)
    await signInAs(page, service.config.baseUrl, office.owner.email)
    await page.goto(service.config.baseUrl + office.at('messages', 'with', String(customer['id'])))
    const effort = await countEffort(page)
    await main(page).getByRole('link', { name: 'Book job' }).click()
    await page.getByLabel('What needs to be done?').click()
    await page.keyboard.type('Leak')
    await page.locator('#times .slots label').first().click()
    await press(page, 'Book job')
    await page.getByRole('status').getByText('Booked for Maria Lopez').waitFor()
    const counted = { ...effort }
    process.stdout.write(`answered and booked ${JSON.stringify(counted)}\n`)
    assert.ok(counted.clicks <= 5 && counted.keys <= 10 && counted.loads <= 2, JSON.stringify(counted))
    assert.match((await mailTo('maria@example.com')).text, /Leak|appointment|visit/i)
    assert.deepEqual(complaints, [])
    await close()
  })
})
