import { createHash, randomBytes } from 'node:crypto'
import { readTenant, writeTenant, sql } from '../db/tenant.ts'
import type { Database, Db, Entry } from '../db/tenant.ts'
import { newId } from '../shape/id.ts'
import { invalid } from '../refusal.ts'
import { READ_SCOPES, SCOPES, isScope } from './scopes.ts'

export type Key = {
  id: string
  kind: 'user_key' | 'tenant_key'
  user_id: string | null
  name: string
  last_four: string
  scopes: string[]
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  created_at: string
}
export type NewKey = { user: string | null; name: string; scopes: readonly string[]; expires_at: string | null }

const PREFIXES = { user_key: 'svc_uk_', tenant_key: 'svc_tk_' } as const

/** Whether a bearer token has the form of an API key. */
export const isKey = (token: string): boolean =>
  token.startsWith(PREFIXES.user_key) || token.startsWith(PREFIXES.tenant_key)

/** The form in which a key is kept and looked up; the key itself is shown once and stored nowhere. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Makes a key. With a user it is a user key, without one a tenant key. Answers the key in clear, once. */
export async function createKey(database: Database, entry: Entry, { user, name, scopes, expires_at }: NewKey): Promise<Key & { key: string }> {
  const kind = user === null ? 'tenant_key' : 'user_key'
  const key = PREFIXES[kind] + base62(randomBytes(32))
  return writeTenant(database, entry, async (db) => {
    if (user !== null) await requireMember(db, user)
    const [made] = await Promise.all([
      db.one<Key>(sql`insert into credentials (tenant_id, id, kind, user_id, name, last_four, scopes, expires_at)
        values (${db.tenant}, ${newId()}, ${kind}, ${user}, ${name}, ${key.slice(-4)}, ${[...scopes]}, ${expires_at})
        returning ${columns}`),
    ])
    await db.run(sql`insert into key_hashes (hash, tenant_id, credential_id) values (${hashOf(key)}, ${db.tenant}, ${made.id})`)
    return { ...made, key }
  })
}

/** Every key of the tenant, revoked ones included, newest first. */
export const listKeys = (database: Database, entry: Entry): Promise<Key[]> =>
  readTenant(database, entry, (db) =>
    db.all<Key>(sql`select ${columns} from credentials where tenant_id = ${db.tenant} order by created_at desc, id desc`))

/** From its next request on the key is refused. Revoking twice changes nothing. */
export const revokeKey = (database: Database, entry: Entry, id: string): Promise<Key> =>
  writeTenant(database, entry, (db) =>
    db.present<Key>(sql`update credentials set revoked_at = coalesce(revoked_at, moment())
      where tenant_id = ${db.tenant} and id = ${id} returning ${columns}`, 'key'))

/** `all`, `read`, or scope names separated by commas; refuses a name that means nothing. */
export function parseScopes(text: string): string[] {
  if (text === 'all') return [...SCOPES]
  if (text === 'read') return [...READ_SCOPES]
  const names = text.split(',').map((name) => name.trim()).filter((name) => name !== '')
  const unknown = names.find((name) => !isScope(name))
  if (unknown !== undefined) throw invalid(`scopes: '${unknown}' is not a scope; use all, read, or names such as read:jobs`)
  if (names.length === 0) throw invalid('scopes: name at least one scope, or all, or read')
  return names
}

const columns = sql`id, kind, user_id, name, last_four, scopes, expires_at, revoked_at, last_used_at, created_at`

const requireMember = (db: Db, user: string): Promise<unknown> =>
  db.present(sql`select user_id from members where tenant_id = ${db.tenant} and user_id = ${user} and deactivated_at is null`, 'member')

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 32 bytes as 43 digits. */
function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let i = 0; i < 43; i++) {
    text = DIGITS[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}
