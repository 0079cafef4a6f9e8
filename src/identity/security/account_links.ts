import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'
import { sql, type Sql } from '../../platform/db/tenant.ts'

/** Purpose of a link for its account (docs/spec/accounts.md#proof). */
type AccountLinkKind = 'prove' | 'change_address' | 'reset'

/** Hours until a link expires. A mailed link that sets a password expires sooner than one handed out in person. */
const HOURS = { prove: 24, change_address: 24, reset: 1 } as const satisfies Record<AccountLinkKind, number>
const HANDED_OUT_HOURS = 24

/** Link that is still valid. */
export type AccountLink = {
  kind: AccountLinkKind
  user_id: string
  /** Address it was mailed to; null if it was handed out in person. */
  address: string | null
  /** Owner who created it; null for the operator's and mailed ones. `given_through` is the owner's company. */
  given_by: string | null
  given_through: string | null
}

type NewLink = { user: string; kind: AccountLinkKind } & (
  | { mailedTo: string }
  | { givenBy: { user: string; tenant: string } | null }
)

/** Returns a link's secret in clear text, and the statements that save its hash and delete it. */
export function newAccountLink({ user, kind, ...delivery }: NewLink): { secret: string; insert: Sql; undo: Sql } {
  const secret = randomBytes(32).toString('base64url')
  const [address, giver] = 'mailedTo' in delivery ? [delivery.mailedTo, null] : [null, delivery.givenBy]
  const hours = address === null ? HANDED_OUT_HOURS : HOURS[kind]
  const insert = sql`insert into account_links (hash, user_id, kind, address, given_by, given_through, expires_at)
    values (${hashOf(secret)}, ${user}, ${kind}, ${address}, ${giver?.user ?? null}, ${giver?.tenant ?? null},
      moment() + make_interval(hours => ${hours}))`
  return { secret, insert, undo: sql`delete from account_links where hash = ${hashOf(secret)}` }
}

/** Finds a valid link. */
export const findAccountLink = (secret: string): Sql<AccountLink> =>
  sql`select ${columns} from account_links where ${isOpen(secret)}`

/** Uses a link. Of several concurrent attempts only one gets its row. */
export const spendAccountLink = (secret: string): Sql<AccountLink> =>
  sql`delete from account_links where ${isOpen(secret)} returning ${columns}`

/** Ends a user's links that set a password, after it was set or changed. */
export const endResetLinksOf = (user: string): Sql =>
  sql`delete from account_links where user_id = ${user} and kind = 'reset'`

/** Ends every link of a user, after their address changed. */
export const endAccountLinksOf = (user: string): Sql => sql`delete from account_links where user_id = ${user}`

export const sweepAccountLinks = (): Sql => sql`delete from account_links where expires_at < moment()`

const columns = sql`kind, user_id, address, given_by, given_through`

const isOpen = (secret: string): Sql => sql`hash = ${hashOf(secret)} and expires_at > moment()`
