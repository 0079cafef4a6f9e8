import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { newEndpointClient, meta, result, rpc, answerOf, defaultHeaders, type EndpointAnswer } from './asking.fake.ts'
import { startEndpoint, type Endpoint } from './endpoint.fake.ts'
import { FAKE_INSTRUCTIONS, fakeTools } from './server.fake.ts'
import { maxBatch } from '../protocol/eras.ts'
import { MAX_BODY_BYTES } from '../protocol/transport.ts'

let endpoint: Endpoint
before(async () => {
  endpoint = await startEndpoint()
})
after(() => endpoint.stop())

const { post, stateless } = newEndpointClient(() => endpoint)
const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'svc', version: '1.0.0' } }
const tools = JSON.parse(fakeTools.toolsJson) as unknown
const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }

const error = (code: number, message: string, id: unknown = null, data?: object): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})

describe('the handshake era', () => {
  const handshakeResult = (protocolVersion: string): object =>
    result({
      protocolVersion,
      capabilities,
      serverInfo: { name: 'svc', version: '1.0.0' },
      instructions: FAKE_INSTRUCTIONS,
    })
  const open = (protocolVersion: string): object =>
    rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test-client', version: '1' } })

  it('initializes with the requested revision', async () => {
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      assert.deepEqual(await post(open(version)), answerOf(200, handshakeResult(version)))
    }
  })
  it('initializes with 2025-11-25 when the requested revision is unknown or has no handshake', async () => {
    for (const version of ['2024-11-05', '2030-01-01', '2026-07-28']) {
      assert.deepEqual(await post(open(version)), answerOf(200, handshakeResult('2025-11-25')))
    }
  })
  it('returns no session id', async () => {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: defaultHeaders,
      body: JSON.stringify(open('2025-11-25')),
    })
    assert.equal(response.headers.get('mcp-session-id'), null)
  })
  it('lists and calls tools without a handshake, with and without a version header', async () => {
    for (const headers of [{}, { 'MCP-Protocol-Version': '2025-03-26' }, { 'MCP-Protocol-Version': '2025-11-25' }]) {
      assert.deepEqual(await post(rpc('tools/list', {}), { headers }), answerOf(200, result({ tools })))
      assert.deepEqual(
        await post(rpc('tools/call', { name: 'jobs_list', arguments: { page: 2 } }), { headers }),
        answerOf(
          200,
          result({
            content: [{ type: 'text', text: '{"caller":"ann","args":{"page":2},"client":null}' }],
            isError: false,
          }),
        ),
      )
    }
  })
  it('lists tools without params, and calls one without arguments', async () => {
    assert.deepEqual(await post(rpc('tools/list')), answerOf(200, result({ tools })))
    assert.deepEqual(
      await post(rpc('tools/call', { name: 'jobs_list' }, 'x')),
      answerOf(
        200,
        result({ content: [{ type: 'text', text: '{"caller":"ann","args":{},"client":null}' }], isError: false }, 'x'),
      ),
    )
  })
  it("returns a tool's refusal as its result with isError", async () => {
    assert.deepEqual(
      await post(rpc('tools/call', { name: 'jobs_create', arguments: {} })),
      answerOf(200, result({ content: [{ type: 'text', text: 'invalid_input: title is required' }], isError: true })),
    )
  })
  it('answers ping with an empty result', async () =>
    assert.deepEqual(await post(rpc('ping', undefined, 0)), answerOf(200, result({}, 0))))
  it('answers notifications and responses with 202 and no body', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      assert.deepEqual(await post(body), answerOf(202, null))
    }
  })
})

describe('the stateless era', () => {
  const stamp = { resultType: 'complete', _meta: serverInfo }

  it('answers server/discover', async () => {
    const discovered = { supportedVersions: ['2026-07-28'], capabilities, instructions: FAKE_INSTRUCTIONS }
    assert.deepEqual(
      await stateless('server/discover'),
      answerOf(200, result({ ...discovered, ttlMs: 300_000, cacheScope: 'private', ...stamp })),
    )
  })
  it('answers tools/list', async () => {
    assert.deepEqual(
      await stateless('tools/list'),
      answerOf(200, result({ tools, ttlMs: 300_000, cacheScope: 'private', ...stamp })),
    )
  })
  it('answers tools/call and passes the client name to the tool', async () => {
    const text = '{"caller":"ann","args":{"page":1},"client":"test-client"}'
    assert.deepEqual(
      await stateless('tools/call', { name: 'jobs_list', arguments: { page: 1 } }),
      answerOf(200, result({ content: [{ type: 'text', text }], isError: false, ...stamp })),
    )
  })
  it('answers notifications with 202 and no body', async () => {
    const headers = { 'MCP-Protocol-Version': '2026-07-28' }
    assert.deepEqual(
      await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, { headers }),
      answerOf(202, null),
    )
  })
  it('accepts a Base64 name and whitespace around header values', async () => {
    const name = `=?base64?${Buffer.from('jobs_list').toString('base64')}?=`
    assert.equal((await stateless('tools/call', { name: 'jobs_list' }, { 'Mcp-Name': name })).status, 200)
    assert.equal(
      (
        await stateless(
          'tools/call',
          { name: 'jobs_list' },
          { 'Mcp-Name': ' \t jobs_list \t', 'Mcp-Method': ' tools/call ' },
        )
      ).status,
      200,
    )
  })
})

