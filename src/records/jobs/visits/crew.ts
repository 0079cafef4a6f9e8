import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import { invalidField, invalidFields, type RefusalRule } from '../../../platform/errors/refusal.ts'
import { AmbiguousName } from '../../../tools/declare/references.ts'
import { fold } from '../../../platform/validation/text/fold.ts'
import { isId } from '../../../platform/validation/id.ts'
import { nonEmptyText } from '../../../platform/validation/text/text.ts'
import { refusals } from './refusals.ts'

/** Returns the schema for a member: a user id, email or name, which only the account's own rows can tell apart. */
export const memberInput = () => nonEmptyText(254)

type Member = { id: string; email: string; name: string; is_active: boolean }

/**
 * Returns the ids of active members by id, exact email or unambiguous exact name, in input order, without duplicates.
 */
export async function membersOf(db: Db, identifiers: readonly string[]): Promise<string[]> {
  if (identifiers.length === 0) return []
  const members = await findMembers(db, identifiers, sql`and m.deactivated_at is null`)
  const choices = identifiers.map((name, i) => ({
    name,
    path: `assignees[${i}]`,
    matches: matchMembers(members, name),
  }))
  const unresolved = choices.filter(({ matches }) => matches.length !== 1)
  if (unresolved.length > 0) {
    const [one] = unresolved
    if (one !== undefined && unresolved.length === 1 && one.matches.length > 1)
      throw ambiguousMember(one.path, { field: 'assignees', typed: one.name, members: one.matches })
    const unknownNames = unresolved.filter(({ matches }) => matches.length === 0).map(({ name }) => name)
    const hint = unknownNames.length === 0 ? '' : await memberHint(db, unknownNames)
    // The hint covers all problems, so it follows the last one.
    throw invalidFields(
      unresolved.map(({ name, path, matches }, i) => ({
        path,
        rule: memberProblem(matches, refusals.unknownAssignee, {
          typed: name,
          hint: i === unresolved.length - 1 ? hint : '',
        }),
      })),
    )
  }
  return [...new Set(choices.flatMap(({ matches }) => matches.map(({ id }) => id)))]
}

/** Returns the members that meet the condition and whose id, email or name is given. */
const findMembers = (db: Db, identifiers: readonly string[], condition: Sql): Promise<Member[]> => {
  const keys = identifiers.map((name) => name.toLowerCase())
  const others = keys.filter((key) => !isId(key))
  return db.all<Member>(sql`
    select u.id, u.email, u.name, m.deactivated_at is null as is_active from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} ${condition}
      and (u.id = any(${keys.filter(isId)}::uuid[]) or u.email = any(${others}::text[])
        or lower(u.name) = any(${others}::text[]))`)
}

/** Returns the member with an id or email, else all members with the name. */
function matchMembers(members: readonly Member[], name: string): readonly Member[] {
  const key = name.toLowerCase()
  const one = members.find(({ id, email }) => key === id || key === email)
  return one === undefined ? members.filter(({ name }) => name.toLowerCase() === key) : [one]
}

const memberProblem = (
  members: readonly Member[],
  unknown: typeof refusals.unknownMember,
  { typed, hint }: { typed: string; hint: string },
): RefusalRule =>
  members.length === 0
    ? unknown({ typed, hint })
    : refusals.ambiguousMember({ members: members.map((one) => `${memberLabel(one)} (${one.id})`).join(' and '), hint })

const memberLabel = ({ name, email }: Member): string => `${name}, ${email}`

/** Returns the error for a name that several members share, with the choices for a person. */
const ambiguousMember = (
  path: string,
  { field, typed, members }: { field: string; typed: string; members: readonly Member[] },
): AmbiguousName =>
  new AmbiguousName(
    { path, rule: memberProblem(members, refusals.unknownMember, { typed, hint: '' }) },
    {
      field,
      name: typed.trim(),
      singular: 'member',
      options: members.map((one) => ({ id: one.id, said: memberLabel(one) })),
    },
  )

/** Returns a member's user id, including former members. If several share a name, returns the only active one. */
export async function memberId(db: Db, identifier: string): Promise<string> {
  const members = matchMembers(await findMembers(db, [identifier], sql``), identifier)
  const active = members.filter(({ is_active }) => is_active)
  const [one, ...more] = active.length === 1 ? active : members
  if (one !== undefined && more.length === 0) return one.id
  if (members.length > 0) throw ambiguousMember('assignee', { field: 'assignee', typed: identifier, members })
  const hint = await memberHint(db, [identifier])
  throw invalidField('assignee', refusals.unknownMember({ typed: identifier, hint }))
}

const MAX_SUGGESTIONS = 10

/**
 * Returns the hint of a refusal: up to ten members whose name shares a word with the input, else the first of all, with
 * their ids, since no tool lists members.
 */
async function memberHint(db: Db, names: readonly string[]): Promise<string> {
  const members = await db.all<
    Omit<Member, 'is_active'>
  >(sql`select u.id, u.email, u.name from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null order by lower(u.name), u.id limit 200`)
  const words = new Set(names.filter((text) => !isId(text.toLowerCase())).flatMap(wordsOf))
  const similar = members.filter(({ name }) => wordsOf(name).some((word) => words.has(word)))
  const suggestions = (similar.length > 0 ? similar : members).slice(0, MAX_SUGGESTIONS)
  return `; use the user id, exact email or exact name of a member, such as ${suggestions
    .map(({ id, name }) => `${name} (${id})`)
    .join(', ')}`
}

const wordsOf = (name: string): string[] => fold(name).match(/[\p{L}\p{N}]+/gu) ?? []

/** Id of the schedule's lane for unassigned visits; any other lane has its technician's id. */
export const NOBODY = 'nobody'

/**
 * Returns the crew after a visit moved from one lane to another: only the lane's technician is replaced. From the list
 * of unscheduled jobs (`from` null), a crew of one is replaced and a larger one is extended.
 */
export function crewAfter(crew: readonly string[], from: string | null, to: string): string[] {
  const added = to === NOBODY ? [] : [to]
  if (from === null)
    return crew.includes(to) ? [...crew] : crew.length <= 1 || to === NOBODY ? added : [...crew, ...added]
  const others = (from === NOBODY ? [...crew, from] : crew).flatMap((id) => (id === from ? added : [id]))
  return [...new Set(others)]
}
