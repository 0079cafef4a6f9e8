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

/** Maximum codes tried in 15 minutes during the setup of an app. */
const MAX_TRIES = 20

/** Database, and the keys that seal the secrets in it. */
export type SecretStore = { database: Database; dataKeys: DataKeys }

/** `sealed` is the stored form of the secret. */
type StoredTotp = { sealed: Buffer; last_step: number; is_confirmed: boolean }

async function findTotp(send: Database['send'], user: string): Promise<StoredTotp | undefined> {
  const [row] = await rowsOf(
    send,
    sql<StoredTotp>`select secret as sealed, last_step::float8 as last_step, confirmed_at is not null as is_confirmed
      from totp_secrets where user_id = ${user}`,
  )
  return row
}

/** Starts the setup of an authenticator app with a new secret. Refuses a user who already has an app. */
export const beginAuthenticator = ({ database, dataKeys }: SecretStore, user: string): Promise<void> =>
  changeFactors(database, user, async (send) => {
    const sealed = sealTotpSecret(dataKeys, user, newTotpSecret())
    const [begun] = await send([
      sql`insert into totp_secrets as t (user_id, secret) values (${user}, ${sealed})
      on conflict (user_id) do update set secret = excluded.secret, created_at = moment_of(t.user_id)
      where t.confirmed_at is null`,
    ])
    if (begun.count === 0) throw conflict(refusals.appExists())
  })

/** Returns the secret of an app during setup, or null if there is none. */
export const findSetupSecret = ({ database, dataKeys }: SecretStore, user: string): Promise<Buffer | null> =>
  findUnconfirmedSecret(database.send, dataKeys, user)

async function findUnconfirmedSecret(send: Database['send'], dataKeys: DataKeys, user: string): Promise<Buffer | null> {
  const totp = await findTotp(send, user)
  return totp === undefined || totp.is_confirmed ? null : unsealTotpSecret(dataKeys, user, totp.sealed)
}

/** Activates the app after one correct code. Returns the recovery codes in clear text, once. */
export async function confirmAuthenticator(
  { database, dataKeys }: SecretStore,
  user: string,
  text: string,
  origin: Origin,
): Promise<string[]> {
  const wait = await takeAttempt(database, [{ subject: `authenticator setup ${user}`, max: MAX_TRIES }])
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

/** Removes a user's app and recovery codes. */
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
 * Verifies and uses up a code of a user's app. Returns false if the code is wrong or already used, and `sealed` if the
 * secret can't be opened here. Reseals a secret that is in clear or under an earlier key.
 */
export async function spendTotp(
  { database, dataKeys }: SecretStore,
  user: string,
  text: string,
  now = Date.now(),
): Promise<boolean | 'sealed'> {
  const stored = await findTotp(database.send, user)
  if (stored === undefined || !stored.is_confirmed) return false
  const secret = unsealTotpSecret(dataKeys, user, stored.sealed)
  if (secret === null) return 'sealed'
  const step = stepOf(secret, text, { now, last: stored.last_step })
  if (step === null) return false
  const [result] = await database.send([
    sql`update totp_secrets set last_step = ${step}, secret = ${resealTotpSecret(dataKeys, user, stored.sealed, secret)}
    where user_id = ${user} and last_step < ${step} and secret = ${stored.sealed}`,
  ])
  return result.count === 1
}

/** Removes setups that weren't confirmed within a day. */
export const sweepAuthenticators = (): Sql =>
  sql`delete from totp_secrets where confirmed_at is null and created_at < moment() - interval '1 day'`
