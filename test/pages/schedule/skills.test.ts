import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { load } from 'cheerio'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES, type Scope } from '../../../src/identity/permissions/scopes.ts'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import { newProtocolClient } from '../../harness/clients/protocol.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { formAt, pageTextOf, sendForm } from '../../harness/identity/people_pages.ts'
import { startSite, type Browser, type BrowserResponse } from '../../harness/web_client.ts'
import { DAY, movesOn, NORTH, openPlanning, type Planning } from './plan_scene.ts'

let service: TestService
let scene: Planning
let item: Result
before(async () => {
  service = await startSite()
})
after(() => service.stop())
beforeEach(async () => {
  scene = await openPlanning(service)
  item = await scene.schedule.call('catalog_items_create', {
    kind: 'service',
    name: 'Gas check',
    unit_price_cents: 9_900,
  })
})

const hoursPath = (): string => scene.schedule.at('settings', 'hours', scene.leo.id)
const itemPath = (): string => scene.schedule.at('catalog_items', String(item.id), 'do', 'catalog_items_set_skills')

const saveMember = (skills: string, browser: Browser = scene.schedule.browser): Promise<BrowserResponse> =>
  sendForm(browser, hoursPath(), [
    ['act', 'skills'],
    ['skills', skills],
  ])

async function saveItem(skills: string, browser: Browser = scene.schedule.browser): Promise<BrowserResponse> {
  return sendForm(browser, itemPath(), [['skills', skills]])
}

/** Gives Leo the skill gas, and makes the gas check require it. */
async function needGas(): Promise<void> {
  assert.equal((await saveMember('gas, Backflow')).status, 303)
  assert.equal((await saveItem('Gás')).status, 303)
}

const bookCheck = (user: string | null, more: object = {}): Promise<Result> =>
  scene.book('09:00', NORTH, user, { title: 'Gas check', line_items: [{ catalog_item_id: item.id }], ...more })

describe("a member's skills", () => {
  it('are saved by an owner without duplicates, and audited', async () => {
    assert.equal((await saveMember(' Gas,  refrigerant , gas ,')).status, 303)
    const page = await scene.schedule.browser.get(hoursPath())
    assert.equal(load(page.text)('[name="skills"]').attr('value'), 'gas, refrigerant')
    const entries = await scene.schedule.entries(scene.leo.id)
    assert.deepEqual(
      entries.filter(({ tool }) => tool === 'skills.set').map(({ changed }) => changed),
      [{ skills: [[], ['gas', 'refrigerant']] }],
    )
    assert.equal((await saveMember('')).status, 303)
    assert.equal(load((await scene.schedule.browser.get(hoursPath())).text)('[name="skills"]').attr('value'), '')
  })

  it("are limited to 20 with 40 characters each, and can't be changed by a technician", async () => {
    for (const skills of [Array.from({ length: 21 }, (_, i) => `Skill ${i}`).join(','), 'x'.repeat(41)]) {
      const refused = await saveMember(skills)
      assert.equal(refused.status, 422)
      assert.match(pageTextOf(refused), /Enter at most 20 skills with at most 40 characters each/)
    }
    const tech = await scene.schedule.signInMember('tech')
    assert.equal((await saveMember('Gas', tech.browser)).status, 404)
    assert.deepEqual((await scene.schedule.entries(scene.leo.id)).map(({ tool }) => tool).includes('skills.set'), false)
  })
})

describe("a catalog item's skills", () => {
  it('are saved and shown on its page, and can be undone', async () => {
    assert.equal((await saveItem('Gas, Ice')).status, 303)
    const sheet = pageTextOf(await scene.schedule.browser.get(scene.schedule.at('catalog_items', String(item.id))))
    assert.match(sheet, /Skills Gas, Ice/)
    const form = await scene.schedule.browser.get(itemPath())
    assert.equal(load(form.text)('[name="skills"]').attr('value'), 'Gas, Ice')
    const undoPath = scene.schedule.at('undo')
    const { change } = await readTenant(service.database, { tenant: scene.schedule.id }, (db) =>
      db.one<{ change: string }>(sql`select change_id as change from audit
        where tenant_id = ${db.tenant} and tool = 'catalog_items.set_skills'`),
    )
    const preview = await scene.schedule.browser.get(`${undoPath}?change=${change}`)
    assert.equal((await sendForm(scene.schedule.browser, undoPath, formAt(preview, undoPath))).status, 303)
    assert.equal(load((await scene.schedule.browser.get(itemPath())).text)('[name="skills"]').attr('value'), '')
  })

  it('are refused without permission to edit the catalog, or when too long', async () => {
    const tech = await scene.schedule.signInMember('tech')
    assert.ok((await saveItem('Gas', tech.browser)).status >= 403)
    assert.equal((await saveItem('x'.repeat(41))).status, 422)
    assert.doesNotMatch(
      pageTextOf(await scene.schedule.browser.get(scene.schedule.at('catalog_items', String(item.id)))),
      /Skills Gas/,
    )
  })
})

