import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { startService, type Service } from '../../src/start/service.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { rpc, toolHeaders } from '../harness/http.ts'
import { openWitness } from '../harness/clients/witness.ts'

let service: TestService
let second: Service
let company: Company

async function start(env: Record<string, string>): Promise<void> {
  service = await startTestService(env)
  second = await startService(service.config, service.database, pino({ level: 'silent' }), null)
  company = await makeCompany(service)
}
async function stop(): Promise<void> {
  await second.stop(0)
  await service.stop()
}

const minuteNow = (): number => Math.floor(Date.now() / 60_000)

/** Retries, with new keys, whatever crossed a window boundary. Windows are clock minutes. */
async function inOneMinute<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    const minute = minuteNow()
    const told = await act()
    if (minuteNow() === minute) return told
  }
}

const elsewhere = (): string => `http://127.0.0.1:${second.port}/api/mcp`
const makeKey = async (): Promise<string> =>
  (
    await createKey(
      service.database,
      { tenant: company.tenant },
      { user: null, name: 'test', scopes: SCOPES, expires_at: null },
    )
  ).key

type Told = { status: number; retry: number }
async function ask(
  key: string,
  url = service.url,
  body = rpc('tools/call', { name: 'tags_list', arguments: {} }),
): Promise<Told> {
  const response = await fetch(url, { method: 'POST', headers: toolHeaders(key), body })
  await response.text()
  return { status: response.status, retry: Number(response.headers.get('retry-after')) }
}
/** Sends many requests at once, to both services in turn. */
const storm = (key: string, requests: number): Promise<Told[]> =>
  Promise.all(Array.from({ length: requests }, (_, i) => ask(key, i % 2 ? elsewhere() : service.url)))
const countAdmitted = (told: Told[]): number => told.filter(({ status }) => status === 200).length

describe('the rate limit per credential', () => {
  before(() => start({ RATE_LIMIT_PER_CREDENTIAL: '24' }))
  after(stop)

  it('admits exactly its limit across two services on one database, then returns 429 with Retry-After', async () => {
    const { told, begun } = await inOneMinute(async () => {
      const key = await makeKey()
      return { begun: Date.now(), told: await storm(key, 90) }
    })
    assert.equal(countAdmitted(told), 24)
    const [most, least] = [begun, Date.now()].map((at) => 60 - (at % 60_000) / 1_000)
    for (const { status, retry } of told.filter(({ status }) => status !== 200)) {
      assert.equal(status, 429)
      assert.ok(Number.isInteger(retry) && retry >= 1 && retry <= 60)
      assert.ok(retry >= Math.floor(least!) && retry <= Math.ceil(most!), 'to the end of the minute')
    }
  })

  it("doesn't affect other credentials of the tenant", async () => {
    const told = await inOneMinute(async () => {
      const [busy, calm] = [await makeKey(), await makeKey()]
      await storm(busy, 40)
      return [await ask(busy), await ask(calm), await ask(calm, elsewhere())]
    })
    assert.deepEqual(
      told.map(({ status }) => status),
      [429, 200, 200],
    )
  })

  it('counts every authenticated request, including failed ones', async () => {
    const bodies = [
      rpc('tools/list'),
      rpc('ping'),
      rpc('no/such'),
      'not json',
      rpc('tools/call', { name: 'tags_get', arguments: {} }),
    ]
    const told = await inOneMinute(async () => {
      const key = await makeKey()
      return Promise.all(Array.from({ length: 40 }, (_, i) => ask(key, service.url, bodies[i % bodies.length])))
    })
    assert.equal(told.filter(({ status }) => status !== 429).length, 24)
  })

  it('counts each message of a batch', async () => {
    const batch = (messages: number) =>
      JSON.stringify(Array.from({ length: messages }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
    const told = await inOneMinute(async () => {
      const [key, other] = [await makeKey(), await makeKey()]
      return [
        await ask(key, service.url, batch(20)),
        await ask(key, service.url, batch(10)),
        await ask(other, service.url, batch(25)),
      ]
    })
    assert.deepEqual(
      told.map(({ status }) => status),
      [200, 429, 429],
    )
  })
})

describe('the rate limit per tenant', () => {
  before(() => start({ RATE_LIMIT_PER_CREDENTIAL: '20', RATE_LIMIT_PER_TENANT: '50' }))
  after(stop)

  it('admits exactly its limit across all credentials and services, and leaves other tenants alone', async () => {
    const counts = await inOneMinute(async () => {
      const { tenantKey } = await makeCompany(service)
      const keys = await Promise.all(Array.from({ length: 4 }, () => tenantKey()))
      return (await Promise.all(keys.map(({ key }) => storm(key, 30)))).map(countAdmitted)
    })
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      50,
    )
    assert.ok(counts.every((count) => count <= 20))
    const other = await makeCompany(service)
    assert.equal((await ask(other.owner.key)).status, 200)
  })
})

describe('a rate limit of 0', () => {
  before(() => start({}))
  after(stop)

  it('is off and stores no windows', async () => {
    assert.equal(countAdmitted(await storm(await makeKey(), 200)), 200)
    const witness = await openWitness(service)
    assert.equal(await witness.value('select count(*)::int from rate_windows'), 0)
    await witness.close()
  })
})
