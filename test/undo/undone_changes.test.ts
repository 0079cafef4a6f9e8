import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { openToolUses } from '../../src/identity/credentials/tool_uses.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import type { TestService } from '../harness/harness.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { openAssisted, undoFrom, updatedSince, linkIn } from './undo_pages.ts'

/** Time zone of the test companies. */
const ZONE = 'America/New_York'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

const openScene = (name: string) => openAssisted(service, name)

describe('an undo on the web page', () => {
  it('is previewed without changes, restores records, and can itself be undone', async () => {
    const scene = await openScene('Alder')
    const { browser, claude, call, path } = scene
    const customer = await scene.customer('Dora')
    const job = await call('jobs_create', { customer_id: customer['id'], title: 'Valve', priority: 'low' })
    await claude.call('jobs_update', { id: job['id'], title: 'Pump', priority: 'high' })
    await claude.call('jobs_cancel', { id: job['id'] })
    const extra = await claude.call('jobs_create', { customer_id: customer['id'], title: 'Extra' })
    const preview = await browser.get(path())
    assert.match(pageTextOf(preview), /Undo what Claude did/)
    assert.match(pageTextOf(preview), /Claude called it “Pump”/)
    assert.match(pageTextOf(preview), /Before: Valve/)
    assert.equal((await call('jobs_get', { id: job['id'] }))['status'], 'cancelled')
    const since = (await call('jobs_get', { id: extra['id'] }))['updated_at']
    const done = await undoFrom(browser, scene, path())
    assert.match(pageTextOf(done), /3 changes are undone/)
    const back = await call('jobs_get', { id: job['id'] })
    assert.deepEqual([back['title'], back['priority'], back['status']], ['Valve', 'low', 'unscheduled'])
    assert.ok(back['updated_at'] > job['updated_at'])
    assert.equal((await call('jobs_get', { id: extra['id'] }))['status'], 'cancelled')
    assert.deepEqual(
      new Set((await updatedSince(call, 'jobs_list', since)).map(({ id }) => id)),
      new Set([job['id'], extra['id']]),
    )
    const next = await call('jobs_create', { customer_id: customer['id'], title: 'Next' })
    assert.equal(next['number'], extra['number'] + 1)
    const again = await undoFrom(browser, scene, linkIn(done, /^Undo this$/))
    assert.match(pageTextOf(again), /One change is undone/)
    const later = await call('jobs_get', { id: job['id'] })
    assert.deepEqual([later['title'], later['status']], ['Pump', 'cancelled'])
    assert.equal((await call('jobs_get', { id: extra['id'] }))['status'], 'unscheduled')
    const history = pageTextOf(await browser.get(scene.at('jobs', job['id'])))
    assert.match(history, /Ana Ruiz undid what Claude had done/)
  })

  it('reports removed, restored and changed records to updated_since', async () => {
    const scene = await openScene('Birch')
    const { browser, claude, call, path } = scene
    const kept = await call('tags_create', { name: 'Kept' })
    await scene.customer('Cleo', { tag_ids: [kept['id']] })
    await claude.call('tags_delete', { id: kept['id'] })
    const made = await claude.call('tags_create', { name: 'Made' })
    const since = made['created_at']
    await undoFrom(browser, scene, path())
    const rows = await updatedSince(call, 'tags_list', since)
    assert.deepEqual(
      rows.map(({ id, removed }) => [id, removed === true]).sort(),
      [
        [kept['id'], false],
        [made['id'], true],
      ].sort(),
    )
    assert.equal((await call('tags_get', { id: kept['id'] }))['usage_count'], 1)
  })

  it('asks for a shorter time span above 500 records', async () => {
    const scene = await openScene('Juniper')
    const customer = await scene.customer('Kit')
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(sql`insert into audit (tenant_id, id, at, user_id, credential_id, tool, record_type, record_id, changed)
        select ${scene.id}, gen_random_uuid(), timestamptz '2026-01-01T00:00Z' + make_interval(mins => n), ${scene.owner.user_id}, ${scene.of}, 'customers.update', 'customer', ${customer['id']}, '{"a":[1,2]}'
        from generate_series(1, 501) n`),
    )
    const { browser } = scene
    const full = await browser.get(scene.path({ from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }))
    assert.match(pageTextOf(full), /More than 500 records changed in this time/)
    const half = load(full.text)('main a.button')
      .get()
      .map((one) => load(one).text())
    assert.equal(half.length, 2)
    assert.doesNotMatch(
      pageTextOf(await browser.get(scene.path({ from: '2026-01-01T00:00:00Z', until: '2026-01-01T04:00:00Z' }))),
      /More than/,
    )
  })

  it("reverts one block of a connection's activity and leaves the rest", async () => {
    const scene = await openScene('Hazel')
    const { browser, claude, call } = scene
    const [ann, bob] = [await scene.customer('Ann'), await scene.customer('Bob')]
    const yesterday = Temporal.Now.plainDateISO(ZONE).subtract({ days: 1 })
    const times = new Map([
      ['Anna', '09:00'],
      ['Anne', '09:30'],
      ['Bobby', '10:01'],
    ])
    for (const [first_name, hour] of times) {
      const { id } = first_name.startsWith('A') ? ann : bob
      await claude.call('customers_update', { id, first_name })
      const at = yesterday.toZonedDateTime({ timeZone: ZONE, plainTime: hour }).toInstant().toString()
      await writeTenant(service.database, { tenant: scene.id }, (db) =>
        db.run(sql`update audit set at = ${at} where tenant_id = ${scene.id} and credential_id = ${scene.of}
          and changed -> 'first_name' ->> 1 = ${first_name}`),
      )
    }
    const shown = await browser.get(`${scene.at('activity')}?day=${yesterday.toString()}`)
    assert.match(pageTextOf(shown), /10:01 AM Undo these[^]*Bobby[^]*9:00 AM – 9:30 AM Undo these[^]*Anne[^]*Anna/)
    const done = await undoFrom(browser, scene, linkIn(shown, /^Undo these: 9:00.AM/))
    assert.match(pageTextOf(done), /2 changes are undone/)
    const names = [ann, bob].map(async ({ id }) => (await call('customers_get', { id }))['first_name'])
    assert.deepEqual(await Promise.all(names), ['Ann', 'Bobby'])
  })

  it("reverts one change from a record's history, which then shows it as undone", async () => {
    const scene = await openScene('Kapok')
    const { browser, claude, call } = scene
    const customer = await scene.customer('Lea')
    await claude.call('customers_update', { id: customer['id'], first_name: 'Leo' })
    const record = scene.at('customers', customer['id'])
    const shown = await browser.get(record)
    const done = await undoFrom(browser, scene, linkIn(shown, /^Undo:/))
    assert.match(pageTextOf(done), /One change is undone/)
    assert.equal((await call('customers_get', { id: customer['id'] }))['first_name'], 'Lea')
    assert.match(pageTextOf(await browser.get(record)), /undone/)
    const usedLink = linkIn(shown, /^Undo:/)
    assert.match(pageTextOf(await browser.get(usedLink)), /Already undone/)
  })
})

