import { createHash } from 'node:crypto'
import { join, sql } from '../../platform/db/database.ts'
import type { Database, Sql } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { logAccountEvent, type Origin } from '../security/account_events.ts'
import { newSecret } from '../sign_in/passwords/passwords.ts'
import { changeFactors, factorsOf } from './factors.ts'
import { refusals } from './refusals.ts'

/** Maximum codes per person, and groups per code, which make 118 bits. */
const [CODES, GROUPS] = [10, 6]

/**
 * Makes new codes, which replace those that are left. Returns them in clear, once, and the statements that store them.
 */
export function newRecoveryCodes(user: string, origin: Origin): { codes: string[]; statements: Sql[] } {
  const codes = Array.from({ length: CODES }, () => newSecret(GROUPS))
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

/** Makes a person's codes anew, in clear, once. Refuses one who has no authenticator app. */
export const replaceRecoveryCodes = (database: Database, user: string, origin: Origin): Promise<string[]> =>
  changeFactors(database, user, async (send) => {
    const { hasTotp } = await factorsOf(send, user)
    if (!hasTotp) throw conflict(refusals.noAppForCodes())
    const { codes, statements } = newRecoveryCodes(user, origin)
    await send(statements)
    return codes
  })

/** Matches a code without its hyphens; those that were made with four groups count until they are used. */
const FORM = /^[a-z2-9]{16}(?:[a-z2-9]{8})?$/

/** Returns a typed code as codes are stored, or null when it has no such form. */
export function parseRecoveryCode(text: string): string | null {
  const code = text.length > 40 ? '' : text.toLowerCase().replace(/[\s-]/g, '')
  return FORM.test(code) ? (code.match(/.{4}/g) ?? []).join('-') : null
}

/** Spends a person's code; false when it is none of theirs, or was used. */
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

/** Hashes a code with whose it is, so that equal ones of two people are not seen to be. */
const hashOf = (user: string, code: string): Buffer => createHash('sha256').update(`${user} ${code}`).digest()
