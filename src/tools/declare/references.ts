import { isRecord } from '../../platform/validation/is_record.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { Refusal, joinRules, formatRule, quoteText, type FieldProblem } from '../../platform/errors/refusal.ts'
import { isId, newId } from '../../platform/validation/id.ts'
import type { ToolCall } from '../call/context.ts'
import { refusals } from '../call/refusals.ts'
import { findableByName, findableOf, type Findable, type NameLookup } from './finders.ts'

/** Name given instead of an id, with a stand-in id until its record is found. */
export type Reference = {
  field: string
  text: string
  standIn: string
  findable: Findable & { nameLookup: NameLookup }
}

/** Arguments with a stand-in id for each name, and the names. */
type ReferencedInput = { input: unknown; references: readonly Reference[] }

/** Maximum length of a name, in UTF-16 units; real names are shorter. */
const MAX_NAME = 400

/** Characters that no name has and that a database refuses to search for. */
const UNSEARCHABLE = /[\p{Cc}\p{Cs}]/u

/**
 * Replaces names in arguments by stand-in ids (docs/spec/interface.md#names-instead-of-ids): names that the caller
 * could look up with the tools.
 */
export function referencesIn({ listed: { entity }, caller, input }: ToolCall): ReferencedInput {
  if (!isRecord(input)) return { input, references: [] }
  const references: Reference[] = []
  const standInFor = (field: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value.length > MAX_NAME || UNSEARCHABLE.test(value)) return value
    if (isId(value.trim().toLowerCase())) return value
    const findable = field === 'id' ? findableByName(entity.singular) : findableOf(field, input)
    const text = value.trim()
    if (
      findable === undefined ||
      !hasNameLookup(findable) ||
      !findable.nameLookup.fits(text) ||
      !caller.scopes.has(findable.scope)
    )
      return value
    if (findable.nameLookup.isShared && field === 'id') return value
    const standIn = references.find((one) => one.findable === findable && one.text === text)?.standIn ?? newId()
    references.push({ field, text, standIn, findable })
    return standIn
  }
  const replaced = Object.entries(input).map(([field, value]): [string, unknown] => [
    field,
    replaceEach(standInFor, field, value),
  ])
  return references.length === 0 ? { input, references } : { input: Object.fromEntries(replaced), references }
}

const hasNameLookup = (findable: Findable): findable is Findable & { nameLookup: NameLookup } =>
  findable.nameLookup !== undefined

/** Maximum number of names in a list that are looked up. */
const MAX_NAMES = 50

const replaceEach = (replace: (field: string, value: unknown) => unknown, field: string, value: unknown): unknown =>
  Array.isArray(value) && value.length <= MAX_NAMES ? value.map((one) => replace(field, one)) : replace(field, value)

/** Maximum number of records of one name that a refusal lists. */
const MAX_CANDIDATES = 5

/** Returns the input with the ids of the named records. `unknown` refuses a shared name that no record has. */
export async function resolveReferences(
  db: Db,
  input: unknown,
  references: readonly Reference[],
  unknown: () => never,
): Promise<unknown> {
  const ids = new Map(
    await Promise.all(
      references.map(async ({ field, text, standIn, findable }): Promise<[string, string]> => {
        const [one, ...more] = await findable.nameLookup.find(db, text, MAX_CANDIDATES + 1)
        if (one === undefined && findable.nameLookup.isShared) return unknown()
        if (one === undefined)
          throw new Refusal(
            'not_found',
            [
              {
                path: '',
                rule: refusals.unknownName({ what: findable.singular, name: isNumber(text) ? text : quoteText(text) }),
              },
            ],
            findable.singular,
          )
        if (more.length > 0) throw ambiguousReference(field, text, findable, [one, ...more])
        return [standIn, one.id]
      }),
    ),
  )
  const toRecordId = (value: unknown): unknown => (typeof value === 'string' ? (ids.get(value) ?? value) : value)
  return Object.fromEntries(
    Object.entries(input as object).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.map(toRecordId) : toRecordId(value),
    ]),
  )
}

type Candidate = { id: string; said: string }

/** Possible meanings of a name in a field. */
type NameChoice = { field: string; name: string; singular: string; options: readonly Candidate[] }

/** Refusal of a name that several records or members share, with a list of them. */
export class AmbiguousName extends Refusal {
  /** Options for a person; undefined if more records share the name than are listed. */
  readonly choice: NameChoice | undefined

  constructor(problem: FieldProblem, choice: NameChoice) {
    super('invalid_input', [problem])
    this.choice = choice.options.length > MAX_CANDIDATES ? undefined : choice
  }
}

function ambiguousReference(
  field: string,
  name: string,
  { finder, singular }: Findable,
  options: readonly Candidate[],
): AmbiguousName {
  const candidates = options.slice(0, MAX_CANDIDATES).map(({ id, said }) => formatRule`${quoteText(said)} (${id})`)
  const more = options.length > MAX_CANDIDATES ? ` and more, see ${finder}` : ''
  const note = formatRule` is the name of ${joinRules(candidates)}${more}; ask the person which one they mean`
  const problem = { path: field, rule: refusals.ambiguous({ name: quoteText(name) }), note }
  return new AmbiguousName(problem, { field, name, singular, options })
}

/** Checks whether a text is a number such as `J-1042`, without words. */
const isNumber = (text: string): boolean => /^[A-Z]{0,5}-?\d+$/i.test(text)
