import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { findFreeSlots } from '../../src/scheduling/availability.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { choose, hiddenIn, jobsOf, mailTo, prove, sendDetails, startBooking, startsIn, type Booking } from './scene.ts'

let scene: Booking
before(async () => {
  scene = await startBooking()
})
after(() => scene.service.stop())

const run = (statement: ReturnType<typeof sql>) =>
  writeTenant(scene.service.database, { tenant: scene.office.id }, (db) => db.run(statement))

/** Expires every hold that has no job yet. */
const endHolds = () => run(sql`update booking_holds set expires_at = moment() where job_id is null`)

describe('a held time', () => {
  it('is not offered to other visitors or to the office until it expires', async () => {
    await endHolds()
    const { start } = await choose(scene, scene.browser())
    const other = await scene.browser().get(`${scene.page}/${scene.item}`)
    assert.ok(!startsIn(other.text).includes(start))
    const officeStarts = await writeTenant(scene.service.database, { tenant: scene.office.id }, async (db) =>
      (await findFreeSlots(db, 'America/New_York', { minutes: 30, limit: 20 })).flatMap(({ slots }) => slots),
    )
    const [from, to] = [Date.parse(start), Date.parse(start) + 90 * 60_000]
    assert.ok(!officeStarts.some((slot) => Date.parse(slot.start) < to && Date.parse(slot.end) > from))
    await endHolds()
    const again = await scene.browser().get(`${scene.page}/${scene.item}`)
    assert.ok(startsIn(again.text).includes(start))
  })

  it('is replaced by a later choice from the same page; an old form books nothing more', async () => {
    const stranger = scene.browser()
    const later = startsIn((await scene.browser().get(`${scene.page}/${scene.item}`)).text).at(-1) ?? ''
    const { start, fields, answer } = await choose(scene, stranger)
    const second = await stranger.post(`${scene.page}/${scene.item}`, { ...fields, start: later })
    assert.equal(second.status, 303)
    const free = startsIn((await scene.browser().get(`${scene.page}/${scene.item}`)).text)
    assert.ok(free.includes(start) && !free.includes(later))
    const done = await sendDetails(scene, stranger, second.location, { email: 'last@example.com' })
    assert.equal(done.status, 303)
    assert.equal(new Date((await jobsOf(scene)).at(-1)!.start).toISOString(), later)
    const count = (await jobsOf(scene)).length
    const early = await sendDetails(scene, stranger, answer.location, { email: 'last@example.com' })
    assert.equal(
      pageTextOf(await stranger.get(early.location ?? '')),
      pageTextOf(await stranger.get(done.location ?? '')),
    )
    assert.equal((await jobsOf(scene)).length, count)
    const again = await stranger.post(`${scene.page}/${scene.item}`, fields)
    assert.equal(again.status, 409)
    assert.notEqual(hiddenIn(again.text, 't'), fields.t)
  })

  it('is granted to all three requests when one choice is submitted three times at once', async () => {
    const stranger = scene.browser()
    const { text } = await stranger.get(`${scene.page}/${scene.item}`)
    const t = hiddenIn(text, 't')
    const fields = { t, start: startsIn(text)[0] ?? '', proof: prove(t) }
    const answers = await Promise.all([1, 2, 3].map(() => stranger.post(`${scene.page}/${scene.item}`, fields)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303],
    )
    await endHolds()
  })

  it('can be booked after it expired while it is free; returns 409 once someone else booked it', async () => {
    const [one, two] = [scene.browser(), scene.browser()]
    const first = await choose(scene, one)
    await endHolds()
    const second = await choose(scene, two, { start: first.start })
    assert.equal((await sendDetails(scene, two, second.answer.location, { email: 'two@example.com' })).status, 303)
    const late = await sendDetails(scene, one, first.answer.location, { email: 'one@example.com' })
    assert.equal(late.status, 409)
    assert.match(pageTextOf(late), /This time was just taken/)
    assert.deepEqual(await mailTo(scene, 'one@example.com'), [])
  })

  it('goes to one of two people who choose it at once; the other gets 409', async () => {
    const strangers = [scene.browser(), scene.browser()]
    const pages = await Promise.all(strangers.map((one) => one.get(`${scene.page}/${scene.item}`)))
    const [start = ''] = startsIn(pages[0]!.text)
    const answers = await Promise.all(
      strangers.map((one, i) => {
        const t = hiddenIn(pages[i]!.text, 't')
        return one.post(`${scene.page}/${scene.item}`, { t, start, proof: prove(t) })
      }),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409])
    await endHolds()
  })

  it('counts once per proof of work, and returns 429 after too many from one network', async () => {
    const stranger = scene.browser()
    const { fields } = await choose(scene, stranger)
    await stranger.post(`${scene.page}/${scene.item}`, fields)
    const [{ count } = { count: 0 }] = await scene.all<{ count: number }>(
      sql`select count(*)::int as count from booking_holds where expires_at > moment()`,
    )
    assert.equal(count, 1)
    for (let i = 0; i < 10; i++) await stranger.post(`${scene.page}/${scene.item}`, fields)
    assert.equal((await stranger.post(`${scene.page}/${scene.item}`, fields)).status, 429)
    await endHolds()
  })
})
