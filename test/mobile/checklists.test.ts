import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { StaleAccess } from '../../src/platform/db/tenant.ts'
import { answerItem, auditOpenItems, requireChecklistDone } from '../../src/mobile/checklists/answering.ts'
import { isTemplateFor } from '../../src/mobile/checklists/applying.ts'
import { addChecklist, findChecklists, removeChecklist } from '../../src/mobile/checklists/job_checklist.ts'
import {
  addTemplate,
  archiveTemplate,
  changeTemplate,
  findTemplate,
  type TemplateDraft,
} from '../../src/mobile/checklists/template.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { startSite } from '../harness/web_client.ts'
import type { TestService } from '../harness/harness.ts'
import { at, openCrewScene, type CrewScene } from './site.ts'

const BOILER: TemplateDraft = {
  name: 'Boiler service',
  applies: 'words',
  words: 'boiler, furnace',
  items: [
    { text: 'Gas valve closed', kind: 'check', is_required: true },
    { text: 'Flue gas in ppm', kind: 'number', is_required: true },
    { text: 'Remarks', kind: 'text', is_required: false },
  ],
}

let service: TestService
let crew: CrewScene
let boilers: string
before(async () => {
  service = await startSite()
  crew = await openCrewScene(service, 'Checklist Co')
  boilers = await crew.within((db) => addTemplate(db, BOILER, crew.owner))
})
after(() => service.stop())

type Listed = Parameters<typeof findChecklists>[1]
const lists = (job: Listed) => crew.within((db) => findChecklists(db, job))
const items = async (job: Listed) => (await lists(job)).flatMap((list) => list.items)
const answer = (job: Listed, item_id: string, value: unknown, when = at(9)) =>
  crew.within((db) => answerItem(db, job, { item_id, value, at: when, by: { user: crew.ben.user } }))
const assertRefused = (work: Promise<unknown>, code: string, message: RegExp) => assert.rejects(work, { code, message })

describe('a checklist template', () => {
  it('applies to visits whose title has a word that starts with one of its words, in any case', () => {
    const words = { applies: 'words' as const, words: ['boiler', 'Hot water'] }
    for (const title of ['BOILER service', 'Two boilers', 'Check the hot-water tank'])
      assert.equal(isTemplateFor(words, title), true)
    for (const title of ['Preboiler', 'Water, hot', '']) assert.equal(isTemplateFor(words, title), false)
    assert.equal(isTemplateFor({ applies: 'every', words: [] }, 'Anything'), true)
    assert.equal(isTemplateFor({ applies: 'chosen', words: [] }, 'Anything'), false)
  })

  it('is copied to a visit with the first answer, so that later edits do not change the copy', async () => {
    const job = await crew.visit('Furnace check')
    const [gas, flue] = await items(job)
    assert.deepEqual([gas!.text, gas!.value, flue!.kind], ['Gas valve closed', null, 'number'])
    await answer(job, gas!.id, true)
    const other = await crew.visit('Boiler check')
    await crew.within((db) =>
      changeTemplate(
        db,
        boilers,
        { ...BOILER, items: [...BOILER.items, { text: 'Photo taken', kind: 'check', is_required: false }] },
        crew.owner,
      ),
    )
    assert.equal((await items(job)).length, 3)
    assert.equal((await items(other)).length, 4)
    const [first] = await items(job)
    assert.deepEqual([first!.value, first!.done_at, first!.done_by_name], [true, at(9), 'Leo Park'])
    const audit = await crew.office.entries(job.id)
    assert.deepEqual(audit.at(-1), {
      tool: 'jobs.check',
      record_id: job.id,
      user_id: crew.ben.user,
      changed: { 'item Gas valve closed': [null, true] },
    })
  })

  it('keeps the latest answer by time, and allows clearing one', async () => {
    const job = await crew.visit('Boiler, twice')
    const [gas, flue] = await items(job)
    await answer(job, flue!.id, '8,5', at(10))
    await answer(job, flue!.id, 9, at(9))
    assert.equal((await items(job))[1]!.value, 8.5)
    await answer(job, gas!.id, true, at(9))
    await answer(job, gas!.id, false, at(10))
    assert.equal((await items(job))[0]!.value, null)
  })

  it('accepts an offline answer to an item that was reworded, under the wording that was seen', async () => {
    const job = await crew.visit('Boiler offline')
    const [gas] = await items(job)
    const reworded = [{ ...BOILER.items[0]!, text: 'Gas valve open' }, ...BOILER.items.slice(1)]
    await crew.within((db) => changeTemplate(db, boilers, { ...BOILER, items: reworded }, crew.owner))
    await answer(job, gas!.id, true)
    const now = await items(job)
    assert.equal(now.find(({ id }) => id === gas!.id)?.value, true)
    assert.equal(now.find(({ text }) => text === 'Gas valve open')?.value, null)
    await crew.within((db) => changeTemplate(db, boilers, BOILER, crew.owner))
  })

  it('can be added to a visit by hand, and removed from one', async () => {
    const job = await crew.visit('Something else')
    assert.deepEqual(await lists(job), [])
    await crew.within((db) => addChecklist(db, job, boilers, crew.owner))
    await crew.within((db) => addChecklist(db, job, boilers, crew.owner))
    assert.deepEqual(
      (await lists(job)).map(({ name }) => name),
      ['Boiler service'],
    )
    await crew.within((db) => removeChecklist(db, job, boilers, crew.owner))
    assert.deepEqual(await lists(job), [])
    const tools = (await crew.office.entries(job.id)).map(({ tool }) => tool)
    assert.deepEqual(tools, ['jobs.create', 'jobs.add_checklist', 'jobs.leave_out_checklist'])
    const out = await crew.visit('Boiler without a list')
    await crew.within((db) => removeChecklist(db, out, boilers, crew.owner))
    assert.deepEqual(await lists(out), [])
  })

  it('is not applied to a finished visit', async () => {
    const job = await crew.visit('Boiler, done long ago')
    await crew.office.call('jobs_update', { id: job.id, status: 'done' })
    assert.deepEqual(await lists({ ...job, status: 'done' }), [])
  })

  it('stays on its visits after it is archived', async () => {
    const job = await crew.visit('Pool')
    const pools = await crew.within((db) => addTemplate(db, { ...BOILER, name: 'Pools', words: 'pool' }, crew.owner))
    const [first] = await items(job)
    await answer(job, first!.id, true)
    await crew.within((db) => archiveTemplate(db, pools, crew.owner))
    assert.equal((await items(job)).length, 3)
    assert.deepEqual(await lists(await crew.visit('Pool again')), [])
    await assertRefused(
      crew.within((db) => findTemplate(db, pools)),
      'not_found',
      /checklist not found/,
    )
  })
})

