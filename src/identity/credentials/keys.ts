import { randomBytes } from 'node:crypto'
import { hashOf } from './secret_hash.ts'
import {
  rowsOf,
  readTenant,
  writeTenant,
  sql,
  type Database,
  type Sql,
  type TenantEntry,
} from '../../platform/db/tenant.ts'
import { dateOrInstant } from '../../platform/validation/fields.ts'
import { newId } from '../../platform/validation/id.ts'
import { upperBound, instantIn, utc } from '../../platform/validation/formats/instants.ts'
import { invalidAt, invalidField, notFound } from '../../platform/errors/refusal.ts'
import { auditChange, type Actor } from '../audit.ts'
import { notify, type NewNotice } from '../security/notices/notices.ts'
import { requireActiveMember, requireOwnerOrSelf, requireScopes } from '../permissions/rights.ts'
import { READ_SCOPES, SCOPES, isScope, expandProposes } from '../permissions/scopes.ts'
import { refusals } from './refusals.ts'
import { problemIn } from '../inputs.ts'

export type Key = {
  id: string
  kind: 'user_key' | 'tenant_key'
  user_id: string | null
  name: string
  last_four: string
  scopes: string[]
  /** Write scopes under which it only proposes. */
  proposes: string[]
  held_at: string | null
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  created_at: string
}
export type NewKey = {
  user: string | null
  name: string
  scopes: readonly string[]
  proposes?: readonly string[]
  expires_at: string | null
}

const PREFIXES = { user_key: 'svc_uk_', tenant_key: 'svc_tk_' } as const

/** Checks whether a bearer token looks like an API key. */
export const isKey = (token: string): boolean =>
  token.startsWith(PREFIXES.user_key) || token.startsWith(PREFIXES.tenant_key)

/** Creates a key: a user key with a user, a tenant key without. Returns the key in clear text, once. */
export async function createKey(
  database: Database,
  entry: TenantEntry,
  { user, name, scopes, proposes = [], expires_at }: NewKey,
  by: Actor = null,
): Promise<Key & { key: string }> {
  const kind = user === null ? 'tenant_key' : 'user_key'
  const key = PREFIXES[kind] + base62(randomBytes(32))
  const id = newId()
  return writeTenant(
    database,
    entry,
    async (db) => {
      await requireOwnerOrSelf(db, by, user)
      await requireScopes(db, by, scopes)
      if (user !== null) await requireActiveMember(db, user)
      const [credential] = await Promise.all([
        db.one<Key>(sql`insert into credentials (tenant_id, id, kind, user_id, name, last_four, scopes, proposes,
          expires_at)
        values (${db.tenant}, ${id}, ${kind}, ${user}, ${name}, ${key.slice(-4)}, ${[...scopes]},
          ${expandProposes(scopes, proposes)}, ${expires_at})
        returning ${columns}`),
        db.run(
          sql`insert into key_hashes (hash, tenant_id, credential_id) values (${hashOf(key)}, ${db.tenant}, ${id})`,
        ),
      ])
      return { ...credential, key }
    },
    (credential) => [
      auditChange(entry.tenant, by, 'keys.create', id, {
        name: [null, credential.name],
        user_id: [null, credential.user_id],
        scopes: [null, credential.scopes],
        ...(credential.proposes.length > 0 ? { proposes: [null, credential.proposes] } : {}),
        expires_at: [null, credential.expires_at],
      }),
      ...notifyKeyHolder(user ?? by?.user, { kind: 'new_key', about: { name }, tenant: entry.tenant }),
    ],
  )
}

/** Lists every key of the tenant, newest first, including revoked ones. */
export const listKeys = (database: Database, entry: TenantEntry): Promise<Key[]> =>
  readTenant(database, entry, (db) =>
    db.all<Key>(
      sql`select ${columns} from credentials where tenant_id = ${db.tenant} and kind in ('user_key', 'tenant_key')
        order by created_at desc, id desc`,
    ),
  )

