import type { IncomingMessage } from 'node:http'
import { clip, invalidRequest, type RpcFault } from './jsonrpc.ts'
import type { Narrowing, ToolServer } from './types.ts'

const MAX_CACHED = 100

const servers = new WeakMap<object, Map<string, unknown>>()

/**
 * Returns the server with the tools that a client wants to see, and what goes with them: `?toolsets=jobs,invoices` and
 * `?readonly=1`, or the headers X-MCP-Toolsets and X-MCP-Readonly; each narrows what the others leave, an empty one
 * nothing. `?strict=1` or X-MCP-Strict omits `additionalProperties` beside the list of custom fields. `?mine=1` or
 * X-MCP-Mine lists only the tools that the caller may call. `?ui=1` or X-MCP-UI adds the cards that draw results.
 */
export function narrowServer<Caller>(
  server: ToolServer<Caller>,
  { url = '', headers }: NarrowingSource,
): ToolServer<Caller> | { fault: RpcFault } {
  if (!url.includes('?') && NARROWING_HEADERS.every((header) => headers[header] === undefined)) return server
  const query = new URLSearchParams(url.slice(url.indexOf('?')))
  const toolsets = [...query.getAll('toolsets'), headers['x-mcp-toolsets']]
    .flatMap((value) => (value === undefined ? [] : [namesIn(String(value))]))
    .filter((names) => names.length > 0)
  const flagValues = (name: string): string[] =>
    [...query.getAll(name), headers[`x-mcp-${name}`]].flatMap((value) =>
      value === undefined ? [] : [String(value).trim().toLowerCase()],
    )
  const flags = {
    readonly: flagValues('readonly'),
    strict: flagValues('strict'),
    mine: flagValues('mine'),
    ui: flagValues('ui'),
  }
  const unknown = toolsets.flat().find((name) => !server.toolsets.includes(name))
  if (unknown !== undefined)
    return { fault: invalidRequest(`unknown toolset '${clip(unknown)}'; valid names: ${server.toolsets.join(', ')}`) }
  for (const [name, values] of Object.entries(flags)) {
    const invalidValue = values.find((value) => !Object.hasOwn(FLAGS, value))
    if (invalidValue !== undefined)
      return { fault: invalidRequest(`${name} must be 1 or 0 (got '${clip(invalidValue)}')`) }
  }
  const selected =
    toolsets.length === 0
      ? null
      : new Set(server.toolsets.filter((name) => toolsets.every((names) => names.includes(name))))
  return serverPart(server, {
    toolsets: selected,
    readonly: isOn(flags.readonly),
    strict: isOn(flags.strict),
    mine: isOn(flags.mine),
    ui: isOn(flags.ui),
  })
}

type NarrowingSource = Pick<IncomingMessage, 'url' | 'headers'>

const NARROWING_HEADERS = ['x-mcp-toolsets', 'x-mcp-readonly', 'x-mcp-strict', 'x-mcp-mine', 'x-mcp-ui']

const isOn = (values: readonly string[]): boolean => values.some((value) => FLAGS[value])

const FLAGS: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false, '': false }

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')

/** Returns a narrowed server. Each is made once and cached, since its announcement is cached with it. */
function serverPart<Caller>(server: ToolServer<Caller>, part: Narrowing): ToolServer<Caller> {
  if (part.toolsets === null && !part.readonly && !part.strict && !part.mine && !part.ui) return server
  const parts = servers.get(server) ?? new Map<string, unknown>()
  servers.set(server, parts)
  const key = JSON.stringify({ ...part, toolsets: part.toolsets && [...part.toolsets] })
  const existing = parts.get(key) as ToolServer<Caller> | undefined
  if (existing !== undefined) return existing
  if (parts.size >= MAX_CACHED) parts.clear()
  const narrowed = server.narrow(part)
  parts.set(key, narrowed)
  return narrowed
}
