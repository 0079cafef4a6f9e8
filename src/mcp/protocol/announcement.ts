import { metaKeys } from './envelope.ts'
import { statelessVersion } from './eras.ts'
import type { Fields } from './jsonrpc.ts'
import type { Era, ToolServer } from './types.ts'

/**
 * Holds what a server says of itself, as the JSON that follows the id of an answer; it is written once and sent many
 * times.
 */
type Announcement = {
  initialize(protocolVersion: string, instructions: string): string
  discover(instructions: string): string
  toolsList: Record<Era, Buffer>
  /** Members that every result of 2026-07-28 carries beside its own. */
  stamp: string
  /** The `_meta` member of every result of 2026-07-28. */
  identity: string
  /** Returns what a list or record of 2026-07-28 says to caches. */
  hints(ttlMs: number): string
}

/** Five minutes: announcements change with a release, and a stale list costs one refused call. */
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

/** Tasks of 2026-07-28; a client that declares them may be answered with one. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

const withExtension = (capabilities: { extensions?: Fields }, name: string): object => ({
  ...capabilities,
  extensions: { ...capabilities.extensions, [name]: {} },
})

/** Returns the end of a result of 2026-07-28 that has a `_meta` of its own, which the identity of the server joins. */
export function stampWith({ name, version }: ToolServer<never>, meta: unknown): string {
  const identity = { [metaKeys.serverInfo]: { name, version } }
  return `,"resultType":"complete","_meta":${JSON.stringify({ ...(meta as object), ...identity })}`
}

/** Marks answers private: what is listed and read depends on the caller. */
const hints = (ttlMs: number): string => `,"ttlMs":${ttlMs},"cacheScope":"private"`
