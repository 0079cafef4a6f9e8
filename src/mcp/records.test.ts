import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newEndpointClient, result, rpc, answerOf, type EndpointAnswer } from './endpoint/asking.fake.ts'
import { fakeSession, startEndpoint, type Endpoint } from './endpoint/endpoint.fake.ts'
import { fakeTools } from './endpoint/server.fake.ts'

let endpoint: Endpoint
before(async () => {
  endpoint = await startEndpoint()
})
after(() => endpoint.stop())

const { post, stateless } = newEndpointClient(() => endpoint)
const stamp = {
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'svc', version: '1.0.0' } },
}
const cacheHintsOf = (ttlMs: number): object => ({ ttlMs, cacheScope: 'private', ...stamp })
const refusalOf = (code: number, message: string, data?: object): EndpointAnswer =>
  answerOf(200, { jsonrpc: '2.0', id: 1, error: { code, message, ...(data && { data }) } })
const invalid = (why: string): EndpointAnswer => refusalOf(-32602, `Invalid params: ${why}`)

/** Sends the request in both eras and checks the one answer with the additions of each era. */
async function both(method: string, params: Record<string, unknown>, wanted: object, hints: object): Promise<void> {
  assert.deepEqual(await post(rpc(method, params)), answerOf(200, result(wanted)))
  assert.deepEqual(await stateless(method, params), answerOf(200, result({ ...wanted, ...hints })))
}

describe('resources', () => {
  it('are listed with a cache lifetime of 0', async () => {
    await both('resources/list', {}, { resources: [{ uri: 'svc://job/1', name: 'of ann' }] }, cacheHintsOf(0))
  })
  it('have templates with a cache lifetime of 5 minutes', async () => {
    await both(
      'resources/templates/list',
      {},
      { resourceTemplates: [{ uriTemplate: 'svc://job/{id}', name: 'job' }] },
      cacheHintsOf(300_000),
    )
  })
  it('are read with a cache lifetime of 0', async () => {
    await both(
      'resources/read',
      { uri: 'svc://job/1' },
      { contents: [{ uri: 'svc://job/1', text: 'of ann' }] },
      cacheHintsOf(0),
    )
  })
  it("that don't exist get the error code of the era", async () => {
    const data = { uri: 'svc://job/2' }
    assert.deepEqual(await post(rpc('resources/read', data)), refusalOf(-32002, 'Resource not found', data))
    assert.deepEqual(await stateless('resources/read', data), refusalOf(-32602, 'Resource not found', data))
  })
  it("that don't exist are reported with a shortened URI", async () => {
    const { body } = await post(rpc('resources/read', { uri: 'x'.repeat(100_000) }))
    assert.deepEqual(body, {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32002, message: 'Resource not found', data: { uri: `${'x'.repeat(64)}…` } },
    })
  })
  it('need a string URI', async () => {
    for (const params of [undefined, {}, { uri: 1 }]) {
      assert.deepEqual(await post(rpc('resources/read', params)), invalid('uri must be a string: the resource to read'))
    }
  })
})

describe('prompts', () => {
  it('are listed with a cache lifetime of 5 minutes', async () => {
    await both('prompts/list', {}, { prompts: [{ name: 'greet', description: 'Greets' }] }, cacheHintsOf(300_000))
  })
  it('are returned with or without arguments, and without cache hints', async () => {
    const messages = (text: string) => [{ role: 'user', content: { type: 'text', text } }]
    await both(
      'prompts/get',
      { name: 'greet', arguments: { who: 'Bea' } },
      { messages: messages('{"who":"Bea"}') },
      stamp,
    )
    await both('prompts/get', { name: 'greet' }, { messages: messages('{}') }, stamp)
  })
  it("that don't exist are reported with the nearest name", async () => {
    assert.deepEqual(
      await post(rpc('prompts/get', { name: 'grete' })),
      invalid('unknown prompt "grete"; did you mean greet?'),
    )
    assert.deepEqual(
      await stateless('prompts/get', { name: 'weather' }),
      invalid('unknown prompt "weather"; see prompts/list'),
    )
  })
  it('need a name, and arguments that are an object', async () => {
    for (const params of [undefined, {}, { name: 1 }]) {
      assert.deepEqual(await post(rpc('prompts/get', params)), invalid('name must be a string: the prompt to get'))
    }
    for (const args of [null, 'x', [], 1]) {
      assert.deepEqual(
        await post(rpc('prompts/get', { name: 'greet', arguments: args })),
        invalid('arguments must be an object'),
      )
    }
  })
  it('use the rights of the caller as confirmed right before', async () => {
    const steps: string[] = []
    const stale = await startEndpoint(fakeTools, {
      ...fakeSession,
      confirmAccess: async () => void steps.push('live'),
      run: async (work) => {
        steps.push('as')
        return work('bea')
      },
    })
    try {
      assert.deepEqual((await post(rpc('prompts/list'), { to: stale })).body, result({ prompts: [] }))
      assert.deepEqual(steps, ['live', 'as'])
      const got = await post(rpc('prompts/get', { name: 'greet' }), { to: stale })
      assert.deepEqual(got, refusalOf(-32602, 'insufficient_scope: greet needs read:greetings'))
      assert.deepEqual([stale.log.at(-1)?.tool, stale.log.at(-1)?.errorCode], ['greet', -32602])
    } finally {
      await stale.stop()
    }
  })
})

