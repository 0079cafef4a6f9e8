import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { openToolUses } from '../../src/identity/credentials/tool_uses.ts'
import { sql, writeTenant, readTenant } from '../../src/platform/db/tenant.ts'
import { callerOf, type Result, type TestService } from '../harness/harness.ts'
import { formAt, openOffice, said, sendForm, submit } from '../harness/identity/people_pages.ts'
import { startSite, type Browser, type Seen } from '../harness/visiting.ts'

/** Time zone of these tests' companies. */
const ZONE = 'America/New_York'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

/** Makes a company whose owner has an assistant besides the office's key. */
async function opened(name: string) {
  const company = await openOffice(service, name)
  const { id: of, key } = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: 'Claude', scopes: SCOPES, expires_at: null },
  )
  const day = { from: '2000-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
  const path = (given: Record<string, string> = {}): string =>
    `${company.at('undo')}?${new URLSearchParams({ of, ...day, ...given }).toString()}`
  return { ...company, of, claude: callerOf(service.url, key), path, day }
}

type Scene = Awaited<ReturnType<typeof opened>>

/** Presses the button of a preview. */
const press = async (browser: Browser, { at }: Pick<Scene, 'at'>, preview: Seen): Promise<Seen> =>
  sendForm(browser, at('undo'), formAt(preview, at('undo')))

/** Undoes what a preview shows, and returns the page that says so. */
async function undone(browser: Browser, scene: Pick<Scene, 'at'>, address: string): Promise<Seen> {
  const sent = await press(browser, scene, await browser.get(address))
  assert.equal(sent.status, 303, said(sent))
  return browser.get(sent.location!)
}

const wayIn = ({ text }: Pick<Seen, 'text'>, words: RegExp): string => {
  const link = load(text)('a')
    .filter((_, one) => words.test(load(one).text()))
    .first()
  assert.ok(link.length > 0, `no link says ${words}`)
  return link.attr('href')!
}

const updatedSince = async (call: Scene['call'], tool: string, since: string, given: object = {}): Promise<Result[]> =>
  (await call(tool, { updated_since: since, include_removed: true, ...given }))['rows']

