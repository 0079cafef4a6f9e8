import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { sql, writeTenant, readTenant } from '../../src/platform/db/tenant.ts'
import { callerOf, type TestService } from '../harness/harness.ts'
import { pageTextOf, sendForm, submit } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { openAssisted, press, undoFrom } from './undo_pages.ts'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

const openScene = (name: string) => openAssisted(service, name)

describe('undo', () => {
  it('leaves records that somebody else changed since, and the records they depend on', async () => {
    const scene = await openScene('Cedar')
    const { browser, claude, call, path } = scene
    const customer = await claude.call('customers_create', { customer_type: 'individual', first_name: 'Eve' })
    const one = await claude.call('jobs_create', { customer_id: customer['id'], title: 'One' })
    const two = await claude.call('jobs_create', { customer_id: customer['id'], title: 'Two' })
    await call('jobs_update', { id: one['id'], title: 'Mine now' })
    const preview = await browser.get(path())
    assert.match(pageTextOf(preview), /Agent changed it since/)
    assert.match(pageTextOf(preview), /It is already used by J-/)
    assert.match(pageTextOf(preview), /Undo one change/)
    await undoFrom(browser, scene, path())
    assert.equal((await call('jobs_get', { id: one['id'] }))['title'], 'Mine now')
    assert.equal((await call('jobs_get', { id: two['id'] }))['status'], 'cancelled')
    assert.equal((await call('customers_get', { id: customer['id'] }))['first_name'], 'Eve')
  })

  it("shows a dependent note up to a whole word, and time entries in the viewer's language", async () => {
    const scene = await openScene('Larch')
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
    assert.match(pageTextOf(await browser.get(path())), /Grease trap is 75 gal and full in five…/)
    assert.match(pageTextOf(await browser.get(path())), /It is already used by time of /)
    await submit(browser, at('settings'), { language: 'es' }, at('settings', 'you'))
    assert.match(pageTextOf(await browser.get(path())), /Ya lo usan: tiempo de /)
  })

  it('keeps sent, void and accepted documents, voids a created draft, and reuses no invoice number', async () => {
    const scene = await openScene('Dogwood')
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
    const text = pageTextOf(await browser.get(path()))
    assert.match(text, /The invoice is no longer a draft/)
    assert.match(text, /A voided invoice stays void/)
    assert.match(text, /The quote was accepted/)
    await undoFrom(browser, scene, path())
    assert.equal((await call('invoices_get', { id: issued['id'] }))['status'], 'sent')
    assert.equal((await call('invoices_get', { id: voided['id'] }))['status'], 'void')
    assert.equal((await call('quotes_get', { id: quote['id'] }))['status'], 'accepted')
    assert.equal((await call('invoices_get', { id: draft['id'] }))['status'], 'void')
    const next = await call('invoices_create', { customer_id: customer['id'], line_items })
    assert.equal(next['number'], voided['number'] + 1)
  })

  it("keeps and explains what can't be undone: messages, payments, merges, files, access, old values", async () => {
    const scene = await openScene('Elder')
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
    const text = pageTextOf(await browser.get(scene.path({ of: own!.id })))
    assert.match(text, /Sent messages can’t be unsent/)
    assert.match(text, /Payments stay/)
    assert.match(text, /Merging customers can’t be undone/)
    assert.match(text, /Files stay/)
    assert.match(text, /The customer did this/)
    assert.match(text, /Change access and settings on/)
    assert.match(text, /Earlier values are kept for 30 days/)
    assert.doesNotMatch(text, /Undo \w+ change/)
  })

  it('is refused with 409 if a record changed since the preview; a request without a preview gets one', async () => {
    const scene = await openScene('Fir')
    const { browser, claude, call, path } = scene
    const customer = await scene.customer('Hal')
    await claude.call('customers_update', { id: customer['id'], first_name: 'Ham' })
    const preview = await browser.get(path())
    await call('customers_update', { id: customer['id'], first_name: 'Han' })
    const refused = await press(browser, scene, preview)
    assert.equal(refused.status, 409)
    assert.match(pageTextOf(refused), /Something changed since you opened this page/)
    assert.equal((await call('customers_get', { id: customer['id'] }))['first_name'], 'Han')
    const bare = await sendForm(browser, scene.at('undo'), [
      ['of', scene.of],
      ['from', scene.day.from],
      ['until', scene.day.until],
    ])
    assert.equal(bare.status, 200)
    assert.match(pageTextOf(bare), /One change stays/)
  })

  it("is allowed for owners and the connection's own member, within their current rights", async () => {
    const scene = await openScene('Gum')
    const { claude, path } = scene
    const customer = await scene.customer('Ida')
    await claude.call('customers_update', { id: customer['id'], first_name: 'Ivy' })
    const [change] = await readTenant(service.database, { tenant: scene.id }, (db) =>
      db.all<{ change_id: string }>(
        sql`select change_id from audit where tenant_id = ${db.tenant} and credential_id = ${scene.of} and change_id is not null`,
      ),
    )
    const colleague = await scene.signInMember('office')
    assert.equal((await colleague.browser.get(path())).status, 404)
    assert.equal((await colleague.browser.get(`${scene.at('undo')}?change=${change!.change_id}`)).status, 404)
    const tried = await sendForm(colleague.browser, scene.at('undo'), [['change', change!.change_id]])
    assert.equal(tried.status, 404)
    assert.doesNotMatch(pageTextOf(await colleague.browser.get(scene.at('customers', customer['id']))), /· Undo/)
    const key = await createKey(
      service.database,
      { tenant: scene.id },
      { user: colleague.user_id, name: 'Robot', scopes: SCOPES, expires_at: null },
    )
    const robot = callerOf(service.url, key.key)
    const rate = await scene.call('tax_rates_create', { name: 'City', rate_percentage: 8 })
    await robot.call('customers_update', { id: customer['id'], first_name: 'Ina' })
    const own = `${scene.at('undo')}?${new URLSearchParams({ of: key.id, ...scene.day }).toString()}`
    await undoFrom(colleague.browser, scene, own)
    assert.equal((await scene.call('customers_get', { id: customer['id'] }))['first_name'], 'Ivy')
    await robot.call('customers_update', { id: customer['id'], first_name: 'Ira' })
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(
        sql`update members set ceiling = ceiling || '{"Customers & contacts": "view"}' where tenant_id = ${db.tenant} and user_id = ${colleague.user_id}`,
      ),
    )
    assert.match(
      pageTextOf(await colleague.browser.get(own)),
      /You don’t have permission to change this kind of record/,
    )
    assert.equal((await scene.call('customers_get', { id: customer['id'] }))['first_name'], 'Ira')
    assert.ok(rate['id'])
  })

  it("returns 404 or 422 for an unknown, invalid or another company's change, connection or span", async () => {
    const scene = await openScene('Holly')
    const other = await openScene('Ivy')
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
    assert.match(pageTextOf(await browser.get(scene.path())), /Nothing was changed/)
    assert.equal((await browser.get(`${scene.at('activity')}?of=${other.of}`)).status, 404)
    assert.equal((await browser.get(`${scene.at('activity')}?of=x`)).status, 404)
    assert.equal((await browser.get(other.at('activity'))).status, 404)
    const elsewhere = await browser.get(scene.path({ back: 'https://evil.example/' }))
    assert.doesNotMatch(elsewhere.text, /evil/)
  })

  it('has nothing to restore if the journal names a table without a journal or injects SQL', async () => {
    const scene = await openScene('Forged Air')
    const other = await openScene('Untouched Air')
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
})
