import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startEndpoint, type Endpoint } from './endpoint.fake.ts'
import { FAKE_INSTRUCTIONS } from './server.fake.ts'

let endpoint: Endpoint
before(async () => {
  endpoint = await startEndpoint()
})
after(() => endpoint.stop())

const self = { name: 'test-client', version: '1.0.0' }

const drainLog = (): string[] => endpoint.log.splice(0).map((line) => `${line.status} ${line.era} ${line.method}`)

type AnyClient = {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>
}

/** Checks what every client gets, with any SDK and era. */
async function use(client: AnyClient, seenAs: string | null): Promise<void> {
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['jobs_list', 'jobs_create'],
  )
  const listed = await client.callTool({ name: 'jobs_list', arguments: { page: 3 } })
  assert.deepEqual(listed.content, [
    { type: 'text', text: JSON.stringify({ caller: 'ann', args: { page: 3 }, client: seenAs }) },
  ])
  const refused = await client.callTool({ name: 'jobs_create', arguments: {} })
  assert.equal(refused.isError, true)
  await assert.rejects(client.callTool({ name: 'jobs.list', arguments: {} }), {
    code: -32602,
    message: /did you mean jobs_list\?/,
  })
}

describe('MCP client SDK 2.x', () => {
  it('negotiates the stateless era in auto mode', async () => {
    drainLog()
    const client = new Client(self, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)))
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
    assert.deepEqual(client.getServerVersion(), { name: 'svc', version: '1.0.0' })
    assert.equal(client.getInstructions(), FAKE_INSTRUCTIONS)
    await use(client, 'test-client')
    await client.close()
    const calls = Array<string>(3).fill('200 stateless tools/call')
    assert.deepEqual(drainLog(), ['200 stateless server/discover', '200 stateless tools/list', ...calls])
  })
  it('opens a handshake in legacy mode', async () => {
    const client = new Client(self, { versionNegotiation: { mode: 'legacy' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)))
    assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25')
    assert.equal(client.getInstructions(), FAKE_INSTRUCTIONS)
    await use(client, null)
    await client.ping()
    await client.close()
    assert.deepEqual(
      drainLog()
        .filter((line) => !line.startsWith('200 '))
        .toSorted(),
      ['202 handshake notifications/initialized', '405 null null'],
    )
  })
})

describe('MCP client SDK 1.x', () => {
  it('opens a handshake', async () => {
    const client = new FirstClient(self)
    await client.connect(new FirstTransport(new URL(endpoint.url)))
    assert.deepEqual(client.getServerCapabilities(), { tools: {}, resources: {}, prompts: {}, completions: {} })
    assert.equal(client.getInstructions(), FAKE_INSTRUCTIONS)
    await use(client, null)
    await client.ping()
    await client.close()
  })
})
