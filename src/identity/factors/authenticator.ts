import { rowsOf, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import { conflict, invalid } from '../../platform/errors/refusal.ts'
import { logAccountEvent, type Origin } from '../security/account_events.ts'
import { notify } from '../security/notices/notices.ts'
import { takeAttempt } from '../sign_in/attempts.ts'
import { newTotpSecret, stepOf } from '../sign_in/passwords/totp.ts'
import type { DataKeys } from '../data_keys.ts'
import { sealTotpSecret, resealTotpSecret, unsealTotpSecret } from './app_secrets.ts'
import { changeFactors } from './factors.ts'
import { newRecoveryCodes } from './recovery_codes.ts'
import { refusals } from './refusals.ts'

/** Limits codes tried in a quarter of an hour while an app is set up. */
const MAX_TRIES = 20

/** Holds the database, and the keys that the secrets in it are sealed by. */
export type Secrets = { database: Database; dataKeys: DataKeys }

/** `kept` is the secret as the database has it. */
type StoredTotp = { kept: Buffer; last_step: number; is_confirmed: boolean }

async function findTotp(send: Database['send'], user: string): Promise<StoredTotp | undefined> {
  const [row] = await rowsOf(
    send,
    sql<StoredTotp>`select secret as kept, last_step::float8 as last_step, confirmed_at is not null as is_confirmed
      from totp_secrets where user_id = ${user}`,
  )
  return row
}

/** Begins to set up an authenticator app, with a new secret. Refuses one who has an app. */
export const beginAuthenticator = ({ database, dataKeys }: Secrets, user: string): Promise<void> =>
  changeFactors(database, user, async (send) => {
    const sealed = sealTotpSecret(dataKeys, user, newTotpSecret())
    const [begun] = await send([
      sql`insert into totp_secrets as t (user_id, secret) values (${user}, ${sealed})
      on conflict (user_id) do update set secret = excluded.secret, created_at = moment_of(t.user_id)
      where t.confirmed_at is null`,
    ])
    if (begun.count === 0) throw conflict(refusals.appExists())
  })

/** Returns the secret of an app that is being set up, or null where none is. */
export const findSetupSecret = ({ database, dataKeys }: Secrets, user: string): Promise<Buffer | null> =>
  findUnconfirmedSecret(database.send, dataKeys, user)

async function findUnconfirmedSecret(send: Database['send'], dataKeys: DataKeys, user: string): Promise<Buffer | null> {
  const totp = await findTotp(send, user)
  return totp === undefined || totp.is_confirmed ? null : unsealTotpSecret(dataKeys, user, totp.kept)
}

/** Turns the app on, once it shows the right code. Returns the recovery codes in clear, once. */
export async function confirmAuthenticator(
  { database, dataKeys }: Secrets,
  user: string,
  text: string,
  origin: Origin,
): Promise<string[]> {
  const wait = await takeAttempt(database, [{ subject: `authenticator setup ${user}`, most: MAX_TRIES }])
  if (wait > 0) throw conflict(refusals.tooManyTries())
  return changeFactors(database, user, async (send) => {
    const secret = await findUnconfirmedSecret(send, dataKeys, user)
    if (secret === null) throw conflict(refusals.noSetup())
    const step = stepOf(secret, text, { now: Date.now(), last: 0 })
    if (step === null) throw invalid(refusals.wrongCode())
    const { codes, statements } = newRecoveryCodes(user, origin)
    await send([
      sql`update totp_secrets set confirmed_at = moment(), last_step = ${step} where user_id = ${user}`,
      logAccountEvent({ user, kind: 'totp_added', origin }),
      notify({ user, kind: 'second_factor_changed' }),
      ...statements,
    ])
    return codes
  })
}

/** Removes a person's app and their recovery codes. */
export const removeAuthenticator = (database: Database, user: string, origin: Origin): Promise<void> =>
  changeFactors(database, user, async (send) => {
    const [removed] = await send([
      sql`delete from totp_secrets where user_id = ${user} returning confirmed_at`,
      sql`delete from recovery_codes where user_id = ${user}`,
      sql`delete from pending_sign_ins where user_id = ${user}`,
    ])
    if (removed.rows[0]?.['confirmed_at'] == null) return
    await send([
      logAccountEvent({ user, kind: 'totp_removed', origin }),
      notify({ user, kind: 'second_factor_changed' }),
    ])
  })

/**
 * Takes a code of a person's app, which is then used up; false when it is none of now, or was taken before, and
 * `sealed` when the secret can't be opened here. A secret in clear or of an earlier key is sealed anew.
 */
export async function spendTotp(
  { database, dataKeys }: Secrets,
  user: string,
  text: string,
  now = Date.now(),
): Promise<boolean | 'sealed'> {
  const stored = await findTotp(database.send, user)
  if (stored === undefined || !stored.is_confirmed) return false
  const secret = unsealTotpSecret(dataKeys, user, stored.kept)
  if (secret === null) return 'sealed'
  const step = stepOf(secret, text, { now, last: stored.last_step })
  if (step === null) return false
  const [result] = await database.send([
    sql`update totp_secrets set last_step = ${step}, secret = ${resealTotpSecret(dataKeys, user, stored.kept, secret)}
    where user_id = ${user} and last_step < ${step} and secret = ${stored.kept}`,
  ])
  return result.count === 1
}

/** Removes what was begun and not confirmed within a day. */
export const sweepAuthenticators = (): Sql =>
  sql`delete from totp_secrets where confirmed_at is null and created_at < moment() - interval '1 day'`
