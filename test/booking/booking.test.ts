import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { clearAttempts, takeAttempt } from '../../src/identity/sign_in/attempts.ts'
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

  it('offers morning and afternoon of each day, and no day is lost between its pages', async () => {
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

  it('is the one that was chosen last from a page, and the page says what was booked', async () => {
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
    assert.equal(said(await stranger.get(early.location ?? '')), said(await stranger.get(done.location ?? '')))
    assert.equal((await jobsOf(scene)).length, count)
    const again = await stranger.post(`${scene.page}/${scene.item}`, fields)
    assert.equal(again.status, 409)
    assert.notEqual(hiddenIn(again.text, 't'), fields.t)
  })

  it('is held once when it is chosen twice at the same time', async () => {
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
  it('leads back, and to later times, without losing where the person came from', async () => {
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

  it('carries a campaign of 120 characters that take two units each', async () => {
    const stranger = scene.browser()
    const { answer } = await choose(scene, stranger, { query: `?utm_campaign=${'%F0%9F%94%A7'.repeat(130)}` })
    assert.match(answer.location ?? '', /\/details\?/)
    assert.match(said(await stranger.get(answer.location ?? '')), /Where should we come/)
    await endHolds()
  })

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

  it('and while a company has too many times held, a code confirms the address and books', async () => {
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
    assert.match(said(asks), /We sent a code to crowd@example.com/)
    const fields = { ...DETAILS, phone: '', email: 'crowd@example.com', t: hiddenIn(asks.text, 't') }
    const done = await stranger.post(`${scene.page}/code`, { ...fields, code: await codeIn('crowd@example.com') })
    assert.equal(done.status, 303)
    assert.equal(new Date((await jobsOf(scene)).at(-1)!.start).toISOString(), start)
    await endHolds()
    assert.equal(await isHeld(), true)
    await endHolds()
    const limit = { subject: `booking holds of ${id}`, most: 120 }
    for (let i = 0; i < 120; i++) await takeAttempt(scene.service.database, [limit])
    assert.equal(await isHeld(), false)
    await clearAttempts(scene.service.database, limit.subject)
  })

  it('a network that holds too much takes nothing from the others of a company', async () => {
    const stranger = scene.browser()
    await clearAttempts(scene.service.database, `booking holds of ${scene.office.id}`)
    const { fields } = await choose(scene, stranger)
    for (let i = 0; i < 15; i++) await stranger.post(`${scene.page}/${scene.item}`, fields)
    const wait = await takeAttempt(scene.service.database, [
      { subject: `booking holds of ${scene.office.id}`, most: 14 },
    ])
    assert.equal(wait, 0)
    await endHolds()
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

describe('a company that can send nothing', () => {
  let quiet: Booking
  before(async () => {
    quiet = await startBooking({}, {})
  })
  after(() => quiet.service.stop())

  it('takes bookings of browsers that do the work alone, and asks to call while too many times are held', async () => {
    const refused = await choose(quiet, quiet.browser(), { isProved: false })
    assert.equal(refused.answer.status, 422)
    assert.match(said(refused.answer), /JavaScript turned off/)
    for (let i = 0; i < 120; i++)
      await takeAttempt(quiet.service.database, [{ subject: `booking holds of ${quiet.office.id}`, most: 120 }])
    const crowded = await choose(quiet, quiet.browser())
    assert.equal(crowded.answer.status, 422)
    assert.match(said(crowded.answer), /Many people are booking right now/)
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
