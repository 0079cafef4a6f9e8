import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import {
  book,
  choose,
  DETAILS,
  hiddenIn,
  jobsOf,
  mailTo,
  prove,
  sendDetails,
  startBooking,
  startsIn,
  type Booking,
} from './scene.ts'

let scene: Booking
before(async () => {
  scene = await startBooking()
})
after(() => scene.service.stop())

const run = (statement: ReturnType<typeof sql>) =>
  writeTenant(scene.service.database, { tenant: scene.office.id }, (db) => db.run(statement))

/** Expires every hold that has no job yet. */
const endHolds = () => run(sql`update booking_holds set expires_at = moment() where job_id is null`)

const readAudit = () =>
  scene.all<{ tool: string; client: string; record_type: string; user_id: string | null }>(
    sql`select tool, client, record_type, user_id from audit where tool = 'jobs.book_by_link' order by record_type`,
  )

describe('the booking page', () => {
  it('shows services with duration and price, and at most ten start times, without technician names', async () => {
    const stranger = scene.browser()
    const first = await stranger.get(scene.page)
    assert.match(pageTextOf(first), /Drain cleaning We clear one drain. About 1 h 30 min · from \$199.00/)
    const times = await stranger.get(`${scene.page}/${scene.item}`)
    const starts = startsIn(times.text)
    assert.ok(starts.length >= 3 && starts.length <= 10, String(starts.length))
    assert.deepEqual(starts, starts.toSorted())
    const earliest = Date.now() + 4 * 3_600_000
    for (const start of starts) assert.ok(Date.parse(start) >= earliest - 60_000, start)
    assert.ok(!times.text.includes('Ana') && !times.text.includes(scene.office.owner.user_id))
  })

  it('offers 08:00, 12:00 and 14:00 on every workday across its pages', async () => {
    const stranger = scene.browser()
    const byDay = new Map<string, Temporal.PlainTime[]>()
    let next: string | undefined = `${scene.page}/${scene.item}`
    for (let pages = 0; next !== undefined && pages < 30; pages++) {
      const { text } = await stranger.get(next)
      for (const start of startsIn(text)) {
        const at = Temporal.Instant.from(start).toZonedDateTimeISO('America/New_York')
        const day = at.toPlainDate().toString()
        byDay.set(day, [...(byDay.get(day) ?? []), at.toPlainTime()])
      }
      next = /href="([^"]*\?day=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    const today = Temporal.Now.plainDateISO('America/New_York')
    const workdays = Array.from({ length: 30 }, (_, days) => today.add({ days: days + 1 })).filter(
      (day) => day.dayOfWeek < 6,
    )
    for (const day of workdays.slice(1))
      assert.deepEqual(
        byDay.get(day.toString())?.map((time) => time.toString({ smallestUnit: 'minute' })),
        ['08:00', '12:00', '14:00'],
        day.toString(),
      )
  })

  it('is in Spanish with ?lang=es or an Accept-Language of es-MX', async () => {
    const stranger = scene.browser()
    assert.match(pageTextOf(await stranger.get(`${scene.page}?lang=es`)), /¿Qué necesita\?/)
    const byHeader = await stranger.send(scene.page, { headers: { 'accept-language': 'es-MX' } })
    assert.match(pageTextOf(byHeader), /Paso 1 de 3/)
  })

  it('creates customer, job, source, confirmation, office notice and audit rows for a new customer', async () => {
    const stranger = scene.browser()
    const query = '?utm_campaign=spring%0Asale&utm_source=google&page=https://acme.example/drains/?q=secret'
    const { start, done } = await book(scene, stranger, {}, query)
    assert.equal(done.status, 303)
    assert.match(pageTextOf(await stranger.get(done.location ?? '')), /Visit booked .* Drain cleaning/)
    const [job, ...others] = await jobsOf(scene)
    assert.deepEqual(others, [])
    assert.deepEqual(
      { ...job, id: '', start: new Date(job!.start).toISOString() },
      {
        id: '',
        title: 'Drain cleaning',
        status: 'scheduled',
        start,
        minutes: 90,
        window: 120,
        customer: 'Sam Jones',
        description: 'Which drain?\nThe kitchen sink',
        fields: { Source: 'Online booking', Page: 'acme.example/drains', Campaign: 'spring sale / google' },
        user: scene.office.owner.user_id,
      },
    )
    const mail = await mailTo(scene, DETAILS.email)
    assert.deepEqual(
      mail.map(({ cause }) => cause),
      ['sent'],
    )
    assert.match(mail[0]!.body, /Your appointment is confirmed: Drain cleaning/)
    const notices = await mailTo(scene, scene.office.owner.email)
    assert.match(notices.at(-1)?.subject ?? '', /^Sam Jones booked online: Drain cleaning$/)
    assert.deepEqual(
      (await readAudit()).map(({ client, record_type, user_id }) => [client, record_type, user_id]),
      ['contact', 'customer', 'job', 'location'].map((type) => ['Online booking', type, null]),
    )
  })

  it('books once when the same form is submitted three times at once', async () => {
    const stranger = scene.browser()
    const { answer } = await choose(scene, stranger)
    const { text } = await stranger.get(answer.location ?? '')
    const fields = { t: hiddenIn(text, 't'), ...DETAILS, email: 'twice@example.com' }
    const count = (await jobsOf(scene)).length
    const sent = await Promise.all([1, 2, 3].map(() => stranger.post(`${scene.page}/details`, fields)))
    assert.deepEqual(
      sent.map(({ status }) => status),
      [303, 303, 303],
    )
    assert.equal((await jobsOf(scene)).length, count + 1)
    assert.equal((await mailTo(scene, 'twice@example.com')).length, 1)
  })

  it("shows each invalid field's error with 422 and books nothing", async () => {
    const stranger = scene.browser()
    const count = (await jobsOf(scene)).length
    const { answer } = await choose(scene, stranger)
    const empty = { name: '', address_line1: '', city: '', phone: '', email: '', answer_0: '' }
    const refused = await sendDetails(scene, stranger, answer.location, empty)
    assert.equal(refused.status, 422)
    for (const name of ['name', 'address_line1', 'city', 'email', 'answer_0'])
      assert.match(refused.text, new RegExp(`id="${name}-error"`), name)
    const wrong = await sendDetails(scene, stranger, answer.location, { email: 'nobody', phone: '12' })
    assert.match(wrong.text, /id="email-error"/)
    assert.match(wrong.text, /id="phone-error"/)
    assert.equal((await jobsOf(scene)).length, count)
    assert.equal((await sendDetails(scene, stranger, answer.location)).status, 303)
  })
})

