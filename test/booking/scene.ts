import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { sql } from '../../src/platform/db/tenant.ts'
import { PROOF_BITS } from '../../src/customer_portal/booking/step_token.ts'
import { SENDERS } from '../sending/scene.ts'
import { openPortalScene, type PortalScene } from '../customer_portal/portal_scene.ts'

export type Stranger = ReturnType<PortalScene['browser']>

export const RULES = {
  act: 'rules',
  is_on: 'yes',
  name: 'acme-plumbing',
  needs_approval: 'no',
  notice_hours: '4',
  days_ahead: '30',
  window_minutes: '120',
  frame_origins: '',
  move_hours: '24',
  cancel_hours: '24',
  changes: 'all',
}

/** Starts a company with its booking page turned on and one bookable service. */
export async function startBooking(rules: Record<string, string> = {}, env: Record<string, string> = SENDERS) {
  return bookingAt(await openPortalScene(env), rules)
}

/** Turns on a company's booking page with one bookable service. */
export async function bookingAt(set: PortalScene, rules: Record<string, string> = {}) {
  const item = await set.office.call('catalog_items_create', {
    kind: 'service',
    name: 'Drain cleaning',
    description: 'We clear one drain.',
    unit_price_cents: 19_900,
  })
  const service = String(item['id'])
  const save = (fields: Record<string, string>) => set.office.browser.post(set.office.at('settings', 'booking'), fields)
  await save({ ...RULES, ...rules })
  await save({ act: 'service', catalog_item_id: service, minutes: '90', price: 'from', question_1: 'Which drain?' })
  return { ...set, item: service, save, page: `/book/${rules['name'] ?? RULES.name}` }
}

export type Booking = Awaited<ReturnType<typeof bookingAt>>

/** Returns the value of a hidden field. */
export const hiddenIn = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

/** Returns the start times that a page offers. */
export const startsIn = (text: string): string[] =>
  [...text.matchAll(/name="start" value="([^"]+)"/g)].map(([, start = '']) => start)

/** Computes the proof of work like the page's script, with another implementation of the hash. */
export function prove(token: string): string {
  for (let i = 0; ; i++) {
    const hash = createHash('sha256').update(`${token}:${i}`).digest()
    if (hash.readUInt32BE() < 2 ** (32 - PROOF_BITS)) return String(i)
  }
}

export const DETAILS = {
  name: 'Sam Jones',
  address_line1: '5 Oak Street',
  city: 'Austin',
  region: 'TX',
  postal_code: '78704',
  phone: '512 555 0199',
  email: 'sam@example.com',
  answer_0: 'The kitchen sink',
}

/** Chooses a time, with or without a proof of work. Returns the response and the redirect address. */
export async function choose(
  { page, item }: Pick<Booking, 'page' | 'item'>,
  stranger: Stranger,
  { start, isProved = true, query = '' }: { start?: string; isProved?: boolean; query?: string } = {},
) {
  const { text, status } = await stranger.get(`${page}/${item}${query}`)
  assert.equal(status, 200)
  const token = hiddenIn(text, 't')
  const chosen = start ?? startsIn(text)[0] ?? ''
  const fields = { t: token, start: chosen, proof: isProved ? prove(token) : '' }
  return { start: chosen, fields, answer: await stranger.post(`${page}/${item}`, fields) }
}

let serial = 0

/** Returns an unused phone number, because each number may book only a few times. */
const nextPhone = (): string => `512 555 0${String(100 + (serial = (serial + 1) % 100))}`

/** Submits the contact details for the time behind an address. */
export async function sendDetails(
  { page }: Pick<Booking, 'page'>,
  stranger: Stranger,
  location: string | null,
  fields: Record<string, string> = {},
) {
  const { text } = await stranger.get(location ?? '')
  return stranger.post(`${page}/details`, { t: hiddenIn(text, 't'), ...DETAILS, phone: nextPhone(), ...fields })
}

/** Completes a booking from the first page to the last. */
export async function book(scene: Booking, stranger: Stranger, fields: Record<string, string> = {}, query = '') {
  const { answer, start } = await choose(scene, stranger, { query })
  assert.equal(answer.status, 303)
  const done = await sendDetails(scene, stranger, answer.location, fields)
  return { start, done }
}

export type BookedJob = {
  id: string
  title: string
  status: string
  start: string
  minutes: number
  window: number
  customer: string
  description: string | null
  fields: Record<string, string>
  user: string
}

/** Returns the jobs booked online, oldest first. */
export const jobsOf = ({ all }: Pick<Booking, 'all'>): Promise<BookedJob[]> =>
  all<BookedJob>(sql`select j.id, j.title, j.status, j.scheduled_start as start, j.duration_minutes as minutes,
      j.arrival_window_minutes as window, c.display_name as customer, j.description, j.fields,
      j.assignee_ids[1] as user
    from online_bookings b join jobs j on j.tenant_id = b.tenant_id and j.id = b.job_id
      join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id order by b.created_at, j.id`)

export type Mail = { to: string; subject: string | null; body: string; cause: string }

/** Returns the emails queued to an address. */
export const mailTo = ({ all }: Pick<Booking, 'all'>, to: string): Promise<Mail[]> =>
  all<Mail>(sql`select o.recipient as to, m.subject, m.body, o.cause from outbox o
    join communications m on m.tenant_id = o.tenant_id and m.id = o.id where o.recipient = ${to}
    order by o.created_at, o.id`)
