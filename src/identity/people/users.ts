import { rowsOf, onlyRow, sql, type Database } from '../../platform/db/tenant.ts'
import { invalidField, notFound } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { readEmail } from '../inputs.ts'
import { refusals } from './refusals.ts'

/** User, independent of any company. */
export type User = { id: string; email: string; name: string }

/** Returns a user by email address or ID, for the operator. */
export async function findUser(database: Database, emailOrId: string): Promise<User> {
  const text = emailOrId.trim().toLowerCase()
  if (!isId(text) && !text.includes('@')) throw invalidField('user', refusals.unknown({ given: emailOrId }))
  const condition = isId(text) ? sql`id = ${text}` : sql`email = ${readEmail(text)}`
  const [user] = await rowsOf(database.send, sql<User>`select id, email, name from users where ${condition}`)
  if (user === undefined) throw notFound('user')
  return user
}

/** Counts the users whose email address matches an SQL pattern. */
export async function countUsersByEmail(database: Database, pattern: string): Promise<number> {
  const [answer] = await database.send([
    sql<{ count: number }>`select count(*) as count from users where email like ${pattern}`,
  ])
  return onlyRow(answer).count
}
