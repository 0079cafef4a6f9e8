import assert from 'node:assert/strict'
import { createTenant } from '../../../src/identity/companies/tenants.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { uploads } from '../../../src/worker/tasks/uploads.ts'
import { runDue } from '../../../src/worker/worker.ts'
import { ARGUMENTS, makeRecords, type Records } from '../../harness/clients/every_tool.ts'
import { attached } from '../../harness/files/files.ts'
import { makeCompany, type Company } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import { asOwner } from '../../harness/messaging/inbound.ts'
import { askConsent, pressConsent, tokensOf, visitor } from '../../harness/visiting.ts'
import type { startWatched } from '../../harness/watching.ts'
import { emailHeaders, paymentsHeader, post, smsSignature, urlencoded } from '../../harness/clients/webhook_calls.ts'

/** Part of everything that is sent. No log line, span or metric may contain it, in upper or lower case. */
export const CANARY = 'Canary7f3e'
const PASSWORD = `${CANARY} correct horse`
export const SECRETS = {
  payments: `whsec_${CANARY}_payments_0123456789`,
  sms: `${CANARY}sms0123456789abcdef`,
  email: `whsec_${Buffer.from(`${CANARY} of mail, 32 bytes`).toString('base64')}`,
}
const CALLBACK = 'http://127.0.0.1:33418/callback'

type Key = Awaited<ReturnType<Company['tenantKey']>>
type Watched = Awaited<ReturnType<typeof startWatched>>

/** Secrets that must not appear anywhere, besides the canary: keys, tokens, cookies, codes. */
export const hidden: string[] = [SECRETS.email.slice('whsec_'.length)]
/** Sends all that can be sent, to a service that is well and then to the same with broken tables. Returns the metrics. */
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
 * Returns every tool: as it should be, with what it doesn't take, with ids that are none, without the scope, twice under
 * one key.
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

/** Requests that are turned away, and those whose envelope is full of it. */
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

