import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  requestTokens,
  obtainTokens,
  callTool,
  CALLBACK,
  obtainCode,
  registerPublicClient,
  startAuthorizing,
  type AuthorizingService,
} from '../../harness/identity/authorization.ts'
import { TEST_DATA_KEY, makeCompany, type Company, type Result } from '../../harness/harness.ts'

let service: AuthorizingService
let company: Company
before(async () => {
  service = await startAuthorizing()
  company = await makeCompany(service)
})
after(() => service.stop())

describe('callout client, grant and signing-key', () => {
  const program = fileURLToPath(new URL('../../../bin/callout', import.meta.url))
  const callout = (...typed: string[]) => calloutWith({ DATA_KEY: TEST_DATA_KEY }, ...typed)
  const calloutWith = (
    more: Record<string, string>,
    ...typed: string[]
  ): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const { host, port, user, password, database } = service.owner as {
        host: string
        port: number
        user: string
        password?: string
        database: string
      }
      const url = `postgres://${user}${password === undefined ? '' : `:${encodeURIComponent(password)}`}@${host.startsWith('/') ? `/${database}?host=${encodeURIComponent(host)}&port=${port}` : `${host}:${port}/${database}`}`
      execFile(
        process.execPath,
        [program, ...typed],
        { env: { PATH: process.env['PATH'], DATABASE_URL: url, ...more } },
        (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
      )
    })
  const runCommand = async (...typed: string[]): Promise<Result> => {
    const { code, out, err } = await callout(...typed, '--json')
    assert.deepEqual([code, err], [0, ''])
    return JSON.parse(out) as Result
  }

  it('creates, lists and removes confidential clients', async () => {
    const made = await runCommand(
      'client',
      'create',
      '--name',
      'Warehouse',
      '--redirect',
      CALLBACK,
      '--scopes',
      'read:jobs,write:jobs',
    )
    assert.deepEqual(
      [made['name'], made['redirect_uris'], made['allow_list']],
      ['Warehouse', [CALLBACK], ['read:jobs', 'write:jobs']],
    )
    const { given } = await obtainCode(service, made['client_id'] as string, {
      user: company.owner.id,
      tenant: company.tenant,
    })
    const authorization = `Basic ${Buffer.from(`${made['client_id']}:${made['client_secret']}`).toString('base64')}`
    const { body } = await requestTokens(service, { ...given, client_id: undefined }, { authorization })
    assert.equal((await callTool(service, body.access_token, 'jobs_list')).status, 200)
    assert.ok(
      ((await runCommand('client', 'list')) as unknown as Result[]).some(
        (one) => one['client_id'] === made['client_id'] && !('client_secret' in one),
      ),
    )
    await runCommand('client', 'remove', made['client_id'] as string)
    assert.equal((await callTool(service, body.access_token, 'jobs_list')).status, 401)
    assert.equal((await callout('client', 'remove', made['client_id'] as string)).code, 1)
    assert.match(
      (await callout('client', 'create', '--name', 'X', '--redirect', 'http://a.example/cb')).err,
      /plain http only/,
    )
    assert.match(
      (await callout('client', 'create', '--name', 'X', '--redirect', CALLBACK, '--scopes', 'read:everything')).err,
      /not a scope/,
    )
    assert.equal((await callout('client', 'create')).code, 2)
  })

  it('lists and revokes grants', async () => {
    const client = await registerPublicClient(service)
    const { access_token } = await obtainTokens(service, client, { user: company.owner.id, tenant: company.tenant })
    const grants = (await runCommand(
      'grant',
      'list',
      '--client',
      client,
      '--user',
      company.owner.email,
      '--tenant',
      company.tenant,
    )) as unknown as Result[]
    assert.deepEqual(
      grants.map((grant) => [grant['client_id'], grant['user_id'], grant['tenant_id']]),
      [[client, company.owner.id, company.tenant]],
    )
    await runCommand('grant', 'revoke', '--client', client, '--user', company.owner.email)
    assert.equal((await callTool(service, access_token)).status, 401)
    assert.equal((await callout('grant', 'revoke', '--client', client, '--user', company.owner.email)).code, 1)
  })

  it('refuses to rotate signing keys without their data key, and still lists them', async () => {
    const { code, err } = await calloutWith({}, 'signing-key', 'rotate')
    assert.deepEqual(
      [code, /encrypted with a data key that is missing here; set the DATA_KEY/.test(err)],
      [1, true],
      err,
    )
    const { out } = await calloutWith({}, 'signing-key', 'list', '--json')
    assert.deepEqual(
      (JSON.parse(out) as Result[]).map((key) => key['state']),
      ['signs'],
    )
  })

  it('rotates and lists signing keys', async () => {
    const added = await runCommand('signing-key', 'rotate')
    const keys = (await runCommand('signing-key', 'list')) as unknown as Result[]
    assert.equal(keys[0]!['kid'], added['kid'])
    assert.deepEqual(keys.map((key) => String(key['state']).split(' ')[0]).sort(), ['signs', 'signs'])
    assert.equal(keys.filter((key) => key['state'] === 'signs').length, 1)
    assert.ok(!JSON.stringify(keys).includes('"d"'))
  })
})