describe('work that needs a skill', () => {
  it('is offered by Fit in only with technicians who have it', async () => {
    await needGas()
    const job = await bookCheck(null, { scheduled_start: undefined })
    const page = await scene.schedule.browser.get(`${scene.schedule.at('schedule', 'fit', String(job.id))}?day=${DAY}`)
    assert.match(pageTextOf(page), /Needs: Gás/)
    const users = load(page.text)('[name="slot"]')
      .get()
      .map(({ attribs }) => attribs['value']?.split('|')[1])
    assert.deepEqual([...new Set(users)], [scene.leo.id])
  })

  it('is offered to a caller only with technicians who have it', async () => {
    const people = async (title: string): Promise<string[]> =>
      load((await scene.schedule.browser.get(`${scene.schedule.at('calls', 'times')}?title=${title}`)).text)(
        '.slot-who',
      )
        .get()
        .map((one) => load(one).text())
    await needGas()
    assert.deepEqual(await people('gas check'), ['Leo Ruiz'])
    assert.deepEqual(await people('Drain'), ['Leo Ruiz', 'Mia Chen'])
  })

  it('is moved by the day plan to a technician who has it, and stays when nobody has it', async () => {
    const job = await bookCheck(scene.mia.id)
    await saveItem('Gas')
    assert.deepEqual(movesOn(await scene.open(scene.path())), [])
    await saveMember('Gas')
    assert.deepEqual(movesOn(await scene.open(scene.path())), [String(job.id)])
    assert.equal((await scene.press(scene.path())).status, 303)
    assert.deepEqual((await scene.workOf(job))[1], [scene.leo.id])
    const text = pageTextOf(await scene.open(scene.path(`&off=${scene.leo.id}`)))
    assert.match(text, /No one can do these in their window .*Gas check .* Becomes unassigned/)
  })

  it("is listed with the team's skills in the plan and team resources; items need access to the catalog", async () => {
    const job = await bookCheck(scene.leo.id)
    await bookCheck(null, { title: 'Of nobody' })
    await needGas()
    const read = async (uri: string, scopes: readonly Scope[] = SCOPES): Promise<string> => {
      const { key } = await createKey(
        service.database,
        { tenant: scene.schedule.id },
        { user: scene.schedule.owner.user_id, name: 'Planner', scopes, expires_at: null },
      )
      return String(
        (await newProtocolClient(service.url, key).handshake('resources/read', { uri })).result?.['contents'][0].text,
      )
    }
    const plan = await read(`callout://plan/${DAY}`)
    assert.match(plan, new RegExp(`^\\|Leo Ruiz\\|${String(job.display_number)}\\|Gás\\|`, 'm'))
    assert.match(plan, /^\|nobody\|J-\d+\|Gás\|/m)
    const team = await read('callout://team')
    assert.match(team, /^\|Leo Ruiz\|.*\|gas, Backflow\|/m)
    assert.match(team, new RegExp(`^\\|Gas check\\|Gás\\|${String(item.id)}\\|`, 'm'))
    assert.doesNotMatch(await read('callout://team', ['read:jobs']), /Gas check/)
  })

  it('warns when it is dragged to a technician without the skill', async () => {
    await needGas()
    const job = await bookCheck(scene.leo.id)
    const check = async (to: string): Promise<string> => {
      const query = new URLSearchParams({ from: scene.leo.id, to })
      return (
        await scene.schedule.browser.get(
          `${scene.schedule.at('schedule', 'check', String(job.id))}?${query.toString()}`,
        )
      ).text
    }
    assert.match(await check(scene.mia.id), /Mia Chen lacks skills for this work: Gás\./)
    assert.doesNotMatch(await check(scene.leo.id), /lacks/)
  })
})
