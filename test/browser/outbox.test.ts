import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { MAIL, SMS } from '../harness/messaging/outbox_scene.ts'
import { PASSWORD, startSite } from '../harness/web_client.ts'
import { passesAxe } from './harness/axe.ts'
import { SIZES, inBrowser, launch, openPage } from './harness/launch.ts'

inBrowser('the outbox in a browser', () => {
  let service: TestService
  let office: Office
  let browser: Browser
  let uncertain: string
  before(async () => {
    service = await startSite()
    office = await openOffice(service, 'Alder Plumbing')
    await writeTenant(service.database, { tenant: office.id }, async (db) => {
      const by = office.owner.user_id
      await queueMessage(db, { ...SMS, by })
      uncertain = (
        await queueMessage(db, { ...MAIL, by, toName: 'Ana Ruiz', subject: 'Invoice INV-1042 from Alder Plumbing' })
      ).id
      const failed = (await queueMessage(db, { ...MAIL, to: 'gone@example.com', by })).id
      await db.run(
        sql`update outbox set state = 'failed', reason = 'refused', reply = '550 5.1.1 No such user here' where tenant_id = ${office.id} and id = ${failed}`,
      )
      await db.run(
        sql`update outbox set state = 'uncertain', reason = 'interrupted', attempts = 1, last_attempt_at = moment() where tenant_id = ${office.id} and id = ${uncertain}`,
      )
      await db.run(
        sql`select suppress(${office.id}, 'email', array['gone@example.com'], 'bounced', '550 5.1.1 No such user here')`,
      )
    })
    browser = await launch()
  })
  after(async () => {
    await browser?.close()
    await service.stop()
  })

  for (const [name, viewport] of Object.entries(SIZES))
    it(`hands over a ${name}, and lets a person resolve an uncertain message`, async () => {
      const { page, complaints, close } = await openPage(browser, { viewport })
      const at = (...steps: string[]): string => new URL(office.at('outbox', ...steps), service.config.baseUrl).href
      await page.goto(new URL('/sign-in', service.config.baseUrl).href)
      await page.fill('[name=email]', office.owner.email)
      await page.fill('[name=password]', PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
      for (const steps of [[], [uncertain], ['suppressed'], ['limits']]) {
        await page.goto(at(...steps))
        await passesAxe(page, `${name} ${steps.join('/')}`)
        const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
        assert.equal(wide, false, steps.join('/'))
      }
      if (name === 'phone') {
        await page.goto(at(uncertain))
        await page.click('text=Mark as sent')
        await page.waitForSelector('.saying')
        assert.match(await page.innerText('main'), /The message is marked as sent/)
      }
      assert.deepEqual(complaints, [])
      await close()
    })
})
