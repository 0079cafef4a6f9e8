import type { Scope } from '../../identity/permissions/scopes.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { Refusal, RefusalRule } from '../../platform/errors/refusal.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** What people call the records of an entity, so that a call can name one by it instead of its id. */
export type Naming = {
  /** Returns whether a text can be such a name. */
  fits(text: string): boolean
  /** True for names that several records can have, which never stand for the id that a tool is about. */
  isShared: boolean
  /** Returns the records of that name, at most `most`, each as a refusal tells of it. */
  find(db: Db, text: string, most: number): Promise<{ id: string; said: string }[]>
}

/** Holds how the records of an entity are found, by whoever has the scope to read them. */
export type Findable = {
  singular: string
  finder: string
  scope: Scope
  called: Naming | undefined
  left: ((db: Db, id: string) => Promise<RefusalRule | undefined>) | undefined
}

const findables = new Map<string, Findable>()
const finders = new Map<string, string>()
const fieldWords = new Map<string, Findable>()

/** Tools that find the id of a record, by what the record is called; each entity's declaration adds its own. */
export const FINDERS: ReadonlyMap<string, string> = finders

type FinderDeclaration = Pick<Findable, 'singular' | 'scope' | 'called' | 'left'> & {
  name: string
  alsoCalled: readonly string[]
  tools: readonly { verb: string }[]
}

/** Registers how an entity's records are found, by its search or its list, and what fields call one. */
export function registerFinder({ name, singular, alsoCalled, tools, scope, called, left }: FinderDeclaration): void {
  const { verb } = requireValue(
    tools.find(({ verb }) => verb === 'search' || verb === 'list'),
    `The list of ${name}`,
  )
  const finder = `${name}_${verb}`
  const findable = { singular, finder, scope, called, left }
  findables.set(singular, findable)
  finders.set(singular, finder)
  for (const word of [singular, ...alsoCalled]) fieldWords.set(word, findable)
}

/** Returns how a record is found, by the word that a refusal calls one. */
export const findableCalled = (what: string | undefined): Findable | undefined =>
  findables.get(what?.replaceAll(' ', '_') ?? '')

const ID_FIELD = /(_ids?|Id)$/

/** Returns what the ids of a field are ids of; `subject_id` says it beside. */
export function findableOf(field: string, input: Readonly<Record<string, unknown>> = {}): Findable | undefined {
  const subject = input['subject_type']
  if (field === 'subject_id') return typeof subject === 'string' ? findables.get(subject) : undefined
  return ID_FIELD.test(field) ? fieldWords.get(field.replace(/^from_/, '').replace(ID_FIELD, '')) : undefined
}

/** Returns the tool that finds the id of a field, as the end of the field's rule; nothing for another field. */
export function findIdOf(field: string): string {
  const findable = findableOf(field)
  return findable === undefined ? '' : `, find it with ${findable.finder}`
}

/** Returns a refusal; that of a record which is not there, with the way to one that is. */
export function withHint(refusal: Refusal): Refusal {
  const findable = findableCalled(refusal.absent)
  return findable === undefined ? refusal : refusal.withNote(`; find its id with ${findable.finder}`)
}