describe('undoing', () => {
  it('shows what comes back before anything is done, puts it back, and can be undone itself', async () => {
    const scene = await opened('Alder')
    const { browser, claude, call, path } = scene
    const customer = await scene.customer('Dora')
    const job = await call('jobs_create', { customer_id: customer['id'], title: 'Valve', priority: 'low' })
    await claude.call('jobs_update', { id: job['id'], title: 'Pump', priority: 'high' })
    await claude.call('jobs_cancel', { id: job['id'] })
    const extra = await claude.call('jobs_create', { customer_id: customer['id'], title: 'Extra' })
    const preview = await browser.get(path())
    assert.match(said(preview), /Undo what Claude did/)
    assert.match(said(preview), /Claude called it “Pump”/)
    assert.match(said(preview), /Before: Valve/)
    assert.equal((await call('jobs_get', { id: job['id'] }))['status'], 'cancelled')
    const since = (await call('jobs_get', { id: extra['id'] }))['updated_at']
    const done = await undone(browser, scene, path())
    assert.match(said(done), /3 changes are undone/)
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
    const again = await undone(browser, scene, wayIn(done, /^Undo this$/))
    assert.match(said(again), /One change is undone/)
    const later = await call('jobs_get', { id: job['id'] })
    assert.deepEqual([later['title'], later['status']], ['Pump', 'cancelled'])
    assert.equal((await call('jobs_get', { id: extra['id'] }))['status'], 'unscheduled')
    const history = said(await browser.get(scene.at('jobs', job['id'])))
    assert.match(history, /Ana Ruiz undid what Claude had done/)
  })

  it('tells mirrors what left, what came back, and what changed', async () => {
    const scene = await opened('Birch')
    const { browser, claude, call, path } = scene
    const kept = await call('tags_create', { name: 'Kept' })
    await scene.customer('Cleo', { tag_ids: [kept['id']] })
    await claude.call('tags_delete', { id: kept['id'] })
    const made = await claude.call('tags_create', { name: 'Made' })
    const since = made['created_at']
    await undone(browser, scene, path())
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

  it('leaves what somebody else changed since, and what depends on it', async () => {
    const scene = await opened('Cedar')
    const { browser, claude, call, path } = scene
    const customer = await claude.call('customers_create', { customer_type: 'individual', first_name: 'Eve' })
    const one = await claude.call('jobs_create', { customer_id: customer['id'], title: 'One' })
    const two = await claude.call('jobs_create', { customer_id: customer['id'], title: 'Two' })
    await call('jobs_update', { id: one['id'], title: 'Mine now' })
    const preview = await browser.get(path())
    assert.match(said(preview), /Agent changed it since/)
    assert.match(said(preview), /It is already used by J-/)
    assert.match(said(preview), /Undo one change/)
    await undone(browser, scene, path())
    assert.equal((await call('jobs_get', { id: one['id'] }))['title'], 'Mine now')
    assert.equal((await call('jobs_get', { id: two['id'] }))['status'], 'cancelled')
    assert.equal((await call('customers_get', { id: customer['id'] }))['first_name'], 'Eve')
  })

  it('names a note that stands on what was made by whole words, and the time of somebody in the language of who looks', async () => {
    const scene = await opened('Larch')
    const { browser, claude, call, path, at } = scene
    const customer = await claude.call('customers_create', { customer_type: 'individual', first_name: 'Ivy' })
    await call('notes_create', {
      subject_type: 'customer',
      subject_id: customer['id'],
      body: 'Grease trap is 75 gal and full in five weeks',
    })
    const job = await claude.call('jobs_create', { customer_id: (await scene.customer('Ned'))['id'], title: 'Timed' })
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(sql`insert into time_entries (tenant_id, id, job_id, user_id, started_at, ended_at, ended_by)
        values (${scene.id}, gen_random_uuid(), ${job['id']}, ${scene.owner.user_id}, now() - interval '2 hours', now(), 'hand')`),
    )
    assert.match(said(await browser.get(path())), /Grease trap is 75 gal and full in five…/)
    assert.match(said(await browser.get(path())), /It is already used by time of /)
    await submit(browser, at('settings'), { language: 'es' }, at('settings', 'you'))
    assert.match(said(await browser.get(path())), /Ya lo usan: tiempo de /)
  })

  it('never goes round the rules of money', async () => {
    const scene = await opened('Dogwood')
    const { browser, claude, call, path } = scene
    const customer = await scene.customer('Fay')
    const line_items = [{ name: 'Visit', unit_price_cents: 10_000 }]
    const issued = await call('invoices_create', { customer_id: customer['id'], line_items })
    const draft = await claude.call('invoices_create', { customer_id: customer['id'], line_items })
    const voided = await call('invoices_create', { customer_id: customer['id'], line_items })
    const quote = await call('quotes_create', { customer_id: customer['id'], title: 'Offer', line_items })
    await claude.call('invoices_update', { id: issued['id'], status: 'sent' })
    await claude.call('invoices_void', { id: voided['id'] })
    await claude.call('quotes_update', { id: quote['id'], status: 'accepted' })
    const text = said(await browser.get(path()))
    assert.match(text, /The invoice is no longer a draft/)
    assert.match(text, /A voided invoice stays void/)
    assert.match(text, /The quote was accepted/)
    await undone(browser, scene, path())
    assert.equal((await call('invoices_get', { id: issued['id'] }))['status'], 'sent')
    assert.equal((await call('invoices_get', { id: voided['id'] }))['status'], 'void')
    assert.equal((await call('quotes_get', { id: quote['id'] }))['status'], 'accepted')
    assert.equal((await call('invoices_get', { id: draft['id'] }))['status'], 'void')
    const next = await call('invoices_create', { customer_id: customer['id'], line_items })
    assert.equal(next['number'], voided['number'] + 1)
  })

  it('says what was sent, paid, merged, and what are settings, and leaves them', async () => {
    const scene = await opened('Elder')
    const { browser } = scene
    const [a, b] = [await scene.customer('Gil'), await scene.customer('Gus')]
    const invoice = await scene.call('invoices_create', {
      customer_id: a['id'],
      line_items: [{ name: 'Visit', unit_price_cents: 100 }],
    })
    await scene.call('invoices_update', { id: invoice['id'], status: 'sent' })
    await browser.get(scene.at())
    const [own] = await readTenant(service.database, { tenant: scene.id }, (db) =>
      db.all<{ id: string }>(sql`select id from credentials where tenant_id = ${db.tenant} and kind = 'browser'`),
    )
    const act = (tool: string, type: string, record: string) =>
      writeTenant(service.database, { tenant: scene.id }, (db) =>
        db.run(sql`insert into audit (tenant_id, id, user_id, credential_id, tool, record_type, record_id, changed)
          values (${scene.id}, gen_random_uuid(), ${scene.owner.user_id}, ${own!.id}, ${tool}, ${type}, ${record}, '{"a":[1,2]}')`),
      )
    await act('invoices.send', 'invoice', invoice['id'])
    await act('invoices.record_payment', 'invoice', invoice['id'])
    await act('customers.merge', 'customer', b['id'])
    await act('jobs.add_media', 'job', a['id'])
    await act('quotes.accepted_by_link', 'quote', a['id'])
    await act('keys.create', 'key', own!.id)
    await act('customers.update', 'customer', a['id'])
    const text = said(await browser.get(scene.path({ of: own!.id })))
    assert.match(text, /Sent messages can’t be unsent/)
    assert.match(text, /Payments stay/)
    assert.match(text, /Merged customers can’t be taken apart/)
    assert.match(text, /Files stay/)
    assert.match(text, /The customer did this/)
    assert.match(text, /Change access and settings on/)
    assert.match(text, /Earlier values are kept for 30 days/)
    assert.doesNotMatch(text, /Undo \w+ change/)
  })

  it('does nothing that was not shown: what changed meanwhile is shown first', async () => {
    const scene = await opened('Fir')
    const { browser, claude, call, path } = scene
    const customer = await scene.customer('Hal')
    await claude.call('customers_update', { id: customer['id'], first_name: 'Ham' })
    const preview = await browser.get(path())
    await call('customers_update', { id: customer['id'], first_name: 'Han' })
    const refused = await press(browser, scene, preview)
    assert.equal(refused.status, 409)
    assert.match(said(refused), /Something changed since you opened this page/)
    assert.equal((await call('customers_get', { id: customer['id'] }))['first_name'], 'Han')
    const bare = await sendForm(browser, scene.at('undo'), [
      ['of', scene.of],
      ['from', scene.day.from],
      ['until', scene.day.until],
    ])
    assert.equal(bare.status, 200)
    assert.match(said(bare), /One change stays/)
  })

  it('is for owners, and for whom the connection belongs to, under the rights of now', async () => {
    const scene = await opened('Gum')
    const { claude, path } = scene
    const customer = await scene.customer('Ida')
    await claude.call('customers_update', { id: customer['id'], first_name: 'Ivy' })
    const [change] = await readTenant(service.database, { tenant: scene.id }, (db) =>
      db.all<{ change_id: string }>(
        sql`select change_id from audit where tenant_id = ${db.tenant} and credential_id = ${scene.of} and change_id is not null`,
      ),
    )
    const colleague = await scene.hired('office')
    assert.equal((await colleague.browser.get(path())).status, 404)
    assert.equal((await colleague.browser.get(`${scene.at('undo')}?change=${change!.change_id}`)).status, 404)
    const tried = await sendForm(colleague.browser, scene.at('undo'), [['change', change!.change_id]])
    assert.equal(tried.status, 404)
    assert.doesNotMatch(said(await colleague.browser.get(scene.at('customers', customer['id']))), /· Undo/)
    const key = await createKey(
      service.database,
      { tenant: scene.id },
      { user: colleague.user_id, name: 'Robot', scopes: SCOPES, expires_at: null },
    )
    const robot = callerOf(service.url, key.key)
    const rate = await scene.call('tax_rates_create', { name: 'City', rate_percentage: 8 })
    await robot.call('customers_update', { id: customer['id'], first_name: 'Ina' })
    const own = `${scene.at('undo')}?${new URLSearchParams({ of: key.id, ...scene.day }).toString()}`
    await undone(colleague.browser, scene, own)
    assert.equal((await scene.call('customers_get', { id: customer['id'] }))['first_name'], 'Ivy')
    await robot.call('customers_update', { id: customer['id'], first_name: 'Ira' })
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(
        sql`update members set ceiling = ceiling || '{"Customers & contacts": "view"}' where tenant_id = ${db.tenant} and user_id = ${colleague.user_id}`,
      ),
    )
    assert.match(said(await colleague.browser.get(own)), /You don’t have permission to change this kind of record/)
    assert.equal((await scene.call('customers_get', { id: customer['id'] }))['first_name'], 'Ira')
    assert.ok(rate['id'])
  })

  it('refuses what is no change, no connection and no span, and what is another company’s', async () => {
    const scene = await opened('Holly')
    const other = await opened('Ivy')
    const { browser, at } = scene
    const statusOf = async (query: Record<string, string>): Promise<number> =>
      (await browser.get(`${at('undo')}?${new URLSearchParams(query).toString()}`)).status
    assert.equal(await statusOf({}), 404)
    assert.equal(await statusOf({ change: 'x' }), 404)
    await other.claude.call('customers_create', { customer_type: 'individual', first_name: 'Theirs' })
    const theirs = await readTenant(service.database, { tenant: other.id }, (db) =>
      db.one<{ change: string }>(
        sql`select change_id as change from audit where tenant_id = ${db.tenant} and record_type = 'customer' and change_id is not null limit 1`,
      ),
    )
    assert.equal(await statusOf({ change: theirs.change }), 404)
    assert.equal((await browser.post(at('undo'), { change: theirs.change, seen: 'x' })).status, 404)
    assert.equal(await statusOf({ of: other.of, ...scene.day }), 404)
    assert.equal(await statusOf({ of: scene.of }), 422)
    assert.equal(await statusOf({ of: scene.of, from: 'yesterday', until: 'today' }), 422)
    assert.equal(await statusOf({ of: scene.of, from: scene.day.until, until: scene.day.from }), 422)
    assert.match(said(await browser.get(scene.path())), /Nothing was changed/)
    assert.equal((await browser.get(`${scene.at('activity')}?of=${other.of}`)).status, 404)
    assert.equal((await browser.get(`${scene.at('activity')}?of=x`)).status, 404)
    assert.equal((await browser.get(other.at('activity'))).status, 404)
    const elsewhere = await browser.get(scene.path({ back: 'https://evil.example/' }))
    assert.doesNotMatch(elsewhere.text, /evil/)
  })

  it('puts back no row of a table without a journal, whatever the journal of a company that moved here says', async () => {
    const scene = await opened('Forged Air')
    const other = await opened('Untouched Air')
    const tag = await scene.claude.call('tags_create', { name: 'Kept' })
    await scene.claude.call('tags_update', { id: tag['id'], name: 'Changed' })
    for (const kind of ['members', `tags, lateral (select set_config('app.tenant_id', '${other.id}', true)) x`]) {
      await writeTenant(service.database, { tenant: scene.id }, (db) =>
        db.run(sql`update journal set kind = ${kind} where tenant_id = ${db.tenant} and key = ${String(tag['id'])}`),
      )
      const preview = await scene.browser.get(scene.path())
      assert.equal(preview.status, 200)
      assert.match(preview.text, /Earlier values are kept for 30 days/)
    }
  })

  it('asks for a shorter span where it is too much for once', async () => {
    const scene = await opened('Juniper')
    const customer = await scene.customer('Kit')
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(sql`insert into audit (tenant_id, id, at, user_id, credential_id, tool, record_type, record_id, changed)
        select ${scene.id}, gen_random_uuid(), timestamptz '2026-01-01T00:00Z' + make_interval(mins => n), ${scene.owner.user_id}, ${scene.of}, 'customers.update', 'customer', ${customer['id']}, '{"a":[1,2]}'
        from generate_series(1, 501) n`),
    )
    const { browser } = scene
    const full = await browser.get(scene.path({ from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }))
    assert.match(said(full), /More than 500 records changed in this time/)
    const half = load(full.text)('main a.button')
      .get()
      .map((one) => load(one).text())
    assert.equal(half.length, 2)
    assert.doesNotMatch(
      said(await browser.get(scene.path({ from: '2026-01-01T00:00:00Z', until: '2026-01-01T04:00:00Z' }))),
      /More than/,
    )
  })

  it('undoes what a connection did between two pauses, and leaves the rest', async () => {
    const scene = await opened('Hazel')
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
    assert.match(said(shown), /10:01 AM Undo these[^]*Bobby[^]*9:00 AM – 9:30 AM Undo these[^]*Anne[^]*Anna/)
    const done = await undone(browser, scene, wayIn(shown, /^Undo these: 9:00.AM/))
    assert.match(said(done), /2 changes are undone/)
    const names = [ann, bob].map(async ({ id }) => (await call('customers_get', { id }))['first_name'])
    assert.deepEqual(await Promise.all(names), ['Ann', 'Bobby'])
  })

  it('undoes one change from the history of a record, and goes back there', async () => {
    const scene = await opened('Kapok')
    const { browser, claude, call } = scene
    const customer = await scene.customer('Lea')
    await claude.call('customers_update', { id: customer['id'], first_name: 'Leo' })
    const record = scene.at('customers', customer['id'])
    const shown = await browser.get(record)
    const done = await undone(browser, scene, wayIn(shown, /^Undo:/))
    assert.match(said(done), /One change is undone/)
    assert.equal((await call('customers_get', { id: customer['id'] }))['first_name'], 'Lea')
    assert.match(said(await browser.get(record)), /undone/)
    const known = wayIn(shown, /^Undo:/)
    assert.match(said(await browser.get(known)), /Already undone/)
  })
})