describe('a checklist rejects', () => {
  it('finishing with required items open, by name, unless a user confirms', async () => {
    const job = await crew.visit('Boiler to finish')
    const finish = () => crew.within((db) => requireChecklistDone(db, job))
    await assertRefused(
      finish(),
      'conflict',
      /unanswered required items: 'Gas valve closed', 'Flue gas in ppm'; answer them first/,
    )
    const [gas, flue] = await items(job)
    await answer(job, gas!.id, true)
    await assertRefused(finish(), 'conflict', /required items: 'Flue gas in ppm';/)
    await crew.within((db) => auditOpenItems(db, job, crew.owner))
    assert.deepEqual((await crew.office.entries(job.id)).at(-1)?.changed, { open_items: [null, 'Flue gas in ppm'] })
    await answer(job, flue!.id, 0)
    await finish()
  })

  it('an answer of the wrong type, and an unknown item', async () => {
    const job = await crew.visit('Boiler answers')
    const [gas, flue, remarks] = await items(job)
    await assertRefused(answer(job, gas!.id, 'yes'), 'invalid_input', /^value must be true or false/)
    await assertRefused(
      answer(job, flue!.id, 'many'),
      'invalid_input',
      /^value must be a number such as 21.5 \(got 'many'\)/,
    )
    await assertRefused(answer(job, flue!.id, 1e13), 'invalid_input', /must be a number/)
    await assertRefused(answer(job, remarks!.id, 4), 'invalid_input', /must be text/)
    await assertRefused(answer(job, remarks!.id, 'x'.repeat(501)), 'invalid_input', /at most 500/)
    await assertRefused(answer(job, newId(), true), 'not_found', /item of the checklist not found/)
    await assertRefused(answer(job, 'first', true), 'invalid_input', /^item_id must be the id/)
  })

  it('a template without a name or with invalid items, and one from a technician', async () => {
    const add = (more: object) =>
      crew.within((db) => addTemplate(db, { ...BOILER, name: 'Other', ...more }, crew.owner))
    await assertRefused(add({ name: ' ' }), 'invalid_input', /^name must not be empty/)
    await assertRefused(add({ name: 'boiler SERVICE' }), 'invalid_input', /^name must be unique/)
    await assertRefused(
      add({ applies: 'never' }),
      'invalid_input',
      /^applies must be every, words or chosen \(got 'never'\)/,
    )
    await assertRefused(add({ words: ' , ' }), 'invalid_input', /^words must be 1 to 20/)
    await assertRefused(add({ items: [] }), 'invalid_input', /^items must be 1 to 60 \(got 0\)/)
    const item = BOILER.items[0]!
    await assertRefused(add({ items: [item, item] }), 'invalid_input', /^items must each appear only once/)
    await assertRefused(
      add({ items: [{ ...item, kind: 'photo' }] }),
      'invalid_input',
      /^items\[0\]\.kind must be check, text, number/,
    )
    await assertRefused(
      add({ items: [{ ...item, text: 'x'.repeat(201) }] }),
      'invalid_input',
      /^items\[0\]\.text must be at most 200/,
    )
    await assertRefused(
      crew.within((db) => changeTemplate(db, newId(), BOILER, crew.owner)),
      'not_found',
      /checklist/,
    )
    await assert.rejects(
      crew.within((db) => addTemplate(db, { ...BOILER, name: 'Techs' }, { user: crew.ben.user })),
      StaleAccess,
    )
  })
})
