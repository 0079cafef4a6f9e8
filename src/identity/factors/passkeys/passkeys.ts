import { rowsOf, onlyRow, sql, type Database, type Sql } from '../../../platform/db/tenant.ts'
import { conflict, notFound } from '../../../platform/errors/refusal.ts'
import { readName } from '../../inputs.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { notify } from '../../security/notices/notices.ts'
import type { RecognizedPerson } from '../../sign_in/sessions.ts'
import { changeFactors, requireAnotherSignIn } from '../factors.ts'
import type { NewPasskey, PasskeyRecord } from './webauthn.ts'
import { refusals } from '../refusals.ts'

/** Limits the passkeys of one person. */
const MAX_PASSKEYS = 20

/** Describes a passkey to its person. `id` is the authenticator's, in Base64url; instants are in UTC. */
export type Passkey = { id: string; name: string; isSynced: boolean; created_at: string; last_used_at: string | null }

/** Lists a person's passkeys, oldest first. */
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

/** Returns what is stored of a person's passkeys. */
export async function recordsOf(send: Database['send'], user: string): Promise<PasskeyRecord[]> {
  return rowsOf(
    send,
    sql<PasskeyRecord>`select ${columns} from passkeys p where p.user_id = ${user} order by p.created_at, p.id`,
  )
}

/** Returns the passkey of an id in Base64url with its person, or undefined when it isn't known here. */
export async function findPasskey(database: Database, id: string): Promise<OwnedPasskey | undefined> {
  const [row] = await rowsOf(
    database.send,
    sql<OwnedPasskey>`select ${columns}, u.id as user, u.sign_in_epoch as epoch from passkeys p
      join users u on u.id = p.user_id where p.id = ${Buffer.from(id, 'base64url')}`,
  )
  return row
}

/** Holds what a passkey is called, and what it knows its person by. */
export type PasskeyNaming = { name: string; handle: string }

/** Adds a passkey to a person. Refuses the 21st, and one that is known here already. */
export const addPasskey = (
  database: Database,
  user: string,
  passkey: NewPasskey,
  naming: PasskeyNaming,
  origin: Origin,
): Promise<void> =>
  changeFactors(database, user, async (send) => {
    const name = readName(naming.name, 'name', 100)
    const [answer] = await send([sql<{ n: number }>`select count(*)::int as n from passkeys where user_id = ${user}`])
    if (onlyRow(answer).n >= MAX_PASSKEYS) throw conflict(refusals.tooManyPasskeys({ max: MAX_PASSKEYS }))
    const [added] = await send([
      sql`${insertPasskey(user, passkey, { name, handle: naming.handle })} on conflict (id) do nothing`,
    ])
    if (added.count === 0) throw conflict(refusals.passkeyRegistered())
    await send([
      logAccountEvent({ user, kind: 'passkey_added', origin, about: { name } }),
      notify({ user, kind: 'second_factor_changed' }),
    ])
  })

/** Returns the row of a new passkey. */
export const insertPasskey = (user: string, passkey: NewPasskey, { name, handle }: PasskeyNaming): Sql => sql`
  insert into passkeys (id, user_id, handle, name, public_key, counter, transports, is_synced)
  values (${passkey.id}, ${user}, ${handle}, ${name}, ${passkey.public_key}, ${passkey.counter}, ${passkey.transports},
    ${passkey.isSynced})`

/** Gives a person's passkey another name. */
export async function renamePasskey(database: Database, user: string, id: string, text: string): Promise<void> {
  const name = readName(text, 'name', 100)
  const [renamed] = await database.send([
    sql`update passkeys set name = ${name} where id = ${Buffer.from(id, 'base64url')} and user_id = ${user}`,
  ])
  if (renamed.count === 0) throw notFound('passkey')
}

/** Removes a person's passkey, which recognizes nobody from then on. Refuses their last way to sign in. */
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

/** Notes a use; false when another one came between, whose counter is as high. */
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