describe('what assistants did', () => {
  it('is told by connection and day: read, changed, refused; to owners all, to others their own', async () => {
    const scene = await opened('Larch')
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
    const text = said(await browser.get(at('activity')))
    assert.match(text, /Read 2 times · Proposed one change · Changed one record · Was refused once/)
    assert.match(
      text.slice(text.indexOf('Read 2')),
      /Max : Claude called it “Max”. Claude changed: First name Before: Mia (?!and)/,
    )
    assert.match(said(await browser.get(at())), /Claude changed one record today/)
    assert.match(said(await browser.get(at('settings', 'keys'))), /Assistant activity/)
    assert.match(said(await browser.get(`${at('activity')}?of=${scene.of}&day=2020-02-30`)), /What Claude did/)
    assert.match(said(await browser.get(`${at('activity')}?day=2020-02-03`)), /No activity on this day/)
    const colleague = await scene.hired('tech')
    assert.match(said(await colleague.browser.get(at('activity'))), /No assistant is connected yet/)
    assert.equal((await colleague.browser.get(`${at('activity')}?of=${scene.of}`)).status, 404)
    assert.doesNotMatch(said(await colleague.browser.get(at())), /Claude changed/)
    await undone(browser, scene, scene.path())
    assert.doesNotMatch(said(await browser.get(at())), /Claude changed/)
    assert.match(said(await browser.get(at('activity'))), /undone/)
  })
})
