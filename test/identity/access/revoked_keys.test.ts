import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey, revokeKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { callerOf, type Company, type TestService } from '../../harness/harness.ts'
import { openSocket, toolHeaders } from '../../harness/http.ts'
import type { Witness } from '../../harness/clients/witness.ts'
import { openAccessScene, requestKinds, type AccessScene } from './scene.ts'

let service: TestService
let witness: Witness
let company: Company
let { callerElsewhere, statusOf, stop } = {} as AccessScene
before(async () => {
  ;({ service, witness, company, callerElsewhere, statusOf, stop } = await openAccessScene())
})
after(() => stop())

describe('a revoked key is refused on the next request', () => {
  for (const [kind, body, headers = {}] of requestKinds) {
    it(kind, async () => {
      const made = await createKey(
        service.database,
        { tenant: company.tenant },
        { user: company.owner.id, name: 'test', scopes: SCOPES, expires_at: null },
      )
      for (let i = 0; i < 3; i++) assert.equal(await statusOf(made.key, body, headers), 200)
      await revokeKey(service.database, { tenant: company.tenant }, made.id)
      assert.equal(await statusOf(made.key, body, headers), 401)
    })
  }

  it('over a kept-alive connection, and nothing more is written', async () => {
    const made = await createKey(
      service.database,
      { tenant: company.tenant },
      { user: company.owner.id, name: 'test', scopes: SCOPES, expires_at: null },
    )
    const socket = await openSocket(service.origin)
    const headers = [
      'Host: callout.test',
      ...Object.entries(toolHeaders(made.key)).map(([name, value]) => `${name}: ${value}`),
    ]
    for (const [, body, more = {}] of requestKinds)
      assert.equal(
        (
          await socket.exchange(
            'POST /api/mcp',
            [...headers, ...Object.entries(more).map(([name, value]) => `${name}: ${value}`)],
            body,
          )
        ).status,
        200,
      )
    await revokeKey(service.database, { tenant: company.tenant }, made.id)
    const before = await witness.digest()
    for (const [kind, body, more = {}] of requestKinds) {
      const { status, headers: answered } = await socket.exchange(
        'POST /api/mcp',
        [...headers, ...Object.entries(more).map(([name, value]) => `${name}: ${value}`)],
        body,
      )
      assert.deepEqual([status, answered['www-authenticate']?.includes('error="invalid_token"')], [401, true], kind)
    }
    assert.deepEqual(await witness.digest(), before)
    socket.close()
  })

  it('by another process that has used it', async () => {
    const made = await createKey(
      service.database,
      { tenant: company.tenant },
      { user: null, name: 'test', scopes: SCOPES, expires_at: null },
    )
    await callerElsewhere(made.key).call('tags_list')
    await revokeKey(service.database, { tenant: company.tenant }, made.id)
    await assert.rejects(callerElsewhere(made.key).call('tags_list'), /HTTP 401/)
  })

  it('while requests are in flight, and each is done completely or not at all', async () => {
    const made = await createKey(
      service.database,
      { tenant: company.tenant },
      { user: company.owner.id, name: 'test', scopes: SCOPES, expires_at: null },
    )
    const { send } = callerOf(service.url, made.key)
    const names = Array.from({ length: 40 }, (_, i) => `Underway ${i}`)
    const writes = names.map(async (first_name) => ({
      first_name,
      done: await send('customers_create', { customer_type: 'individual', first_name }).then(
        () => true,
        () => false,
      ),
    }))
    await revokeKey(service.database, { tenant: company.tenant }, made.id)
    const done = (await Promise.all(writes)).filter(({ done }) => done).map(({ first_name }) => first_name)
    const rows = await witness.rows(`select first_name from customers where first_name like 'Underway %'`)
    assert.deepEqual(
      rows.map(({ first_name }) => String(first_name)).sort((a, b) => (a < b ? -1 : 1)),
      done.sort((a, b) => (a < b ? -1 : 1)),
    )
  })
})
