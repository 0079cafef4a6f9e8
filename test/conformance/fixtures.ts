import { nearestName } from '../../src/platform/validation/text/nearest.ts'
import type { Fields } from '../../src/mcp/protocol/jsonrpc.ts'
import type { CallMeta, Reply, ToolServer } from '../../src/mcp/protocol/types.ts'
import { contentTools } from './fixture_content.ts'
import { fixturePrompts } from './fixture_prompts.ts'
import { fixtureResources, readFixture, templates } from './fixture_resources.ts'
import { roundTools } from './fixture_rounds.ts'

/** Tool that exists only for the conformance suite. */
export type Fixture = {
  description: string
  inputSchema?: Fields
  headers?: ReadonlyMap<string, string>
  call: (args: Fields, meta: CallMeta) => Reply | Promise<Reply>
}

const TOOLS: ReadonlyMap<string, Fixture> = new Map(Object.entries({ ...contentTools, ...roundTools }))
const DESCRIBED = [...TOOLS].map(([name, { description, inputSchema = { type: 'object', properties: {} } }]) => ({
  name,
  description,
  inputSchema,
}))

/**
 * Returns the service with the suite's fixtures beside its own tools, resources and prompts, behind the same dispatcher.
 */
export function withFixtures<Caller>(own: ToolServer<Caller>): ToolServer<Caller> {
  const appendToJson = (json: string, more: readonly object[]): string =>
    JSON.stringify([...(JSON.parse(json) as object[]), ...more])
  return {
    ...own,
    toolsJson: appendToJson(own.toolsJson, DESCRIBED),
    hasTool: (name) => TOOLS.has(name) || own.hasTool(name),
    bytesOf: (name) => (TOOLS.has(name) ? 256 * 1024 : own.bytesOf(name)),
    headersOf: (name) => TOOLS.get(name)?.headers,
    callTool: async (caller, name, args, meta) =>
      TOOLS.get(name)?.call(args, meta) ?? own.callTool(caller, name, args, meta),
    resources: {
      templates: (caller) => [...own.resources.templates(caller), ...templates],
      async list(caller) {
        const reply = await own.resources.list(caller)
        return 'result' in reply
          ? { result: { resources: [...(reply.result['resources'] as object[]), ...fixtureResources] } }
          : reply
      },
      read: async (caller, uri, meta) => readFixture(uri) ?? own.resources.read(caller, uri, meta),
    },
    prompts: {
      has: (name) => fixturePrompts.has(name) || own.prompts.has(name),
      nearest: (name) => nearestName(name, fixturePrompts.keys()) ?? own.prompts.nearest(name),
      list: (caller) => [
        ...own.prompts.list(caller),
        ...[...fixturePrompts].map(([name, { description, arguments: taken }]) => ({
          name,
          description,
          arguments: taken,
        })),
      ],
      get: async (caller, name, args, meta) =>
        fixturePrompts.get(name)?.get(args, meta) ?? own.prompts.get(caller, name, args, meta),
    },
    complete: async (caller, completing) =>
      completing.of === 'prompt' && fixturePrompts.has(completing.name)
        ? {
            result: {
              completion: {
                values: ['paris', 'park', 'party'].filter((value) => value.startsWith(completing.typed)),
                total: 3,
                hasMore: false,
              },
            },
          }
        : own.complete(caller, completing),
  }
}
