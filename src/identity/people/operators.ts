import { transact } from '../../platform/db/transaction.ts'
import { rowsOf, onlyRow, sql, type Database } from '../../platform/db/tenant.ts'
import { conflict, notFound } from '../../platform/errors/refusal.ts'
import type { Actor } from '../audit.ts'
import { recordReview } from './reviews.ts'
import type { User } from './users.ts'

/** Person who administers the installation, and decides on waiting messages and events of all companies and of none. */
export type Operator = User & { created_at: string }

/**
 * Makes a user an operator. Throws `conflict` if they already are, or if their password came through a company's link.
 */
export const addOperator = (database: Database, { id, email, name }: User, by: Actor = null): Promise<Operator> =>
  transact(database, async (send) => {
    const [account] = await send([
      sql<{ isVouched: boolean }>`select (made_through is null or vouched_at is not null or proved_at is not null)
          and unclaimed_since is null as "isVouched"
        from users where id = ${id} for no key update`,
    ])
    if (!onlyRow(account).isVouched)
      throw conflict(
        `the account of ${email} was created or reset through a link that someone else may have used, and the person ` +
          `hasn't claimed it; give it a password first: callout member password --user ${email}`,
      )
    const [operator] = await rowsOf(
      send,
      sql<{
        created_at: string
      }>`insert into operators (user_id) values (${id}) on conflict do nothing returning created_at`,
    )
    if (operator === undefined) throw conflict(`${email} is already an operator`)
    await send([recordReview(by, 'operators.add', id, { email })])
    return { id, email, name, created_at: operator.created_at }
  })

/** Lists the operators, by email address. */
export async function listOperators(database: Database): Promise<Operator[]> {
  return rowsOf(
    database.send,
    sql<Operator>`select u.id, u.email, u.name, o.created_at from operators o join users u on u.id = o.user_id
      order by u.email`,
  )
}

/** Removes a user's operator role, from their next page on. */
export const removeOperator = (database: Database, { id, email, name }: User, by: Actor = null): Promise<Operator> =>
  transact(database, async (send) => {
    const [operator] = await rowsOf(
      send,
      sql<{ created_at: string }>`delete from operators where user_id = ${id} returning created_at`,
    )
    if (operator === undefined) throw notFound('operator')
    await send([recordReview(by, 'operators.remove', id, { email })])
    return { id, email, name, created_at: operator.created_at }
  })

export async function isOperator(database: Database, user: string): Promise<boolean> {
  const [answer] = await database.send([sql`select from operators where user_id = ${user}`])
  return answer.count === 1
}
