import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newEndpointClient, meta, result, rpc, answerOf, defaultHeaders } from '../endpoint/asking.fake.ts'
import { fakeSession, startEndpoint, type Endpoint } from '../endpoint/endpoint.fake.ts'
import { fakeTools } from '../endpoint/server.fake.ts'
import type { CallMeta, Reply, ToolServer } from '../protocol/types.ts'

/** Asks for a name, waits, and repeats the place in a header. */
const asksBack: ToolServer<string> = {
  ...fakeTools,
  headersOf: (name) =>
    name === 'jobs_list'
      ? new Map([
          ['place', 'Place'],
          ['page', 'Page'],
          ['open', 'Open'],
        ])
      : undefined,
  async callTool(caller, name, args, meta) {
    if (name === 'jobs_list') return fakeTools.callTool(caller, name, args, meta)
    meta.progress?.(1, 2, 'halfway')
    meta.progress?.(2, 2)
    return greeting(meta)
  },
  prompts: { ...fakeTools.prompts, get: async (_, __, ___, meta) => greeting(meta) },
  resources: { ...fakeTools.resources, read: async (_, __, meta) => greeting(meta) },
}

const inputRequests = {
  who: { method: 'elicitation/create', params: { message: 'Who?' } },
  where: { method: 'roots/list', params: {} },
}
const greeting = ({ params }: CallMeta): Reply =>
  params.inputResponses === undefined
    ? { inputRequests, requestState: 'asked' }
    : { result: { text: JSON.stringify([params.inputResponses, params.requestState]) } }

let endpoint: Endpoint
before(async () => {
  endpoint = await startEndpoint(asksBack)
})
after(() => endpoint.stop())

const { post, stateless } = newEndpointClient(() => endpoint)
const identity = { 'io.modelcontextprotocol/serverInfo': { name: 'svc', version: '1.0.0' } }
const can = (...capabilities: string[]): object => ({
  'io.modelcontextprotocol/clientCapabilities': Object.fromEntries(capabilities.map((name) => [name, {}])),
})
const error = (status: number, code: number, message: string, data?: object) =>
  answerOf(status, { jsonrpc: '2.0', id: 1, error: { code, message, ...(data && { data }) } })

const ASKED: [string, Record<string, unknown>][] = [
  ['tools/call', { name: 'jobs_create' }],
  ['prompts/get', { name: 'greet' }],
  ['resources/read', { uri: 'svc://job/1' }],
]

describe('a request that needs input from the client', () => {
  it('returns input_required, and completes with the responses and the state', async () => {
    for (const [method, params] of ASKED) {
      assert.deepEqual(
        await stateless(method, params, {}, can('elicitation', 'roots')),
        answerOf(200, result({ resultType: 'input_required', inputRequests, requestState: 'asked', _meta: identity })),
      )
      const { body } = await stateless(method, {
        ...params,
        inputResponses: { who: { action: 'accept' } },
        requestState: 'asked',
      })
      assert.equal((body as { result: { text: string } }).result.text, '[{"who":{"action":"accept"}},"asked"]')
    }
  })
  it('fails with -32021 and the capabilities that the client must declare', async () => {
    for (const [declared, missing] of [
      [[], ['elicitation', 'roots']],
      [['roots', 'sampling'], ['elicitation']],
    ] as const) {
      const requiredCapabilities = Object.fromEntries(missing.map((name) => [name, {}]))
      assert.deepEqual(
        await stateless('tools/call', { name: 'jobs_create' }, {}, can(...declared)),
        error(400, -32021, `This call requires a client that declares ${missing.join(', ')}`, { requiredCapabilities }),
      )
    }
  })
  it('fails with -32603 in the handshake era', async () => {
    for (const [method, params] of ASKED) {
      assert.deepEqual(
        await post(rpc(method, params)),
        error(200, -32603, 'This call needs input from the client first, which requires revision 2026-07-28'),
      )
    }
  })
})

