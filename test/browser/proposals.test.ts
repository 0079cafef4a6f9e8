import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { idIn, openScene, planIn, type SceneCompany } from '../approvals/scene.ts'
import { passesAxe } from './harness/axe.ts'
import { SIZES, inBrowser, launch, openPage } from './harness/launch.ts'
import { signInAs } from './harness/sign_in.ts'

inBrowser('approval in a browser', () => {
  let scene: Awaited<ReturnType<typeof openScene>>
  let browser: Browser
  before(async () => {
    scene = await openScene()
    browser = await launch()
  })
  after(async () => {
    await browser?.close()
    await scene.service.stop()
  })

  const address = (path: string): string => new URL(path, scene.service.config.baseUrl).href

  const signIn = (page: Page, { ownerEmail }: SceneCompany): Promise<void> =>
    signInAs(page, scene.service.config.baseUrl, ownerEmail)

  /**
   * Creates a morning's proposals by an assistant: a new customer with a job and a quote, a change, and one whose
   * record has changed since.
   */
  async function morning({ agent, acting }: SceneCompany): Promise<string> {
    const [kept, changed] = await Promise.all(
      ['Rosa Delgado', 'Tom Becker'].map((name) =>
        acting.call('customers_create', {
          customer_type: 'individual',
          first_name: name.split(' ')[0],
          last_name: name.split(' ')[1],
          phone: '512 555 0143',
        }),
      ),
    )
    const made = await agent.send('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'Lopez',
      phone: '512 555 0199',
      locations: [{ address_line1: '14 Elm St', city: 'Austin' }],
    })
    const customer_id = idIn(made)
    await agent.send('jobs_create', {
      customer_id,
      title: 'Furnace makes a noise',
      scheduled_start: '2030-03-04T09:00',
      duration_minutes: 90,
      priority: 'high',
    })
    await agent.send('quotes_create', {
      customer_id,
      title: 'New heat pump',
      line_items: [
        { name: 'Heat pump', unit_price_cents: 640_000 },
        { name: 'Labor', unit_price_cents: 12_000, quantity: 8 },
      ],
    })
    await agent.send('customers_update', { id: kept!['id'], lead_source: 'Referral', do_not_service: true })
    await agent.send('customers_update', { id: changed!['id'], last_name: 'Baker' })
    await agent.send('customers_archive', { id: kept!['id'] })
    await acting.call('customers_update', { id: changed!['id'], last_name: 'Bäcker' })
    return planIn(made)
  }

  for (const [name, viewport] of Object.entries(SIZES))
    it(`approves part of a proposal on a ${name}, and leaves out what depends on excluded items`, async () => {
      const company = await scene.startCompany(`Comfort Air ${name}`)
      const path = await morning(company)
      const { page, complaints, close } = await openPage(browser, { viewport })
      await signIn(page, company)
      for (const at of [
        company.at('proposals'),
        path,
        company.at('settings', 'apps'),
        company.at('settings', 'keys', company.agent.id),
      ]) {
        await page.goto(address(at))
        await passesAxe(page, `${name} ${at}`)
        assert.equal(
          await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
          false,
          at,
        )
        const shots = process.env['PICTURES']
        if (shots !== undefined)
          await page.screenshot({
            path: `${shots}/${name}-${at.split('/').slice(2, 4).join('-').slice(0, 30)}.png`,
            fullPage: true,
          })
      }
      await page.goto(address(path))
      const box = (position: number) => page.locator(`[name=pick][value="${position}"]`)
      assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6].map((n) => box(n).isChecked())), [
        true,
        true,
        true,
        true,
        false,
        // A removal is not selected by default.
        false,
      ])
      await box(6).check()
      await box(1).uncheck()
      assert.deepEqual(
        [await box(2).isChecked(), await box(2).isDisabled(), await box(3).isDisabled(), await box(4).isDisabled()],
        [false, true, true, false],
      )
      await box(1).check()
      await box(2).check()
      await page.getByRole('button', { name: 'Approve selected' }).click()
      await page.waitForSelector('.saying')
      assert.match(await page.innerText('.saying'), /4 changes were made/)
      assert.deepEqual(complaints, [])
      await close()
    })
})
