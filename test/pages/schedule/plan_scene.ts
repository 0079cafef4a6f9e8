import assert from 'node:assert/strict'
import { load } from 'cheerio'
import { openSchedule } from '../../harness/database/schedules.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { formAt, sendForm } from '../../harness/identity/people_pages.ts'
import type { BrowserResponse } from '../../harness/web_client.ts'

const ZONE = 'America/New_York'

/** Returns a time zone in which it is between noon and 1 PM, so that the workday lies on both sides of now. */
export function noonZone(): string {
  const offset = 12 - Temporal.Now.zonedDateTimeISO('UTC').hour
  return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
}

export const [NORTH, SOUTH] = [
  { latitude: 40.9, longitude: -74 },
  { latitude: 40.5, longitude: -74 },
]

/** The Monday after next, a future working day. */
export const DAY = (() => {
  const today = Temporal.Now.plainDateISO(ZONE)
  return today.add({ days: 15 - today.dayOfWeek }).toString()
})()
export const NEXT = Temporal.PlainDate.from(DAY).add({ days: 1 }).toString()

/** Returns a company with two technicians and helpers for planning their days. */
export async function openPlanning(service: TestService) {
  const schedule = await openSchedule(service)
  const leo = await schedule.hire('Leo Ruiz')
  const mia = await schedule.hire('Mia Chen')

  async function book(time: string, place: object, user: string | null, more: object = {}): Promise<Result> {
    const customer = await schedule.customer('Ana', {
      locations: [{ address_line1: '1 Main St', ...place }],
      contacts: [{ first_name: 'Ana', email: 'ana@example.com' }],
    })
    return schedule.book({
      customer_id: customer.id,
      scheduled_start: `${DAY}T${time}`,
      duration_minutes: 60,
      assignees: user === null ? [] : [user],
      ...more,
    })
  }

  const path = (query = ''): string => `${schedule.at('schedule', 'plan')}?day=${DAY}${query}`
  const workOf = async (job: Result): Promise<[unknown, string[]]> => {
    const { scheduled_start, assignments } = await schedule.job(job.id)
    return [scheduled_start, (assignments as { user_id: string }[]).map(({ user_id }) => user_id)]
  }

  /** Opens a plan, and retries while the planner works. */
  async function open(at: string): Promise<BrowserResponse> {
    for (let tries = 0; tries < 1_200; tries++) {
      const page = await schedule.browser.get(at)
      if (!page.text.includes('Planning…')) return page
      assert.match(page.text, /<meta http-equiv="refresh" content="1">/)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('The plan was never ready')
  }

  /** Submits a plan's form with extra fields. */
  const press = async (at: string, ...more: [string, string][]): Promise<BrowserResponse> =>
    sendForm(schedule.browser, at, [...formAt(await open(at), at), ...more])

  /** Submits the undo form on the page that a form redirected to. */
  async function pressUndo(location: string | null): Promise<BrowserResponse> {
    const page = await schedule.browser.get(location ?? '')
    return sendForm(schedule.browser, schedule.at('undo'), formAt(page, schedule.at('undo')))
  }

  return { schedule, leo, mia, book, path, workOf, open, press, pressUndo }
}

export type Planning = Awaited<ReturnType<typeof openPlanning>>

export const movesOn = (page: BrowserResponse): string[] =>
  load(page.text)('.proposal [name="move"]')
    .get()
    .map(({ attribs }) => (attribs['value'] ?? '').slice(0, 36))
