import { toClientSchema, closeSchema } from './advertise.ts'
import { isDestructive, scopeOf, type Entity, type Tool } from './define.ts'
import { nearestTool } from './nearest_tool.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'

/** Describes a tool with everything that follows from where it is listed. */
export type ListedTool = { entity: Entity; tool: Tool; canonical: string; wire: string; scope: Scope }

/** Describes a tool as a client is told of it (docs/spec/tools.md#description-of-a-tool). */
export type ToolDescription = {
  name: string
  description: string
  inputSchema: Record<string, unknown>
  annotations: { title: string; readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: false }
}

export type ToolCatalog = {
  /** Maps wire names to tools, in the order of tools/list. */
  tools: ReadonlyMap<string, ListedTool>
  descriptions: readonly ToolDescription[]
  nearest(name: string): string | undefined
}

/**
 * What a client narrows the catalog to: the tools of some entities, those that only read; and whether every object is
 * closed.
 */
type ToolCatalogFilter = { toolsets: ReadonlySet<string> | null; readonly: boolean; strict: boolean }

/** Catalogs by their list of entities: deriving the schemas takes about 80 ms of processor time. */
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
        const listed = list(entity, tool)
        return [listed.wire, listed] as const
      }),
    ),
  )
  return toolCatalogFor(tools, [...tools.values()].map(describe))
}

/** Returns all actions on the entities by wire name: their tools, and what only pages call. */
export const actionsOf = (entities: readonly Entity[]): ToolCatalog['tools'] =>
  new Map(
    entities
      .flatMap((entity) => [...entity.tools, ...entity.acts].map((tool) => list(entity, tool)))
      .map((listed) => [listed.wire, listed]),
  )

/** Returns the part of a catalog that a client narrowed it to. */
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

function list(entity: Entity, tool: Tool): ListedTool {
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
