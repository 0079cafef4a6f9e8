import { nearestName } from '../../platform/validation/text/nearest.ts'

/** Groups of words that mean the same action. A word stands for the entity's first tool with a verb of its group. */
const VERBS: readonly (readonly string[])[] = [
  ['list', 'search', 'find', 'query', 'lookup', 'all', 'index', 'filter'],
  ['get', 'read', 'show', 'fetch', 'view', 'retrieve', 'details'],
  ['create', 'add', 'new', 'make', 'book', 'insert', 'schedule', 'draft'],
  ['update', 'edit', 'change', 'set', 'modify', 'patch', 'reschedule', 'move', 'assign', 'complete', 'send'],
  ['archive', 'delete', 'cancel', 'void', 'end', 'remove', 'destroy', 'close'],
]

type KnownTools = ReadonlyMap<string, { entity: { name: string; singular: string }; tool: { verb: string } }>

/**
 * Returns the tool that an unknown name most likely means: of the entity it names, exactly or nearly, the tool whose
 * verb means the same. Without a verb, it is the most similar name. Never suggests a tool for a nonexistent entity.
 */
export function nearestTool(name: string, tools: KnownTools): string | undefined {
  const wire = name.replaceAll('.', '_')
  if (tools.has(wire)) return wire
  const words = wire.toLowerCase().split(/[_-]/)
  const verb = VERBS.find((group) => words.some((word) => group.includes(word)))
  return verb === undefined ? nearestName(name, tools.keys()) : byMeaning(words, verb, tools)
}

function byMeaning(words: readonly string[], verb: readonly string[], tools: KnownTools): string | undefined {
  const rest = words.filter((word) => !verb.includes(word)).join('_')
  const named = nearestName(
    rest,
    [...tools.values()].flatMap(({ entity }) => [entity.name, entity.singular]).filter((name) => isLike(name, rest)),
  )
  const entityTools = [...tools].filter(([, { entity }]) => entity.name === named || entity.singular === named)
  return entityTools.find(([, { tool }]) => verb.includes(tool.verb))?.[0]
}

/** Checks that a name starts like the misspelled one: `payments` doesn't mean `plans`, nor `charges` `tags`. */
const isLike = (name: string, rest: string): boolean => name === rest || name.slice(0, 2) === rest.slice(0, 2)
