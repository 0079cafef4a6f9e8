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
 * Returns the tool that an unknown name most probably meant: that of the entity it names, rightly or nearly, whose verb
 * means the same; without a verb the one that is spelled most like it. No tool stands for an entity that there isn't.
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
  const own = [...tools].filter(([, { entity }]) => entity.name === named || entity.singular === named)
  return own.find(([, { tool }]) => verb.includes(tool.verb))?.[0]
}

/** A misspelled name begins as the right one does: `payments` is no slip of `plans`, nor `charges` of `tags`. */
const isLike = (name: string, rest: string): boolean => name === rest || name.slice(0, 2) === rest.slice(0, 2)
