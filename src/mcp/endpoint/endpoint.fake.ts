import { createServer } from 'node:http'
import { handle } from './endpoint.ts'
import { fakeTools } from './server.fake.ts'
import type { McpSession, Summary } from '../protocol/types.ts'

export const fakeSession: McpSession<string> = {
  run: async (work) => work('ann'),
  confirmAccess: async () => {},
  countMessages: async () => {},
}

export type Endpoint = { url: string; log: Summary[]; failures: unknown[]; stop(): Promise<void> }

/** Starts a real HTTP server with only the endpoint. Answers a rejection with 401, as authentication would. */
export async function startEndpoint(tools = fakeTools, session = fakeSession): Promise<Endpoint> {
  const log: Summary[] = []
  const failures: unknown[] = []
  const server = createServer((req, res) => {
    handle(tools, session, req, res).then(
      (line) => log.push(line),
      (error: unknown) => {
        failures.push(error)
        if (!res.headersSent) res.writeHead(401).end()
      },
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address === 'string' || address === null) throw new Error('the server did not start')
  return {
    url: `http://127.0.0.1:${address.port}/api/mcp`,
    log,
    failures,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
