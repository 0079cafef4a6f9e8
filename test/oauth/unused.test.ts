import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { listClientsPage, registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { sql, type Sql } from '../../src/platform/db/database.ts'
import {
  obtainTokens,
  authorizeUrl,
  Browser,
  CALLBACK,
  challengeOf,
  ISSUER,
  startAuthorizing,
  startAuthorization,
  verifierOf,
  type AuthorizingService,
} from '../harness/identity/authorization.ts'
import { makeCompany } from '../harness/harness.ts'

let service: AuthorizingService
before(async () => {
  service = await startAuthorizing({ TRUSTED_PROXIES: '127.0.0.1' })
})
after(() => service.stop())
beforeEach(() => send(sql`delete from oauth_records`, sql`delete from oauth_grants`, sql`delete from oauth_clients`))

const send = async (...statements: Sql[]) => (await service.database.send(statements, { patient: true })).at(-1)!.rows
const HERE = '203.0.113.0/24'

/** Makes self-registered clients, `old-1` being the oldest. */
const fill = (count: number, network: Sql = sql`${HERE}`) =>
  send(sql`
  insert into oauth_clients (id, kind, name, redirect_uris, network, created_at)
  select 'old-' || n, 'registered', 'Old', ${[CALLBACK]}, ${network}, moment() - interval '20 days' + n * interval '1 second' from generate_series(1, ${count}::int) n`)

async function register(from = '203.0.113.77') {
  const response = await service.fetch(`${ISSUER}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ redirect_uris: [CALLBACK] }),
  })
  return {
    status: response.status,
    retry: response.headers.get('retry-after'),
    body: (await response.json()) as Record<string, unknown>,
  }
}

const countUnused = async (): Promise<number> =>
  Number(
    (
      await send(sql`select count(*)::int as n from oauth_clients where kind = 'registered' and consented_at is null`)
    )[0]!['n'],
  )
const findRemoved = async (...ids: string[]): Promise<string[]> => {
  const left = new Set((await send(sql`select id from oauth_clients where id = any(${ids})`)).map(({ id }) => id))
  return ids.filter((id) => !left.has(id))
}

describe('unused client registrations', () => {
  it("are limited to 200 per network by removing that network's oldest", async () => {
    await fill(200)
    await send(sql`update oauth_clients set network = '198.51.100.0/24' where id in ('old-1', 'old-2')`)
    assert.equal((await register()).status, 201)
    assert.equal((await register('203.0.113.1')).status, 201)
    assert.equal(await countUnused(), 202)
    assert.equal((await register()).status, 201)
    assert.deepEqual([await countUnused(), await findRemoved('old-1', 'old-2', 'old-3', 'old-4')], [202, ['old-3']])
    assert.equal((await register('2001:db8:7::1')).status, 201)
    assert.equal(await countUnused(), 203)
  })

  it('are limited to 10,000 in total', async () => {
    await fill(10_000, sql`'10.' || n / 256 || '.' || n % 256 || '.0/24'`)
    for (const from of ['203.0.113.1', '198.51.100.1', '2001:db8:7::1'])
      assert.equal((await register(from)).status, 201)
    assert.deepEqual(
      [await countUnused(), await findRemoved('old-1', 'old-2', 'old-3', 'old-4')],
      [10_000, ['old-1', 'old-2', 'old-3']],
    )
  })

  it('are removed by age, except those approved or with an authorization in progress', async () => {
    const { owner, tenant } = await makeCompany(service)
    await fill(200)
    await obtainTokens(service, 'old-1', { user: owner.id, tenant })
    const browser = new Browser(service.fetch)
    await startAuthorization(browser, authorizeUrl('old-2', challengeOf(verifierOf())))
    assert.equal((await register()).status, 201)
    assert.equal((await register()).status, 201)
    assert.deepEqual([await countUnused(), await findRemoved('old-1', 'old-2', 'old-3', 'old-4')], [200, ['old-3']])
    await send(sql`update oauth_records set expires_at = moment() - interval '1 second' where kind = 'Interaction'`)
    await register()
    assert.deepEqual(await findRemoved('old-1', 'old-2', 'old-4'), ['old-2'])
  })

  it('are rejected with 503 while every client of that network has an authorization in progress', async () => {
    await fill(200)
    await send(sql`insert into oauth_records (hash, kind, payload, expires_at)
      select sha256(id::bytea), 'Interaction', jsonb_build_object('params', jsonb_build_object('client_id', id)), moment() + interval '1 hour' from oauth_clients`)
    const { status, retry, body } = await register()
    assert.deepEqual([status, body['error'], retry], [503, 'temporarily_unavailable', '3600'])
    assert.match(String(body['error_description']), /too many clients are waiting for their first consent/)
    assert.equal((await register('198.51.100.1')).status, 201)
    assert.equal(await countUnused(), 201)
  })

  it('stay within the limit under concurrent registrations', async () => {
    await fill(195)
    const answers = await Promise.all(Array.from({ length: 20 }, () => register()))
    assert.deepEqual([new Set(answers.map(({ status }) => status)), await countUnused()], [new Set([201]), 200])
    assert.equal((await findRemoved(...answers.map(({ body }) => String(body['client_id'])))).length, 0)
  })

  it('beyond the limit are removed in batches', async () => {
    await fill(21_000, sql`'198.51.' || n % 200 || '.0/24'`)
    const { status } = await register()
    assert.deepEqual([status, await countUnused()], [201, 21_000 - 500 + 1])
    assert.equal((await register('198.51.100.7')).status, 201)
    assert.ok((await countUnused()) <= 21_000 - 999 + 1)
    await send(sql`delete from oauth_clients where id like 'old-%'`)
    await fill(1_500)
    assert.equal((await register()).status, 201, 'of one network too')
    assert.equal(await countUnused(), 1_000 + 3)
  })

  it('without a network count toward the total', async () => {
    await fill(3)
    const most = { total: 3, perNetwork: 1 }
    const { id } = await registerClient(service.database, { name: 'X', redirect_uris: [CALLBACK], about: {} }, most)
    assert.deepEqual([await countUnused(), await findRemoved('old-1', 'old-2', id)], [3, ['old-1']])
  })
})

describe('callout client list', () => {
  const program = fileURLToPath(new URL('../../bin/callout', import.meta.url))
  const callout = (...typed: string[]): Promise<{ code: number; out: string; err: string }> =>
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
        [program, 'client', 'list', ...typed],
        { env: { PATH: process.env['PATH'], DATABASE_URL: url } },
        (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
      )
    })
  const ids = ({ out }: { out: string }): string[] =>
    (JSON.parse(out) as { client_id: string }[]).map(({ client_id }) => client_id)

  it('shows 100 clients and the number of the rest, and continues with --after', async () => {
    await fill(230)
    await send(
      sql`insert into oauth_clients (id, kind, name, redirect_uris, secret_hash, created_at) values ('made', 'confidential', 'Made', ${[CALLBACK]}, sha256('x'), moment() - interval '99 days')`,
    )
    const { out } = await callout()
    const lines = out.trimEnd().split('\n')
    assert.deepEqual([lines.length, lines[1]!.slice(0, 4), lines[2]!.slice(0, 7)], [102, 'made', 'old-230'])
    assert.equal(lines.at(-1), '131 more; continue with --after old-132')
    const [second, third] = [
      await callout('--after', 'old-132', '--json'),
      await callout('--after', 'old-32', '--limit', '31'),
    ]
    assert.deepEqual([ids(second).length, ids(second)[0], ids(second).at(-1)], [100, 'old-131', 'old-32'])
    assert.match(third.out, /old-1 [^\n]*\n$/)
    assert.equal((await callout('--limit', '0')).code, 1)
    assert.match((await callout('--limit', 'all')).err, /limit must be a whole number/)
    assert.match((await callout('--after', 'nobody')).err, /client/)
  })

  it('returns any page of 100,000 clients with the right rows and rest', async () => {
    await fill(100_000, sql`null`)
    const first = await listClientsPage(service.database, { limit: 100 })
    assert.deepEqual([first.clients.length, first.clients[0]!.id, first.more], [100, 'old-100000', 99_900])
    const deep = await listClientsPage(service.database, { limit: 100, after: 'old-1000' })
    assert.deepEqual([deep.clients.length, deep.clients[0]!.id, deep.more], [100, 'old-999', 899])
  })
})
