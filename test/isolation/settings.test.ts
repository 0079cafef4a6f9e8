import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { createClient, removeClient } from '../../src/identity/credentials/clients/clients.ts'
import { listGrants, narrowGrant, revokeGrant } from '../../src/identity/credentials/clients/grants.ts'
import { MAILBOXES, NUMBERS, addChannel, removeChannel } from '../../src/messaging/inbox/directory.ts'
import type { ReviewScope } from '../../src/identity/people/review_scope.ts'
import { listParkedEvents } from '../../src/payments/events/parked_events.ts'
import { listQuarantined } from '../../src/messaging/inbox/quarantine/quarantine.ts'
import { startService, type Service } from '../../src/start/service.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { TestService } from '../harness/harness.ts'
import { withoutFilter } from '../harness/two_companies.ts'
import { PASSWORD, createCompany, freePort, startSite, newBrowser, type Browser } from '../harness/web_client.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

const MAILBOX = 'zebra@in.example.com'
const NUMBER = '+16175550187'

let service: TestService
let bare: Service
let witness: Witness
let ours: string
let theirs: { id: string; client: string; user: string }
let browser: Browser
before(async () => {
  service = await startSite({}, { parts: 1 })
  witness = await openWitness(service)
  const port = await freePort()
  const config = { ...service.config, port, baseUrl: `http://localhost:${port}` }
  bare = await startService(config, withoutFilter(service.database, new Map()), pino({ level: 'silent' }), null)
  const [acme, zebra] = [await createCompany(service, 'Acme Air'), await createCompany(service, 'Zebra Heating')]
  ours = acme.id
  const client = await createClient(service.database, {
    name: 'Zebra stock',
    redirect_uris: ['https://zebra.example/cb'],
    allow_list: null,
    tenant: zebra.id,
  })
  theirs = { id: zebra.id, client: client.id, user: zebra.owner.user_id }
  await addChannel(service.database, MAILBOXES, zebra.id, MAILBOX)
  await addChannel(service.database, NUMBERS, zebra.id, NUMBER)
  await witness.rows(
    `insert into oauth_grants (client_id, user_id, tenant_id, scopes) values ($1, $2, $3, '{read:jobs,write:jobs}')`,
    client.id,
    theirs.user,
    zebra.id,
  )
  await witness.rows(
    `insert into quarantined_messages (id, channel, provider_message_id, content_hash, reason, tenant_id, sender, recipients, excerpt, raw)
    values ($1, 'sms', 'zebra', '', 'other_content', $2, 'zebra', '{}', 'zebra', '')`,
    newId(),
    zebra.id,
  )
  await witness.rows(
    `insert into payment_events (id, digest, mode_matches, event_id, endpoint, state, reason, tenant_id, raw)
    values ($1, '', true, 'zebra', 'connect', 'review', 'void_invoice', $2, '{}')`,
    newId(),
    zebra.id,
  )
  browser = newBrowser({ ...service, config })
  await browser.signIn(acme.owner.email, '/', PASSWORD)
})
after(async () => {
  await bare.stop(0)
  await witness.close()
  await service.stop()
})

const at = (...steps: string[]): string => `/${[ours, 'settings', ...steps].join('/')}`
const app = (): string => `${at('app')}?${new URLSearchParams({ client: theirs.client, user: theirs.user }).toString()}`
async function standing(): Promise<unknown[]> {
  const rows: unknown[] = []
  for (const table of [
    'oauth_clients',
    'oauth_grants',
    'mailboxes',
    'managed_numbers',
    'quarantined_messages',
    'payment_events',
  ]) {
    rows.push(...(await witness.rows(`select * from ${table} where tenant_id = $1`, theirs.id)))
  }
  return rows
}

describe('settings without tenant filters in their statements and pages', () => {
  it('show nothing of another company', async () => {
    for (const step of ['apps', 'clients', 'places']) {
      const { status, text } = await browser.get(at(step))
      assert.equal(status, 200, step)
      assert.doesNotMatch(text, /zebra|617\) 555-0187/i, step)
    }
    assert.equal((await browser.get(app())).status, 404)
  })

  it('change and remove nothing of another company', async () => {
    const before = await standing()
    for (const [path, fields] of [
      [app(), { act: 'withdraw' }],
      [app(), { jobs: 'view' }],
      [at('clients', theirs.client), {}],
      [at('places'), { kind: 'mailboxes', place: MAILBOX, act: 'remove' }],
      [at('places'), { kind: 'numbers', place: NUMBER, act: 'remove' }],
    ] as const)
      assert.ok((await browser.post(path, fields)).status >= 400, path)
    assert.deepEqual(await standing(), before)
  })

  it("reject operations on another company's records with not_found", async () => {
    const [before, { database }] = [await standing(), service]
    const notFound = { code: 'not_found' }
    await assert.rejects(revokeGrant(database, theirs.client, theirs.user, null, ours), notFound)
    await assert.rejects(
      narrowGrant(database, theirs.client, theirs.user, { remaining: new Set(['read:jobs']) }, null, ours),
      notFound,
    )
    await assert.rejects(removeClient(database, theirs.client, null, ours), notFound)
    await assert.rejects(removeChannel(database, MAILBOXES, MAILBOX, null, ours), notFound)
    await assert.rejects(removeChannel(database, NUMBERS, NUMBER, null, ours), notFound)
    assert.deepEqual(await standing(), before)
  })

  it('list no quarantined messages or payment events of another company for review', async () => {
    const [database, desk] = [withoutFilter(service.database, new Map()), { by: null, tenant: ours }]
    const waiting = async (scope: ReviewScope) => [
      (await listQuarantined(database, scope)).rows.length,
      (await listParkedEvents(database, scope)).rows.length,
    ]
    assert.deepEqual(
      [await waiting(desk), await waiting({ by: null, tenant: null })],
      [
        [0, 0],
        [1, 1],
      ],
    )
  })
})

describe('the tenant filters', () => {
  it('were removed: outside a tenant, the same statements return everything', async () => {
    assert.equal((await listGrants(service.database)).length, 1)
    assert.equal((await standing()).length, 6)
  })
})
