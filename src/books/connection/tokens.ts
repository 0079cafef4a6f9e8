import { setTimeout as sleep } from 'node:timers/promises'
import {
  resealText,
  sealEach,
  sealText,
  unsealText,
  type DataKeys,
  type SealingCounts,
} from '../../identity/data_keys.ts'
import type { SealContext } from '../../identity/sealing.ts'
import { readTenant, sql, writeTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { toFields } from '../../platform/validation/json_fields.ts'
import { BooksError } from '../books_error.ts'
import { renewTokens, type BooksTokens } from './oauth.ts'
import type { Vendor } from './vendor.ts'

const sealContext = (tenant: string): SealContext => ({ table: 'books_connections', row: tenant })

/** Seals tokens for the database. */
export const sealTokens = (keys: DataKeys, tenant: string, tokens: BooksTokens): Buffer =>
  sealText(keys, sealContext(tenant), JSON.stringify(tokens))

/** Unseals tokens from the database. Throws `later` if no key here opens them. */
export function unsealTokens(keys: DataKeys, tenant: string, sealed: Buffer): BooksTokens {
  const text = unsealText(keys, sealContext(tenant), sealed)
  if (text === null) throw new BooksError('later', { detail: 'the key that encrypts the tokens is missing here' })
  const { access, refresh, expires_at } = toFields(JSON.parse(text))
  return { access: String(access), refresh: String(refresh), expires_at: Number(expires_at) }
}

/** An access token with its version, which grows with each renewal. */
type AccessToken = { access: string; version: number }

export type TokenSource = {
  current(): Promise<AccessToken>
  /** Returns a token newer than a version that the program no longer accepts. */
  renew(version: number): Promise<AccessToken>
  /** Records that the program permanently refuses the tokens of a version. */
  end(version: number): Promise<unknown>
}

type TokenRow = { tokens: Buffer; version: number; is_revoked: boolean }

/** Milliseconds: renewal before expiry, poll interval while another process renews, and maximum wait for it. */
const [RENEW_BEFORE_MS, POLL_MS, MAX_WAIT_MS] = [60_000, 200, 30_000]

/** Opens a company's tokens, which one process at a time renews. */
export function openTokens(database: Database, keys: DataKeys, vendor: Vendor, tenant: string): TokenSource {
  const read = async (): Promise<{ tokens: BooksTokens; version: number }> => {
    const row = await readTenant(database, { tenant }, (db) =>
      db.maybe<TokenRow>(sql`select tokens, tokens_version as version, revoked_at is not null as is_revoked
        from books_connections where tenant_id = ${db.tenant}`),
    )
    if (row === undefined || row.is_revoked) throw new BooksError('revoked')
    return { tokens: unsealTokens(keys, tenant, row.tokens), version: row.version }
  }

  async function renew(version: number): Promise<AccessToken> {
    for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await sleep(POLL_MS)) {
      const current = await read()
      if (current.version > version) return { access: current.tokens.access, version: current.version }
      if (await write((db) => claimRenewal(db, version))) return fetchTokens(current.tokens, version)
    }
    throw new BooksError('later')
  }

  const write = <T>(work: (db: Db) => Promise<T>): Promise<T> => writeTenant(database, { tenant }, work)

  async function fetchTokens({ refresh }: BooksTokens, version: number): Promise<AccessToken> {
    try {
      const tokens = await renewTokens(vendor, tenant, refresh)
      const saved = await write((db) => saveTokens(db, sealTokens(keys, tenant, tokens), version))
      // If an owner reconnected meanwhile, the old tokens would end the new access when the program refuses them.
      const current = saved === 1 ? { tokens, version: version + 1 } : await read()
      return { access: current.tokens.access, version: current.version }
    } catch (error) {
      const isRevoked = error instanceof BooksError && error.failure === 'revoked'
      await write((db) => (isRevoked ? endAccess(db, version) : releaseRenewal(db, version)))
      throw error
    }
  }

  return {
    async current() {
      const { tokens, version } = await read()
      return tokens.expires_at - Date.now() < RENEW_BEFORE_MS ? renew(version) : { access: tokens.access, version }
    },
    renew,
    end: (version) => write((db) => endAccess(db, version)),
  }
}

/** Lets one process renew the tokens, under a lease that another can take over if the process dies. */
const claimRenewal = async (db: Db, version: number): Promise<boolean> =>
  (await db.run(sql`update books_connections set renewing_until = later_by(moment_of(tenant_id), interval '45 seconds')
    where tenant_id = ${db.tenant} and tokens_version = ${version} and revoked_at is null
      and (renewing_until is null or renewing_until < now())`)) === 1

const saveTokens = (db: Db, tokens: Buffer, version: number): Promise<number> =>
  db.run(sql`update books_connections
    set tokens = ${tokens}, tokens_version = tokens_version + 1, renewing_until = null
    where tenant_id = ${db.tenant} and tokens_version = ${version}`)

const releaseRenewal = (db: Db, version: number): Promise<number> =>
  db.run(sql`update books_connections set renewing_until = null
    where tenant_id = ${db.tenant} and tokens_version = ${version}`)

/** Records that the program permanently refuses these tokens. */
const endAccess = (db: Db, version: number): Promise<number> =>
  db.run(sql`update books_connections set revoked_at = moment_of(tenant_id), renewing_until = null
    where tenant_id = ${db.tenant} and tokens_version = ${version} and revoked_at is null`)

/** Reseals the tokens of companies with the current key: plaintext ones and those under an earlier key. */
export const sealBooksTokens = (
  database: Database,
  keys: DataKeys,
  tenants: readonly string[],
): Promise<SealingCounts> => sealEach(database, tenants, (db) => resealTokens(db, keys))

async function resealTokens(db: Db, keys: DataKeys): Promise<keyof SealingCounts | null> {
  const row = await db.maybe<{ tokens: Buffer }>(
    sql`select tokens from books_connections where tenant_id = ${db.tenant} for update`,
  )
  if (row === undefined) return null
  const sealed = resealText(keys, sealContext(db.tenant), row.tokens)
  if (typeof sealed === 'string') return sealed
  await db.run(sql`update books_connections set tokens = ${sealed} where tenant_id = ${db.tenant}`)
  return 'sealed'
}
