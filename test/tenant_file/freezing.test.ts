import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { freezeCompany, thawCompany } from '../../src/identity/companies/freeze.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { exportTenant } from '../../src/cli/tenant_file/export.ts'
import { importTenant } from '../../src/cli/tenant_file/import.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { Unavailable } from '../../src/platform/errors/refusal.ts'
import { claimLease } from '../../src/platform/leases/lease.ts'
import { makeCompany } from '../harness/harness.ts'
import { rpc, toolHeaders } from '../harness/http.ts'
import { openWitness } from '../harness/clients/witness.ts'
import { openMoveScene, type Moving } from './move_scene.ts'
import { startWriters } from './writers.ts'

let moving: Moving
before(async () => {
  moving = await openMoveScene()
})
after(() => moving.close())

const post = (name: string, given: object): Promise<Response> =>
  fetch(moving.from.url, {
    method: 'POST',
    headers: toolHeaders(moving.company.owner.key),
    body: rpc('tools/call', { name, arguments: given }),
  })

describe('a frozen company', () => {
  it('is readable and answers writes with 503 and Retry-After until thawed; others can write', async () => {
    const { from, company, records } = moving
    const other = await makeCompany(from)
    const since = await freezeCompany(from.owner, company.tenant)
    assert.equal(await freezeCompany(from.owner, company.tenant), since)
    const refused = await post('notes_create', { body: 'Lost' })
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30'])
    assert.deepEqual(await refused.json(), {
      error: 'unavailable',
      error_description:
        "The service can't answer now: the company is being moved and can only be read; nothing was done; try again in 30 s",
    })
    assert.equal((await company.call('customers_get', { id: records.customer }))['id'], records.customer)
    assert.equal((await other.call('notes_create', { body: 'Kept' }))['body'], 'Kept')
    assert.deepEqual(
      [await thawCompany(from.owner, company.tenant), await thawCompany(from.owner, company.tenant)],
      [true, false],
    )
    assert.equal((await company.call('notes_create', { body: 'Kept' }))['body'], 'Kept')
  })

  it('is skipped by periodic tasks until it is thawed', async () => {
    const { from, company } = moving
    const witness = await openWitness(from)
    await witness.rows(`delete from chore_leases`)
    await witness.rows(
      `insert into chore_leases (tenant_id, chore, due_at) values ($1, 'nightly', '2020-01-01')`,
      company.tenant,
    )
    await freezeCompany(from.owner, company.tenant)
    const now = Temporal.Now.instant()
    assert.equal((await claimLease(from.database, ['nightly'], now)).lease, undefined)
    await thawCompany(from.owner, company.tenant)
    assert.equal((await claimLease(from.database, ['nightly'], now)).lease?.tenant_id, company.tenant)
    await witness.close()
  })

  it('is exported only after its open transactions end, with their rows', async () => {
    const { from, into, company } = moving
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const writing = writeTenant(from.database, { tenant: company.tenant }, async (db) => {
      await db.run(sql`select 1`)
      begun.resolve()
      await go.promise
      await db.run(sql`update tenants set website = 'https://late.example' where id = ${company.tenant}`)
    })
    await begun.promise
    const path = moving.newPath()
    let isMade = false
    const making = exportTenant(from.owner, from.storage, path, { tenant: company.tenant, freezes: true }).then(
      (made) => {
        isMade = true
        return made
      },
    )
    const witness = await openWitness(from)
    while ((await witness.rows('select from frozen_companies')).length === 0) await sleep(5)
    await assert.rejects(
      writeTenant(from.database, { tenant: company.tenant }, (db) => db.run(sql`select 1`)),
      (error) => error instanceof Unavailable && error.seconds === 30 && error.isExpected,
    )
    assert.equal(isMade, false)
    go.resolve()
    await writing
    assert.equal((await making).frozen, true)
    await importTenant(into.owner, into.storage, path)
    const there = await openWitness(into)
    assert.equal(await there.value('select website from tenants where id = $1', company.tenant), 'https://late.example')
    assert.deepEqual(await there.rows('select from frozen_companies'), [], 'it goes on where it arrived')
    await there.close()
    await thawCompany(from.owner, company.tenant)
    await witness.close()
  })
})

describe('moving a company under load', () => {
  it('loses no acknowledged write and repeats none', async () => {
    const { from, into } = moving
    const company = await makeCompany(from)
    const path = moving.newPath()
    const writers = startWriters({ url: from.url, key: company.owner.key }, 4)
    const { acknowledged } = writers
    while (acknowledged.length < 20) await sleep(5)
    await exportTenant(from.owner, from.storage, path, { tenant: company.tenant, freezes: true })
    await importTenant(into.owner, into.storage, path)
    const { key } = await createKey(
      into.database,
      { tenant: company.tenant },
      { user: company.owner.id, name: 'here', scopes: SCOPES, expires_at: null },
    )
    const count = acknowledged.length
    writers.goTo({ url: into.url, key })
    while (acknowledged.length < count + 20) await sleep(5)
    await writers.stop()
    const witness = await openWitness(into)
    const rows = await witness.rows('select body from notes where tenant_id = $1', company.tenant)
    await witness.close()
    assert.deepEqual(rows.map(({ body }) => String(body)).sort(), acknowledged.map(({ body }) => body).sort())
  })
})
