import type { Scope } from '../../identity/permissions/scopes.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { Refusal, RefusalRule } from '../../platform/errors/refusal.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Naming of an entity's records, by which a call can name one instead of giving its id. */
export type NameLookup = {
  /** Checks whether a text can be such a name. */
  fits(text: string): boolean
  /** Whether several records can share a name. A shared name never stands for the id that a tool is about. */
  isShared: boolean
  /** Finds the records of that name, at most `limit`, each with its description in a refusal. */
  find(db: Db, text: string, limit: number): Promise<{ id: string; said: string }[]>
}

/** Lookup of an entity's records, for callers with the scope to read them. */
export type Findable = {
  singular: string
  finder: string
  scope: Scope
  nameLookup: NameLookup | undefined
  explainAbsence: ((db: Db, id: string) => Promise<RefusalRule | undefined>) | undefined
}

const findables = new Map<string, Findable>()
const finders = new Map<string, string>()
const findablesByPrefix = new Map<string, Findable>()

/** Tools that find a record's id, by the entity's singular name. Each entity's declaration adds its own. */
export const FINDERS: ReadonlyMap<string, string> = finders

type FinderDeclaration = Pick<Findable, 'singular' | 'scope' | 'nameLookup' | 'explainAbsence'> & {
  name: string
  idAliases: readonly string[]
  tools: readonly { verb: string }[]
}

/** Registers the lookup of an entity's records: its search or list tool, and the prefixes of fields that hold an id. */
export function registerFinder({
  name,
  singular,
  idAliases,
  tools,
  scope,
  nameLookup,
  explainAbsence,
}: FinderDeclaration): void {
  const { verb } = requireValue(
    tools.find(({ verb }) => verb === 'search' || verb === 'list'),
    `The list of ${name}`,
  )
  const finder = `${name}_${verb}`
  const findable: Findable = { singular, finder, scope, nameLookup, explainAbsence }
  findables.set(singular, findable)
  finders.set(singular, finder)
  for (const word of [singular, ...idAliases]) findablesByPrefix.set(word, findable)
}

/** Returns the lookup of a record by its name in a refusal. */
export const findableByName = (what: string | undefined): Findable | undefined =>
  findables.get(what?.replaceAll(' ', '_') ?? '')

const ID_FIELD = /(_ids?|Id)$/

/** Returns the lookup for the ids in a field. For `subject_id`, `subject_type` gives the kind. */
export function findableOf(field: string, input: Readonly<Record<string, unknown>> = {}): Findable | undefined {
  const subject = input['subject_type']
  if (field === 'subject_id') return typeof subject === 'string' ? findables.get(subject) : undefined
  return ID_FIELD.test(field) ? findablesByPrefix.get(field.replace(/^from_/, '').replace(ID_FIELD, '')) : undefined
}

/** Returns a hint to the tool that finds the id of a field, as the end of the field's rule; empty for other fields. */
export function findIdOf(field: string): string {
  const findable = findableOf(field)
  return findable === undefined ? '' : `, find it with ${findable.finder}`
}

/** Returns a refusal. Adds a hint to the lookup tool if a record was not found. */
export function withHint(refusal: Refusal): Refusal {
  const findable = findableByName(refusal.missingRecord)
  return findable === undefined ? refusal : refusal.withNote(`; find its id with ${findable.finder}`)
}
