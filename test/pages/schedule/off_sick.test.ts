import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { changeMember } from '../../../src/identity/people/people.ts'
import { hoursOf } from '../../../src/scheduling/hours.ts'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { openSchedule } from '../../harness/database/schedules.ts'
import type { TestService } from '../../harness/harness.ts'
import { formAt, pageTextOf, sendForm } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { SENDERS } from '../../sending/scene.ts'
import { DAY, movesOn, NEXT, NORTH, openPlanning, SOUTH, type Planning } from './plan_scene.ts'

let service: TestService
let schedule: Planning['schedule']
let leo: Planning['leo']
let mia: Planning['mia']
let book: Planning['book']
let path: Planning['path']
let workOf: Planning['workOf']
let open: Planning['open']
let press: Planning['press']
let pressUndo: Planning['pressUndo']
before(async () => {
  service = await startSite(SENDERS)
})
after(() => service.stop())
beforeEach(async () => {
  ;({ schedule, leo, mia, book, path, workOf, open, press, pressUndo } = await openPlanning(service))
})

describe('planning around an absent technician', () => {
  it('moves their visits to others, unassigns those that nobody can take, and can be undone', async () => {
    const chooser = await schedule.browser.get(`${schedule.at('schedule', 'off')}?day=${DAY}`)
    assert.match(pageTextOf(chooser), /Who is off\?.*Leo Ruiz.*Mia Chen/)
    const first = await book('09:00', NORTH, leo.id, { title: 'First' })
    const second = await book('09:00', SOUTH, leo.id, { title: 'Second', duration_minutes: 300 })
    const whole = await book('08:00', NORTH, mia.id, { duration_minutes: 300, title: 'Busy' })
    const later = await book('14:00', NORTH, leo.id, { title: 'Later' })
    const at = path(`&off=${leo.id}`)
    const page = await open(at)
    assert.match(pageTextOf(page), /Leo Ruiz off/)
    assert.match(pageTextOf(page), /Later .* Leo Ruiz → Mia Chen Leo Ruiz is off/)
    assert.match(pageTextOf(page), /No one can do these in their window/)
    const before = await Promise.all([first, second, whole, later].map(workOf))
    const sent = await press(at)
    assert.equal(sent.status, 303)
    const crews = (await Promise.all([first, second, whole, later].map(workOf))).map(([, crew]) => crew)
    assert.ok(
      crews.every((crew) => !crew.includes(leo.id)),
      JSON.stringify(crews),
    )
    assert.deepEqual(crews[3], [mia.id])
    assert.equal((await pressUndo(sent.location)).status, 303)
    assert.deepEqual(await Promise.all([first, second, whole, later].map(workOf)), before)
  })

  it('leaves a crew visit to the others, unassigns an all-day visit, and can be undone', async () => {
    const crew = await book('09:00', NORTH, null, { title: 'Of both', assignees: [leo.id, mia.id] })
    const whole = await book('00:00', NORTH, leo.id, { title: 'All day', all_day: true })
    const at = path(`&off=${leo.id}`)
    const text = pageTextOf(await open(at))
    assert.match(text, /Of both .* Without Leo Ruiz, with Mia Chen/)
    assert.match(text, /No one can do these in their window .*All day .* Becomes unassigned/)
    const sent = await press(at)
    assert.equal(sent.status, 303)
    assert.deepEqual([(await workOf(crew))[1], (await workOf(whole))[1]], [[mia.id], []])
    assert.equal((await pressUndo(sent.location)).status, 303)
    assert.deepEqual([(await workOf(crew))[1].sort(), (await workOf(whole))[1]], [[leo.id, mia.id].sort(), [leo.id]])
  })

  it('plans several days at once', async () => {
    const today = await book('10:00', NORTH, leo.id)
    const tomorrow = await book('10:00', NORTH, leo.id, { scheduled_start: `${NEXT}T10:00` })
    const at = path(`&off=${leo.id}&days=2`)
    const page = await open(at)
    assert.deepEqual(movesOn(page), [String(today.id), String(tomorrow.id)])
    assert.equal((await press(at)).status, 303)
    for (const job of [today, tomorrow]) assert.deepEqual((await workOf(job))[1], [mia.id])
  })

  it('returns 404 for a technician of another company', async () => {
    const other = await openSchedule(service, 'Birch Heating')
    const stranger = await other.hire('Zoe Stranger')
    for (const id of [stranger.id, 'x']) assert.equal((await schedule.browser.get(path(`&off=${id}`))).status, 404)
  })
})

