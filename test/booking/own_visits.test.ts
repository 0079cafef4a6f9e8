import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result } from '../harness/harness.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { mailTo, RULES, startBooking, startsIn, type Booking } from './scene.ts'

let scene: Booking
let path: string
before(async () => {
  scene = await startBooking({ may_move: 'yes', may_cancel: 'yes' })
  path = await scene.issue({ kind: 'customers', id: String(scene.customer['id']) })
})
after(() => scene.service.stop())

let weeks = 0
/** Creates a visit for Maria at 9:00 on its own Tuesday. */
async function visit(more: object = {}): Promise<Result> {
  const today = Temporal.Now.plainDateISO('America/New_York')
  const day = today.add({ days: 2 + ((9 - today.dayOfWeek) % 7) + 7 * (weeks++ % 3) })
  return scene.office.call('jobs_create', {
    customer_id: scene.customer['id'],
    title: 'Fix the faucet',
    scheduled_start: `${day.toString()}T09:00`,
    duration_minutes: 60,
    assignees: [scene.office.owner.user_id],
    ...more,
  })
}

const jobOf = (id: unknown) => scene.office.call('jobs_get', { id })
const at = (job: Result, step: 'move' | 'cancel') => `${path}/visits/${String(job['id'])}/${step}`

describe("rescheduling or canceling one's own visit", () => {
  it('moves it to an offered time, notifies both sides and records it; the office can undo it', async () => {
    const job = await visit()
    const browser = scene.browser()
    assert.ok((await browser.get(path)).text.includes(at(job, 'move')))
    const [start = ''] = startsIn((await browser.get(at(job, 'move'))).text)
    const moved = await browser.post(at(job, 'move'), { start })
    assert.deepEqual([moved.status, moved.location], [303, path])
    assert.equal((await jobOf(job['id']))['scheduled_start'], start)
    const entries = await scene.office.entries(String(job['id']))
    const move = entries.find(({ tool }) => tool === 'jobs.move_by_link')
    assert.deepEqual(Object.keys(move?.changed ?? {}).sort(), ['link', 'scheduled_end', 'scheduled_start'])
    assert.equal(move?.user_id, null)
    assert.match((await mailTo(scene, scene.office.owner.email)).at(-1)?.subject ?? '', /Maria Lopez moved a visit/)
    assert.match((await mailTo(scene, 'maria@example.com')).at(-1)?.body ?? '', /Your appointment is confirmed/)
    const { browser: office } = await scene.office.signInMember('office')
    const page = await office.get(scene.office.at('jobs', String(job['id'])))
    assert.match(pageTextOf(page), /Maria Lopez moved it using their link/)
    await undo(office, page.text)
    assert.equal((await jobOf(job['id']))['scheduled_start'], job['scheduled_start'])
  })

  it('cancels it with the reason, and the office can undo it', async () => {
    const job = await visit()
    const browser = scene.browser()
    assert.equal((await browser.post(at(job, 'cancel'), { reason: 'It works\nagain' })).status, 303)
    const after = await jobOf(job['id'])
    assert.deepEqual([after['status'], after['cancel_reason']], ['cancelled', 'It works again'])
    assert.match((await mailTo(scene, scene.office.owner.email)).at(-1)?.body ?? '', /Reason: It works again/)
    const { browser: office } = await scene.office.signInMember('office')
    await undo(office, (await office.get(scene.office.at('jobs', String(job['id'])))).text)
    assert.equal((await jobOf(job['id']))['status'], 'scheduled')
  })

  it("is rejected for a visit that is too soon, done or another customer's, or by another kind of link", async () => {
    const browser = scene.browser()
    const soon = await visit({ scheduled_start: Temporal.Now.instant().add({ hours: 23 }).toString() })
    const done = await visit()
    await scene.office.call('jobs_update', { id: done['id'], status: 'done' })
    for (const job of [soon, done])
      for (const step of ['move', 'cancel'] as const) {
        assert.equal((await browser.get(at(job, step))).status, 409)
        assert.equal((await browser.post(at(job, step), { start: '2030-01-07T15:00:00.000Z' })).status, 409)
      }
    const other = await scene.office.customer('Other')
    const theirs = await visit({ customer_id: other['id'] })
    assert.equal((await browser.post(at(theirs, 'cancel'), {})).status, 404)
    assert.equal((await jobOf(theirs['id']))['status'], 'scheduled')
    const own = await visit()
    const { path: quoteLink } = await scene.quoteLink()
    assert.equal((await browser.post(`${quoteLink}/visits/${String(own['id'])}/cancel`, {})).status, 404)
    assert.equal((await jobOf(own['id']))['status'], 'scheduled')
  })

  it('is rejected for a start that is taken, outside working hours, past the booking limit or invalid', async () => {
    const job = await visit()
    const other = await visit()
    const browser = scene.browser()
    const night = Temporal.Instant.from(String(job['scheduled_start']))
      .add({ hours: 14 })
      .toString({ smallestUnit: 'millisecond' })
    for (const start of [
      String(other['scheduled_start']),
      night,
      Temporal.Instant.from(String(job['scheduled_start']))
        .add({ hours: 3, minutes: 7 })
        .toString({ smallestUnit: 'millisecond' }),
      '2099-01-07T15:00:00.000Z',
      '2020-01-07T15:00:00.000Z',
    ])
      assert.equal((await browser.post(at(job, 'move'), { start })).status, 409, start)
    for (const start of ['x', '2027-13-45T99:99:99.000Z', '2027-01-07T15:00:00'])
      assert.equal((await browser.post(at(job, 'move'), { start })).status, 200, start)
    assert.equal((await jobOf(job['id']))['scheduled_start'], job['scheduled_start'])
  })

  it('returns 409 while the company allows no changes, or only those of bookable services', async () => {
    const browser = scene.browser()
    const [plain, bookable] = [await visit(), await visit({ line_items: [{ catalog_item_id: scene.item }] })]
    await scene.save({ ...RULES, may_move: 'yes', changes: 'bookable' })
    assert.equal((await browser.get(at(plain, 'move'))).status, 409)
    assert.equal((await browser.get(at(bookable, 'move'))).status, 200)
    assert.equal((await browser.post(at(bookable, 'cancel'), {})).status, 409)
    await scene.save(RULES)
    assert.equal((await browser.get(at(bookable, 'move'))).status, 409)
    assert.ok(!(await browser.get(path)).text.includes('/visits/'))
    await scene.save({ ...RULES, may_move: 'yes', may_cancel: 'yes' })
  })
})

/** Undoes the newest change that a record's page offers to undo. */
async function undo(browser: Booking['office']['browser'], text: string): Promise<void> {
  const link = /href="([^"]*\/undo\?change=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const page = await browser.get(link)
  assert.equal(page.status, 200)
  const form = /<form class="undo"[^]*?<\/form>/.exec(page.text)?.[0] ?? ''
  const fields = Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  const action = link.split('?')[0] ?? ''
  assert.equal((await browser.post(action, fields)).status, 303)
}
