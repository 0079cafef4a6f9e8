import assert from 'node:assert/strict'
import { createTenant } from '../../../src/identity/companies/tenants.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { uploadTask } from '../../../src/worker/tasks/uploads.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { ARGUMENTS, makeRecords, type Records } from '../../harness/clients/every_tool.ts'
import { makeCompany, type Company } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import { asOwner } from '../../harness/messaging/inbound.ts'
import { CANARY, PASSWORD, hidden, type Watched } from './canary.ts'
import { visit } from './canary_pages.ts'
import { sendWebhooks } from './canary_webhooks.ts'

type Key = Awaited<ReturnType<Company['tenantKey']>>

/** Sends all kinds of requests to a healthy service, then to one with broken tables. Returns the metrics. */
export async function sendEverything(service: Watched): Promise<string> {
  const company = await makeCompany(service)
  hidden.push(company.owner.key)
  const [whole, broken, email] = [
    await makeRecords(company, CANARY),
    await makeRecords(company, `${CANARY}too`),
    await makePerson(service),
  ]
  const poor = await company.tenantKey(['read:tax_rates'])
  await callEverything(company, poor, whole)
  await knockAtTheDoor(service, company)
  await visit(service, email)
  await sendWebhooks(service, company)
  await breakTables(service)
  await callEverything(company, poor, broken)
  await assert.rejects(visit(service, email))
  await sendWebhooks(service, company)
  await failUploads(service)
  return service.metrics()
}

/**
 * Calls every tool: with valid and invalid arguments, unknown ids, without the scope, and twice with one idempotency
 * key.
 */
async function callEverything({ owner }: Company, poor: Key, records: Records): Promise<void> {
  hidden.push(poor.key)
  for (const [name, argumentsOf] of Object.entries(ARGUMENTS)) {
    for (const given of argumentsOf(records)) {
      for (const wrong of [
        { ...given, [CANARY]: CANARY },
        { ...given, id: CANARY },
        { ...given, id: newId(), query: CANARY, name: CANARY },
      ])
        await owner.send(name, wrong)
      await poor.send(name, { ...given, query: CANARY })
    }
  }
  for (const name of ['tags_create', 'catalog_categories_create', 'tax_rates_create']) {
    for (let i = 0; i < 2; i++)
      await owner.send(name, { name: `${CANARY} tag`, rate_percentage: i, idempotency_key: CANARY })
  }
  for (const [name, argumentsOf] of Object.entries(ARGUMENTS))
    for (const given of argumentsOf(records)) await owner.send(name, given)
}

/** Sends requests that are rejected, and requests with the canary throughout their envelope. */
async function knockAtTheDoor(service: Watched, { owner }: Company): Promise<void> {
  const send = async (body: string, headers: Record<string, string> = {}, query = ''): Promise<unknown> =>
    (
      await fetch(service.url + query, { method: 'POST', headers: { ...toolHeaders(owner.key), ...headers }, body })
    ).text()
  const trace = { traceparent: CANARY, tracestate: `${CANARY.toLowerCase()}=1`, baggage: `${CANARY}=1` }
  const stateless = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { experimental: { [CANARY]: {} } },
    'io.modelcontextprotocol/clientInfo': { name: 'desk-agent', version: CANARY, title: CANARY },
  }
  const full = rpc('tools/call', {
    name: 'tags_list',
    arguments: { query: CANARY },
    _meta: { ...trace, progressToken: CANARY, [CANARY]: CANARY },
  })
  for (const authorization of [
    `Bearer svc_uk_${CANARY}`,
    `Bearer ${CANARY}.${CANARY}.${CANARY}`,
    `Basic ${CANARY}`,
    CANARY,
  ])
    await send(full, { authorization })
  for (const name of [
    'x-tenant-id',
    'origin',
    'cookie',
    'user-agent',
    'x-forwarded-for',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'x-mcp-toolsets',
    'content-type',
    'accept',
    ...Object.keys(trace),
  ]) {
    await send(full, { [name]: CANARY })
    await send(
      rpc('initialize', {
        protocolVersion: CANARY,
        clientInfo: { name: 'desk-agent', version: CANARY },
        capabilities: { [CANARY]: {} },
      }),
      { [name]: CANARY },
    )
  }
  await send(full, {}, `?toolsets=${CANARY}`)
  await send(full, {}, `?${CANARY}=${CANARY}`)
  await send(full.replace('"id":1', `"id":"${CANARY}"`))
  await send(full.replace('"arguments":{', `"arguments":"${CANARY}","x":{`))
  await send(`{"${CANARY}":`)
  await send(`[${full},${full}]`)
  await send(
    rpc('tools/call', { name: 'tags_list', arguments: { query: CANARY }, _meta: { ...stateless, ...trace } }),
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'tags_list' },
  )
  for (const [method, params] of [
    ['resources/read', { uri: `svc://${CANARY}` }],
    ['prompts/get', { name: 'draft-invoice', arguments: { [CANARY]: CANARY } }],
    ['tools/list', { cursor: CANARY }],
    ['completion/complete', { ref: { type: 'ref/resource', uri: CANARY }, argument: { name: CANARY, value: CANARY } }],
    ['ping', { [CANARY]: CANARY }],
  ] as const)
    await send(rpc(method, params))
}

async function makePerson({ database }: Watched): Promise<string> {
  const email = `${CANARY}@example.com`
  await createTenant(database, {
    name: CANARY,
    timezone: 'America/New_York',
    currency: 'USD',
    country: 'US',
    owner: { email, name: CANARY, password: { chosen: PASSWORD } },
  })
  return email
}

/** Makes the database quote each row in its errors, in every form it has. */
async function breakTables(service: Watched): Promise<void> {
  await asOwner(
    service,
    `
    create function quote_row() returns trigger language plpgsql as $$ begin raise exception 'row %', new using detail = new::text, hint = new::text; end $$;
    create function cast_row() returns trigger language plpgsql as $$ begin perform new::text::int; return new; end $$`,
  )
  const quoting = ['customers', 'notes', 'payment_events', 'communications', 'oauth_clients', 'sessions', 'audit']
  const casting = ['contacts', 'jobs', 'invoices', 'quarantined_messages', 'sent_messages']
  const checked = ['tags', 'tax_rates', 'catalog_items', 'locations']
  for (const table of quoting)
    await asOwner(
      service,
      `create trigger broken before insert or update on ${table} for each row execute function quote_row()`,
    )
  for (const table of casting)
    await asOwner(
      service,
      `create trigger broken before insert or update on ${table} for each row execute function cast_row()`,
    )
  for (const table of checked)
    await asOwner(service, `alter table ${table} add constraint broken check (false) not valid`)
  await asOwner(service, 'alter table plans rename to plans_gone')
}

/** Runs uploads with a storage whose error contains the canary. */
async function failUploads({ database, log }: Watched): Promise<void> {
  const put = (): Promise<never> => Promise.reject(new TypeError(CANARY))
  const stopping = new AbortController().signal
  await runDue({ database, log, clock: Temporal.Now.instant, stopping }, [
    uploadTask({ save: put, get: async () => undefined, remove: async () => {} }),
  ])
}
