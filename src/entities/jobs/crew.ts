import { sql, type Db } from '../../db/tenant.ts'
import { invalidField, invalidFields } from '../../refusal.ts'
import { fold } from '../../shape/fold.ts'
import { isId } from '../../shape/id.ts'
import { requiredText } from '../../shape/text.ts'

/** Reads a member as callers name one: by user id or e-mail, which only the account's own rows can tell apart. */
export const member = () => requiredText(254)

type Member = { id: string; email: string; name: string }

/** Returns active members by id or exact e-mail, in the order they are named, each once. */
export async function membersOf(db: Db, named: readonly string[]): Promise<string[]> {
  if (named.length === 0) return []
  const keys = named.map((name) => name.toLowerCase())
  const members = await db.all<Member>(sql`
    select u.id, u.email, u.name from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null
      and (u.id = any(${keys.filter(isId)}::uuid[]) or u.email = any(${keys.filter((key) => !isId(key))}::text[]))`)
  const found = keys.map((key) => members.find(({ id, email }) => key === id || key === email))
  const strange = named.filter((_, i) => found[i] === undefined)
  if (strange.length > 0) {
    const each = found.flatMap((one, i) =>
      one === undefined
        ? [{ path: `assignees[${i}]`, rule: `is not an active member of this account (got ${named[i]})` }]
        : [],
    )
    throw invalidFields([...each, { path: '', rule: await wayOut(db, strange) }])
  }
  return [...new Set(found.flatMap((one) => one?.id ?? []))]
}

/** Returns a member's user id, also for former members. */
export async function memberId(db: Db, named: string): Promise<string> {
  const key = named.toLowerCase()
  const found = await db.maybe<{ id: string }>(sql`select u.id from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and ${isId(key) ? sql`u.id = ${key}` : sql`u.email = ${key}`}`)
  if (found === undefined)
    throw invalidField('assignee', `is not a member of this account (got ${named}); ${await wayOut(db, [named])}`)
  return found.id
}

const MAX_NAMED = 10

/**
 * Lists, for a refusal, the members whose name has a word of what was given, else all of them, with their ids, since no
 * tool lists members.
 */
async function wayOut(db: Db, given: readonly string[]): Promise<string> {
  const members = await db.all<Member>(sql`select u.id, u.email, u.name from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null order by lower(u.name), u.id limit 200`)
  const words = new Set(given.filter((text) => !isId(text.toLowerCase())).flatMap(wordsOf))
  const alike = members.filter(({ name }) => wordsOf(name).some((word) => words.has(word)))
  const told = (alike.length > 0 ? alike : members).slice(0, MAX_NAMED)
  return `use the user id or exact e-mail of a member, such as ${told.map(({ id, name }) => `${name} (${id})`).join(', ')}`
}

const wordsOf = (name: string): string[] => fold(name).match(/[\p{L}\p{N}]+/gu) ?? []
