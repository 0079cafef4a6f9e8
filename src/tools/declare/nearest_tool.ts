import { nearestName } from '../../platform/validation/text/nearest.ts'

/** Lists words for what a tool does, by groups that mean the same; `of` an entity the first that it has is meant. */
const VERBS: readonly (readonly string[])[] = [
  ['list', 'search', 'find', 'query', 'lookup', 'all', 'index', 'filter'],
  ['get', 'read', 'show', 'fetch', 'view', 'retrieve', 'details'],
  ['create', 'add', 'new', 'make', 'book', 'insert', 'schedule', 'draft'],
  ['update', 'edit', 'change', 'set', 'modify', 'patch', 'reschedule', 'move', 'assign', 'complete', 'send'],
  ['archive', 'delete', 'cancel', 'void', 'end', 'remove', 'destroy', 'close'],
]

type KnownTools = ReadonlyMap<string, { entity: { name: string; singular: string }; tool: { verb: string } }>

/**
 * Returns the tool that an unknown name most probably meant: that of the entity it names whose verb means the same,
 * else the one that is spelled most like it.
 */
export function nearestTool(given: string, tools: KnownTools): string | undefined {
  const wire = given.replaceAll('.', '_')
  if (tools.has(wire)) return wire
  return byMeaning(wire.toLowerCase(), tools) ?? nearestName(given, tools.keys())
}

function byMeaning(wire: string, tools: KnownTools): string | undefined {
  const words = wire.split(/[_-]/)
  const verb = VERBS.find((group) => words.some((word) => group.includes(word)))
  if (verb === undefined) return undefined
  const named = words.filter((word) => !verb.includes(word)).join('_')
  const own = [...tools].filter(([, { entity }]) => entity.name === named || entity.singular === named)
  return own.find(([, { tool }]) => verb.includes(tool.verb))?.[0]
}
