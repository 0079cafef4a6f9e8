import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import fc from 'fast-check'
import { listEntriesOfJobs } from '../../src/mobile/time/entry.ts'
import { dayBoundaries, secondsByDay, weekAround } from '../../src/mobile/time/week.ts'
import { addForgottenTime } from '../../src/mobile/time/correcting.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { followRedirects, pageTextOf, submit, sendForm } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import type { TestService } from '../harness/harness.ts'
import { at, openCrewScene, type CrewScene } from './site.ts'
import type { Job } from '../../src/records/jobs/index.ts'

const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Asia/Kathmandu', 'UTC']

let service: TestService
let crew: CrewScene
let job: Job
before(async () => {
  service = await startSite()
  crew = await openCrewScene(service, 'Sheets Co', 'America/New_York')
  job = await crew.visit('Boiler service')
  const write = (user: string, started_at: string, ended_at: string) =>
    crew.within((db) =>
      addForgottenTime(
        db,
        { job: job.id, user },
        { started_at, ended_at, reason: 'Test' },
        { user: crew.owner.user, role: 'owner' },
        at(23, 0, 8),
      ),
    )
  // In New York: 10 pm on Tuesday until 1:30 am on Wednesday.
  await write(crew.ben.user, at(2, 0, 3), at(5, 30, 3))
  await write(crew.cy.user, at(14, 0, 4), at(15, 15, 4))
})
after(() => service.stop())

/** Date formatters per zone, which compute local dates without Temporal. */
const CALENDARS = new Map(
  ZONES.map((zone) => [
    zone,
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  ]),
)

/** Returns the hidden fields of the confirmation page. */
const hiddenOf = (page: string): [string, string][] =>
  load(page)('main form input[type=hidden]')
    .toArray()
    .map(({ attribs }) => [attribs['name']!, attribs['value'] ?? ''])

