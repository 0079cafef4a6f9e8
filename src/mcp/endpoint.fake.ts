import { createServer } from 'node:http'
import { handle } from './endpoint.ts'
import type { Session, Summary, ToolServer } from './types.ts'

/** For the tests: two tools that answer with what they were given. */
export const fakeTools: ToolServer<string> = {
  name: 'svc',
  version: '1.0.0',
  instructions: 'Resolve names to ids first.',
  toolsJson: JSON.stringify([
    { name: 'jobs_list', description: 'Lists jobs: näher', inputSchema: { type: 'object', properties: {} } },
    { name: 'jobs_create', description: 'Creates a job', inputSchema: { type: 'object', properties: {} } },
  ]),
  hasTool: (name) => name === 'jobs_list' || name === 'jobs_create',
  nearestTool: (name) => (name.startsWith('jobs') ? 'jobs_list' : undefined),
  toolsets: ['jobs'],
  only: () => fakeTools,
  callTool: async (caller, name, args, meta) => name === 'jobs_list'
    ? { text: JSON.stringify({ caller, args, client: meta.client }), isError: false }
    : { text: 'invalid_input: title is required', isError: true },
}

export const fakeSession: Session<string> = { as: async (work) => work('ann'), live: async () => {}, spend: async () => {} }

export type Endpoint = { url: string; log: Summary[]; failures: unknown[]; stop(): Promise<void> }

/** A real HTTP server with nothing in front of the endpoint; a rejection of it is answered with 401, as the door would. */
export async function startEndpoint(tools = fakeTools, session = fakeSession): Promise<Endpoint> {
  const log: Summary[] = []
  const failures: unknown[] = []
  const server = createServer((req, res) => {
    handle(tools, session, req, res).then((line) => log.push(line), (error: unknown) => {
      failures.push(error)
      res.writeHead(401).end()
    })
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const address = server.address()
  if (typeof address === 'string' || address === null) throw new Error('the server did not start')
  return {
    url: `http://127.0.0.1:${address.port}/api/mcp`,
    log,
    failures,
    stop: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}
