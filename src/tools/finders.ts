import { Refusal } from '../refusal.ts'

const finders = new Map<string, string>()
const fieldWords = new Map<string, string>()

/** The tool that finds the id of a record, by what the record is called; each entity's declaration adds its own. */
export const FINDERS: ReadonlyMap<string, string> = finders

type Findable = { name: string; singular: string; alsoCalled: readonly string[]; tools: readonly { verb: string }[] }

/** Makes known how the records of an entity are found, by its search or its list, and the words that fields call one by. */
export function knowFinder({ name, singular, alsoCalled, tools }: Findable): void {
  const finder = `${name}_${tools.find(({ verb }) => verb === 'search' || verb === 'list')!.verb}`
  finders.set(singular, finder)
  for (const word of [singular, ...alsoCalled]) fieldWords.set(word, finder)
}

const ID_FIELD = /(_ids?|Id)$/

/** Where the id that a field takes is found, as the end of a rule of the field; nothing for another field. */
export function findIdOf(field: string): string {
  const finder = fieldWords.get(field.replace(/^from_/, '').replace(ID_FIELD, ''))
  return finder === undefined || !ID_FIELD.test(field) ? '' : `, find it with ${finder}`
}

/** A refusal; that of a record which is not there, with the way to one that is. */
export function withHint(refusal: Refusal): Refusal {
  const finder = FINDERS.get(refusal.absent?.replaceAll(' ', '_') ?? '')
  return finder === undefined ? refusal : new Refusal(refusal.code, `${refusal.message}; find its id with ${finder}`)
}
