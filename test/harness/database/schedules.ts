import { addMember } from '../../../src/identity/people/people.ts'
import type { Ceiling, Role } from '../../../src/identity/permissions/areas.ts'
import type { Result, TestService } from '../harness.ts'
import { openOffice, pageTextOf } from '../identity/people_pages.ts'
import { givePassword, type Browser, type BrowserResponse } from '../web_client.ts'

let serial = 0

/** Opens the schedule of a company in New York, with technicians by name. */
export async function openSchedule(service: TestService, name = 'Alder Plumbing', timezone?: string) {
  const office = await openOffice(service, name, timezone)
  const hire = async (
    name: string,
    role: Role = 'tech',
    areas?: Partial<Ceiling>,
  ): Promise<{ id: string; email: string }> => {
    const { user_id: id, email } = await addMember(
      service.database,
      { tenant: office.id },
      {
        email: `${name.toLowerCase().replace(/\W+/g, '.')}.${++serial}@example.com`,
        name,
        role,
        areas,
        password: 'none',
      },
    )
    await givePassword(service.database, office.id, id)
    return { id, email }
  }
  const maeve = await office.customer('Maeve', { last_name: "O'Connell" })
  const book = (more: object): Promise<Result> =>
    office.call('jobs_create', { customer_id: maeve.id, title: 'Boiler service', ...more })
  const page = (query = '', browser = office.browser): Promise<BrowserResponse> =>
    browser.get(`${office.at('schedule')}${query}`)
  const movePath = (id: unknown, query = 'day=2026-05-12'): string =>
    `${office.at('schedule', 'move', String(id))}?${query}`

  /** Posts as the page's script does. */
  async function post(
    job: Result,
    fields: Record<string, string>,
    browser: Browser = office.browser,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ) {
    const { status, text } = await browser.send(movePath(job.id), {
      method: 'POST',
      body: new URLSearchParams({ expected_updated_at: String(job.updated_at), ...fields }),
      headers: { accept: 'application/json', ...headers },
    })
    return { status, body: JSON.parse(text) as Result }
  }
  const job = (id: unknown): Promise<Result> => office.call('jobs_get', { id })
  return { ...office, hire, maeve, book, page, movePath, post, job }
}

export type Schedule = Awaited<ReturnType<typeof openSchedule>>

type Placed = { lane: string; says: string; classes: string[]; data: Record<string, string> }

/**
 * Returns the visits of a page with the lane they are in (`Unscheduled` outside of them), what they say, and where they
 * are drawn.
 */
export function visitsOf({ text }: Pick<BrowserResponse, 'text'>): Placed[] {
  const parts = text.split(/(?=<section class="(?:lane|tray)|<td class="(?:free|busy)[ "])/)
  const rows = text.matchAll(/<tr id="lane-([^"]*)">\s*<th scope="row"><span class="lane-name">([^<]*)/g)
  const names = new Map([...rows].map(([, lane, name]) => [lane!, name!]))
  return parts.flatMap((part) =>
    [...part.matchAll(/<li class="visit ([^"]*)"([^>]*)>([\s\S]*?)<\/a>/g)].map(([, classes, attributes, inside]) => ({
      lane: laneOf(part, names),
      says: pageTextOf({ text: inside! }).trim(),
      classes: classes!.trim().split(/\s+/),
      data: Object.fromEntries(
        [...attributes!.matchAll(/data-(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
      ),
    })),
  )
}

function laneOf(part: string, names: ReadonlyMap<string, string>): string {
  const [, lane, day] = /^<td[^>]*data-lane="([^"]*)" data-day="([^"]*)"/.exec(part) ?? []
  const head =
    lane === undefined ? /<h2[^>]*>(?:<span class="lane-name">)?([^<]*)/.exec(part)![1]! : `${names.get(lane)} ${day}`
  return pageTextOf({ text: head }).trim()
}

/** Returns the names of the lanes in order. */
export const lanesOf = ({ text }: Pick<BrowserResponse, 'text'>): string[] =>
  [...text.matchAll(/<span class="lane-name">([^<]*)</g)].map(([, name]) => pageTextOf({ text: name! }).trim())