describe('assistant activity', () => {
  it('is listed by connection and day; owners see all connections, others only their own', async () => {
    const scene = await openScene('Larch')
    const { browser, claude, at } = scene
    const customer = await scene.customer('Mia')
    const uses = openToolUses(service.database, 3_600_000)
    const caller = {
      tenant: { id: scene.id, timezone: 'America/New_York' },
      credential: { id: scene.of },
    } as Parameters<typeof uses.note>[0]
    uses.note(caller, 'customers.get', 'read')
    uses.note(caller, 'customers.get', 'read')
    uses.note(caller, 'jobs.create', 'refused')
    uses.note(caller, 'jobs.create', 'proposed')
    await uses.stop()
    await claude.call('customers_update', { id: customer['id'], first_name: 'Max' })
    const text = pageTextOf(await browser.get(at('activity')))
    assert.match(text, /Read 2 times · Proposed one change · Changed one record · Was refused once/)
    assert.match(
      text.slice(text.indexOf('Read 2')),
      /Max : Claude called it “Max”. Claude changed: First name Before: Mia (?!and)/,
    )
    assert.match(pageTextOf(await browser.get(at())), /Claude changed one record today/)
    assert.match(pageTextOf(await browser.get(at('settings', 'keys'))), /Assistant activity/)
    assert.match(pageTextOf(await browser.get(`${at('activity')}?of=${scene.of}&day=2020-02-30`)), /What Claude did/)
    assert.match(pageTextOf(await browser.get(`${at('activity')}?day=2020-02-03`)), /No activity on this day/)
    const colleague = await scene.signInMember('tech')
    assert.match(pageTextOf(await colleague.browser.get(at('activity'))), /No assistant is connected yet/)
    assert.equal((await colleague.browser.get(`${at('activity')}?of=${scene.of}`)).status, 404)
    assert.doesNotMatch(pageTextOf(await colleague.browser.get(at())), /Claude changed/)
    await undoFrom(browser, scene, scene.path())
    assert.doesNotMatch(pageTextOf(await browser.get(at())), /Claude changed/)
    assert.match(pageTextOf(await browser.get(at('activity'))), /undone/)
  })
})