describe('a step of a booking', () => {
  it('keeps the campaign and page parameters in the links back and to later times', async () => {
    const stranger = scene.browser()
    const query = '?utm_campaign=spring&page=https://acme.example/drains'
    const times = await stranger.get(`${scene.page}/${scene.item}${query}`)
    const { answer } = await choose(scene, stranger, { query })
    const details = await stranger.get(answer.location ?? '')
    const source = 'page=https%3A%2F%2Facme.example%2Fdrains&amp;campaign=spring'
    for (const text of [times.text, details.text])
      for (const link of text.match(/href="\/book\/[^"]*"/g) ?? []) assert.ok(link.includes(source), link)
    assert.match(times.text, /&amp;day=/)
    await endHolds()
  })

  it('accepts a campaign of 130 emoji outside the Basic Multilingual Plane', async () => {
    const stranger = scene.browser()
    const { answer } = await choose(scene, stranger, { query: `?utm_campaign=${'%F0%9F%94%A7'.repeat(130)}` })
    assert.match(answer.location ?? '', /\/details\?/)
    assert.match(pageTextOf(await stranger.get(answer.location ?? '')), /Where should we come/)
    await endHolds()
  })

  it('rejects a forged token, a token of another step and a start time that was not offered', async () => {
    const stranger = scene.browser()
    const { text } = await stranger.get(`${scene.page}/${scene.item}`)
    const t = hiddenIn(text, 't')
    const [body = '', signature = ''] = t.split('.')
    const changed = Buffer.from(
      JSON.stringify({
        ...JSON.parse(Buffer.from(body, 'base64url').toString()),
        offered: ['2030-01-07T15:00:00.000Z'],
      }),
    ).toString('base64url')
    for (const token of ['', 'x', `${changed}.${signature}`, `${body}.`, `${body}.${'A'.repeat(43)}`]) {
      const answer = await stranger.post(`${scene.page}/${scene.item}`, {
        t: token,
        start: startsIn(text)[0]!,
        proof: '',
      })
      assert.deepEqual([answer.status, answer.location], [303, scene.page], token)
      assert.equal((await stranger.get(`${scene.page}/details?t=${encodeURIComponent(token)}`)).location, scene.page)
    }
    for (const start of ['', '2030-01-07T15:00:00.000Z', 'x'])
      assert.equal((await stranger.post(`${scene.page}/${scene.item}`, { t, start, proof: prove(t) })).status, 422)
    assert.equal((await stranger.get(`${scene.page}/details?t=${encodeURIComponent(t)}`)).location, scene.page)
  })
})

describe('an online booking by an existing customer', () => {
  it("shows the customer's stored name to the office but not to the person booking", async () => {
    const { done } = await book(scene, scene.browser(), { email: 'maria@example.com', name: 'Mary L.' })
    assert.equal(done.status, 303)
    assert.ok(!pageTextOf(await scene.browser().get(done.location ?? '')).includes('Lopez'))
    const notice = (await mailTo(scene, scene.office.owner.email)).at(-1)
    assert.match(notice?.body ?? '', /Maria Lopez/)
  })
})
