import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { connectClient } from './mcp_client.ts'

/** Starts a server that answers every second request with this refusal and counts the requests. */
async function startBusy(status: number, headers: Record<string, string>) {
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    if (++requests % 2 === 0) response.writeHead(status, headers).end('{}')
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { instructions: 'Be brief.', tools: [] } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, count: () => requests, stop: () => server.close() }
}

describe('the MCP client of the exams', () => {
  for (const status of [429, 503])
    it(`retries after ${status} with Retry-After`, async () => {
      const server = await startBusy(status, { 'retry-after': '0' })
      const { instructions } = await connectClient(server.url, 'key')
      assert.deepEqual([instructions, server.count()], ['Be brief.', 3])
      server.stop()
    })

  it('fails without a retry when Retry-After is missing or too long', async () => {
    for (const headers of [{}, { 'retry-after': '3600' }]) {
      const server = await startBusy(503, headers)
      await assert.rejects(connectClient(server.url, 'key'), /HTTP 503/)
      server.stop()
    }
  })
})
