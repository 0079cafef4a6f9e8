import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load, type CheerioAPI } from 'cheerio'
import { readDay } from '../../../src/scheduling/day_plan/read_day.ts'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { newProtocolClient } from '../../harness/clients/protocol.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { formAt, pageTextOf, sendForm } from '../../harness/identity/people_pages.ts'
import { fieldEvent, phoneOf } from '../../harness/messaging/phones.ts'
import { startSite, type Browser } from '../../harness/web_client.ts'
import { noonZone } from './plan_scene.ts'
import { SENDERS } from '../../sending/scene.ts'

const ZONE = noonZone()
const today = Temporal.Now.plainDateISO(ZONE).toString()

let service: TestService
let schedule: Schedule
let serial = 0
let leo: { id: string; name: string; browser: Browser }
before(async () => {
  service = await startSite(SENDERS)
  schedule = await openSchedule(service, 'Alder Plumbing', ZONE)
})
after(() => service.stop())

async function book(title: string, inMinutes: number, more: object = {}): Promise<Result> {
  const customer = await schedule.customer('Ana', {
    locations: [{ address_line1: '1 Main St' }],
    contacts: [{ first_name: 'Ana', email: 'ana@example.com' }],
  })
  return schedule.book({
    title,
    customer_id: customer.id,
    scheduled_start: Temporal.Now.instant().add({ minutes: inMinutes }).toString(),
    duration_minutes: 60,
    assignees: [leo.id],
    ...more,
  })
}

async function hireLeo(): Promise<void> {
  const name = `Leo ${++serial}.`
  const { id, email } = await schedule.hire(name)
  leo = { id, name, browser: await schedule.signInAs(email) }
}

const board = async (): Promise<CheerioAPI> => load((await schedule.browser.get(schedule.at('schedule'))).text)

/** Returns Leo's late visits from the list beside the board. */
async function lateOnBoard(): Promise<string[]> {
  const $ = await board()
  return $('.late-visits li')
    .toArray()
    .map((row) => $(row).text().replace(/\s+/g, ' ').trim())
    .filter((row) => row.startsWith(`${leo.name} `))
}

describe('a technician running late', () => {
  it('is shown with the expected delay on the board, on Today and in the plan resource', async () => {
    await hireLeo()
    const [first, next] = [await book('First', -45), await book('Next', 30), await book('Evening', 400)]
    const [a = '', b = '', ...more] = await lateOnBoard()
    assert.match(a, / First about 4\d min late Text the customer First$/)
    // An hour of work from now, then 15 minutes of driving.
    assert.match(b, / Next about 4\d min late Text the customer Next$/)
    assert.deepEqual(more, [])
    const $ = await board()
    const marks = (job: Result) => $(`.board [data-job="${job.id}"] .visit-late`).text().replace(/\s+/g, ' ')
    assert.match(marks(next), /→ \d+:\d\d\s[AP]M, about 4\d min late/)
    assert.match($(`#a-${next.id}-${today} .visit-late`).text(), /late/)
    const home = pageTextOf(await schedule.browser.get(schedule.at()))
    assert.match(home, /First .{0,40}About 4\d min late/)
    assert.match(home, /Next .{0,40}About 4\d min late/)
    const { key } = await createKey(
      service.database,
      { tenant: schedule.id },
      { user: schedule.owner.user_id, name: 'Planner', scopes: SCOPES, expires_at: null },
    )
    const { result } = await newProtocolClient(service.url, key).handshake('resources/read', {
      uri: `callout://plan/${today}.json`,
    })
    const sheet = JSON.stringify(JSON.parse(result?.['contents'][0].text))
    assert.match(sheet, new RegExp(`"job":"${String(next.display_number)}"[^}]*"late":4\\d`))
    await schedule.call('jobs_update', { id: first.id, status: 'done' })
    assert.deepEqual(await lateOnBoard(), [])
  })

  it('is estimated from the time a step was done on the phone, not when it was sent', async () => {
    await hireLeo()
    const job = await book('Long', -100)
    const phone = phoneOf(service, schedule, leo.id, leo.browser)
    const at = Temporal.Now.instant().subtract({ minutes: 80 }).toString()
    const [done] = (await phone.send([{ ...fieldEvent('status', job, { to: 'in_progress' }), at }])).body[
      'acts'
    ] as Result[]
    assert.equal(done?.['outcome'], 'done')
    const visit = async () =>
      readTenant(service.database, { tenant: schedule.id }, async (db) => {
        const day = await readDay(db, ZONE, Temporal.PlainDate.from(today))
        return { ...day.visits.find(({ id }) => id === job.id), now: day.now }
      })
    const { actualStart, now } = await visit()
    assert.ok(Math.abs(Number(actualStart) + 80 - now) <= 1, `${actualStart} at ${now}`)
    await book('After it', 5)
    assert.match((await lateOnBoard()).join(), /After it about 1\d min late/)
    await schedule.call('jobs_update', { id: job.id, status: 'done' })
    const { actualEnd, actualStart: over } = await visit()
    assert.ok(over === null && Math.abs(Number(actualEnd) - now) <= 1)
  })

  it('is shown when the arrival window will be missed, with a customer message to send once', async () => {
    await hireLeo()
    const job = await book('Narrow', -42, { arrival_window_minutes: 30 })
    assert.match((await lateOnBoard())[0] ?? '', /Narrow about 4\d min late · after its arrival window Text/)
    const $ = await board()
    const offer = $('.late-visits a.button')
      .toArray()
      .map(({ attribs }) => attribs['href'] ?? '')
      .find((href) => href.includes(String(job.id)))
    assert.match(offer ?? '', /\/send\?kind=running_late&by=sms&minutes=45$/)
    const path = `${schedule.at('jobs', String(job.id), 'send')}?kind=running_late&by=email&minutes=45`
    const letter = await schedule.browser.get(path)
    assert.match(pageTextOf(letter), /Running late: J-\d+ .*expect to be with you about 45 minutes later than planned/)
    for (const minutes of ['4', '481', 'x', '5.5']) {
      const { status, text } = await schedule.browser.get(path.replace(/\d+$/, minutes))
      assert.ok(status === 200 && text.includes('{arrival}'), minutes)
    }
    const at = schedule.at('jobs', String(job.id), 'send')
    const sent = await sendForm(schedule.browser, at, formAt(letter, at))
    assert.equal(sent.status, 303)
    assert.match(
      (await lateOnBoard())[0] ?? '',
      /Narrow about 4\d min late · after its arrival window Customer notified$/,
    )
  })

  it('offers no message without access to customers or edit access to jobs', async () => {
    await hireLeo()
    await book('Quiet', -40)
    for (const areas of [{ 'Jobs & scheduling': 'view' }, { 'Customers & contacts': 'none' }] as const) {
      const { browser } = await schedule.signInMember('office', areas)
      const $ = load((await browser.get(schedule.at('schedule'))).text)
      assert.match($('.late-visits').text(), /Quiet/)
      assert.equal($('.late-visits a.button').length, 0)
    }
  })

  it("isn't shown for another day, even if visits overlap", async () => {
    await hireLeo()
    for (const minutes of [0, 30]) await book('Overlaps', 24 * 60 + minutes)
    const day = Temporal.PlainDate.from(today).add({ days: 1 }).toString()
    const { text } = await schedule.browser.get(`${schedule.at('schedule')}?day=${day}`)
    assert.ok(text.includes('Overlaps') && !text.includes('late-visits') && !text.includes('visit-late'))
  })
})
