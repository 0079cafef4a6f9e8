import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { authorizeClient } from '../../bench/access_token.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { sql } from '../../src/platform/db/database.ts'
import { providerOf, rawRequest } from '../harness/clients/webhook_calls.ts'
import { makeAttachment } from '../harness/files/files.ts'
import { openEventStream } from '../harness/event_stream.ts'
import { callerOf } from '../harness/harness.ts'
import { rpc, toolHeaders } from '../harness/http.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { messagesOf } from '../harness/messaging/inbound.ts'
import { describeWithNginx, ORIGIN, type ForwardedRequest } from '../harness/processes/nginx.ts'
import { PASSWORD, newBrowser } from '../harness/web_client.ts'
import { openSite } from './site.ts'

const MB = 2 ** 20
const FORM = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

describeWithNginx('two services behind nginx', () => {
  let site: Awaited<ReturnType<typeof openSite>>
  let office: Office
  before(async () => {
    site = await openSite({ RATE_LIMIT_PER_CREDENTIAL: '60' })
    office = await openOffice(site.service, 'Alder Plumbing')
  })
  after(() => site.close())

  const makeKey = async (): Promise<string> =>
    (
      await createKey(
        site.service.database,
        { tenant: office.id },
        { user: office.owner.user_id, name: 'App', scopes: SCOPES, expires_at: null },
      )
    ).key

  /** Returns the requests that nginx forwards during some work, and the services that answered them. */
  async function passedDuring(
    work: () => Promise<unknown>,
  ): Promise<{ lines: ForwardedRequest[]; services: Set<string> }> {
    const before = await site.listRequests()
    await work()
    const lines = (await site.listRequests()).slice(before.length + 1)
    return { lines, services: new Set(lines.flatMap(({ by }) => by)) }
  }

  it('share a session whose cookie is Secure, and redirect http to https', async () => {
    const browser = newBrowser(site.service)
    const seen = await browser.signIn(office.owner.email)
    assert.deepEqual([seen.status, seen.location], [303, '/'])
    for (const cookie of seen.headers.getSetCookie()) assert.match(cookie, /^__Host-.*; Secure$/)
    assert.match(seen.headers.get('strict-transport-security') ?? '', /^max-age=\d{7,}/)
    const { services } = await passedDuring(async () => {
      for (let i = 0; i < 4; i++) assert.equal((await browser.get(office.at())).status, 200)
    })
    assert.equal(services.size, 2)
    const plain = await rawRequest(`http://127.0.0.1:${site.nginx.plain}/sign-in?to=x`, {}, (_, end) => end(), 'GET')
    assert.deepEqual([plain.status, plain.headers.get('location')], [301, `${ORIGIN}/sign-in?to=x`])
  })

  it('share OAuth authorizations and tokens, with a state of 5,000 characters', async () => {
    const { client, tokens } = await authorizeClient(site.service, office.owner.email, { state: 's'.repeat(5_000) })
    const response = await fetch(`${ORIGIN}/auth/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: client,
        refresh_token: tokens.refresh_token,
        resource: site.service.url,
      }),
    })
    const { access_token } = (await response.json()) as { access_token: string }
    for (const token of [tokens.access_token, access_token]) {
      const { call } = callerOf(site.service.url, token)
      const { services } = await passedDuring(async () => {
        for (let i = 0; i < 4; i++) await call('tags_list')
      })
      assert.equal(services.size, 2)
    }
  })

  it('send an elicitation from one service and accept the answer on the other', async () => {
    for (const address_line1 of ['1 Pier Rd', '2 Elm St'])
      await office.customer('Twin', { last_name: 'Smith', locations: [{ address_line1 }] })
    const key = await makeKey()
    const client = new Client(
      { name: 'forms', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'legacy' } },
    )
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const { id } = (params as unknown as { requestedSchema: { properties: { id: { enum: string[] } } } })
        .requestedSchema.properties
      return { action: 'accept', content: { id: id.enum[1]! } }
    })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(site.service.url), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    )
    // The client asks for a stream of its own once it is connected, without waiting for the refusal.
    const isStream = ({ method, path }: ForwardedRequest): boolean => method === 'GET' && path === '/api/mcp'
    while (!(await site.listRequests()).some(isStream)) await sleep(10)
    const { lines, services } = await passedDuring(async () => {
      const { isError, content } = await client.callTool({
        name: 'jobs_create',
        arguments: { customer_id: 'Twin Smith', title: 'Boiler' },
      })
      assert.notEqual(isError, true, JSON.stringify(content))
    })
    assert.deepEqual([lines.length, services.size], [2, 2])
    await client.close()
  })

  it('stream events through nginx without buffering', async () => {
    const cookie = [...office.browser.jar].map((pair) => pair.join('=')).join('; ')
    site.provider.play({ text: 'A first word', hangs: true })
    const asked = await fetch(ORIGIN + office.at('assistant'), {
      method: 'POST',
      body: new URLSearchParams({ text: 'Hello', page: '' }),
      headers: { ...FORM, accept: 'text/event-stream', cookie },
    })
    const reader = asked.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let text = ''; !text.includes('A first');) text += (await reader.read()).value ?? assert.fail(text)
    await reader.cancel()

    const stream = await openEventStream(ORIGIN, office.browser, office.at('schedule/events?day=2027-05-12'))
    assert.deepEqual([stream.status, stream.type], [200, 'text/event-stream; charset=utf-8'])
    await stream.until(/retry: 5000\n\n/)
    const { id: customer_id } = await office.customer('Ana')
    const job = await office.call('jobs_create', { customer_id, title: 'Boiler', scheduled_start: '2027-05-12T09:00' })
    await stream.until(new RegExp(`event: change\\ndata: .*${String(job['id'])}`))
    await stream.close()
  })

  it('accept and return 60 MB of uploads, and answer 413 with their own page beyond the limit', async () => {
    const { id: customer_id } = await office.customer('Bo')
    const { id } = await office.call('jobs_create', { customer_id, title: 'Photos' })
    const files = [10, 10, 10, 10, 10, 9.9].map((size, i) => `${i}\n`.repeat((size * MB) / 2))
    const form = (texts: readonly string[]): FormData => {
      const body = new FormData()
      for (const [i, text] of texts.entries())
        body.append('files', new Blob([text], { type: 'text/plain' }), `${i}.txt`)
      return body
    }
    const send = (texts: readonly string[]) =>
      office.browser.send(office.at('jobs', String(id), 'media'), {
        method: 'POST',
        body: form(texts) as never,
        headers: FORM,
      })
    assert.equal((await send(files)).status, 303)
    const { media } = (await office.call('jobs_get', { id })) as { media: { id: string; file_name: string }[] }
    assert.equal(media.length, 6)
    const { services } = await passedDuring(async () => {
      for (const one of media) {
        const { text } = await office.browser.get(office.at('jobs', String(id), 'media', one.id))
        assert.ok(text === files[Number.parseInt(one.file_name, 10)], one.file_name)
      }
    })
    assert.equal(services.size, 2)
    const refused = await send([...files, 'x'.repeat(MB)])
    assert.equal(refused.status, 413)
    assert.match(refused.text, /<main/)
    assert.doesNotMatch(refused.text, /nginx/)
  })

  it('verify signed webhooks: payment events, texts under the public address and a 25 MB email', async () => {
    await connectPaymentAccount(site.service.database, null, office.id, 'acct_site')
    await addChannel(site.service.database, NUMBERS, office.id, '+16175550100')
    await addChannel(site.service.database, MAILBOXES, office.id, 'jobs@in.example.com')
    const provider = providerOf(site.service)
    const { services } = await passedDuring(async () => {
      for (const outcome of ['"ingested":1', '"deduped":true']) {
        const body = `{ "id": "evt_1",\n "type":"charge.succeeded","account":"acct_site","data":{"object":{"id":"ch_é"}} }`
        const { status, text } = await provider.payments('connect', body)
        assert.deepEqual([status, text], [200, `{"received":true,${outcome}}`])
      }
    })
    assert.equal(services.size, 2)
    const form = { MessageSid: 'SM1', From: '+16175550101', To: '+16175550100', Body: 'Is “5 pm” all right?' }
    assert.equal((await provider.sms('/api/webhooks/sms/inbound-sms', form)).status, 200)
    const attachments = Array.from({ length: 5 }, (_, i) =>
      makeAttachment(`${i}.txt`, 'text/plain', Buffer.alloc(5 * MB, 'x')),
    )
    const mail = { from: 'ana@example.com', to: 'jobs@in.example.com', messageId: 'm1', text: 'See below', attachments }
    const { status, text } = await provider.email('/api/webhooks/email/inbound', mail)
    assert.equal(status, 200, text)
    const messages = await messagesOf(site.service.database, office.id)
    assert.deepEqual(messages.map(({ body }) => body).sort(), ['Is “5 pm” all right?', 'See below'])
  })

  it('record the client address that nginx saw and ignore a forwarded header from outside', async () => {
    const body = new URLSearchParams({ email: office.owner.email, password: PASSWORD, to: '/' }).toString()
    const sent = request({
      host: '127.0.0.1',
      port: site.nginx.port,
      localAddress: '127.7.7.7',
      path: '/sign-in',
      method: 'POST',
      rejectUnauthorized: false,
      headers: {
        ...FORM,
        host: new URL(ORIGIN).host,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': body.length,
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-host': 'evil.example',
      },
    }).end(body)
    const [res] = (await once(sent, 'response')) as [IncomingMessage]
    res.resume()
    assert.equal(res.statusCode, 303)
    const [rows] = await site.service.database.send([
      sql<{ network: string }>`select network from sessions order by created_at desc limit 1`,
    ])
    assert.deepEqual(rows.rows, [{ network: '127.7.7.0/24' }])
  })

  it('share the rate limit of a credential', async () => {
    const ping = async (key: string): Promise<number> => {
      const response = await fetch(site.service.url, { method: 'POST', headers: toolHeaders(key), body: rpc('ping') })
      await response.text()
      return response.status
    }
    const minute = (): number => Math.floor(Date.now() / 60_000)
    // The limit applies to a clock minute.
    for (let begun = -1; begun !== minute();) {
      begun = minute()
      const key = await makeKey()
      const statuses = await Promise.all(Array.from({ length: 100 }, () => ping(key)))
      const admitted = statuses.filter((status) => status === 200).length
      if (begun === minute()) assert.ok(admitted <= 60 && admitted >= 30, String(admitted))
    }
  })
})