/** Returns a user's days with different hours: the day, number of spans and note. */
const exceptionsOf = async (user: string): Promise<unknown[]> =>
  (await readTenant(service.database, { tenant: schedule.id }, (db) => hoursOf(db, user, DAY))).exceptions.map(
    ({ day, hours, note }) => [day, hours.length, note],
  )

const spansOf = async (user: string, from: string) =>
  (await readTenant(service.database, { tenant: schedule.id }, (db) => hoursOf(db, user, from))).exceptions.map(
    ({ day, hours }) => [day, hours] as const,
  )

describe('days off saved with a plan', () => {
  it('are saved with the moves as one change, which can be undone and redone', async () => {
    const job = await book('09:00', NORTH, leo.id, { title: 'First' })
    const at = path(`&off=${leo.id}&days=2`)
    assert.match(pageTextOf(await open(at)), /until you press “Save days off and move checked visits”/)
    const sent = await press(at)
    assert.deepEqual([sent.status, sent.location], [303, `${schedule.at('schedule')}?day=${DAY}`])
    const days = [
      [DAY, 0, null],
      [NEXT, 0, null],
    ]
    assert.deepEqual([await exceptionsOf(leo.id), (await workOf(job))[1]], [days, [mia.id]])
    const page = await schedule.browser.get(sent.location ?? '')
    assert.match(pageTextOf(page), /Days off saved One visit moved\./)
    assert.match(pageTextOf(await schedule.browser.get(schedule.at('settings', 'hours', leo.id))), /Off/)
    const undone = await sendForm(schedule.browser, schedule.at('undo'), formAt(page, schedule.at('undo')))
    assert.equal(undone.status, 303)
    assert.deepEqual([await exceptionsOf(leo.id), (await workOf(job))[1]], [[], [leo.id]])
    const [redo = ''] = /[^"]*\/undo\?change=[^"]*/.exec((await schedule.browser.get(undone.location ?? '')).text) ?? []
    const preview = await schedule.browser.get(redo.replaceAll('&amp;', '&'))
    assert.equal(
      (await sendForm(schedule.browser, schedule.at('undo'), formAt(preview, schedule.at('undo')))).status,
      303,
    )
    assert.deepEqual([await exceptionsOf(leo.id), (await workOf(job))[1]], [days, [mia.id]])
  })

  it('are saved when no visit moves or is checked, and not again when the form is resent', async () => {
    const at = path(`&off=${leo.id}`)
    const page = await open(at)
    assert.match(pageTextOf(page), /No visit has to move\..* Save days off Cancel/)
    const form = formAt(page, at)
    const sent = await sendForm(schedule.browser, at, form)
    assert.deepEqual([sent.status, await exceptionsOf(leo.id)], [303, [[DAY, 0, null]]])
    assert.equal((await pressUndo(sent.location)).status, 303)
    assert.equal((await sendForm(schedule.browser, at, form)).status, 303)
    assert.deepEqual(await exceptionsOf(leo.id), [])
    const job = await book('09:00', NORTH, leo.id)
    const unchecked = formAt(await open(at), at).filter(([name]) => name !== 'move')
    assert.equal((await sendForm(schedule.browser, at, unchecked)).status, 303)
    assert.deepEqual([await exceptionsOf(leo.id), (await workOf(job))[1]], [[[DAY, 0, null]], [leo.id]])
  })

  it('are restored by undo, unless someone changed them since', async () => {
    const hours = schedule.at('settings', 'hours', leo.id)
    const half = { act: 'off', from: DAY, note: 'Dentist', 'hours.0.from': '08:00', 'hours.0.to': '12:00' }
    const enterHalf = () => sendForm(schedule.browser, hours, Object.entries(half))
    await enterHalf()
    const sent = await press(path(`&off=${leo.id}`))
    assert.deepEqual(await exceptionsOf(leo.id), [[DAY, 0, null]])
    assert.equal((await pressUndo(sent.location)).status, 303)
    assert.deepEqual(await exceptionsOf(leo.id), [[DAY, 1, 'Dentist']])
    const again = await press(path(`&off=${leo.id}`))
    const page = await schedule.browser.get(again.location ?? '')
    await enterHalf()
    const refused = await sendForm(schedule.browser, schedule.at('undo'), formAt(page, schedule.at('undo')))
    assert.equal(refused.status, 409)
    assert.match(pageTextOf(refused), /entered days off.* changed it since/)
    assert.deepEqual(await exceptionsOf(leo.id), [[DAY, 1, 'Dentist']])
  })

  it('start now for today: hours already worked and a visit in progress stay', async () => {
    const zone = 'America/New_York'
    const now = Temporal.Now.zonedDateTimeISO(zone)
    const today = now.toPlainDate()
    const hours = schedule.at('settings', 'hours', leo.id)
    const all = { act: 'off', from: today.toString(), 'hours.0.from': '00:00', 'hours.0.to': '23:59' }
    assert.equal((await sendForm(schedule.browser, hours, Object.entries(all))).status, 303)
    const begun = await book('00:00', NORTH, leo.id, { scheduled_start: `${today.toString()}T00:00` })
    await schedule.call('jobs_update', { id: begun.id, status: 'in_progress' })
    const at = `${schedule.at('schedule', 'plan')}?day=${today.toString()}&off=${leo.id}&days=2`
    const sent = await press(at)
    assert.equal(sent.status, 303)
    assert.deepEqual((await workOf(begun))[1], [leo.id])
    const days = await spansOf(leo.id, today.toString())
    const minute = Math.floor((now.hour * 60 + now.minute) / 15) * 15
    const isWorked = minute > 0
    const [first, second] = days
    assert.equal(days.length, 2)
    const [span] = first?.[1] ?? []
    assert.deepEqual([first?.[0], span?.from], [today.toString(), isWorked ? 0 : undefined])
    // The test may run across a quarter of an hour.
    if (isWorked) assert.ok(span !== undefined && (span.to === minute || span.to === minute + 15))
    assert.deepEqual(second, [today.add({ days: 1 }).toString(), []])
    assert.equal((await pressUndo(sent.location)).status, 303)
    assert.deepEqual(await spansOf(leo.id, today.toString()), [[today.toString(), [{ from: 0, to: 1439 }]]])
  })

  it('are saved and undone by owners and office members only; a technician can still plan a day', async () => {
    const job = await book('09:00', NORTH, leo.id)
    const at = path(`&off=${leo.id}`)
    const tech = await schedule.signInMember('tech', { 'Jobs & scheduling': 'edit' })
    const office = await schedule.signInMember('office')
    const form = formAt(await open(at), at)
    const board = pageTextOf(await tech.browser.get(`${schedule.at('schedule')}?day=${DAY}`))
    assert.match(board, /Plan the day/)
    assert.doesNotMatch(board, /Off sick/)
    for (const address of [at, `${schedule.at('schedule', 'off')}?day=${DAY}`])
      assert.equal((await tech.browser.get(address)).status, 404)
    assert.equal((await sendForm(tech.browser, at, form)).status, 404)
    assert.deepEqual([await exceptionsOf(leo.id), (await workOf(job))[1]], [[], [leo.id]])
    const sent = await sendForm(office.browser, at, form)
    assert.equal(sent.status, 303)
    const undo = formAt(await office.browser.get(sent.location ?? ''), schedule.at('undo'))
    await changeMember(service.database, { tenant: schedule.id }, office.user_id, { role: 'tech' }, null)
    const refused = await sendForm(office.browser, schedule.at('undo'), undo)
    assert.equal(refused.status, 409)
    assert.match(pageTextOf(refused), /Change access and settings on the settings pages/)
    assert.deepEqual(await exceptionsOf(leo.id), [[DAY, 0, null]])
    assert.notDeepEqual((await workOf(job))[1], [leo.id])
  })
})
