import { randomBytes } from 'node:crypto'
import { hashOf } from '../../credentials/secret_hash.ts'
import { transact } from '../../../platform/db/transaction.ts'
import { rowsOf, insertSelected, sql, type Database, type Sql } from '../../../platform/db/tenant.ts'
import { conflict, notFound } from '../../../platform/errors/refusal.ts'
import { readEmail } from '../../inputs.ts'
import { queueMail } from '../../security/notices/account_mail.ts'
import { refusals } from '../refusals.ts'

/** Hours until a link expires. */
const LINK_HOURS = 24

/** Links that can be requested per day for each company that may be started. */
const MAILS_PER_COMPANY = 10

/**
 * Requests a link that starts a company. It does the same for every address, so that the response doesn't reveal
 * whether an account exists; the mail's text is chosen when it is written.
 */
export async function requestCompanyLink(database: Database, address: string, perDay: number): Promise<void> {
  const to = readEmail(address)
  await transact(database, async (send) => {
    const maxMails = perDay * MAILS_PER_COMPANY
    const [counted] = await send([
      insertSelected(sql`insert into company_starts as s (day, mails)
        select (moment() at time zone 'UTC')::date, 1 where ${maxMails}::int > 0
        on conflict (day) do update set mails = s.mails + 1 where s.mails < ${maxMails}`),
    ])
    if (counted.count === 0) throw conflict(refusals.tooManyStarts())
    await send([queueMail({ user: null, to, kind: 'company' })])
  })
}

/** Returns a link's secret in clear text, and the statements that save its hash and delete it. */
export function newCompanyLink(address: string): { secret: string; insert: Sql; undo: Sql } {
  const secret = randomBytes(32).toString('base64url')
  return {
    secret,
    insert: sql`insert into company_links (hash, address, expires_at)
      values (${hashOf(secret)}, ${address}, moment() + make_interval(hours => ${LINK_HOURS}))`,
    undo: deleteCompanyLink(secret),
  }
}

/** Returns the address a link was mailed to. Throws `not_found` if it was used or has expired. */
export async function findCompanyLink(database: Database, secret: string): Promise<{ address: string }> {
  const [link] = await rowsOf(
    database.send,
    sql<{ address: string }>`select address from company_links
      where hash = ${hashOf(secret)} and expires_at > moment()`,
  )
  if (link === undefined) throw notFound('link')
  return link
}

/** Uses a link. Of several concurrent attempts only one deletes the row. */
export const deleteCompanyLink = (secret: string): Sql =>
  sql`delete from company_links where hash = ${hashOf(secret)} and expires_at > moment()`

/** Removes expired links and the counts of past days. */
export const sweepCompanyLinks = (): Sql[] => [
  sql`delete from company_links where expires_at < moment()`,
  sql`delete from company_starts where day < (moment() at time zone 'UTC')::date - 30`,
]
