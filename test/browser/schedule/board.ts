import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Result } from '../../harness/harness.ts'
import { openSchedule } from '../../harness/database/schedules.ts'
import { startSite } from '../../harness/web_client.ts'
import { boxOf, evaluateOn, launch, openPage, waitOnWhole } from '../harness/launch.ts'
import { signInAs } from '../harness/sign_in.ts'

/** Waits until a drop has ended. Nothing else can be picked up before. */
export const isLetGo = (page: Page): Promise<void> => page.locator('html:not(.holding)').waitFor({ state: 'attached' })

/** Waits until a number has the same value twice in a row. */
export async function isStill(page: Page, number: string): Promise<void> {
  for (let last: unknown, now = await evaluateOn(page, number); now !== last; now = await evaluateOn(page, number)) {
    last = now
    await sleep(150)
  }
}

export const visit = (page: Page, title: string, lane: string): Locator =>
  page.locator(`[data-lane="${lane}"] .visit[id]:not(.held)`, { hasText: title })

/** Returns the center of a quarter hour in a lane, scrolled into view. */
export async function slot(page: Page, lane: string, hour: number): Promise<{ x: number; y: number }> {
  await page.locator(`#track-${lane}`).scrollIntoViewIfNeeded()
  const spot = await evaluateOn(
    page,
    `(() => {
    const [board, track] = [document.getElementById('board'), document.getElementById('track-${lane}')]
    const { since, until } = board.dataset
    const at = () => track.getBoundingClientRect().top + (${hour} - since) / (until - since) * track.offsetHeight
    board.scrollTop += at() - board.getBoundingClientRect().top - 250
    const { left, width } = track.getBoundingClientRect()
    return { x: left + width / 2, y: at() + 4 }
  })()`,
  )
  return spot as { x: number; y: number }
}

export async function drag(
  page: Page,
  from: { x: number; y: number },
  to: () => Promise<{ x: number; y: number }>,
): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y + 8)
  const { x, y } = await to()
  await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
}

export const top = async (one: Locator): Promise<{ x: number; y: number }> => {
  const { x, y, width } = await boxOf(one)
  return { x: x + width / 4, y: y + 4 }
}

export const crew = (job: Result): string[] =>
  (job['assignments'] as { user_id: string }[]).map(({ user_id }) => user_id)

export type Board = Awaited<ReturnType<typeof openBoard>>

/** Starts a company with two technicians and a browser for their schedule. */
export async function openBoard() {
  const service = await startSite()
  const schedule = await openSchedule(service)
  const luis = (await schedule.hire('Luis Ortega')).id
  const tasha = (await schedule.hire('Tasha Nguyen')).id
  const browser = await launch()
  let days = 0
  /** Returns a day that no other test uses. */
  const freshDay = (): string => Temporal.PlainDate.from('2027-02-01').add({ days: ++days }).toString()

  const book = (title: string, start: string, more: object = {}): Promise<Result> =>
    schedule.book({ title, scheduled_start: start, ...more })

  /** Opens a signed-in page on a day of the schedule and waits for its scripts; `isAlone` turns off live updates. */
  async function openDay(
    day: string,
    { query = '', isAlone = false, ...options }: BrowserContextOptions & { query?: string; isAlone?: boolean } = {},
  ) {
    const opened = await openPage(browser, options)
    const { page } = opened
    if (isAlone) await page.route('**/schedule/events?*', (route) => route.abort())
    await signInAs(page, service.config.baseUrl, schedule.owner.email)
    await page.goto(`${service.config.baseUrl}${schedule.at('schedule')}?day=${day}${query}`)
    await waitOnWhole(page.locator(options.javaScriptEnabled === false ? '#schedule' : 'main.alive'))
    return opened
  }

  /** Returns the saved job once a condition is true. */
  async function waitForJob(id: unknown, holds: (job: Result) => boolean): Promise<Result> {
    for (let tries = 0; tries < 2_400; tries++) {
      const job = await schedule.job(id)
      if (holds(job)) return job
      await sleep(50)
    }
    throw new Error(`The job stayed as it was: ${JSON.stringify(await schedule.job(id))}`)
  }

  const stop = async (): Promise<void> => {
    await browser.close()
    await service.stop()
  }
  return { service, schedule, luis, tasha, freshDay, book, openDay, waitForJob, stop }
}