describe('batches', () => {
  it('are answered in order, without an entry for notifications', async () => {
    const body = [
      rpc('ping', {}, 'a'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      rpc('tools/list', {}, 2),
      rpc('no/such', {}, 3),
    ]
    const answers = [result({}, 'a'), result({ tools }, 2), error(-32601, 'Method not found: no/such', 3)]
    assert.deepEqual(await post(body), answerOf(200, answers))
    assert.deepEqual(await post(body, { headers: { 'MCP-Protocol-Version': '2025-03-26' } }), answerOf(200, answers))
  })
  it('without a request are answered with 202', async () => {
    assert.deepEqual(await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }]), answerOf(202, null))
  })
  it('may have at most 50 messages', async () => {
    assert.equal((await post(Array.from({ length: maxBatch }, () => rpc('ping')))).status, 200)
    assert.deepEqual(
      await post(Array.from({ length: maxBatch + 1 }, () => rpc('ping'))),
      answerOf(400, error(-32600, 'Invalid request: a batch can have at most 50 messages (got 51)')),
    )
  })
  it('are rejected when empty, malformed, with initialize, or in a revision without batches', async () => {
    const refusalOf = (why: string): EndpointAnswer => answerOf(400, error(-32600, `Invalid request: ${why}`))
    assert.deepEqual(await post([]), refusalOf('the batch is empty'))
    assert.deepEqual(
      await post([rpc('ping'), 1]),
      refusalOf('the batch contains something that is not a JSON-RPC 2.0 message'),
    )
    assert.deepEqual(
      await post([rpc('ping'), rpc('tools/list', { _meta: meta })]),
      refusalOf('2026-07-28 does not support batches'),
    )
    assert.deepEqual(
      await post([rpc('initialize', { protocolVersion: '2025-03-26' })]),
      refusalOf('initialize cannot be part of a batch'),
    )
    for (const version of ['2025-06-18', '2025-11-25', '2026-07-28']) {
      assert.deepEqual(
        await post([rpc('ping')], { headers: { 'MCP-Protocol-Version': version } }),
        refusalOf('only 2025-03-26 supports batches'),
      )
    }
  })
})

describe('an HTTP request with the wrong method or headers', () => {
  const refusalOf = (status: number, message: string): EndpointAnswer => answerOf(status, error(-32000, message))

  it('is answered with 405 and Allow: POST for any other method', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const response = await fetch(endpoint.url, { method, headers: defaultHeaders })
      assert.equal(response.headers.get('allow'), 'POST')
      assert.deepEqual(
        answerOf(response.status, await response.json()),
        refusalOf(405, 'Method not allowed: send POST'),
      )
    }
  })
  it('is answered with 406 when Accept lacks one of the two types', async () => {
    for (const Accept of [
      'application/json',
      'text/event-stream',
      '*/*',
      'application/*, text/*',
      'application/jsonp, text/event-stream',
      '',
    ]) {
      assert.deepEqual(
        await post(rpc('ping'), { headers: { Accept } }),
        refusalOf(406, 'Not acceptable: Accept must name application/json and text/event-stream'),
      )
    }
  })
  it('is accepted with both types in any order, case and quality', async () => {
    assert.equal(
      (await post(rpc('ping'), { headers: { Accept: 'text/event-stream;q=0.5,Application/JSON, */*' } })).status,
      200,
    )
  })
  it('is answered with 415 when Content-Type is not JSON', async () => {
    for (const type of [
      'text/plain',
      'application/json-seq',
      'application/x-www-form-urlencoded',
      'text/plain; a=application/json',
      '',
    ]) {
      assert.deepEqual(
        await post(rpc('ping'), { headers: { 'Content-Type': type } }),
        refusalOf(415, 'Unsupported media type: Content-Type must be application/json'),
      )
    }
  })
  it('is accepted with parameters on the JSON type', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;']) {
      assert.equal((await post(rpc('ping'), { headers: { 'Content-Type': type } })).status, 200)
    }
  })
})

describe('a body over the size limit', () => {
  const refused = answerOf(413, error(-32000, `Payload too large: a body can have at most ${MAX_BODY_BYTES} bytes`))
  const ofSize = (size: number): string => JSON.stringify(rpc('ping')).padEnd(size)

  it('is answered with 413 from its Content-Length before the body arrives', async () => {
    const sent = request(endpoint.url, {
      method: 'POST',
      headers: { ...defaultHeaders, 'Content-Length': `${MAX_BODY_BYTES + 1}` },
    })
    sent.on('error', () => {}).flushHeaders()
    const status = await new Promise((resolve) => {
      sent.on('response', (response) => resolve(response.statusCode))
    })
    sent.destroy()
    assert.equal(status, 413)
    assert.deepEqual(await post(ofSize(MAX_BODY_BYTES + 1)), refused)
  })
  it('is answered with 413 when a chunked body grows too long', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i <= 4; i++) controller.enqueue(Buffer.from(ofSize(1024 * 1024)))
        controller.close()
      },
    })
    const response = await fetch(endpoint.url, { method: 'POST', headers: defaultHeaders, body, duplex: 'half' })
    assert.deepEqual(answerOf(response.status, await response.json()), refused)
  })
  it('is not refused for a batch of 4 MiB with messages under 256 kB', async () => {
    const pings = Array.from({ length: 20 }, () => rpc('ping', { said: 'x'.repeat(200_000) }))
    assert.deepEqual(
      await post(JSON.stringify(pings).padEnd(MAX_BODY_BYTES)),
      answerOf(
        200,
        pings.map(() => result({})),
      ),
    )
  })
  it('closes the connection of a sender that keeps sending', async () => {
    const sent = request(endpoint.url, { method: 'POST', headers: defaultHeaders })
    const statuses: unknown[] = []
    sent.on('response', (response) => statuses.push(response.statusCode)).on('error', () => {})
    const part = ofSize(1024 * 1024)
    const more = setInterval(() => sent.write(part), 1)
    await new Promise((resolve) => {
      sent.on('close', resolve)
    })
    clearInterval(more)
    assert.deepEqual(statuses, [413])
  })
})
