import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { load } from 'cheerio'
import { openSchedule } from '../../harness/database/schedules.ts'
import { openEventStream } from '../../harness/event_stream.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { formAt, pageTextOf, sendForm } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { SENDERS } from '../../sending/scene.ts'
import { DAY, movesOn, NORTH, openPlanning, SOUTH, type Planning } from './plan_scene.ts'

let service: TestService
let schedule: Planning['schedule']
let leo: Planning['leo']
let mia: Planning['mia']
let book: Planning['book']
let path: Planning['path']
let workOf: Planning['workOf']
let open: Planning['open']
let press: Planning['press']
before(async () => {
  service = await startSite(SENDERS)
})
after(() => service.stop())
beforeEach(async () => {
  ;({ schedule, leo, mia, book, path, workOf, open, press } = await openPlanning(service))
})

/** Books visits across town for two technicians who could each stay on one side. */
async function crossTown(): Promise<Result[]> {
  return [
    await book('09:00', NORTH, leo.id, { title: 'North' }),
    await book('09:00', SOUTH, mia.id, { title: 'South' }),
    await book('11:00', SOUTH, leo.id, { title: 'Far south' }),
    await book('11:00', NORTH, mia.id, { title: 'Far north' }),
  ]
}

describe('the day plan', () => {
  it('is streamed once it is ready, and returns 404 to another company', async () => {
    const [first] = await crossTown()
    const stream = await openEventStream(service.config.baseUrl, schedule.browser, path())
    assert.equal(stream.type, 'text/event-stream; charset=utf-8')
    await stream.until(/event: page\ndata: .*Visits moved.*\n\n/)
    assert.equal(await stream.ended(), '')
    const stranger = await openSchedule(service, 'Birch Heating')
    assert.equal((await openEventStream(service.config.baseUrl, stranger.browser, path())).status, 404)
    assert.deepEqual((await workOf(first ?? {}))[1], [leo.id])
  })

  it('shows driving, arrival windows and technicians before and after, and changes nothing', async () => {
    const jobs = await crossTown()
    const before = await Promise.all(jobs.map(workOf))
    const page = await open(path())
    const text = pageTextOf(page)
    assert.match(text, /Driving .* less about .* → 0 min/)
    assert.match(text, /Windows kept 4 of 4 visits, 4 before/)
    assert.match(text, /Visits moved 2/)
    assert.match(text, /Leo Ruiz → Mia Chen Less driving/)
    assert.deepEqual(
      load(page.text)('.proposal tbody tr')
        .get()
        .map((row) => pageTextOf({ text: load(page.text)(row).text() }).trim())
        .map((row) => /^(Leo Ruiz|Mia Chen) ?2 ?.* → 0 min$/.test(row)),
      [true, true],
    )
    const $ = load(page.text)
    const maps = $('.plan-maps figure')
      .get()
      .map((one) => [pageTextOf({ text: $(one).find('figcaption').text() }).trim(), $(one).find('.route').length])
    assert.match(String(maps[0]), /^Before · .*\d min,2$/)
    assert.deepEqual(maps[1], ['After · 0 min', 2])
    assert.deepEqual([$('.board .leaving').length, $('.board .proposed').length], [2, 2])
    assert.deepEqual(await Promise.all(jobs.map(workOf)), before)
  })

  it('moves the checked visits as one change, which can be undone', async () => {
    const jobs = await crossTown()
    const before = await Promise.all(jobs.map(workOf))
    const sent = await press(path())
    assert.deepEqual([sent.status, sent.location], [303, `${schedule.at('schedule')}?day=${DAY}`])
    const moved = await Promise.all(jobs.map(workOf))
    assert.equal(new Set([moved[0]?.[1][0], moved[3]?.[1][0]]).size, 1)
    assert.equal(new Set([moved[1]?.[1][0], moved[2]?.[1][0]]).size, 1)
    const page = await schedule.browser.get(sent.location ?? '')
    assert.match(pageTextOf(page), /2 visits moved/)
    const undone = await sendForm(schedule.browser, schedule.at('undo'), formAt(page, schedule.at('undo')))
    assert.deepEqual([undone.status, undone.location], [303, sent.location])
    assert.deepEqual(await Promise.all(jobs.map(workOf)), before)
    const tools = (await Promise.all(jobs.map(({ id }) => schedule.entries(String(id))))).flat().map(({ tool }) => tool)
    assert.equal(tools.filter((tool) => tool === 'jobs.update').length, 2)
  })

  it('moves only the checked visits, and can be replanned with them alone', async () => {
    await crossTown()
    const [first = ''] = movesOn(await open(path()))
    const moves = formAt(await open(path()), path()).filter(
      ([name, value]) => name !== 'move' || value.startsWith(first),
    )
    const again = await sendForm(schedule.browser, path(), [...moves, ['again', 'yes']])
    assert.deepEqual([again.status, again.location], [303, `${path()}&only=${first}`])
    assert.deepEqual(
      movesOn(await open(again.location ?? '')).filter((id) => id !== first),
      [],
    )
    assert.equal((await sendForm(schedule.browser, path(), moves)).status, 303)
    assert.match(pageTextOf(await schedule.browser.get(`${schedule.at('schedule')}?day=${DAY}`)), /One visit moved/)
  })

  it('starts a visit when it can be reached, within its arrival window', async () => {
    await book('09:00', NORTH, leo.id)
    const second = await book('10:00', SOUTH, leo.id, { title: 'Behind the drive' })
    await book('09:00', NORTH, mia.id, { duration_minutes: 480 })
    const page = await open(path())
    assert.match(pageTextOf(page), /10:00 AM → 1\d:\d[05] AM Behind the drive .* Leo Ruiz Can’t be reached earlier/)
    await press(path())
    const [start, crew] = await workOf(second)
    const shift = (Date.parse(String(start)) - Date.parse(String(second.scheduled_start))) / 60_000
    assert.ok(shift >= 20 && shift <= 120 && shift % 5 === 0, String(shift))
    assert.deepEqual(crew, [leo.id])
  })

  it('saves nothing when the day changed meanwhile, and works again once reloaded', async () => {
    const jobs = await crossTown()
    const form = formAt(await open(path()), path())
    const late = await book('14:00', NORTH, leo.id, { title: 'Just booked' })
    const before = await Promise.all([...jobs, late].map(workOf))
    const sent = await sendForm(schedule.browser, path(), form)
    assert.equal(sent.status, 409)
    assert.match(pageTextOf(sent), /The schedule changed since this was planned/)
    assert.deepEqual(await Promise.all([...jobs, late].map(workOf)), before)
    const fresh = formAt(await open(path()), path())
    assert.equal((await sendForm(schedule.browser, path(), fresh)).status, 303)
  })

  it('moves all visits or none when one changed meanwhile, and moves once when sent twice', async () => {
    const jobs = await crossTown()
    const form = formAt(await open(path()), path())
    const before = await Promise.all(jobs.map(workOf))
    const [first = ''] = form.filter(([name]) => name === 'move').map(([, value]) => value)
    await schedule.call('jobs_update', { id: first.slice(0, 36), instructions: 'Ring twice' })
    assert.equal((await sendForm(schedule.browser, path(), form)).status, 409)
    assert.deepEqual(await Promise.all(jobs.map(workOf)), before)
    const fresh = formAt(await open(path()), path())
    assert.equal((await sendForm(schedule.browser, path(), fresh)).status, 303)
    const moved = await Promise.all(jobs.map(workOf))
    assert.equal((await sendForm(schedule.browser, path(), fresh)).status, 303)
    assert.deepEqual(await Promise.all(jobs.map(workOf)), moved)
  })

  it('messages the customers of moved visits on request', async () => {
    await crossTown()
    const sent = await press(path(), ['tell', 'yes'])
    const page = await schedule.browser.get(sent.location ?? '')
    assert.match(pageTextOf(page), /2 visits moved 2 customers get a message/)
    assert.match(pageTextOf(await schedule.browser.get(schedule.at('outbox'))), /ana@example.com/)
    const undone = await sendForm(schedule.browser, schedule.at('undo'), formAt(page, schedule.at('undo')))
    assert.deepEqual([undone.status, undone.location], [303, sent.location])
  })

  it('refuses missing, malformed or too many moves, and visits or technicians of another company', async () => {
    const [job] = await crossTown()
    const form = formAt(await open(path()), path()).filter(([name]) => name !== 'move')
    const send = async (...moves: string[]): Promise<number> =>
      (await sendForm(schedule.browser, path(), [...form, ...moves.map((move): [string, string] => ['move', move])]))
        .status
    const version = String(job?.updated_at)
    const other = await openSchedule(service, 'Birch Heating')
    const theirs = await other.book({ scheduled_start: `${DAY}T09:00` })
    const stranger = await other.hire('Zoe Stranger')
    assert.equal(await send(), 422)
    assert.equal(await send('x'), 422)
    assert.equal(await send(...Array.from({ length: 201 }, () => `${String(job?.id)}~${version}~${mia.id}~`)), 422)
    assert.ok((await send(`${String(theirs.id)}~${String(theirs.updated_at)}~${mia.id}~`)) >= 400)
    assert.ok((await send(`${String(job?.id)}~${version}~${stranger.id}~`)) >= 400)
    assert.deepEqual((await workOf(job ?? {}))[1], [leo.id])
  })

  it('is available only to members who can edit jobs', async () => {
    await crossTown()
    const viewer = await schedule.signInMember('office', { 'Jobs & scheduling': 'view' })
    assert.equal((await viewer.browser.get(path())).status, 404)
    assert.equal((await viewer.browser.get(`${schedule.at('schedule', 'off')}?day=${DAY}`)).status, 404)
    const form = formAt(await open(path()), path())
    assert.equal((await sendForm(viewer.browser, path(), form)).status, 404)
    assert.doesNotMatch(pageTextOf(await viewer.browser.get(`${schedule.at('schedule')}?day=${DAY}`)), /Plan the day/)
    const office = await schedule.signInMember('office')
    assert.equal((await sendForm(office.browser, path(), form)).status, 303)
  })
})
