import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entryOf } from '../../src/identity/credentials/caller.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { findSignedInMember } from '../../src/identity/people/recovery/signed_in_member.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import type { UndoScope } from '../../src/undo/changes.ts'
import { undoWithin } from '../../src/undo/undo.ts'
import { callerOf, makeCompany, startTestService, type TestService } from '../harness/harness.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

it('an undo that restored categories can be undone, even if a child would move up beside its namesake', async () => {
  const { database, url } = service
  const { tenant, owner, call } = await makeCompany(service)
  const person = { user: owner.id, name: 'Claude', scopes: SCOPES, expires_at: null }
  const { id: credential, key } = await createKey(database, { tenant }, person)
  const assistant = callerOf(url, key)
  const undo = async (scope: UndoScope) => {
    const { caller } = (await findSignedInMember(database, tenant, owner.id))!
    return (await writeTenant(database, entryOf(caller), (db) => undoWithin(db, { caller, baseUrl: '' }, scope)))!
  }
  const names = async () =>
    (await call('catalog_categories_list', {}))['rows'].map(({ name }: { name: string }) => name)

  const pumps = await assistant.call('catalog_categories_create', { name: 'Pumps' })
  const inner = await assistant.call('catalog_categories_create', { name: 'Pipes', parent_id: pumps['id'] })
  await assistant.call('catalog_categories_create', { name: 'Bends', parent_id: inner['id'] })
  await call('catalog_categories_create', { name: 'Pipes' })
  await call('catalog_categories_create', { name: 'Bends' })
  const span = {
    kind: 'span',
    credentials: [credential],
    from: '2000-01-01T00:00:00Z',
    until: '2100-01-01T00:00:00Z',
  } as const
  let { change, skipped } = await undo(span)
  assert.deepEqual(skipped, [])
  for (const count of [5, 2, 5, 2]) {
    ;({ change, skipped } = await undo({ kind: 'change', change: change! }))
    assert.deepEqual(skipped, [])
    assert.equal((await names()).length, count)
  }
})
