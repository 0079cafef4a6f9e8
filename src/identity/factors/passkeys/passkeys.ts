import { rowsOf, onlyRow, sql, type Database, type Sql } from '../../../platform/db/tenant.ts'
import { conflict, notFound } from '../../../platform/errors/refusal.ts'
import { readName } from '../../inputs.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { notify } from '../../security/notices/notices.ts'
import type { RecognizedPerson } from '../../sign_in/sessions.ts'
import { changeFactors, requireAnotherSignIn } from '../factors.ts'
import type { NewPasskey, PasskeyRecord } from './webauthn.ts'
import { refusals } from '../refusals.ts'

/** Maximum passkeys per user. */
const MAX_PASSKEYS = 20

/** Passkey as its user sees it. `id` is the authenticator's credential ID in Base64url; instants are in UTC. */
export type Passkey = { id: string; name: string; isSynced: boolean; created_at: string; last_used_at: string | null }

/** Lists a user's passkeys, oldest first. */
export async function listPasskeys(database: Database, user: string): Promise<Passkey[]> {
  const rows = await rowsOf(
    database.send,
    sql<
      Omit<Passkey, 'id'> & { id: Buffer }
    >`select id, name, is_synced as "isSynced", created_at, last_used_at from passkeys
    where user_id = ${user} order by created_at, id`,
  )
  return rows.map(({ id, ...passkey }) => ({ ...passkey, id: id.toString('base64url') }))
}

type OwnedPasskey = PasskeyRecord & RecognizedPerson

const columns = sql`p.id, p.handle, p.public_key, p.counter::float8 as counter, p.transports`

/** Returns the stored records of a user's passkeys. */
export async function recordsOf(send: Database['send'], user: string): Promise<PasskeyRecord[]> {
  return rowsOf(
    send,
    sql<PasskeyRecord>`select ${columns} from passkeys p where p.user_id = ${user} order by p.created_at, p.id`,
  )
}

/** Returns the passkey of a Base64url ID with its user, or undefined if it isn't registered here. */
export async function findPasskey(database: Database, id: string): Promise<OwnedPasskey | undefined> {
  const [row] = await rowsOf(
    database.send,
    sql<OwnedPasskey>`select ${columns}, u.id as user, u.sign_in_epoch as epoch from passkeys p
      join users u on u.id = p.user_id where p.id = ${Buffer.from(id, 'base64url')}`,
  )
  return row
}

/** Name of a passkey, and its user handle. */
export type PasskeyDetails = { name: string; handle: string }

/** Adds a passkey to a user. Refuses the 21st, and one that is already registered. */
export const addPasskey = (
  database: Database,
  user: string,
  passkey: NewPasskey,
  details: PasskeyDetails,
  origin: Origin,
): Promise<void> =>
  changeFactors(database, user, async (send) => {
    const name = readName(details.name, 'name', 100)
    const [answer] = await send([sql<{ n: number }>`select count(*)::int as n from passkeys where user_id = ${user}`])
    if (onlyRow(answer).n >= MAX_PASSKEYS) throw conflict(refusals.tooManyPasskeys({ max: MAX_PASSKEYS }))
    const [added] = await send([
      sql`${insertPasskey(user, passkey, { name, handle: details.handle })} on conflict (id) do nothing`,
    ])
    if (added.count === 0) throw conflict(refusals.passkeyRegistered())
    await send([
      logAccountEvent({ user, kind: 'passkey_added', origin, about: { name } }),
      notify({ user, kind: 'second_factor_changed' }),
    ])
  })

export const insertPasskey = (user: string, passkey: NewPasskey, { name, handle }: PasskeyDetails): Sql => sql`
  insert into passkeys (id, user_id, handle, name, public_key, counter, transports, is_synced)
  values (${passkey.id}, ${user}, ${handle}, ${name}, ${passkey.public_key}, ${passkey.counter}, ${passkey.transports},
    ${passkey.isSynced})`

export async function renamePasskey(database: Database, user: string, id: string, text: string): Promise<void> {
  const name = readName(text, 'name', 100)
  const [renamed] = await database.send([
    sql`update passkeys set name = ${name} where id = ${Buffer.from(id, 'base64url')} and user_id = ${user}`,
  ])
  if (renamed.count === 0) throw notFound('passkey')
}

/** Removes a user's passkey, which can't sign in from then on. Refuses the user's last way to sign in. */
export const removePasskey = (database: Database, user: string, id: string, origin: Origin): Promise<void> =>
  changeFactors(database, user, async (send) => {
    const [passkey] = await rowsOf(
      send,
      sql<{
        name: string
      }>`delete from passkeys where id = ${Buffer.from(id, 'base64url')} and user_id = ${user} returning name`,
    )
    if (passkey === undefined) throw notFound('passkey')
    await requireAnotherSignIn(send, user)
    await send([
      logAccountEvent({ user, kind: 'passkey_removed', origin, about: { name: passkey.name } }),
      notify({ user, kind: 'second_factor_changed' }),
    ])
  })

/** Records a use; false if a concurrent use changed the counter first. */
export async function recordPasskeyUse(
  database: Database,
  { id, counter: before }: PasskeyRecord,
  { counter, isSynced }: { counter: number; isSynced: boolean },
): Promise<boolean> {
  const [used] = await database.send([
    sql`update passkeys set counter = ${counter}, is_synced = ${isSynced}, last_used_at = moment()
    where id = ${id} and counter = ${before}`,
  ])
  return used.count === 1
}