/** Revokes a key from its next request on. Revoking twice changes nothing. */
export async function revokeKey(database: Database, entry: TenantEntry, id: string, by: Actor = null): Promise<Key> {
  const { key } = await writeTenant(
    database,
    entry,
    async (db) => {
      const { user_id } = await db.present<Key>(
        sql`select ${columns} from credentials
          where tenant_id = ${db.tenant} and id = ${id} and kind in ('user_key', 'tenant_key')`,
        'key',
      )
      await requireOwnerOrSelf(db, by, user_id)
      const revoked = await db.maybe<Key>(sql`update credentials set revoked_at = moment()
      where tenant_id = ${db.tenant} and id = ${id} and kind in ('user_key', 'tenant_key') and revoked_at is null
      returning ${columns}`)
      return {
        revoked,
        key:
          revoked ??
          (await db.present<Key>(
            sql`select ${columns} from credentials
              where tenant_id = ${db.tenant} and id = ${id} and kind in ('user_key', 'tenant_key')`,
            'key',
          )),
      }
    },
    ({ revoked }) =>
      revoked === undefined
        ? []
        : [auditChange(entry.tenant, by, 'keys.revoke', id, { revoked_at: [null, revoked.revoked_at] })],
  )
  return key
}

/** Sets the scopes under which a key only proposes, from its next request on. */
export async function setKeyProposes(
  database: Database,
  entry: TenantEntry,
  id: string,
  proposes: readonly string[],
  by: Actor = null,
): Promise<Key> {
  const { before, after } = await writeTenant(
    database,
    entry,
    async (db) => {
      const before = await db.present<Key>(
        sql`select ${columns} from credentials
          where tenant_id = ${db.tenant} and id = ${id} and kind in ('user_key', 'tenant_key') for no key update`,
        'key',
      )
      await requireOwnerOrSelf(db, by, before.user_id)
      const proposable = expandProposes(before.scopes, proposes)
      const after = await db.one<Key>(sql`update credentials set proposes = ${proposable}
        where tenant_id = ${db.tenant} and id = ${id} returning ${columns}`)
      return { before, after }
    },
    ({ before, after }) => [
      auditChange(entry.tenant, by, 'keys.set', id, { proposes: [before.proposes, after.proposes] }),
    ],
  )
  return { ...before, ...after }
}

/** Returns the tenant of a key, for the operator. Throws `not_found` for an unknown key. */
export async function tenantOfKey(database: Database, id: string): Promise<string> {
  const [row] = await rowsOf(database.send, sql`select tenant_id from key_hashes where credential_id = ${id}`)
  if (row === undefined) throw notFound('key')
  return String(row['tenant_id'])
}

/** Parses the expiry of a key, in UTC: the end of a day in `zone`, or an instant. It must be in the future. */
export function parseExpiry(text: string, zone: string): string {
  const parsed = dateOrInstant().safeParse(text.trim())
  if (!parsed.success) throw invalidField('expires', refusals.expiry({ problem: problemIn(parsed.error), given: text }))
  const expiry = parsed.data.length === 10 ? upperBound(zone, parsed.data) : utc(instantIn(zone, parsed.data))
  if (Date.parse(expiry) <= Date.now()) throw invalidField('expires', refusals.expiryPast({ given: text }))
  return expiry
}

/** Parses `all`, `parsed`, or scope names separated by commas. Refuses an unknown name. */
export function parseScopes(text: string): string[] {
  if (text === 'all') return [...SCOPES]
  if (text === 'read') return [...READ_SCOPES]
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const unknown = names.find((name) => !isScope(name))
  if (unknown !== undefined)
    throw invalidAt('scopes', `'${unknown}' is not a scope; use all, read, or names such as read:jobs`)
  if (names.length === 0) throw invalidAt('scopes', 'name at least one scope, or all, or read')
  return names
}

const columns = sql`id, kind, user_id, name, last_four, scopes, proposes, held_at, expires_at, revoked_at, last_used_at,
  created_at`

/** Notifies the holder of a new key: its user, or the creator of a company key. */
const notifyKeyHolder = (user: string | undefined, notice: Omit<NewNotice, 'user'>): Sql[] =>
  user === undefined ? [] : [notify({ user, ...notice })]

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Encodes 32 bytes as 43 base62 digits. */
function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let i = 0; i < 43; i++) {
    text = DIGITS[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}
