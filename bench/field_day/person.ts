import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PASSWORD } from '../../test/harness/web_client.ts'
import { openBrowser } from './browser.ts'
import type { Action } from './plan.ts'
import type { FieldService } from './service.ts'

/** Number of actions and interruptions, and of times that the page didn't open without the network. */
export type Tally = {
  actions: number
  pages: number
  browsers: number
  services: number
  signIns: number
  unopened: number
}

/** Probability that each of these is killed during an action, and number of attempts. */
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
  let restarting = Promise.resolve()

  /** Signs in with a good network, unless the browser is still signed in. */
  async function signIn(): Promise<void> {
    await restarting
    network.restore()
    await page.goto(`${config.baseUrl}/sign-in?to=${encodeURIComponent(`/field/${company}/`)}`)
    const emailField = page.getByLabel('Email')
    await emailField.or(page.locator('main.alive .field-foot')).first().waitFor()
    if (await emailField.isVisible()) {
      tally.signIns++
      await emailField.fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    await page.locator('main.alive .field-foot').waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    if (isDisturbed) network.flap()
  }

  /** Opens the page from the cache, or after the network and the service are back if that fails. */
  async function reopen(): Promise<void> {
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

  /** Kills the page, the browser or the service at a random moment of the next action. */
  function scheduleInterruptions(): void {
    const happens = (of: keyof typeof ENDS): boolean => isDisturbed && randomInt(1_000) < ENDS[of] * 1_000
    const soon = (work: () => Promise<unknown>): number => ending.push(sleep(randomInt(500)).then(work))
    if (happens('pages') && tally.pages++ >= 0) soon(() => page.close().catch(() => undefined))
    if (happens('browsers') && tally.browsers++ >= 0) soon(() => browser.kill())
    if (happens('services') && tally.services++ >= 0) soon(() => (restarting = restarting.then(restart)))
  }

  async function restart(): Promise<void> {
    await service.kill()
    await sleep(randomInt(2_500))
    await service.start()
  }

  /** Returns how often the page lists an action of a visit: as waiting, as sent, or as needing attention. */
  async function countEntries({ title }: BookedVisit, { label }: Action): Promise<number> {
    await page.evaluate("location.hash = '#waiting'")
    await page.locator('#view-waiting').waitFor({ timeout: 5_000 })
    const lines = await page.locator('.field-log li').allTextContents()
    const needs = await page.locator('.field-need', { hasText: label }).filter({ hasText: title }).count()
    return needs + lines.filter((line) => line.startsWith(`${label}${title} · `)).length
  }

  /** Repeats an action until the page lists it as often as it was done on its visit. */
  async function act(visit: BookedVisit, action: Action, times: number): Promise<void> {
    tally.actions++
    let last: unknown
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        if ((await countEntries(visit, action)) >= times) return
        scheduleInterruptions()
        await page.evaluate(`location.hash = '#v-${visit.id}'`)
        await page.locator('.field-dock').waitFor({ timeout: 5_000 })
        await action.do(page)
        for (let looks = 0; looks < 40 && (await countEntries(visit, action)) < times; looks++) await sleep(50)
        await Promise.all(ending)
        if ((await countEntries(visit, action)) >= times) return
      } catch (error) {
        last = error
      }
      await Promise.all(ending)
      ending = []
      await reopen().catch((error: unknown) => (last = error))
    }
    throw new Error(`The action '${action.label}' failed`, { cause: last })
  }

  /** Ends the day: sends everything over a good network. Returns the entries that remain. */
  async function endDay(): Promise<string[]> {
    network.restore()
    await restarting
    for (let tries = 0; tries < TRIES; tries++) {
      await signIn()
      network.restore()
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