describe('completion/complete', () => {
  const completing = (ref: unknown, argument: unknown = { name: 'who', value: 'B' }) =>
    post(rpc('completion/complete', { ref, argument }))

  it('passes the reference, argument and context to the server, without cache hints', async () => {
    for (const [ref, of, name] of [
      [{ type: 'ref/prompt', name: 'greet' }, 'prompt', 'greet'],
      [{ type: 'ref/resource', uri: 'svc://job/{id}' }, 'template', 'svc://job/{id}'],
    ] as const) {
      for (const [context, others] of [
        [undefined, {}],
        [{ arguments: { kind: 'job', count: 3 } }, { kind: 'job' }],
        [{ arguments: 'job' }, {}],
      ] as const) {
        const value = `ann ${JSON.stringify({ of, name, argument: 'who', typed: 'B', others })}`
        await both(
          'completion/complete',
          { ref, argument: { name: 'who', value: 'B' }, context },
          { completion: { values: [value], total: 1, hasMore: false } },
          stamp,
        )
      }
    }
  })
  it('rejects a malformed reference or argument', async () => {
    for (const ref of [
      undefined,
      null,
      'x',
      {},
      { type: 'ref/prompt' },
      { type: 'ref/prompt', uri: 'x' },
      { type: 'ref/resource', name: 'x' },
      { type: 'toString', name: 'x' },
    ]) {
      assert.deepEqual(
        await completing(ref),
        invalid('ref must be {type: "ref/prompt", name} or {type: "ref/resource", uri}'),
      )
    }
    for (const argument of [null, 'x', {}, { name: 'who' }, { name: 1, value: 'x' }, { name: 'who', value: 1 }]) {
      assert.deepEqual(
        await completing({ type: 'ref/prompt', name: 'greet' }, argument),
        invalid('argument must be {name, value}, both strings'),
      )
    }
  })
})

describe('every list method', () => {
  it('is a single page and rejects cursors', async () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      for (const cursor of ['x', '', 0]) {
        assert.deepEqual(await post(rpc(method, { cursor })), invalid(`unknown cursor; ${method} is a single page`))
      }
      assert.deepEqual(await stateless(method, { cursor: 'x' }), invalid(`unknown cursor; ${method} is a single page`))
      assert.equal((await post(rpc(method, { cursor: null }))).status, 200)
    }
  })
})

describe('a refusal without tenant data', () => {
  it('is returned after one check of the credential', async () => {
    let confirmed = 0
    const counting = await startEndpoint(fakeTools, {
      ...fakeSession,
      confirmAccess: async () => void confirmed++,
      run: () => Promise.reject(new Error('not asked')),
    })
    try {
      const asked = [
        rpc('resources/list', { cursor: 'x' }),
        rpc('resources/templates/list', { cursor: 'x' }),
        rpc('prompts/list', { cursor: 'x' }),
        rpc('resources/read'),
        rpc('prompts/get'),
        rpc('prompts/get', { name: 'x' }),
        rpc('completion/complete'),
        rpc('tools/call'),
        rpc('tools/list'),
      ]
      for (const body of asked) assert.equal((await post(body, { to: counting })).status, 200)
      assert.equal(confirmed, asked.length)
      assert.deepEqual(counting.failures, [])
    } finally {
      await counting.stop()
    }
  })
})
