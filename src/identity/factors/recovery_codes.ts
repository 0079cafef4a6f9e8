import { createHash } from 'node:crypto'
import { join, sql } from '../../platform/db/database.ts'
import type { Database, Sql } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { logAccountEvent, type Origin } from '../security/account_events.ts'
import { newSecret } from '../sign_in/passwords/passwords.ts'
import { changeFactors, factorsOf } from './factors.ts'
import { refusals } from './refusals.ts'

/** Number of codes per user, and of groups per code, which make 118 bits. */
const [CODE_COUNT, GROUP_COUNT] = [10, 6]

/**
 * Creates new codes that replace all old ones. Returns them in clear text, once, with the statements that store them.
 */
export function newRecoveryCodes(user: string, origin: Origin): { codes: string[]; statements: Sql[] } {
  const codes = Array.from({ length: CODE_COUNT }, () => newSecret(GROUP_COUNT))
  return {
    codes,
    statements: [
      sql`delete from recovery_codes where user_id = ${user}`,
      sql`insert into recovery_codes (user_id, hash)
        values ${join(codes.map((code) => sql`(${user}, ${hashOf(user, code)})`))}`,
      logAccountEvent({ user, kind: 'recovery_codes_made', origin }),
    ],
  }
}

/** Replaces a user's codes. Returns them in clear text, once. Refuses a user without an authenticator app. */
export const replaceRecoveryCodes = (database: Database, user: string, origin: Origin): Promise<string[]> =>
  changeFactors(database, user, async (send) => {
    const { hasTotp } = await factorsOf(send, user)
    if (!hasTotp) throw conflict(refusals.noAppForCodes())
    const { codes, statements } = newRecoveryCodes(user, origin)
    await send(statements)
    return codes
  })

/** Pattern of a code without its hyphens. Older codes with four groups stay valid until used. */
const CODE_PATTERN = /^[a-z2-9]{16}(?:[a-z2-9]{8})?$/

/** Returns an entered code in its stored form, or null if it has another form. */
export function parseRecoveryCode(text: string): string | null {
  const code = text.length > 40 ? '' : text.toLowerCase().replace(/[\s-]/g, '')
  return CODE_PATTERN.test(code) ? (code.match(/.{4}/g) ?? []).join('-') : null
}

/** Uses up a user's code; false if it is wrong or already used. */
export async function spendRecoveryCode(
  database: Database,
  user: string,
  code: string,
  origin: Origin,
): Promise<boolean> {
  const [spent] = await database.send([
    sql`update recovery_codes set used_at = moment()
      where user_id = ${user} and hash = ${hashOf(user, code)} and used_at is null`,
  ])
  if (spent.count === 0) return false
  await database.send([logAccountEvent({ user, kind: 'recovery_code_used', origin })])
  return true
}

/** Hashes a code with its user's ID, so that equal codes of two users don't show. */
const hashOf = (user: string, code: string): Buffer => createHash('sha256').update(`${user} ${code}`).digest()
