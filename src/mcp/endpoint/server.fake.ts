import type { ToolServer } from '../protocol/types.ts'

const uri = 'svc://job/1'

/** Instructions of the fake server for every caller. */
export const FAKE_INSTRUCTIONS = 'Resolve names to ids first.'

/** Test server that answers with its input: two tools, a resource and a prompt. */
export const fakeTools: ToolServer<string> = {
  name: 'svc',
  version: '1.0.0',
  instructions: async () => FAKE_INSTRUCTIONS,
  toolsJson: JSON.stringify([
    { name: 'jobs_list', description: 'Lists jobs: näher', inputSchema: { type: 'object', properties: {} } },
    { name: 'jobs_create', description: 'Creates a job', inputSchema: { type: 'object', properties: {} } },
  ]),
  hasTool: (name) => name === 'jobs_list' || name === 'jobs_create',
  bytesOf: (name) => (name === 'jobs_list' ? 256 * 1024 : 512 * 1024),
  nearestTool: (name) => (name.startsWith('jobs') ? 'jobs_list' : undefined),
  toolsets: ['jobs'],
  narrow: () => fakeTools,
  callTool: async (caller, name, args, meta) =>
    name === 'jobs_list'
      ? {
          result: {
            content: [{ type: 'text', text: JSON.stringify({ caller, args, client: meta.client }) }],
            isError: false,
          },
        }
      : {
          result: { content: [{ type: 'text', text: 'invalid_input: title is required' }], isError: true },
          code: 'invalid_input',
        },
  resources: {
    templates: () => [{ uriTemplate: 'svc://job/{id}', name: 'job' }],
    list: async (caller) => ({ result: { resources: [{ uri, name: `of ${caller}` }] } }),
    read: async (caller, asked) =>
      asked === uri
        ? { result: { contents: [{ uri, text: `of ${caller}` }] } }
        : { refused: 'absent', message: 'Resource not found' },
  },
  prompts: {
    has: (name) => name === 'greet',
    nearest: (name) => (name.startsWith('gre') ? 'greet' : undefined),
    list: (caller) => (caller === 'ann' ? [{ name: 'greet', description: 'Greets' }] : []),
    get: async (caller, _, args) =>
      caller === 'ann'
        ? { result: { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(args) } }] } }
        : { refused: 'invalid', message: 'insufficient_scope: greet needs read:greetings' },
  },
  complete: async (caller, completing) => ({
    result: { completion: { values: [`${caller} ${JSON.stringify(completing)}`], total: 1, hasMore: false } },
  }),
}