describe('time, checklist and signature pages', () => {
  it('sum the same as a minute-by-minute count, including daylight saving changes', () => {
    const spans = fc.array(
      fc.record({ start: fc.integer({ min: -500, max: 11_000 }), long: fc.integer({ min: 0, max: 900 }) }),
      { maxLength: 4 },
    )
    const weeks = fc.constantFrom(
      '2026-03-08',
      '2026-03-29',
      '2026-10-25',
      '2026-11-01',
      '2026-04-05',
      '2026-10-04',
      '2026-06-10',
    )
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), weeks, spans, (zone, day, given) => {
        const days = weekAround(Temporal.PlainDate.from(day))
        const borders = dayBoundaries(days, zone)
        const first = borders[0]!.epochMilliseconds
        const entries = given.map(({ start, long }) => ({
          started_at: new Date(first + start * 60_000).toISOString(),
          ended_at: new Date(first + (start + long) * 60_000).toISOString(),
        }))
        const counted = new Map<string, number>()
        for (const { start, long } of given)
          for (let minute = start; minute < start + long; minute++) {
            const on = CALENDARS.get(zone)!.format(first + minute * 60_000)
            counted.set(on, (counted.get(on) ?? 0) + 60)
          }
        assert.deepEqual(
          secondsByDay(entries, borders, new Date().toISOString()),
          days.map((one) => counted.get(one.toString()) ?? 0),
        )
      }),
      { numRuns: 30 },
    )
  })

  it('start weeks on Monday, and count running time until now', () => {
    const days = weekAround(Temporal.PlainDate.from('2026-06-07'))
    assert.deepEqual([days[0]!.toString(), days[6]!.toString()], ['2026-06-01', '2026-06-07'])
    const borders = dayBoundaries(days, 'UTC')
    const running = { started_at: at(9), ended_at: null }
    assert.deepEqual(secondsByDay([running], borders, at(9, 30)), [0, 1800, 0, 0, 0, 0, 0])
  })

  it('show the office everyone by day, or a single member', async () => {
    const page = pageTextOf(await crew.office.browser.get(`${crew.office.at('time')}?day=2026-06-03`))
    assert.match(page, /Jun 1, 2026 – Jun 7, 2026/)
    assert.match(page, /Leo Park.* – 2:00 1:30 – – – – 3:30/)
    assert.match(page, /Total – 2:00 1:30 1:15 – – – 4:45/)
    const one = pageTextOf(
      await crew.office.browser.get(`${crew.office.at('time')}?day=2026-06-03&member=${crew.cy.user}`),
    )
    assert.match(one, /Time of Leo Park/)
    assert.match(one, /1:15/)
    assert.doesNotMatch(one, /3:30/)
  })

  it('show a technician only their own time, whichever member they request', async () => {
    const page = pageTextOf(
      await crew.ben.browser.get(`${crew.office.at('time')}?day=2026-06-03&member=${crew.cy.user}`),
    )
    assert.match(page, /3:30/)
    assert.doesNotMatch(page, /1:15/)
  })

  it('export as CSV with a line per day, in which the hours add up', async () => {
    const { text, headers } = await crew.office.browser.get(`${crew.office.at('time.csv')}?day=2026-06-03`)
    assert.equal(headers.get('content-disposition'), 'attachment; filename="time-2026-06-01.csv"')
    const [head, ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n')
    assert.equal(
      head,
      'day,member,job,title,customer,started_at,ended_at,hours,is_running,is_corrected,needs_correction',
    )
    assert.deepEqual(lines, [
      `2026-06-02,Leo Park,${job.display_number},Boiler service,Maria Lopez,2026-06-02T22:00:00,2026-06-03T00:00:00,2.0000,no,yes,no`,
      `2026-06-03,Leo Park,${job.display_number},Boiler service,Maria Lopez,2026-06-03T00:00:00,2026-06-03T01:30:00,1.5000,no,yes,no`,
      `2026-06-04,Leo Park,${job.display_number},Boiler service,Maria Lopez,2026-06-04T10:00:00,2026-06-04T11:15:00,1.2500,no,yes,no`,
    ])
  })

  it('start and end time on the job page, and correct it with a reason', async () => {
    const other = await crew.visit('Drain')
    const path = crew.office.at('jobs', other.id, 'time')
    await sendForm(crew.ben.browser, path, [['what', 'started']])
    assert.match(pageTextOf(await crew.ben.browser.get(crew.office.at('jobs', other.id))), /Your time is running since/)
    await sendForm(crew.ben.browser, path, [['what', 'ended']])
    const [entry] = await crew.within((db) => listEntriesOfJobs(db, [other.id]))
    const form = crew.office.at('time', entry!.id)
    const day = Temporal.Now.plainDateISO('America/New_York').subtract({ days: 3 }).toString()
    const typed = { started_at: `${day}T09:00`, ended_at: `${day}T10:30` }
    const refused = await submit(crew.ben.browser, form, { ...typed, reason: '' })
    assert.equal(refused.status, 422)
    assert.match(pageTextOf(refused), /That didn't work Enter a reason\./)
    assert.equal((await submit(crew.ben.browser, form, { ...typed, reason: 'Battery was empty' })).status, 303)
    assert.match(pageTextOf(await crew.office.browser.get(form)), /What it was before.*Battery was empty/)
    const [after] = await crew.within((db) => listEntriesOfJobs(db, [other.id]))
    assert.deepEqual(
      [after!.started_at, after!.ended_at],
      [typed.started_at, typed.ended_at].map((time) =>
        new Date(Temporal.PlainDateTime.from(time).toZonedDateTime('America/New_York').epochMilliseconds).toISOString(),
      ),
    )
    const page = pageTextOf(await crew.office.browser.get(crew.office.at('jobs', other.id)))
    assert.match(page, /Leo Park corrected the time of Leo Park: Battery was empty/)
    assert.match(page, /Leo Park started their time/)
  })

  it('create a checklist in the settings, answer it on the job, and check it before Done', async () => {
    const settings = crew.office.at('settings', 'checklists')
    const made = await submit(crew.office.browser, settings, {
      name: 'Heating',
      words: 'heater',
      'item.0.text': 'Gas off',
      'item.1.text': 'Pressure',
      'item.1.kind': 'number',
      'item.0.required': 'yes',
    })
    assert.equal(made.status, 303)
    const heater = await crew.visit('Water heater')
    const there = crew.office.at('jobs', heater.id)
    assert.match(
      pageTextOf(await crew.ben.browser.get(there)),
      /Heating.*Gas off Required before the visit is done.*Pressure/,
    )
    const asked = await sendForm(crew.ben.browser, `${there}/do/jobs_update-done`, [])
    assert.equal(asked.status, 409)
    assert.match(pageTextOf(asked), /Finish anyway\?.*One required item of the checklist is open: Gas off/)
    const list = `${there}/checklists`
    const $ = load((await crew.ben.browser.get(there)).text)
    const box = $('.checklist [type=checkbox]').attr('name')!
    const number = $('.checklist [inputmode=decimal]').attr('name')!
    await submit(crew.ben.browser, there, { [number]: '1,5' }, list)
    const done = await sendForm(crew.ben.browser, `${there}/do/jobs_update-done`, [['anyway', 'yes']])
    assert.equal(done.status, 303)
    const page = pageTextOf(await crew.office.browser.get(there))
    assert.match(page, /finished it with items open: Gas off/)
    assert.match(page, /answered “Pressure”: 1.5/)
    await submit(crew.ben.browser, there, { [box]: 'yes' }, list)
    assert.match(pageTextOf(await crew.office.browser.get(there)), /Leo Park checked “Gas off”/)
  })

  it('ask about open required items in the job form and in bulk changes too', async () => {
    const jobs = await Promise.all(['Water heater A', 'Water heater B', 'Lawn'].map((title) => crew.visit(title)))
    const [first = '', second = '', lawn = ''] = jobs.map(({ id }) => id)
    const edit = `${crew.office.at('jobs', first)}/edit`
    const asked = await submit(crew.office.browser, edit, { status: 'done', title: 'Water heater C' })
    assert.equal(asked.status, 409)
    assert.match(pageTextOf(asked), /Finish anyway\?.*One required item of the checklist is open: Gas off/)
    assert.equal((await crew.office.call('jobs_get', { id: first }))['status'], 'unscheduled')
    assert.equal((await sendForm(crew.office.browser, edit, hiddenOf(asked.text))).status, 303)
    const edited = await crew.office.call('jobs_get', { id: first })
    assert.deepEqual([edited['status'], edited['title']], ['done', 'Water heater C'])
    assert.match(pageTextOf(await crew.office.browser.get(crew.office.at('jobs', first))), /with items open: Gas off/)

    const bulk = crew.office.at('jobs', 'bulk')
    const mark = { act: 'mark', confirmed: 'yes', status: 'done', ids: [first, second, lawn, newId()].join(',') }
    const many = await sendForm(crew.office.browser, bulk, Object.entries(mark))
    assert.equal(many.status, 409)
    assert.match(pageTextOf(many), /Water heater B/)
    assert.doesNotMatch(pageTextOf(many), /Water heater C|Lawn/)
    assert.equal((await crew.office.call('jobs_get', { id: lawn }))['status'], 'unscheduled')
    const done = await followRedirects(
      crew.office.browser,
      await sendForm(crew.office.browser, bulk, hiddenOf(many.text)),
    )
    assert.match(pageTextOf(done), /Status of 3 jobs changed.*One was not:/)
    assert.match(pageTextOf(await crew.office.browser.get(crew.office.at('jobs', second))), /with items open: Gas off/)
    assert.doesNotMatch(pageTextOf(await crew.office.browser.get(crew.office.at('jobs', lawn))), /with items open/)
  })

  it('print a signed work order with its signature until it changes', async () => {
    const lawn = await crew.visit('Lawn')
    const there = crew.office.at('jobs', lawn.id)
    const form = `${there}/sign`
    const typed = { name: 'Maria Lopez', signature: 'M10 10L200 150' }
    assert.equal((await submit(crew.ben.browser, form, { ...typed, name: '' })).status, 422)
    assert.equal((await submit(crew.ben.browser, form, { ...typed, shown: 'other' })).status, 409)
    assert.equal((await submit(crew.ben.browser, form, typed)).status, 303)
    assert.match(pageTextOf(await crew.office.browser.get(there)), /Maria Lopez signed the work order/)
    const printed = await crew.office.browser.get(`${there}/print`)
    assert.equal(load(printed.text)('.paper-signed svg').length, 1)
    assert.match(pageTextOf(printed), /Maria Lopez .*Signature Name Date/)
    assert.equal((await crew.office.browser.get(`${there}/pdf`)).status, 200)
    await crew.office.call('jobs_update', { id: lawn.id, title: 'Lawn and hedge' })
    assert.match(pageTextOf(await crew.office.browser.get(there)), /The work order has changed since/)
    assert.equal(load((await crew.office.browser.get(`${there}/print`)).text)('.paper-signed').length, 0)
  })
})

