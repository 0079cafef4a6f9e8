import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { addTemplate } from '../../src/mobile/checklists/template.ts'
import { listEntriesOfJobs } from '../../src/mobile/time/entry.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { TestService } from '../harness/harness.ts'
import { sendForm, submit } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { openCrewScene, type CrewScene } from './site.ts'

let service: TestService
let crew: CrewScene
before(async () => {
  service = await startSite()
  crew = await openCrewScene(service, 'Acts Co')
  await crew.within((db) =>
    addTemplate(
      db,
      {
        name: 'Boilers',
        applies: 'words',
        words: 'boiler',
        items: [{ text: 'Gas off', kind: 'check', is_required: true }],
      },
      crew.owner,
    ),
  )
})
after(() => service.stop())

/** Books a visit for Ben. Returns functions that read it and send events on his phone. */
async function onPhone(title: string) {
  const start = new Date(Date.now() + 60_000).toISOString()
  const job = await crew.visit(title, { scheduled_start: start, assignees: [crew.ben.user] })
  const day = async () => {
    const { text } = await crew.ben.browser.get(crew.office.at('day.json').replace('/', '/field/'))
    return JSON.parse(text).visits.find(({ id }: { id: string }) => id === job.id)
  }
  const send = async (act: object) => {
    const now = new Date().toISOString()
    const { status, scheduled_start } = await day()
    const { text } = await crew.ben.browser.send(crew.office.at('acts').replace('/', '/field/'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({
        user_id: crew.ben.user,
        sent_at: now,
        acts: [{ id: newId(), job_id: job.id, at: now, seen: { status, scheduled_start }, ...act }],
      }),
    })
    return JSON.parse(text).acts[0]
  }
  return { job, day, send }
}

const actsIn = async ({ id }: { id: string }): Promise<string[]> =>
  (await crew.office.entries(id)).map(({ tool }) => tool).filter((tool) => tool !== 'jobs.create')

it('a phone tracks time, answers the checklist and signs; it cannot finish with required items open', async () => {
  const { job, day, send } = await onPhone('Boiler')
  assert.equal((await send({ kind: 'time', what: 'started' })).outcome, 'done')
  assert.equal((await day()).time.state, 'running')
  const early = await send({ kind: 'status', to: 'done' })
  assert.deepEqual([early.outcome, early.code], ['refused', 'conflict'])
  assert.match(early.description, /required checklist item is still open: “Gas off”\. Complete it first\./)
  const [item] = (await day()).checklist
  assert.deepEqual([item.text, item.required, item.value], ['Gas off', true, null])
  assert.equal((await send({ kind: 'checklist', item_id: item.id, value: true })).outcome, 'done')
  assert.equal((await send({ kind: 'signature', name: 'Maria', drawing: 'M1 1L5 5' })).outcome, 'done')
  assert.equal((await send({ kind: 'time', what: 'ended' })).outcome, 'done')
  assert.equal((await send({ kind: 'status', to: 'done' })).outcome, 'done')
  assert.deepEqual(await actsIn(job), ['jobs.start_time', 'jobs.check', 'jobs.sign', 'jobs.end_time', 'jobs.update'])
})

it("a hold pauses only the technician's own time on the visit, and Done ends it", async () => {
  const { job, day, send } = await onPhone('Gutter')
  const state = async () => (await day()).time.state
  const cys = async () =>
    (await crew.within((db) => listEntriesOfJobs(db, [job.id], crew.cy.user))).map(({ ended_at }) => ended_at)
  const path = crew.office.at('jobs', job.id, 'time')
  await sendForm(crew.cy.browser, path, [['what', 'started']])
  await send({ kind: 'time', what: 'started' })
  await send({ kind: 'status', to: 'on_hold', reason: 'Ladder' })
  assert.equal(await state(), 'paused')
  await send({ kind: 'status', to: 'in_progress' })
  assert.equal(await state(), 'running')
  await send({ kind: 'status', to: 'done' })
  assert.equal(await state(), 'ended')
  assert.deepEqual(await cys(), [null])
  assert.deepEqual(
    (await actsIn(job)).filter((tool) => tool.endsWith('_time')),
    ['jobs.start_time', 'jobs.start_time', 'jobs.pause_time', 'jobs.start_time', 'jobs.end_time'],
  )
})

const setClock = (starts: boolean) =>
  sendForm(crew.office.browser, crew.office.at('settings', 'hours'), [
    ['act', 'clock'],
    ...(starts ? [['starts_clock', 'yes'] as [string, string]] : []),
  ])

