import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { clearAttempts, takeAttempt } from '../../src/identity/sign_in/attempts.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { choose, DETAILS, hiddenIn, jobsOf, mailTo, sendDetails, startBooking, type Booking } from './scene.ts'

let scene: Booking
before(async () => {
  scene = await startBooking()
})
after(() => scene.service.stop())

const run = (statement: ReturnType<typeof sql>) =>
  writeTenant(scene.service.database, { tenant: scene.office.id }, (db) => db.run(statement))

/** Expires every hold that has no job yet. */
const endHolds = () => run(sql`update booking_holds set expires_at = moment() where job_id is null`)

describe('booking with an email code', () => {
  const codeIn = async (to: string): Promise<string> =>
    /is (\d{6})\./.exec((await mailTo(scene, to)).at(-1)?.body ?? '')?.[1] ?? ''

  it('verifies the address by code before holding a time, then books once', async () => {
    const stranger = scene.browser()
    const { answer, start } = await choose(scene, stranger, { isProved: false })
    assert.equal(answer.status, 303)
    const listHolds = () => scene.all(sql`select id from booking_holds where expires_at > moment()`)
    assert.deepEqual(await listHolds(), [])
    const asks = await sendDetails(scene, stranger, answer.location, { email: 'code@example.com' })
    assert.equal(asks.status, 200)
    assert.match(pageTextOf(asks), /We sent a code to code@example.com/)
    assert.deepEqual(await listHolds(), [])
    const code = await codeIn('code@example.com')
    const fields = { ...DETAILS, phone: '512 555 0198', email: 'code@example.com', t: hiddenIn(asks.text, 't') }
    const other = code === '000000' ? '000001' : '000000'
    assert.equal((await stranger.post(`${scene.page}/code`, { ...fields, code: other })).status, 422)
    const elsewhere = await stranger.post(`${scene.page}/code`, { ...fields, code, email: 'other@example.com' })
    assert.equal(elsewhere.status, 422)
    const done = await stranger.post(`${scene.page}/code`, { ...fields, code })
    assert.equal(done.status, 303)
    const [last] = (await jobsOf(scene)).slice(-1)
    assert.equal(new Date(last!.start).toISOString(), start)
    const count = (await jobsOf(scene)).length
    assert.equal((await stranger.post(`${scene.page}/code`, { ...fields, code })).status, 303)
    assert.equal((await jobsOf(scene)).length, count)
  })

  it('asks for a code when the company has too many holds, and books with it', async () => {
    const { id } = scene.office
    const isHeld = async (): Promise<boolean> => {
      const { answer } = await choose(scene, scene.browser())
      return !/send a code/.test((await scene.browser().get(answer.location ?? '')).text)
    }
    await run(sql`insert into booking_holds (tenant_id, id, user_id, starts_at, ends_at, expires_at)
      select ${id}, gen_random_uuid(), ${scene.office.owner.user_id}, moment() + make_interval(days => 100 + n),
        moment() + make_interval(days => 100 + n, mins => 60), moment() + interval '10 minutes'
      from generate_series(1, 20) n`)
    const stranger = scene.browser()
    const { answer, start } = await choose(scene, stranger)
    const asks = await sendDetails(scene, stranger, answer.location, { email: 'crowd@example.com' })
    assert.match(pageTextOf(asks), /We sent a code to crowd@example.com/)
    const fields = { ...DETAILS, phone: '', email: 'crowd@example.com', t: hiddenIn(asks.text, 't') }
    const done = await stranger.post(`${scene.page}/code`, { ...fields, code: await codeIn('crowd@example.com') })
    assert.equal(done.status, 303)
    assert.equal(new Date((await jobsOf(scene)).at(-1)!.start).toISOString(), start)
    await endHolds()
    assert.equal(await isHeld(), true)
    await endHolds()
    const limit = { subject: `booking holds of ${id}`, max: 120 }
    for (let i = 0; i < 120; i++) await takeAttempt(scene.service.database, [limit])
    assert.equal(await isHeld(), false)
    await clearAttempts(scene.service.database, limit.subject)
  })

  it("does not use up the company's hold limit when one network makes too many requests", async () => {
    const stranger = scene.browser()
    await clearAttempts(scene.service.database, `booking holds of ${scene.office.id}`)
    const { fields } = await choose(scene, stranger)
    for (let i = 0; i < 15; i++) await stranger.post(`${scene.page}/${scene.item}`, fields)
    const wait = await takeAttempt(scene.service.database, [
      { subject: `booking holds of ${scene.office.id}`, max: 14 },
    ])
    assert.equal(wait, 0)
    await endHolds()
  })

  it('allows five tries per code and three codes per address, then returns 429', async () => {
    const stranger = scene.browser()
    const { answer } = await choose(scene, stranger, { isProved: false })
    const asks = await sendDetails(scene, stranger, answer.location, { email: 'tries@example.com' })
    const code = await codeIn('tries@example.com')
    const wrong = { ...DETAILS, email: 'tries@example.com', t: hiddenIn(asks.text, 't'), code: '12' }
    for (let i = 0; i < 5; i++) assert.equal((await stranger.post(`${scene.page}/code`, wrong)).status, 422)
    assert.equal((await stranger.post(`${scene.page}/code`, { ...wrong, code })).status, 429)
    for (let i = 0; i < 2; i++)
      assert.equal((await sendDetails(scene, stranger, answer.location, { email: 'tries@example.com' })).status, 200)
    assert.equal((await sendDetails(scene, stranger, answer.location, { email: 'tries@example.com' })).status, 429)
  })

  it('shows the same page for an opted-out contact and an unknown address', async () => {
    await run(sql`update contacts set email_opt_out = true where email = 'maria@example.com'`)
    const pages: string[] = []
    for (const email of ['maria@example.com', 'unknown@example.com']) {
      const stranger = scene.browser()
      const { answer } = await choose(scene, stranger, { isProved: false })
      const asks = await sendDetails(scene, stranger, answer.location, { email })
      assert.equal(asks.status, 200)
      pages.push(pageTextOf(asks).replaceAll(email, 'ADDRESS'))
    }
    assert.equal(pages[0], pages[1])
    assert.deepEqual(await mailTo(scene, 'maria@example.com'), [])
  })
})

describe('online booking without email or SMS', () => {
  let quiet: Booking
  before(async () => {
    quiet = await startBooking({}, {})
  })
  after(() => quiet.service.stop())

  it('requires JavaScript proof of work, and asks people to call when the hold limit is reached', async () => {
    const refused = await choose(quiet, quiet.browser(), { isProved: false })
    assert.equal(refused.answer.status, 422)
    assert.match(pageTextOf(refused.answer), /JavaScript turned off/)
    for (let i = 0; i < 120; i++)
      await takeAttempt(quiet.service.database, [{ subject: `booking holds of ${quiet.office.id}`, max: 120 }])
    const crowded = await choose(quiet, quiet.browser())
    assert.equal(crowded.answer.status, 422)
    assert.match(pageTextOf(crowded.answer), /Many people are booking right now/)
  })
})