describe('access and input checks of time pages', () => {
  it("return 404 to a technician for another member's entry and the checklist settings", async () => {
    const [ben, cy] = await crew.within((db) => listEntriesOfJobs(db, [job.id]))
    assert.equal((await crew.ben.browser.get(crew.office.at('time', ben!.id))).status, 200)
    assert.equal((await crew.ben.browser.get(crew.office.at('time', cy!.id))).status, 404)
    assert.equal((await sendForm(crew.ben.browser, crew.office.at('time', cy!.id), [['reason', 'x']])).status, 404)
    assert.equal((await crew.ben.browser.get(crew.office.at('settings', 'checklists'))).status, 404)
    assert.equal(
      (await sendForm(crew.ben.browser, crew.office.at('settings', 'checklists'), [['name', 'x']])).status,
      404,
    )
  })

  it('return 404 to members of another company and members without job access', async () => {
    const others = await openCrewScene(service, 'Other Co', 'America/New_York')
    const blind = await crew.office.signInMember('tech', { 'Jobs & scheduling': 'none' })
    const [entry] = await crew.within((db) => listEntriesOfJobs(db, [job.id]))
    const own = ['time', 'time.csv', `time/${entry!.id}`, `jobs/${job.id}/time/new`, `jobs/${job.id}/sign`]
    for (const path of own) {
      assert.equal((await others.office.browser.get(crew.office.at(path))).status, 404, path)
      assert.equal(
        (await others.office.browser.get(others.office.at(path.replace(/^time(\.csv)?$/, 'time/x')))).status,
        404,
        path,
      )
      assert.equal((await blind.browser.get(crew.office.at(path))).status, 404, path)
    }
    const viewer = await crew.office.signInMember('tech', { 'Jobs & scheduling': 'view' })
    for (const path of ['checklists', 'sign'])
      assert.equal((await sendForm(viewer.browser, crew.office.at('jobs', job.id, path), [['name', 'x']])).status, 404)
    assert.equal(
      (await sendForm(viewer.browser, crew.office.at('jobs', job.id, 'time'), [['what', 'started']])).status,
      303,
    )
  })

  it('return 200 for an invalid day', async () => {
    for (const day of ['2026-02-31', 'x'.repeat(400), '0000-00-00'])
      assert.equal((await crew.office.browser.get(`${crew.office.at('time')}?day=${day}`)).status, 200)
  })

  it('return 422 for an invalid date', async () => {
    const form = crew.office.at('jobs', job.id, 'time', 'new')
    const typed = { started_at: '2026-02-31T09:00', ended_at: '2026-06-02T10:30', reason: 'x' }
    const page = await submit(crew.office.browser, form, typed)
    assert.equal(page.status, 422)
    assert.match(pageTextOf(page), /Enter a date and a time\./)
  })
})
