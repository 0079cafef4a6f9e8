import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openCommandLine, serve, type CommandLine, type RunningService } from '../../harness/processes/command_line.ts'
import type { Result } from '../../harness/harness.ts'

let line: CommandLine
let runCommand: CommandLine['runCommand']
let refusal: CommandLine['refusal']
let served: RunningService
let acme: RunningService['acme']
let admitted: RunningService['admitted']
before(async () => {
  line = await openCommandLine()
  ;({ runCommand, refusal } = line)
  await runCommand('migrate')
  served = await serve(line)
  ;({ acme, admitted } = served)
})
after(async () => {
  await served.stop()
  await line.close()
})

const NOBODY = '01a1fd5a-e8cf-7dd1-8b0e-1942a1470de2'

describe('callout key', () => {
  it('create makes a user key by email or id, and a tenant key', async () => {
    const byEmail = await runCommand(
      'key',
      'create',
      '--tenant',
      acme.id,
      '--user',
      acme.owner.email,
      '--scopes',
      'all',
      '--name',
      'Laptop',
      '--expires',
      '2999-12-31',
    )
    assert.deepEqual(Object.keys(byEmail), ['id', 'key', 'kind', 'tenant_id', 'user_id', 'scopes', 'proposes'])
    assert.match(byEmail.key, /^svc_uk_[0-9A-Za-z]{43}$/)
    assert.deepEqual(
      [byEmail.kind, byEmail.tenant_id, byEmail.user_id, byEmail.scopes.length],
      ['user_key', acme.id, acme.owner.id, 28],
    )
    const byId = await runCommand(
      'key',
      'create',
      '--tenant',
      acme.id,
      '--user',
      acme.owner.id,
      '--scopes',
      'read:jobs,write:jobs',
    )
    assert.deepEqual([byId.user_id, byId.scopes], [acme.owner.id, ['read:jobs', 'write:jobs']])
    const ofTenant = await runCommand('key', 'create', '--tenant', acme.id)
    assert.match(ofTenant.key, /^svc_tk_[0-9A-Za-z]{43}$/)
    assert.deepEqual([ofTenant.kind, ofTenant.user_id], ['tenant_key', null])
    assert.ok(ofTenant.scopes.length > 0 && ofTenant.scopes.every((scope: string) => scope.startsWith('read:')))
    assert.deepEqual(await admitted(ofTenant.key), ofTenant.scopes.toSorted())
    const listed = await runCommand<Result[]>('key', 'list', '--tenant', acme.id)
    const laptop = listed[2]!
    assert.deepEqual(
      listed.slice(0, 3).map(({ id }) => id),
      [ofTenant.id, byId.id, byEmail.id],
    )
    assert.deepEqual(
      [laptop.name, laptop.expires_at, laptop.last_four],
      ['Laptop', '3000-01-01T05:00:00.000Z', byEmail.key.slice(-4)],
    )
    assert.ok(!JSON.stringify(listed).includes(byEmail.key))
  })

  it('create shows which areas only propose, and set changes them', async () => {
    const create = (...more: string[]) => runCommand('key', 'create', '--tenant', acme.id, '--scopes', 'all', ...more)
    const { id, proposes } = await create('--proposes', 'Catalog & pricing,jobs')
    assert.deepEqual(proposes, ['write:catalog_categories', 'write:catalog_items', 'write:jobs'])
    assert.equal((await create('--proposes', 'all')).proposes.length, 10)
    assert.deepEqual((await create()).proposes, [])
    assert.deepEqual((await runCommand('key', 'set', id, '--proposes', 'none')).proposes, [])
    assert.match(
      await refusal('key', 'set', id, '--proposes', 'everything'),
      /'everything' is not an area; the areas are Customers/,
    )
    assert.match(await refusal('key', 'set', NOBODY, '--proposes', 'all'), /key not found/)
  })

  it('revoke ends a key at once and is idempotent', async () => {
    const { id, key } = await runCommand('key', 'create', '--tenant', acme.id)
    assert.ok(Array.isArray(await admitted(key)))
    const { revoked_at } = await runCommand('key', 'revoke', id, '--tenant', acme.id)
    assert.equal(await admitted(key), 'invalid_token')
    assert.equal((await runCommand('key', 'revoke', '--id', id)).revoked_at, revoked_at)
  })

  it('rejects unknown scopes, a past expiry, and invalid tenants and keys', async () => {
    const create = (...more: string[]) => refusal('key', 'create', '--tenant', acme.id, ...more)
    assert.deepEqual(
      await Promise.all([
        create('--scopes', 'read:everything'),
        create('--expires', '2020-01-01'),
        refusal('key', 'create', '--tenant', 'acme'),
        refusal('key', 'revoke', NOBODY),
        refusal('key', 'revoke', 'svc_tk_x'),
      ]),
      [
        "scopes: 'read:everything' is not a scope; use all, read, or names such as read:jobs",
        "expires must be in the future (got '2020-01-01')",
        "tenant must be the id of a company (got 'acme')",
        'key not found',
        "id must be a key's id, as key list shows it (got 'svc_tk_x')",
      ],
    )
  })
})
