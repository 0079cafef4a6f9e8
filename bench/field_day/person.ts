import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PASSWORD } from '../../test/harness/visiting.ts'
import { openBrowser } from './browser.ts'
import type { Doing } from './plan.ts'
import type { FieldService } from './service.ts'

/** Number of interruptions of a person's work, and of times that the page waited for the network before it opened. */
export type Tally = {
  acts: number
  pages: number
  browsers: number
  services: number
  signIns: number
  unopened: number
}

/** Probability that each of these ends during an action, and number of attempts. */
const [ENDS, TRIES] = [{ pages: 0.08, browsers: 0.08, services: 0.08 }, 15]

export type BookedVisit = { id: string; title: string }

/**
 * A technician with a phone, who checks what was saved after each interruption and repeats what was not. If nothing
 * disturbs them, there are no interruptions and the network is good.
 */
export async function openPerson(
  service: FieldService,
  company: string,
  email: string,
  tally: Tally,
  isDisturbed: boolean,
) {
  const { network, config } = service
  const home = `${config.baseUrl}/field/${company}/`
  const profile = await mkdtemp(join(tmpdir(), 'callout-phone-'))
  let browser = await openBrowser(profile)
  let page = await browser.newPage()
  let ending: Promise<unknown>[] = []
  let coming = Promise.resolve()

  /** Signs in with a good network, if the browser doesn't know any more that its person had. */
  async function signIn(): Promise<void> {
    await coming
    network.mend()
    await page.goto(`${config.baseUrl}/sign-in?to=${encodeURIComponent(`/field/${company}/`)}`)
    const asked = page.getByLabel('E-mail')
    await asked.or(page.locator('main.alive .field-foot')).first().waitFor()
    if (await asked.isVisible()) {
      tally.signIns++
      await asked.fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    await page.locator('main.alive .field-foot').waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    if (isDisturbed) network.flap()
  }

  /** Opens the page from the cache, or once the network and the service are back if that fails. */
  async function awaken(): Promise<void> {
    if (!browser.isAlive()) {
      await browser.kill()
      browser = await openBrowser(profile)
      page = await browser.newPage()
    }
    if (page.isClosed()) page = await browser.newPage()
    const alive = page.locator('main.alive .field-foot')
    try {
      await page.goto(home, { timeout: 5_000 })
      await alive.waitFor({ timeout: 5_000 })
      if (await page.locator('.field-warning a[href^="/sign-in"]').isVisible()) if (randomInt(2) === 0) await signIn()
    } catch {
      tally.unopened++
      await signIn()
    }
  }

  /** Ends the page, the browser or the service at some moment of the next action. */
  function arm(): void {
    const meets = (of: keyof typeof ENDS): boolean => isDisturbed && randomInt(1_000) < ENDS[of] * 1_000
    const soon = (work: () => Promise<unknown>): number => ending.push(sleep(randomInt(500)).then(work))
    if (meets('pages') && tally.pages++ >= 0) soon(() => page.close().catch(() => undefined))
    if (meets('browsers') && tally.browsers++ >= 0) soon(() => browser.kill())
    if (meets('services') && tally.services++ >= 0) soon(() => (coming = coming.then(restart)))
  }

  async function restart(): Promise<void> {
    await service.kill()
    await sleep(randomInt(2_500))
    await service.start()
  }

  /** Returns how often the page tells an act of a visit: as waiting, as sent, or as one that needs its person. */
  async function countEntries({ title }: BookedVisit, { says }: Doing): Promise<number> {
    await page.evaluate("location.hash = '#waiting'")
    await page.locator('#view-waiting').waitFor({ timeout: 5_000 })
    const lines = await page.locator('.field-log li').allTextContents()
    const needs = await page.locator('.field-need', { hasText: says }).filter({ hasText: title }).count()
    return needs + lines.filter((line) => line.startsWith(`${says}${title} · `)).length
  }

  /** Repeats an action until the page shows it as often as it was done on its visit. */
  async function act(visit: BookedVisit, doing: Doing, times: number): Promise<void> {
    tally.acts++
    let last: unknown
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        if ((await countEntries(visit, doing)) >= times) return
        arm()
        await page.evaluate(`location.hash = '#v-${visit.id}'`)
        await page.locator('.field-dock').waitFor({ timeout: 5_000 })
        await doing.do(page)
        for (let looks = 0; looks < 40 && (await countEntries(visit, doing)) < times; looks++) await sleep(50)
        await Promise.all(ending)
        if ((await countEntries(visit, doing)) >= times) return
      } catch (error) {
        last = error
      }
      await Promise.all(ending)
      ending = []
      await awaken().catch((error: unknown) => (last = error))
    }
    throw new Error(`'${doing.says}' could not be done`, { cause: last })
  }

  /** Ends the day: with a good network all is sent. Returns what stays. */
  async function endDay(): Promise<string[]> {
    network.mend()
    await coming
    for (let tries = 0; tries < TRIES; tries++) {
      await signIn()
      network.mend()
      await page.evaluate("location.hash = '#waiting'")
      const send = page.locator('#do-send')
      if (await send.isVisible()) await send.click().catch(() => undefined)
      const isSent = await page
        .locator('.field-state.sent')
        .waitFor({ timeout: 8_000 })
        .then(
          () => true,
          () => false,
        )
      if (isSent) return []
    }
    return page.locator('.field-need, .field-log:first-of-type li').allTextContents()
  }
  return {
    signIn,
    act,
    endDay,
    close: async (): Promise<void> => {
      await browser.kill()
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
