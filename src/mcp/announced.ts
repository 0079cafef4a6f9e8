import { metaKeys } from './envelope.ts'
import { handshakeVersions, statelessVersion } from './eras.ts'
import type { Era, ToolServer } from './types.ts'

/** Holds what a server says of itself, as the JSON that follows the id of an answer; it is written once and sent many times. */
export type Announced = {
  initialize: ReadonlyMap<string, string>
  discover: string
  toolsList: Record<Era, Buffer>
  templatesList: Record<Era, Buffer>
  /** Is what every result of an era carries beside its own members. */
  stamp: Record<Era, string>
  /** Is the `_meta` member of every result of 2026-07-28. */
  identity: string
  /** Returns what a list or record of 2026-07-28 says to caches. */
  hints(ttlMs: number): string
}

/** Is five minutes: what is announced changes with a release, and a stale list costs one refused call. */
export const freshMs = 300_000

const known = new WeakMap<object, Announced>()

export function announced(server: ToolServer<never>): Announced {
  const found = known.get(server)
  if (found) return found
  const made = announce(server)
  known.set(server, made)
  return made
}

const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }

function announce(server: ToolServer<never>): Announced {
  const { name, version, instructions, toolsJson, resources } = server
  const serverInfo = { name, version }
  const identity = `"_meta":${JSON.stringify({ [metaKeys.serverInfo]: serverInfo })}`
  const stamp = { handshake: '', stateless: `,"resultType":"complete",${identity}` }
  const cacheable = hints(freshMs) + stamp.stateless
  const discovered = JSON.stringify({ supportedVersions: [statelessVersion], capabilities, instructions })
  const initialized = (protocolVersion: string): [string, string] => [
    protocolVersion,
    `"result":${JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions })}}`,
  ]
  const list = (member: string, json: string): Record<Era, Buffer> => ({
    handshake: Buffer.from(`"result":{"${member}":${json}}}`),
    stateless: Buffer.from(`"result":{"${member}":${json}${cacheable}}}`),
  })
  return {
    initialize: new Map(handshakeVersions.map(initialized)),
    discover: `"result":${discovered.slice(0, -1)}${cacheable}}}`,
    toolsList: list('tools', toolsJson),
    templatesList: list('resourceTemplates', resources.templatesJson),
    stamp,
    identity,
    hints,
  }
}

/** Marks answers private: what is listed and read depends on the caller. */
const hints = (ttlMs: number): string => `,"ttlMs":${ttlMs},"cacheScope":"private"`
