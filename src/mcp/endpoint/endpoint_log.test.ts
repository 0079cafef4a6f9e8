import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { newEndpointClient, result, rpc, defaultHeaders, type EndpointAnswer } from './asking.fake.ts'
import { fakeSession, startEndpoint, type Endpoint } from './endpoint.fake.ts'
import { fakeTools } from './server.fake.ts'

let endpoint: Endpoint
before(async () => {
  endpoint = await startEndpoint()
})
after(() => endpoint.stop())

const { post, stateless } = newEndpointClient(() => endpoint)

describe('the endpoint session', () => {
  it('answers 401 when access is refused, before any other output', async () => {
    const lost = new Error('access is gone')
    const closed = await startEndpoint(fakeTools, {
      ...fakeSession,
      run: () => Promise.reject(lost),
      confirmAccess: () => Promise.reject(lost),
    })
    try {
      for (const body of [rpc('tools/list'), rpc('tools/call', { name: 'jobs_list' }), [rpc('ping')]]) {
        assert.equal((await post(body, { to: closed })).status, 401)
      }
      assert.deepEqual(closed.failures, [lost, lost, lost])
    } finally {
      await closed.stop()
    }
  })
  it('counts the second and later messages of a batch', async () => {
    let spent = 0
    const counted = await startEndpoint(fakeTools, {
      ...fakeSession,
      countMessages: async (messages) => void (spent += messages),
    })
    try {
      await post([rpc('ping'), rpc('ping'), rpc('ping')], { to: counted })
      assert.equal(spent, 2)
    } finally {
      await counted.stop()
    }
  })
  it('may run its work twice and answers with the last result', async () => {
    const twice = await startEndpoint(fakeTools, {
      ...fakeSession,
      run: async (fn) => {
        await fn('stale')
        return fn('ann')
      },
    })
    try {
      const { body } = await post(rpc('tools/call', { name: 'jobs_list' }), { to: twice })
      assert.deepEqual(
        body,
        result({ content: [{ type: 'text', text: '{"caller":"ann","args":{},"client":null}' }], isError: false }),
      )
    } finally {
      await twice.stop()
    }
  })
})

describe('the log line of a request', () => {
  const assertLogged = async (ask: Promise<EndpointAnswer>, line: object): Promise<void> => {
    const { body } = await ask
    assert.deepEqual(endpoint.log.at(-1), {
      tool: null,
      client: null,
      bytes: Buffer.byteLength(JSON.stringify(body)),
      ...line,
    })
  }

  it('has the method, tool, era, client, status and error code', async () => {
    const line = { method: 'tools/call', era: 'stateless', client: 'test-client', status: 200 }
    await assertLogged(stateless('tools/call', { name: 'jobs_create' }), {
      ...line,
      tool: 'jobs_create',
      errorCode: 'invalid_input',
    })
    await assertLogged(stateless('tools/list'), { ...line, method: 'tools/list', errorCode: null })
  })
  it('has the client name from initialize, cut to 64 characters', async () => {
    await assertLogged(
      post(rpc('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'x'.repeat(100), version: '1' } })),
      { method: 'initialize', era: 'handshake', client: `${'x'.repeat(64)}…`, status: 200, errorCode: null },
    )
  })
  it('has the status and code of a refusal', async () => {
    await assertLogged(post('{'), { method: null, era: null, status: 400, errorCode: -32700 })
    await assertLogged(post({ ...rpc('ping'), extra: 1 }), {
      method: 'ping',
      era: null,
      status: 400,
      errorCode: -32600,
    })
    await assertLogged(post(rpc('tools/call', { name: 'weather' })), {
      method: 'tools/call',
      tool: 'weather',
      era: 'handshake',
      status: 200,
      errorCode: -32602,
    })
  })
  it('has the first error code of a batch', async () => {
    await assertLogged(post([rpc('ping'), rpc('tools/call', { name: 'jobs_create' }), rpc('no/such')]), {
      method: 'batch',
      era: 'handshake',
      status: 200,
      errorCode: 'invalid_input',
    })
  })
  it('has status 499 when the client disconnects while sending its body', async () => {
    const before = endpoint.log.length
    const sent = request(endpoint.url, { method: 'POST', headers: { ...defaultHeaders, 'Content-Length': '100' } })
    sent.on('error', () => {})
    sent.write('{', () => sent.destroy())
    while (endpoint.log.length === before)
      await new Promise((resolve) => {
        setTimeout(resolve, 10)
      })
    assert.deepEqual(endpoint.log.at(-1), {
      method: null,
      tool: null,
      era: null,
      client: null,
      status: 499,
      errorCode: null,
      bytes: 0,
    })
  })
  it('has status 499 when the client disconnects before the answer', async () => {
    let leave = (): void => {}
    const slow = await startEndpoint(fakeTools, {
      ...fakeSession,
      confirmAccess: async () => {
        leave()
        await new Promise((resolve) => {
          setTimeout(resolve, 50)
        })
      },
    })
    try {
      const stop = new AbortController()
      leave = () => stop.abort()
      await assert.rejects(
        fetch(slow.url, {
          method: 'POST',
          headers: defaultHeaders,
          body: JSON.stringify(rpc('ping')),
          signal: stop.signal,
        }),
      )
      while (slow.log.length === 0)
        await new Promise((resolve) => {
          setTimeout(resolve, 10)
        })
      assert.deepEqual(slow.log, [
        { method: 'ping', tool: null, era: 'handshake', client: null, status: 499, errorCode: null, bytes: 0 },
      ])
    } finally {
      await slow.stop()
    }
  })
})
