import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { createClient } from '../../src/identity/credentials/clients/clients.ts'
import { sql } from '../../src/platform/db/database.ts'
import {
  approveRequest,
  requestTokens,
  obtainTokens,
  authorizeUrl,
  Browser,
  callTool,
  CALLBACK,
  challengeOf,
  obtainCode,
  ISSUER,
  registerPublicClient,
  RESOURCE,
  startAuthorizing,
  startAuthorization,
  verifierOf,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { makeCompany } from '../harness/harness.ts'

let service: AuthorizingService
let client: string
let owner: Deciding
let admin: Client
before(async () => {
  service = await startAuthorizing()
  const company = await makeCompany(service)
  client = await registerPublicClient(service)
  owner = { user: company.owner.id, tenant: company.tenant }
  admin = new Client(service.owner)
  await admin.connect()
  await admin.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'injected'; end $$`,
  )
})
after(async () => {
  await admin.end()
  await service.stop()
})

/** Makes a write fail while the work runs. */
async function failing<T>(trigger: string, work: () => Promise<T>): Promise<T> {
  await admin.query(trigger)
  try {
    return await work()
  } finally {
    await admin.query('drop trigger injected on oauth_records')
  }
}

const AT_ONCE = `create trigger injected before insert on oauth_records for each row when (new.kind = 'RefreshToken') execute function fail()`
const AT_COMMIT = `create constraint trigger injected after insert on oauth_records deferrable initially deferred for each row when (new.kind = 'RefreshToken') execute function fail()`
const AT_CODE = `create trigger injected before insert on oauth_records for each row when (new.kind = 'AuthorizationCode') execute function fail()`

describe('a database failure', () => {
  for (const [when, trigger] of [
    ['with the last statement', AT_ONCE],
    ['at the commit', AT_COMMIT],
  ] as const) {
    it(`during a redemption, ${when}, doesn't spend the code`, async () => {
      const { given } = await obtainCode(service, client, owner)
      for (let i = 0; i < 2; i++) {
        const { status, body, headers } = await failing(trigger, () =>
          requestTokens<Record<string, unknown>>(service, given),
        )
        assert.ok(status >= 500, String(status))
        assert.ok(!('access_token' in body))
        assert.ok(Number(headers.get('retry-after')) > 0)
      }
      const { status, body } = await requestTokens(service, given)
      assert.equal(status, 200)
      assert.equal((await callTool(service, body.access_token)).status, 200)
    })

    it(`during a refresh, ${when}, doesn't spend the token`, async () => {
      const { refresh_token } = await obtainTokens(service, client, owner)
      const refresh = () =>
        requestTokens(service, { grant_type: 'refresh_token', refresh_token, client_id: client, resource: RESOURCE })
      assert.ok((await failing(trigger, refresh)).status >= 500)
      await service.database.send([
        sql`update oauth_records set consumed_at = consumed_at - interval '1 minute' where consumed_at is not null`,
      ])
      assert.equal((await refresh()).status, 200)
    })
  }

  it('during the redirect back lets the browser try again', async () => {
    const browser = new Browser(service.fetch)
    const interaction = await service.port.load(
      await startAuthorization(browser, authorizeUrl(client, challengeOf(verifierOf()))),
      browser.valueOf(service.port.browserCookieName),
    )
    const resume = await service.port.approve(interaction!, { ...owner, areas: { Notes: 'view' } })
    const failed = await failing(AT_CODE, () => browser.get(resume))
    assert.deepEqual([failed.status, failed.headers.get('location'), failed.headers.getSetCookie()], [500, null, []])
    assert.equal((await browser.get(resume)).status, 303)
  })

  it('never leaves a refresh token of a failed redemption', async () => {
    const count = async () =>
      (await service.database.send([sql`select count(*) as n from oauth_records where kind = 'RefreshToken'`]))[0]!
        .rows[0]!['n']
    const before = await count()
    const { given } = await obtainCode(service, client, owner)
    await failing(AT_COMMIT, () => requestTokens(service, given))
    assert.equal(await count(), before)
  })
})

describe('OAuth secrets', () => {
  it('are in no table and no log line', async () => {
    const own = await createClient(service.database, {
      name: 'Back office',
      redirect_uris: [CALLBACK],
      allow_list: null,
    })
    const verifier = verifierOf()
    const browser = new Browser(service.fetch)
    const callback = await approveRequest(
      service.port,
      browser,
      authorizeUrl(own.id, challengeOf(verifier), { scope: 'openid email', state: 'the-secret-state' }),
      owner,
    )
    const code = callback.searchParams.get('code')!
    const authorization = `Basic ${Buffer.from(`${own.id}:${own.secret}`).toString('base64')}`
    const { body } = await requestTokens(
      service,
      { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier, resource: RESOURCE },
      { authorization },
    )
    const spent = await obtainCode(service, client, owner)
    const rotated = await requestTokens(service, spent.given)
    const again = await requestTokens(service, {
      grant_type: 'refresh_token',
      refresh_token: rotated.body.refresh_token,
      client_id: client,
    })
    await callTool(service, body.access_token)
    await callTool(service, 'eyJhbGciOiJFUzI1NiJ9.e30.not-a-token')
    await requestTokens(service, {
      grant_type: 'refresh_token',
      refresh_token: 'an-unknown-refresh-token',
      client_id: client,
    })
    await service.fetch(`${ISSUER}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: again.body.refresh_token, client_id: client }),
    })
    const pending = new Browser(service.fetch)
    const interaction = await service.port.load(
      await startAuthorization(pending, authorizeUrl(client, challengeOf(verifierOf()))),
      pending.valueOf(service.port.browserCookieName),
    )
    const resume = new URL(
      await service.port.approve(interaction!, { ...owner, areas: { Notes: 'view' } }),
    ).searchParams.get('resume')!
    const waiting = new URL((await obtainCode(service, client, owner)).callback.href).searchParams.get('code')!

    const secrets = [
      code,
      verifier,
      own.secret,
      body.access_token,
      body.refresh_token,
      body.id_token!,
      spent.given.code,
      rotated.body.refresh_token,
      again.body.refresh_token,
      again.body.access_token,
      browser.valueOf(service.port.browserCookieName)!,
      pending.valueOf(service.port.browserCookieName)!,
      resume,
      waiting,
      interaction!.id,
      'an-unknown-refresh-token',
      'not-a-token',
    ]
    const everything = `${await dump()}\n${service.lines.join('')}`
    assert.ok(everything.includes(own.id) && everything.includes('Back office'), 'the scan sees what there is')
    for (const secret of secrets) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret, 'base64url').toString('hex'),
      ]) {
        assert.ok(form.length > 8 && !everything.includes(form), `${secret.slice(0, 6)}… is written somewhere`)
      }
    }
  })

  async function dump(): Promise<string> {
    const { rows } = await admin.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    let text = ''
    for (const { name } of rows) {
      const all = await admin.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
      text += all.rows.map(({ row }) => `${row}\n`).join('')
    }
    return text
  }
})
