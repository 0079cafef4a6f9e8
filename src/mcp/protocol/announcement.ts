import { metaKeys } from './envelope.ts'
import { statelessVersion } from './eras.ts'
import type { Fields } from './jsonrpc.ts'
import type { Era, ToolServer } from './types.ts'

/** Self-description of a server, as the JSON that follows the id of an answer. Written once and sent many times. */
type Announcement = {
  initialize(protocolVersion: string, instructions: string): string
  discover(instructions: string): string
  toolsList: Record<Era, Buffer>
  /** Members that every 2026-07-28 result has in addition to its own. */
  stamp: string
  /** The `_meta` member of every result of 2026-07-28. */
  identity: string
  /** Returns the cache hints of a 2026-07-28 list or record. */
  hints(ttlMs: number): string
}

/** Cache lifetime: five minutes. Announcements change with a release; a stale list costs one refused call. */
export const freshMs = 300_000

const cache = new WeakMap<object, Announcement>()

export function announcementOf(server: ToolServer<never>): Announcement {
  const announcement = cache.get(server) ?? announce(server)
  cache.set(server, announcement)
  return announcement
}

function announce(server: ToolServer<never>): Announcement {
  const { name, version, toolsJson, extensions, readTask } = server
  const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, ...(extensions && { extensions }) }
  const serverInfo = { name, version }
  const identity = `"_meta":${JSON.stringify({ [metaKeys.serverInfo]: serverInfo })}`
  const stamp = `,"resultType":"complete",${identity}`
  const cacheable = hints(freshMs) + stamp
  const discovered = readTask === undefined ? capabilities : withExtension(capabilities, TASKS_EXTENSION)
  const discoverJson = (instructions: string): string =>
    JSON.stringify({ supportedVersions: [statelessVersion], capabilities: discovered, instructions })
  return {
    initialize: (protocolVersion, instructions) =>
      `"result":${JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions })}}`,
    discover: (instructions) => `"result":${discoverJson(instructions).slice(0, -1)}${cacheable}}}`,
    toolsList: {
      handshake: Buffer.from(`"result":{"tools":${toolsJson}}}`),
      stateless: Buffer.from(`"result":{"tools":${toolsJson}${cacheable}}}`),
    },
    stamp,
    identity,
    hints,
  }
}

/** Tasks extension of 2026-07-28. A client that declares it may receive a task as its answer. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

const withExtension = (capabilities: { extensions?: Fields }, name: string): object => ({
  ...capabilities,
  extensions: { ...capabilities.extensions, [name]: {} },
})

/** Returns the end of a 2026-07-28 result that has its own `_meta`, merged with the server's identity. */
export function stampWith({ name, version }: ToolServer<never>, meta: unknown): string {
  const identity = { [metaKeys.serverInfo]: { name, version } }
  return `,"resultType":"complete","_meta":${JSON.stringify({ ...(meta as object), ...identity })}`
}

/** Returns cache hints that mark an answer private: its content depends on the caller. */
const hints = (ttlMs: number): string => `,"ttlMs":${ttlMs},"cacheScope":"private"`