it('"In progress" starts the clock once, at the time it was pressed, unless the company turned that off', async () => {
  const { job, day, send } = await onPhone('Clock')
  const hours = crew.office.at('settings', 'hours')
  const isTicked = async () =>
    /name="starts_clock"\s+value="yes"\s+checked/.test((await crew.office.browser.get(hours)).text)
  assert.ok(await isTicked())
  await send({ kind: 'status', to: 'in_progress' })
  const [entry] = await crew.within((db) => listEntriesOfJobs(db, [job.id], crew.ben.user))
  assert.equal(entry?.ended_at, null)
  await send({ kind: 'status', to: 'in_progress' })
  await send({ kind: 'time', what: 'started' })
  assert.equal((await crew.within((db) => listEntriesOfJobs(db, [job.id]))).length, 1)
  await setClock(false)
  try {
    assert.equal(await isTicked(), false)
    const other = await onPhone('No clock')
    await other.send({ kind: 'status', to: 'in_progress' })
    assert.equal((await other.day()).time.state, 'none')
    assert.equal((await day()).time.state, 'running')
    assert.equal((await sendForm(crew.ben.browser, hours, [['act', 'clock']])).status, 404)
  } finally {
    await setClock(true)
  }
})

it('"In progress" is applied even where a manual correction covers that time on another visit', async () => {
  const [one, two] = [await onPhone('Earlier'), await onPhone('Later')]
  const moment = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  await one.send({ kind: 'time', what: 'started' })
  const [entry] = (await one.day()).time.entries
  await crew.within((db) =>
    db.run(sql`update time_entries set ended_by = 'hand', is_corrected = true, started_at = ${moment(-60)}, ended_at = ${moment(60)}
      where tenant_id = ${db.tenant} and id = ${entry.id}`),
  )
  assert.equal((await two.send({ kind: 'status', to: 'in_progress' })).outcome, 'done')
  assert.deepEqual([(await two.day()).status, (await two.day()).time.state], ['in_progress', 'none'])
  assert.equal((await two.send({ kind: 'time', what: 'started' })).outcome, 'refused')
  await crew.within((db) => db.run(sql`delete from time_entries where tenant_id = ${db.tenant} and id = ${entry.id}`))
})

it('Start on any page starts the clock of the assigned technician who presses it', async () => {
  const stateOf = async (id: string, user: string) =>
    (await crew.within((db) => listEntriesOfJobs(db, [id], user))).map(({ ended_at }) => ended_at === null)
  const { browser, user } = crew.ben
  const [today = '', form = '', press = '', office = ''] = (
    await Promise.all(
      ['A', 'B', 'C', 'D'].map((title) =>
        crew.visit(title, { assignees: [user], scheduled_start: '2027-03-31T09:00' }),
      ),
    )
  ).map(({ id }) => id)
  await sendForm(browser, crew.office.at('today', today), [['to', 'in_progress']])
  assert.deepEqual(await stateOf(today, user), [true])
  await submit(browser, `${crew.office.at('jobs', form)}/edit`, { status: 'in_progress' })
  assert.deepEqual([await stateOf(today, user), await stateOf(form, user)], [[false], [true]])
  await sendForm(browser, `${crew.office.at('jobs', press)}/do/jobs_update-in_progress`, [])
  assert.deepEqual(await stateOf(press, user), [true])
  await sendForm(crew.office.browser, crew.office.at('today', office), [['to', 'in_progress']])
  assert.deepEqual(await crew.within((db) => listEntriesOfJobs(db, [office])), [])
})

it('the clock stops when the office already finished the visit; without a clock nothing is written', async () => {
  const { job, send, day } = await onPhone('Fence')
  await send({ kind: 'time', what: 'started' })
  await crew.office.call('jobs_update', { id: job.id, status: 'done' })
  assert.equal((await send({ kind: 'status', to: 'done' })).outcome, 'done')
  assert.equal((await day()).time.state, 'ended')
  const other = await onPhone('Hedge')
  await other.send({ kind: 'status', to: 'done' })
  assert.deepEqual(await actsIn(other.job), ['jobs.update'])
})

it('Done on any page stops the clock of the member who presses it', async () => {
  const { browser, user } = crew.ben
  const visits = ['Pool', 'Deck', 'Shed', 'Porch'].map((title) => crew.visit(title, { assignees: [user] }))
  const [today = '', form = '', many = '', none = ''] = (await Promise.all(visits)).map(({ id }) => id)
  for (const id of [today, form, many, none])
    for (const what of ['started', 'paused'])
      await sendForm(browser, crew.office.at('jobs', id, 'time'), [['what', what]])
  await sendForm(browser, crew.office.at('today', today), [['to', 'done']])
  await submit(browser, `${crew.office.at('jobs', form)}/edit`, { status: 'done' })
  await sendForm(browser, crew.office.at('jobs', 'bulk'), [
    ['act', 'mark'],
    ['confirmed', 'yes'],
    ['status', 'done'],
    ['ids', many],
  ])
  await submit(browser, `${crew.office.at('jobs', none)}/edit`, { title: 'Porch steps' })
  const readEndReasons = async (id: string) =>
    (await crew.within((db) => listEntriesOfJobs(db, [id], user))).map((one) => one.ended_by)
  assert.deepEqual(await Promise.all([today, form, many, none].map(readEndReasons)), [
    ['end'],
    ['end'],
    ['end'],
    ['pause'],
  ])
})
