import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { freeSlots } from '../../src/scheduling/availability.ts'
import { said } from '../harness/identity/people_pages.ts'
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

/** Lets ten minutes pass for every time that is held. */
const endHolds = () => run(sql`update booking_holds set expires_at = moment() where job_id is null`)

const audited = () =>
  scene.all<{ tool: string; client: string; record_type: string; user_id: string | null }>(
    sql`select tool, client, record_type, user_id from audit where tool = 'jobs.book_by_link' order by record_type`,
  )

describe('the booking page', () => {
  it('shows services with length and price, and three windows a day, without a name', async () => {
    const stranger = scene.browser()
    const first = await stranger.get(scene.page)
    assert.match(said(first), /Drain cleaning We clear one drain. About 1 h 30 min · from \$199.00/)
    const times = await stranger.get(`${scene.page}/${scene.item}`)
    const starts = startsIn(times.text)
    assert.ok(starts.length >= 3 && starts.length <= 10, String(starts.length))
    assert.deepEqual(starts, starts.toSorted())
    const earliest = Date.now() + 4 * 3_600_000
    for (const start of starts) assert.ok(Date.parse(start) >= earliest - 60_000, start)
    assert.ok(!times.text.includes('Ana') && !times.text.includes(scene.office.owner.user_id))
  })

  it('speaks Spanish by the browser and by the link', async () => {
    const stranger = scene.browser()
    assert.match(said(await stranger.get(`${scene.page}?lang=es`)), /¿Qué necesita\?/)
    const byHeader = await stranger.send(scene.page, { headers: { 'accept-language': 'es-MX' } })
    assert.match(said(byHeader), /Paso 1 de 3/)
  })

  it('books for a stranger: customer, job, source, confirmation, notice, audit, once however often it is pressed', async () => {
    const stranger = scene.browser()
    const query = '?utm_campaign=spring%0Asale&utm_source=google&page=https://acme.example/drains/?q=secret'
    const { start, done } = await book(scene, stranger, {}, query)
    assert.equal(done.status, 303)
    assert.match(said(await stranger.get(done.location ?? '')), /Visit booked .* Drain cleaning/)
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
      (await audited()).map(({ client, record_type, user_id }) => [client, record_type, user_id]),
      ['contact', 'customer', 'job', 'location'].map((type) => ['Online booking', type, null]),
    )
  })

  it('books once when the same form is sent twice at the same time', async () => {
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

  it('names every problem of the form at its field, and books nothing', async () => {
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

describe('a held time', () => {
  it('is offered to nobody else, by the page or to the office, until it ends', async () => {
    await endHolds()
    const { start } = await choose(scene, scene.browser())
    const other = await scene.browser().get(`${scene.page}/${scene.item}`)
    assert.ok(!startsIn(other.text).includes(start))
    const officeStarts = await writeTenant(scene.service.database, { tenant: scene.office.id }, async (db) =>
      (await freeSlots(db, 'America/New_York', { minutes: 30, most: 20 })).flatMap(({ slots }) => slots),
    )
    const [from, to] = [Date.parse(start), Date.parse(start) + 90 * 60_000]
    assert.ok(!officeStarts.some((slot) => Date.parse(slot.start) < to && Date.parse(slot.end) > from))
    await endHolds()
    const again = await scene.browser().get(`${scene.page}/${scene.item}`)
    assert.ok(startsIn(again.text).includes(start))
  })

  it('that ended is still booked while it is free, and refused once it is taken', async () => {
    const [one, two] = [scene.browser(), scene.browser()]
    const first = await choose(scene, one)
    await endHolds()
    const second = await choose(scene, two, { start: first.start })
    assert.equal((await sendDetails(scene, two, second.answer.location, { email: 'two@example.com' })).status, 303)
    const late = await sendDetails(scene, one, first.answer.location, { email: 'one@example.com' })
    assert.equal(late.status, 409)
    assert.match(said(late), /This time was just taken/)
    assert.deepEqual(await mailTo(scene, 'one@example.com'), [])
  })

  it('of two strangers at the same moment goes to one', async () => {
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

  it('counts once for one proof of work, and is bounded for a network', async () => {
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

describe('a step of a booking', () => {
  it('is refused when it is forged, of another page, or asks for a time that was not offered', async () => {
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

describe('without script', () => {
  const codeIn = async (to: string): Promise<string> =>
    /is (\d{6})\./.exec((await mailTo(scene, to)).at(-1)?.body ?? '')?.[1] ?? ''

  it('a code confirms the address before a time is held, and books', async () => {
    const stranger = scene.browser()
    const { answer, start } = await choose(scene, stranger, { isProved: false })
    assert.equal(answer.status, 303)
    const held = () => scene.all(sql`select id from booking_holds where expires_at > moment()`)
    assert.deepEqual(await held(), [])
    const asks = await sendDetails(scene, stranger, answer.location, { email: 'code@example.com' })
    assert.equal(asks.status, 200)
    assert.match(said(asks), /We sent a code to code@example.com/)
    assert.deepEqual(await held(), [])
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

  it('a code can be tried five times, and goes to an address three times', async () => {
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

  it('answers the same for a known address, an opted-out one and a stranger', async () => {
    await run(sql`update contacts set email_opt_out = true where email = 'maria@example.com'`)
    const pages: string[] = []
    for (const email of ['maria@example.com', 'unknown@example.com']) {
      const stranger = scene.browser()
      const { answer } = await choose(scene, stranger, { isProved: false })
      const asks = await sendDetails(scene, stranger, answer.location, { email })
      assert.equal(asks.status, 200)
      pages.push(said(asks).replaceAll(email, 'ADDRESS'))
    }
    assert.equal(pages[0], pages[1])
    assert.deepEqual(await mailTo(scene, 'maria@example.com'), [])
  })
})

describe('who books', () => {
  it('may be a customer: the office is told, the stranger is not', async () => {
    const { done } = await book(scene, scene.browser(), { email: 'maria@example.com', name: 'Mary L.' })
    assert.equal(done.status, 303)
    assert.ok(!said(await scene.browser().get(done.location ?? '')).includes('Lopez'))
    const notice = (await mailTo(scene, scene.office.owner.email)).at(-1)
    assert.match(notice?.body ?? '', /Maria Lopez/)
  })
})
