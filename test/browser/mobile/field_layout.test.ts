import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql, writeTenant, type Sql } from '../../../src/platform/db/tenant.ts'
import type { Result } from '../../harness/harness.ts'
import { ZONE } from '../../harness/messaging/phones.ts'
import { PASSWORD } from '../../harness/web_client.ts'
import { passesAxe } from '../harness/axe.ts'
import { countEffort } from '../harness/counting.ts'
import { boxOf, evaluateOn, inBrowser, openPage } from '../harness/launch.ts'
import { PHOTO, openFieldCompany, type FieldCompany } from './field_company.ts'
import { PHONE, openVisit, state, step } from './phone_page.ts'

let service: FieldCompany['service']
let company: FieldCompany['company']
let luis: FieldCompany['luis']
let browser: FieldCompany['browser']
let bookToday: FieldCompany['bookToday']
let openPhone: FieldCompany['openPhone']
let stop: FieldCompany['stop']

const job = (id: string): Promise<Result> => company.job(id)

inBrowser("a technician's phone", () => {
  before(async () => {
    ;({ service, company, luis, browser, bookToday, openPhone, stop } = await openFieldCompany())
  })
  after(() => stop())

  it('shows a visit past midnight with two weekdays, not two dates', async () => {
    const today = Temporal.Now.plainDateISO(ZONE).toString()
    const made = await company.book({
      title: 'Night shift',
      scheduled_start: `${today}T22:00`,
      duration_minutes: 240,
      assignees: [luis.id],
    })
    const { page, close } = await openPhone(luis.email)
    const card = page.locator(`#card-${made.id}`)
    await card.waitFor()
    assert.match((await card.textContent()) ?? '', /^[A-Z][a-z]{2},? 10:00\sPM – [A-Z][a-z]{2},? 2:00\sAM/)
    await close()
  })

  it('needs one tap for a step, and five from the list to done with a photo', async () => {
    const visit = await bookToday([luis.id])
    const { page, close } = await openPhone(luis.email)
    const effort = await countEffort(page)
    await openVisit(page, visit)
    await step(page, 'en_route')
    await page.locator('.field-head .en_route').waitFor()
    assert.equal(effort.clicks, 2)
    await step(page, 'in_progress')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#do-photo').click()])
    await chooser.setFiles(PHOTO)
    await page.locator('.field-part', { hasText: 'IMG_1.jpg' }).waitFor()
    const isTaken = page.waitForResponse((answer) => answer.request().postData()?.includes('"to":"done"') === true)
    await step(page, 'done')
    await isTaken
    assert.equal((await job(visit.id))['status'], 'done')
    assert.equal(effort.clicks, 5)
    await close()
  })

  it('passes axe, fits 320 pixels, and has touch targets that are large enough', async () => {
    const visit = await bookToday([luis.id], 'A visit whose name is longer than the line of a small phone')
    const { page, complaints, close } = await openPhone(luis.email)
    await passesAxe(page, 'list')
    for (const view of ['list', 'visit', 'sheet'] as const) {
      if (view === 'visit') await openVisit(page, visit)
      if (view === 'sheet') await page.locator('#do-late').click()
      if (view !== 'list') await passesAxe(page, view)
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 640 })
        assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width, view)
        const small = await evaluateOn(
          page,
          `[...document.querySelectorAll(':is(button, a.button, .field-tool, .field-card)')]
          .map((one) => [one.outerHTML, one.getBoundingClientRect()]).filter(([, box]) => box.height > 0 && (box.height < 44 || box.width < 44)).map(([html]) => html)`,
        )
        assert.deepEqual(small, [], view)
      }
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  it('keeps its main button fully visible within thumb reach on small and large phones', async () => {
    const visit = await bookToday([luis.id], 'Water heater does not heat')
    const { page, close } = await openPhone(luis.email)
    for (const [width, height] of [
      [320, 568],
      [360, 740],
      [430, 932],
    ] as const) {
      await page.setViewportSize({ width, height })
      assert.ok((await boxOf(page.locator('.field-next .field-step'))).y < height - 64)
      await openVisit(page, visit)
      const { y, height: tall } = await boxOf(page.locator('.field-dock .field-step'))
      assert.ok(y > height / 2 && y + tall <= height, `${y} of ${height}`)
      const cut = await evaluateOn(
        page,
        `[...document.querySelectorAll('.field-view :is(.button, .field-tool)')].filter((one) => one.scrollWidth > one.clientWidth).map(({ id }) => id)`,
      )
      assert.deepEqual(cut, [], `${width}`)
      await page.locator('#back').click()
    }
    await close()
  })

  it('keeps running and paused time inside its card on narrow phones, in both languages', async () => {
    const visit = await bookToday([luis.id])
    const { page, close } = await openPhone(luis.email)
    const write = (statement: Sql) =>
      writeTenant(service.database, { tenant: company.id }, async (db) => void (await db.run(statement)))
    await openVisit(page, visit)
    await page.locator('#time-started').click()
    await state(page, /^Sent /)
    try {
      for (const language of ['en', 'es']) {
        await service.database.send([sql`update users set language = ${language} where id = ${luis.id}`])
        for (const how of ['running', 'paused']) {
          await write(sql`update time_entries set started_at = now() - interval '23 hours 58 minutes', ended_at = ${how === 'running' ? null : new Date().toISOString()},
            ended_by = ${how === 'running' ? null : 'pause'} where tenant_id = ${company.id} and job_id = ${visit.id}`)
          await page.reload()
          await page.locator(`.field-timer.${how}`).waitFor()
          for (const width of [320, 360, 375, 390, 412]) {
            await page.setViewportSize({ width, height: 740 })
            const out = await evaluateOn(
              page,
              `(() => {
                const card = document.querySelector('.field-timer').getBoundingClientRect()
                const out = [...document.querySelectorAll('.field-timer *')].filter((one) => one.getBoundingClientRect().right > card.right || one.scrollWidth > one.clientWidth + 1 && one.matches('.button'))
                return [out.length, document.documentElement.scrollWidth - innerWidth]
              })()`,
            )
            assert.deepEqual(out, [0, 0], `${language} ${how} ${width}`)
          }
        }
      }
    } finally {
      await service.database.send([sql`update users set language = null where id = ${luis.id}`])
      await write(sql`delete from time_entries where tenant_id = ${company.id} and job_id = ${visit.id}`)
    }
    await close()
  })

  it('is a plain list without JavaScript', async () => {
    const visit = await bookToday([luis.id])
    const { page, close } = await openPage(browser, { ...PHONE, javaScriptEnabled: false })
    await page.goto(`${service.config.baseUrl}/sign-in?to=${encodeURIComponent(`/field/${company.id}/`)}`)
    await page.getByLabel('Email').fill(luis.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: visit.title }).click()
    await page.locator(`#v-${visit.id}`).waitFor()
    await close()
  })
})
