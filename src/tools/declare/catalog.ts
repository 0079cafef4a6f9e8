import { toClientSchema, closeSchema } from './advertise.ts'
import { isDestructive, scopeOf, type Entity, type Tool } from './define.ts'
import { nearestTool } from './nearest_tool.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'

/** Tool with its entity, and the names and scope derived from it. */
export type ListedTool = { entity: Entity; tool: Tool; canonical: string; wire: string; scope: Scope }

/** Tool as described to clients (docs/spec/tools.md#description-of-a-tool). */
export type ToolDescription = {
  name: string
  description: string
  inputSchema: Record<string, unknown>
  annotations: { title: string; readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: false }
}

export type ToolCatalog = {
  /** Tools by wire name, in the order of tools/list. */
  tools: ReadonlyMap<string, ListedTool>
  descriptions: readonly ToolDescription[]
  nearest(name: string): string | undefined
}

/** Client's filter of the catalog: the tools of some entities, the tools that only read, and closed schemas. */
type ToolCatalogFilter = { toolsets: ReadonlySet<string> | null; readonly: boolean; strict: boolean }

/** Cache of catalogs by their entities: deriving the schemas takes about 80 ms of processor time. */
const catalogs = new WeakMap<readonly Entity[], ToolCatalog>()

/** Returns the tools of the entities, in their order. */
export function toolCatalogOf(entities: readonly Entity[]): ToolCatalog {
  const existing = catalogs.get(entities)
  if (existing !== undefined) return existing
  const catalog = createCatalog(entities)
  catalogs.set(entities, catalog)
  return catalog
}

function createCatalog(entities: readonly Entity[]): ToolCatalog {
  const tools = new Map(
    entities.flatMap((entity) =>
      entity.tools.map((tool) => {
        const listed = toListedTool(entity, tool)
        return [listed.wire, listed] as const
      }),
    ),
  )
  return toolCatalogFor(tools, [...tools.values()].map(describe))
}

/** Returns all actions of the entities by wire name: their tools, and the actions that only pages call. */
export const actionsOf = (entities: readonly Entity[]): ToolCatalog['tools'] =>
  new Map(
    entities
      .flatMap((entity) => [...entity.tools, ...entity.pageActions].map((tool) => toListedTool(entity, tool)))
      .map((listed) => [listed.wire, listed]),
  )

/** Returns the part of a catalog that a client asked for. */
export function narrowCatalog(
  { tools, descriptions }: ToolCatalog,
  { toolsets, readonly, strict }: ToolCatalogFilter,
): ToolCatalog {
  const selected = new Map(
    [...tools].filter(
      ([, { entity, tool }]) => (toolsets === null || toolsets.has(entity.name)) && (!readonly || tool.reads),
    ),
  )
  const includedTools = descriptions.filter(({ name }) => selected.has(name))
  return toolCatalogFor(
    selected,
    strict
      ? includedTools.map((description) => ({ ...description, inputSchema: closeSchema(description.inputSchema) }))
      : includedTools,
  )
}

const toolCatalogFor = (tools: ToolCatalog['tools'], descriptions: ToolCatalog['descriptions']): ToolCatalog => ({
  tools,
  descriptions,
  nearest: (name) => nearestTool(name, tools),
})

function toListedTool(entity: Entity, tool: Tool): ListedTool {
  const canonical = `${entity.name}.${tool.verb}`
  return { entity, tool, canonical, wire: canonical.replaceAll('.', '_'), scope: scopeOf(entity, tool) }
}

const describe = ({ tool, wire }: ListedTool): ToolDescription => ({
  name: wire,
  description: tool.description,
  inputSchema: toClientSchema(tool.input),
  annotations: {
    title: tool.title,
    readOnlyHint: tool.reads,
    destructiveHint: isDestructive(tool),
    openWorldHint: false,
  },
})
