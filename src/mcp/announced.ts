import { metaKeys } from './envelope.ts'
import { handshakeVersions, statelessVersion } from './eras.ts'
import type { Era, ToolServer } from './types.ts'

/** What a server says of itself, as the JSON that follows the id of an answer: written once, sent many times. */
export type Announced = {
  initialize: ReadonlyMap<string, string>
  discover: string
  toolsList: Record<Era, Buffer>
  /** What every result of an era carries beside its own members. */
  stamp: Record<Era, string>
}

/** Five minutes: what is announced changes with a release, and a stale list costs one refused call. */
const freshMs = 300_000

const known = new WeakMap<object, Announced>()

export function announced(server: ToolServer<never>): Announced {
  const found = known.get(server)
  if (found) return found
  const made = announce(server)
  known.set(server, made)
  return made
}

function announce(server: ToolServer<never>): Announced {
  const { name, version, instructions, toolsJson } = server
  const serverInfo = { name, version }
  const capabilities = { tools: {} }
  const identity = JSON.stringify({ [metaKeys.serverInfo]: serverInfo })
  const stamp = { handshake: '', stateless: `,"resultType":"complete","_meta":${identity}` }
  const cacheable = `,"ttlMs":${freshMs},"cacheScope":"private"${stamp.stateless}`
  const discovered = JSON.stringify({ supportedVersions: [statelessVersion], capabilities, instructions })
  const initialized = (protocolVersion: string): [string, string] =>
    [protocolVersion, `"result":${JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions })}}`]
  return {
    initialize: new Map(handshakeVersions.map(initialized)),
    discover: `"result":${discovered.slice(0, -1)}${cacheable}}}`,
    toolsList: {
      handshake: Buffer.from(`"result":{"tools":${toolsJson}}}`),
      stateless: Buffer.from(`"result":{"tools":${toolsJson}${cacheable}}}`),
    },
    stamp,
  }
}
