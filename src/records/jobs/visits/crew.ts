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
export async function membersOf(db: Db, named: readonly string[]): Promise<string[]> {
  if (named.length === 0) return []
  const members = await findMembers(db, named, sql`and m.deactivated_at is null`)
  const choices = named.map((name, i) => ({ name, path: `assignees[${i}]`, matches: matchMembers(members, name) }))
  const wrong = choices.filter(({ matches }) => matches.length !== 1)
  if (wrong.length > 0) {
    const [one] = wrong
    if (one !== undefined && wrong.length === 1 && one.matches.length > 1)
      throw ambiguousMember(one.path, { field: 'assignees', typed: one.name, members: one.matches })
    const strange = wrong.filter(({ matches }) => matches.length === 0).map(({ name }) => name)
    const hint = strange.length === 0 ? '' : await memberHint(db, strange)
    // The hint covers all problems, so it follows the last one.
    throw invalidFields(
      wrong.map(({ name, path, matches }, i) => ({
        path,
        rule: memberProblem(matches, refusals.unknownAssignee, {
          typed: name,
          hint: i === wrong.length - 1 ? hint : '',
        }),
      })),
    )
  }
  return [...new Set(choices.flatMap(({ matches }) => matches.map(({ id }) => id)))]
}

/** Returns the members that meet the condition and whose id, email or name is given. */
const findMembers = (db: Db, named: readonly string[], which: Sql): Promise<Member[]> => {
  const keys = named.map((name) => name.toLowerCase())
  const others = keys.filter((key) => !isId(key))
  return db.all<Member>(sql`
    select u.id, u.email, u.name, m.deactivated_at is null as is_active from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} ${which}
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
    : refusals.ambiguousMember({ members: members.map((one) => `${describe(one)} (${one.id})`).join(' and '), hint })

const describe = ({ name, email }: Member): string => `${name}, ${email}`

/** Returns the error for a name that several members share, with the choices for a person. */
const ambiguousMember = (
  path: string,
  { field, typed, members }: { field: string; typed: string; members: readonly Member[] },
): AmbiguousName =>
  new AmbiguousName(
    { path, rule: memberProblem(members, refusals.unknownMember, { typed, hint: '' }) },
    {
      field,
      called: typed.trim(),
      singular: 'member',
      options: members.map((one) => ({ id: one.id, said: describe(one) })),
    },
  )

/** Returns a member's user id, including former members. If several share a name, returns the only active one. */
export async function memberId(db: Db, named: string): Promise<string> {
  const members = matchMembers(await findMembers(db, [named], sql``), named)
  const active = members.filter(({ is_active }) => is_active)
  const [one, ...more] = active.length === 1 ? active : members
  if (one !== undefined && more.length === 0) return one.id
  if (members.length > 0) throw ambiguousMember('assignee', { field: 'assignee', typed: named, members })
  const hint = await memberHint(db, [named])
  throw invalidField('assignee', refusals.unknownMember({ typed: named, hint }))
}

const MAX_NAMED = 10

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
  const alike = members.filter(({ name }) => wordsOf(name).some((word) => words.has(word)))
  const suggestions = (alike.length > 0 ? alike : members).slice(0, MAX_NAMED)
  return `; use the user id, exact e-mail or exact name of a member, such as ${suggestions
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
  const joined = to === NOBODY ? [] : [to]
  if (from === null)
    return crew.includes(to) ? [...crew] : crew.length <= 1 || to === NOBODY ? joined : [...crew, ...joined]
  const others = (from === NOBODY ? [...crew, from] : crew).flatMap((id) => (id === from ? joined : [id]))
  return [...new Set(others)]
}
