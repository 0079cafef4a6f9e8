import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newEndpointClient, result, rpc, answerOf, type EndpointAnswer } from './asking.fake.ts'
import { startEndpoint, type Endpoint } from './endpoint.fake.ts'

let endpoint: Endpoint
before(async () => {
  endpoint = await startEndpoint()
})
after(() => endpoint.stop())

const { post, stateless } = newEndpointClient(() => endpoint)
const error = (code: number, message: string, id: unknown = null, data?: object): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})

describe('a message', () => {
  const said = 'x'.repeat(256 * 1024)
  const tooLong = (name: string, most: number, bytes: number): object =>
    result({
      content: [
        {
          type: 'text',
          text: `invalid_input: a call to ${name} can have at most ${most} bytes of JSON (got ${bytes}); send less at a time`,
        },
      ],
      isError: true,
    })

  it("that calls a tool is limited to that tool's size, alone and in a batch", async () => {
    const [small, large] = ['jobs_list', 'jobs_create'].map((name) =>
      rpc('tools/call', { name, arguments: { said } }),
    ) as [object, object]
    const bytes = JSON.stringify(small).length
    assert.deepEqual(await post(small), answerOf(200, tooLong('jobs_list', 256 * 1024, bytes)))
    const created = result({ content: [{ type: 'text', text: 'invalid_input: title is required' }], isError: true })
    assert.deepEqual(await post(large), answerOf(200, created))
    const batch = await post([small, large, rpc('ping')])
    assert.deepEqual(batch, answerOf(200, [tooLong('jobs_list', 256 * 1024, bytes), created, result({})]))
  })
  it('that calls no tool is limited to 256 kB', async () => {
    const ping = rpc('ping', { said })
    assert.deepEqual(
      await post(ping),
      answerOf(
        200,
        error(-32602, `Invalid params: at most 262144 bytes of JSON (got ${JSON.stringify(ping).length})`, 1),
      ),
    )
  })
  it('is limited to 50,000 JSON values', async () => {
    const refused = answerOf(400, error(-32600, 'Invalid request: JSON of more than 50000 values'))
    for (const values of [
      Array(50_001).fill(0),
      Array.from({ length: 50_001 }, () => []),
      Array.from({ length: 50_001 }, () => ({})),
    ])
      assert.deepEqual(await post(rpc('ping', { values })), refused)
    assert.deepEqual(await post(rpc('ping', { values: Array(49_900).fill(0) })), answerOf(200, result({})))
  })
})

describe('JSON-RPC errors -32700 and -32600', () => {
  it('answer invalid JSON, invalid UTF-8 and deep nesting with 400', async () => {
    assert.deepEqual(await post('{'), answerOf(400, error(-32700, 'Parse error: the body is not JSON')))
    assert.deepEqual(await post(''), answerOf(400, error(-32700, 'Parse error: the body is not JSON')))
    assert.deepEqual(
      await post(Buffer.from([0x22, 0xff, 0x22])),
      answerOf(400, error(-32700, 'Parse error: the body is not UTF-8')),
    )
    assert.deepEqual(
      await post('['.repeat(65)),
      answerOf(400, error(-32600, 'Invalid request: JSON nested deeper than 64 levels')),
    )
  })
  it('answer a body that is no JSON-RPC message, with its id when it has one', async () => {
    const refusalOf = (id: unknown = null): EndpointAnswer =>
      answerOf(400, error(-32600, 'Invalid request: the body is not a JSON-RPC 2.0 message', id))
    for (const body of [
      1,
      null,
      {},
      { jsonrpc: '2.0', id: null, method: 'ping' },
      { id: null, method: 'ping', jsonrpc: '1.0' },
    ]) {
      assert.deepEqual(await post(body), refusalOf())
    }
    for (const body of [
      { ...rpc('ping'), jsonrpc: '1.0' },
      { ...rpc('ping'), params: [] },
      { ...rpc('ping'), extra: 1 },
    ]) {
      assert.deepEqual(await post(body), refusalOf(1))
    }
    assert.deepEqual(await post(rpc('ping', {}, 1.5)), refusalOf(1.5))
    assert.deepEqual(await post('{"jsonrpc":"2.0","id":7,"method":"ping","__proto__":{}}'), refusalOf(7))
  })
  it('answer an unsupported version header with 400 and -32000', async () => {
    for (const version of ['2024-11-05', '2025-01-01', '']) {
      assert.deepEqual(
        await post(rpc('ping'), { headers: { 'MCP-Protocol-Version': version } }),
        answerOf(
          400,
          error(-32000, `Unsupported protocol version: ${version} (supported: 2025-11-25, 2025-06-18, 2025-03-26)`, 1),
        ),
      )
    }
  })
})

describe('JSON-RPC error -32601', () => {
  it('answers an unknown method with 200 in the handshake era and 404 in the stateless era', async () => {
    for (const method of [
      'resources/subscribe',
      'tasks/get',
      'subscriptions/listen',
      'logging/setLevel',
      'toString',
      '__proto__',
    ]) {
      assert.deepEqual(await post(rpc(method)), answerOf(200, error(-32601, `Method not found: ${method}`, 1)))
      assert.deepEqual(await stateless(method), answerOf(404, error(-32601, `Method not found: ${method}`, 1)))
    }
  })
  it('answers a method of the other era', async () => {
    assert.deepEqual(
      await post(rpc('server/discover')),
      answerOf(200, error(-32601, 'Method not found: server/discover', 1)),
    )
    for (const method of ['initialize', 'ping']) {
      assert.deepEqual(await stateless(method), answerOf(404, error(-32601, `Method not found: ${method}`, 1)))
    }
  })
})

describe('JSON-RPC error -32602', () => {
  const refusalOf = (why: string): EndpointAnswer => answerOf(200, error(-32602, `Invalid params: ${why}`, 1))

  it('answers an unknown tool and suggests the nearest name', async () => {
    for (const ask of [stateless, (method: string, params: object) => post(rpc(method, params))]) {
      assert.deepEqual(
        await ask('tools/call', { name: 'jobs.list' }),
        refusalOf('unknown tool "jobs.list"; did you mean jobs_list?'),
      )
      assert.deepEqual(
        await ask('tools/call', { name: 'weather' }),
        refusalOf('unknown tool "weather"; see tools/list'),
      )
    }
  })
  it('shortens a very long tool name and suggests nothing', async () => {
    assert.deepEqual(
      await post(rpc('tools/call', { name: `jobs${'.'.repeat(100_000)}` })),
      refusalOf(`unknown tool "jobs${'.'.repeat(60)}…"; see tools/list`),
    )
  })
  it('answers a call without a name, or with arguments that are no object', async () => {
    for (const params of [undefined, {}, { name: 1 }]) {
      assert.deepEqual(await post(rpc('tools/call', params)), refusalOf('name must be a string: the tool to call'))
    }
    for (const args of [null, 'x', [], 1]) {
      assert.deepEqual(
        await post(rpc('tools/call', { name: 'jobs_list', arguments: args })),
        refusalOf('arguments must be an object'),
      )
    }
  })
  it('answers an unknown cursor', async () => {
    assert.deepEqual(
      await stateless('tools/list', { cursor: 'x' }),
      refusalOf('unknown cursor; tools/list is a single page'),
    )
    assert.equal((await post(rpc('tools/list', { cursor: null }))).status, 200)
  })
  it('answers initialize without a protocol version', async () => {
    assert.deepEqual(await post(rpc('initialize', {})), refusalOf('protocolVersion must be a string'))
  })
})