describe('progress notifications', () => {
  const readStream = async (body: object, headers: Record<string, string> = {}, to = endpoint) => {
    const response = await fetch(to.url, {
      method: 'POST',
      headers: { ...defaultHeaders, ...headers },
      body: JSON.stringify(body),
    })
    const events = (await response.text()).split('\n\n').filter((event) => event !== '')
    const messages = events.map(
      (event) => JSON.parse(event.replace(/^event: message\ndata: /, '')) as { id?: unknown; result?: unknown },
    )
    return { response, messages }
  }
  const progressOf = (progressToken: string | number, progress: number, message?: string) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken, progress, total: 2, ...(message && { message }) },
  })

  it('are streamed as events before the response', async () => {
    for (const [token, body, headers] of [
      ['a', rpc('tools/call', { name: 'jobs_create', inputResponses: {}, _meta: { progressToken: 'a' } }), {}],
      [
        7,
        rpc('tools/call', { name: 'jobs_create', inputResponses: {}, _meta: { ...meta, progressToken: 7 } }),
        { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'jobs_create' },
      ],
    ] as const) {
      const { response, messages } = await readStream(body, headers)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'text/event-stream')
      assert.deepEqual(messages.slice(0, 2), [progressOf(token, 1, 'halfway'), progressOf(token, 2)])
      assert.equal(messages.length, 3)
      assert.equal(messages[2]!.id, 1)
      assert.ok(messages[2]!.result)
      assert.deepEqual([endpoint.log.at(-1)?.status, endpoint.log.at(-1)?.tool], [200, 'jobs_create'])
    }
  })
  it('are not sent without a progress token or without progress, and the answer is JSON', async () => {
    assert.equal((await post(rpc('tools/call', { name: 'jobs_create', inputResponses: {} }))).type, 'application/json')
    assert.equal(
      (await post(rpc('tools/call', { name: 'jobs_list', _meta: { progressToken: 'a' } }))).type,
      'application/json',
    )
  })
  it('end without a response when access is lost meanwhile', async () => {
    const lost = new Error('access is gone')
    const closing = await startEndpoint(asksBack, {
      ...fakeSession,
      run: async (work) => {
        await work('ann')
        throw lost
      },
    })
    try {
      const { response, messages } = await readStream(
        rpc('tools/call', { name: 'jobs_create', inputResponses: {}, _meta: { progressToken: 'a' } }),
        {},
        closing,
      )
      assert.equal(response.status, 200)
      assert.deepEqual(messages, [progressOf('a', 1, 'halfway'), progressOf('a', 2)])
    } finally {
      await closing.stop()
    }
  })
})

describe('an argument mirrored in a header', () => {
  const call = (args: object, headers: Record<string, string>) =>
    stateless('tools/call', { name: 'jobs_list', arguments: args }, headers)
  const mismatch = (header: string, body: string) =>
    error(400, -32020, `Header mismatch: the header is ${header}, but ${body}`, { mismatch: { header, body } })

  it('requires the header, with an equal value', async () => {
    assert.equal(
      (
        await call(
          { place: 'Näs', page: 2, open: true },
          {
            'Mcp-Param-Place': `=?base64?${Buffer.from('Näs').toString('base64')}?=`,
            'mcp-param-page': '2.0',
            'Mcp-Param-Open': 'true',
          },
        )
      ).status,
      200,
    )
    assert.deepEqual(await call({ place: 'Austin' }, {}), mismatch('(missing)', 'Mcp-Param-Place is required'))
    assert.deepEqual(
      await call({ place: 'Austin' }, { 'Mcp-Param-Place': 'Boston' }),
      mismatch('Boston', 'params.arguments.place is Austin'),
    )
    assert.deepEqual(await call({ page: 2 }, { 'Mcp-Param-Page': '3' }), mismatch('3', 'params.arguments.page is 2'))
    assert.deepEqual(
      await call({ place: 'Austin' }, { 'Mcp-Param-Place': '=?base64?QXVz!?=' }),
      mismatch('=?base64?QXVz!?=', 'Mcp-Param-Place is not Base64 of UTF-8'),
    )
  })
  it('requires no header when it is absent, for other tools and in the handshake era', async () => {
    assert.equal((await call({ place: null }, { 'Mcp-Param-Place': 'Austin' })).status, 200)
    assert.equal(
      (await stateless('tools/call', { name: 'jobs_create', arguments: { place: 'Austin' }, inputResponses: {} }))
        .status,
      200,
    )
    assert.equal((await post(rpc('tools/call', { name: 'jobs_list', arguments: { place: 'Austin' } }))).status, 200)
  })
})
