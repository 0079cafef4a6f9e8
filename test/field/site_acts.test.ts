import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { addTemplate } from '../../src/field/checklists/template.ts'
import { newId } from '../../src/shape/id.ts'
import type { TestService } from '../harness/harness.ts'
import { startSite } from '../harness/visiting.ts'
import { openCrew, type Crew } from './site.ts'

let service: TestService
let crew: Crew
before(async () => {
  service = await startSite()
  crew = await openCrew(service, 'Acts Co')
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

it('a phone tracks time, answers the checklist, has it signed, and finishes only then', async () => {
  const start = new Date(Date.now() + 60_000).toISOString()
  const job = await crew.visit('Boiler', { scheduled_start: start, assignees: [crew.ben.user] })
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
  assert.equal((await send({ kind: 'time', what: 'started' })).outcome, 'done')
  assert.equal((await day()).time.state, 'running')
  const early = await send({ kind: 'status', to: 'done' })
  assert.deepEqual([early.outcome, early.code], ['refused', 'conflict'])
  assert.match(early.description, /required items open: 'Gas off'/)
  const [item] = (await day()).checklist
  assert.deepEqual([item.text, item.required, item.value], ['Gas off', true, null])
  assert.equal((await send({ kind: 'checklist', item_id: item.id, value: true })).outcome, 'done')
  assert.equal((await send({ kind: 'signature', name: 'Maria', drawing: 'M1 1L5 5' })).outcome, 'done')
  assert.equal((await send({ kind: 'time', what: 'ended' })).outcome, 'done')
  assert.equal((await send({ kind: 'status', to: 'done' })).outcome, 'done')
  const after = await crew.office.entries(job.id)
  assert.deepEqual(
    after.map(({ tool }) => tool).filter((tool) => tool !== 'jobs.create'),
    ['jobs.start_time', 'jobs.check', 'jobs.sign', 'jobs.end_time', 'jobs.update'],
  )
})
