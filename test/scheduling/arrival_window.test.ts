import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { load } from 'cheerio'
import { formAt, pageTextOf, sendForm } from '../harness/identity/people_pages.ts'
import { startSite, type BrowserResponse } from '../harness/web_client.ts'
import type { TestService } from '../harness/harness.ts'
import { SENDERS } from '../sending/scene.ts'
import { DAY, NORTH, openPlanning, SOUTH, type Planning } from '../pages/schedule/plan_scene.ts'

let service: TestService
let scene: Planning
before(async () => {
  service = await startSite(SENDERS)
})
after(() => service.stop())
beforeEach(async () => {
  scene = await openPlanning(service)
})

const hours = (): string => scene.schedule.at('settings', 'hours')

/** Saves the company's hours with another arrival window. */
async function saveWindow(minutes: string): Promise<BrowserResponse> {
  const form = formAt(await scene.schedule.browser.get(hours()), hours()).filter(
    ([name]) => name !== 'arrival_window_minutes' && name !== 'act',
  )
  return sendForm(scene.schedule.browser, hours(), [...form, ['arrival_window_minutes', minutes]])
}

const shownWindow = async (): Promise<string | undefined> =>
  load((await scene.schedule.browser.get(hours())).text)('[name="arrival_window_minutes"]').attr('value')

describe("the company's arrival window", () => {
  it('defaults to two hours, and the office can set 30 to 480 minutes, or 0 for none', async () => {
    assert.equal(await shownWindow(), '120')
    for (const minutes of ['29', '481', '', 'x', '-30', '1.5']) {
      const refused = await saveWindow(minutes)
      assert.equal(refused.status, 422, minutes)
      assert.match(pageTextOf(refused), /Enter 0, or a number of minutes from 30 to 480/)
    }
    for (const minutes of ['30', '480', '0']) {
      assert.equal((await saveWindow(minutes)).status, 303)
      assert.equal(await shownWindow(), minutes)
    }
    const tech = await scene.schedule.signInMember('tech')
    assert.equal((await tech.browser.get(hours())).status, 404)
  })

  it('appears in customer messages, unless the job has its own; 0 shows the start time only', async () => {
    const job = await scene.book('09:00', NORTH, scene.leo.id)
    const own = await scene.book('09:00', NORTH, scene.mia.id, { arrival_window_minutes: 60 })
    const message = async ({ id }: { id?: unknown }): Promise<string> =>
      pageTextOf(await scene.schedule.browser.get(scene.schedule.at('jobs', String(id), 'send')))
    assert.match(await message(job), /between 9:00\sAM and 11:00\sAM/)
    await saveWindow('90')
    assert.match(await message(job), /between 9:00\sAM and 10:30\sAM/)
    assert.match(await message(own), /between 9:00\sAM and 10:00\sAM/)
    await saveWindow('0')
    assert.doesNotMatch(await message(job), /between/)
    assert.match(await message(own), /between 9:00\sAM and 10:00\sAM/)
  })

  it('is used by the day plan and by the warnings on the schedule board', async () => {
    await scene.book('09:00', NORTH, scene.leo.id)
    const late = await scene.book('10:00', SOUTH, scene.leo.id, { title: 'Behind the drive' })
    await scene.book('09:00', NORTH, scene.mia.id, { duration_minutes: 480 })
    assert.match(pageTextOf(await scene.open(scene.path())), /Windows kept 3 of 3 visits, 3 before/)
    await saveWindow('30')
    assert.match(pageTextOf(await scene.open(scene.path())), /Windows kept 2 of 3 visits, 2 before/)
    const check = scene.schedule.at('schedule', 'check', String(late.id))
    const query = `scheduled_start=${DAY}T10:05`
    assert.match((await scene.schedule.browser.get(`${check}?${query}`)).text, /Can’t be reached in time/)
  })
})