/** Pages and the authorization server: forms, cookies, codes and tokens, right and wrong. */
async function visit(service: Watched, email: string): Promise<void> {
  const { authUrl, baseUrl } = service.config
  const browser = visitor(service)
  await browser.get(`/sign-in?to=/${CANARY}&${CANARY}=${CANARY}`)
  await browser.signIn(email, `/${CANARY}`, `${CANARY} wrong`)
  await browser.signIn(email, '/', PASSWORD)
  const home = (await browser.get('/')).location ?? ''
  for (const path of [
    `/customers?query=${CANARY}&${CANARY}=1`,
    `/customers/new?name=${CANARY}`,
    `/jobs?query=${CANARY}`,
    `/schedule?day=${CANARY}`,
  ])
    await browser.get(home + path)
  const fields = {
    name: CANARY,
    first_name: CANARY,
    email: `new-${CANARY}@example.com`,
    role: 'office',
    level: 'read',
    scopes: 'read',
    phone: CANARY,
    [CANARY]: CANARY,
  }
  for (const path of [
    '/customers/new',
    '/tags/new',
    '/notes/new',
    '/jobs/new',
    '/settings/company',
    '/settings/places',
    '/settings/clients',
    '/settings/password',
  ])
    await browser.post(home + path, fields)
  const shown = [
    await browser.post(`${home}/settings/keys`, fields),
    await browser.post(`${home}/settings/members`, fields),
  ]
    .map(({ text }) => text)
    .join('')
  hidden.push(...[...shown.matchAll(/svc_[ut]k_\w+|(?<=invitation=)[\w-]{20,}/g)].map(([secret]) => secret))
  await browser.get(`/join?invitation=${CANARY}`)
  await browser.post('/join', { invitation: CANARY, name: CANARY, password: PASSWORD })
  await browser.send('/', { headers: { cookie: `callout_session=${CANARY}` } })
  await browser.get(`/oauth/consent?authorization_id=${CANARY}`)
  const form = async (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Record<string, string>> =>
    (await fetch(authUrl + path, { method: 'POST', headers, body: new URLSearchParams(fields) }))
      .json()
      .catch(() => ({})) as Promise<Record<string, string>>
  const registered = await fetch(`${authUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: CANARY, redirect_uris: [CALLBACK], client_uri: `https://${CANARY}.example` }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  for (const client of [CANARY, `https://${CANARY.toLowerCase()}.example/client`])
    await browser.get(
      `${authUrl}/oauth/authorize?client_id=${client}&redirect_uri=https://${CANARY}.example&state=${CANARY}`,
    )
  await browser.get(`${authUrl}/oauth/authorize/${CANARY}?resume=${CANARY}`)
  const { id, path, verifier } = await askConsent(service, browser, client_id, CALLBACK, {
    state: CANARY,
    scope: `openid ${CANARY}`,
    login_hint: CANARY,
  })
  const { location } = await pressConsent(browser, path, 'approve', { all: 'most', [CANARY]: CANARY })
  const answered = await browser.get(location ?? '/')
  const callback = new URL(answered.location ?? baseUrl)
  const tokens = (await tokensOf(service, client_id, callback, verifier)) as {
    access_token?: string
    refresh_token?: string
  }
  const { access_token = 'none-yet', refresh_token = 'none-yet' } = tokens
  hidden.push(
    ...browser.jar.values(),
    id,
    verifier,
    callback.searchParams.get('code') ?? 'none-yet',
    access_token,
    refresh_token,
  )
  await fetch(service.url, { method: 'POST', headers: toolHeaders(access_token), body: rpc('tools/list') })
  const basic = { authorization: `Basic ${Buffer.from(`${CANARY}:${CANARY}`).toString('base64')}` }
  hidden.push(basic.authorization.slice('Basic '.length))
  const renewed = await form('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token })
  hidden.push(renewed['access_token'] ?? 'none-yet', renewed['refresh_token'] ?? 'none-yet')
  await form('/oauth/token', {
    grant_type: CANARY,
    client_id: CANARY,
    client_secret: CANARY,
    code: CANARY,
    code_verifier: CANARY,
    refresh_token: CANARY,
  })
  await form('/oauth/token', { grant_type: 'authorization_code', code: CANARY }, basic)
  await form('/oauth/revoke', { token: renewed['access_token'] ?? CANARY, client_id })
  await form('/oauth/revoke', { token: CANARY, client_id })
  await browser.post('/sign-out', { to: `/${CANARY}` })
}

/** Returns every webhook: signed, with a wrong signature, and with a body that is none. */
async function sendWebhooks({ origin, database, config }: Watched, { tenant }: Company): Promise<void> {
  const number = '+16175550123'
  const address = `${CANARY}@in.example.com`.toLowerCase()
  await Promise.allSettled([
    addChannel(database, NUMBERS, tenant, number),
    addChannel(database, MAILBOXES, tenant, address),
  ])
  const json = { 'content-type': 'application/json' }
  const to = (path: string): string => `${origin}/api/webhooks/${path}`
  const event = JSON.stringify({
    id: `evt_${CANARY}`,
    type: CANARY,
    account: CANARY,
    data: { object: { id: CANARY, metadata: { [CANARY]: CANARY } } },
  })
  const mail = JSON.stringify({
    from: `${CANARY} <${CANARY}@example.com>`,
    to: address,
    messageId: `<${CANARY}-${newId()}@example.com>`,
    subject: CANARY,
    text: CANARY,
    html: `<p>${CANARY}</p>`,
    attachments: [
      attached(`${CANARY}.txt`, 'text/plain', Buffer.from(CANARY)),
      attached(`${CANARY}.exe`, CANARY, Buffer.from('MZ')),
    ],
  })
  const delivered = JSON.stringify({
    type: 'email.bounced',
    created_at: CANARY,
    data: { email_id: CANARY, bounce: { message: CANARY } },
  })
  for (const path of ['payments/platform', 'payments/connect']) {
    for (const body of [event, `{"${CANARY}`])
      await post(to(path), body, { ...json, 'payments-signature': paymentsHeader(body, SECRETS.payments) })
    await post(to(path), event, { ...json, 'payments-signature': `t=1,v1=${CANARY}` })
  }
  for (const path of ['email/inbound', 'email/email-events']) {
    for (const body of [mail, delivered, `{"${CANARY}`])
      await post(to(path), body, { ...json, ...emailHeaders(body, { secret: SECRETS.email, id: CANARY }) })
    await post(to(path), mail, {
      ...json,
      'msgsig-id': CANARY,
      'msgsig-timestamp': CANARY,
      'msgsig-signature': `v1,${CANARY}`,
    })
  }
  for (const path of ['sms/inbound-sms', 'sms/sms-status']) {
    for (const form of [
      {
        MessageSid: `${CANARY}${newId()}`,
        From: '+15125550143',
        To: number,
        Body: CANARY,
        MessageStatus: 'failed',
        ErrorMessage: CANARY,
      },
      { MessageSid: `${CANARY} ${CANARY}`, Body: CANARY },
    ]) {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-sms-signature': smsSignature(`${config.baseUrl}/api/webhooks/${path}`, form, SECRETS.sms),
      }
      await post(to(path), urlencoded(form), headers)
      await post(to(path), urlencoded(form), { ...headers, 'x-sms-signature': CANARY })
    }
  }
}

/** From here on the database quotes each row in its faults, in all the ways it has. */
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

/** Returns a storage whose fault quotes what it was given. */
async function failUploads({ database, log }: Watched): Promise<void> {
  const put = (): Promise<never> => Promise.reject(new TypeError(CANARY))
  const stopping = new AbortController().signal
  await runDue({ database, log, clock: Temporal.Now.instant, stopping }, [
    uploads({ save: put, get: async () => undefined, remove: async () => {} }),
  ])
}

/** Returns where a text holds what it must not. */
export function found(text: string): string[] {
  const folded = text.toLowerCase()
  return [CANARY.toLowerCase(), ...hidden.filter((one) => one !== 'none-yet').map((one) => one.toLowerCase())].flatMap(
    (one) => {
      const at = folded.indexOf(one)
      return at < 0 ? [] : [text.slice(Math.max(0, at - 200), at + 60)]
    },
  )
}
