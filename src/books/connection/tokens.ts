import { setTimeout as sleep } from 'node:timers/promises'
import { resealText, sealEach, sealText, unsealText, type DataKeys, type Sealing } from '../../identity/data_keys.ts'
import type { SealContext } from '../../identity/sealing.ts'
import { readTenant, sql, writeTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { toFields } from '../../platform/validation/json_fields.ts'
import { BooksError } from '../books_error.ts'
import { renewTokens, type BooksTokens } from './oauth.ts'
import type { Vendor } from './vendor.ts'

const sealContext = (tenant: string): SealContext => ({ table: 'books_connections', row: tenant })

/** Returns tokens as the database keeps them. */
export const sealTokens = (keys: DataKeys, tenant: string, tokens: BooksTokens): Buffer =>
  sealText(keys, sealContext(tenant), JSON.stringify(tokens))

/** Returns the tokens of what the database keeps. Throws `later` where no key here opens them. */
export function unsealTokens(keys: DataKeys, tenant: string, sealed: Buffer): BooksTokens {
  const text = unsealText(keys, sealContext(tenant), sealed)
  if (text === null) throw new BooksError('later', { detail: 'the key that seals the tokens is missing here' })
  const { access, refresh, expires_at } = toFields(JSON.parse(text))
  return { access: String(access), refresh: String(refresh), expires_at: Number(expires_at) }
}

/** An access token, and the number of its renewal. */
type AccessToken = { access: string; version: number }

export type TokenSource = {
  current(): Promise<AccessToken>
  /** Returns tokens newer than a version, which the program no longer takes. */
  renew(version: number): Promise<AccessToken>
  /** Notes that the program refuses the tokens of a version for good. */
  end(version: number): Promise<unknown>
}

type TokenRow = { tokens: Buffer; version: number; is_revoked: boolean }

/** Milliseconds before its end in which a token is renewed, between looks at another's renewal, and for all of them. */
const [EARLY_MS, LOOK_MS, MAX_WAIT_MS] = [60_000, 200, 30_000]

/** Returns a company's tokens, which one process at a time renews. */
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
    for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await sleep(LOOK_MS)) {
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
      // An owner connected again meanwhile: tokens of before would pass for theirs, and end them when refused.
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
      return tokens.expires_at - Date.now() < EARLY_MS ? renew(version) : { access: tokens.access, version }
    },
    renew,
    end: (version) => write((db) => endAccess(db, version)),
  }
}

/** Lets one process renew the tokens; another goes on when it died. */
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

/** Notes that the program refuses these tokens for good. */
const endAccess = (db: Db, version: number): Promise<number> =>
  db.run(sql`update books_connections set revoked_at = moment_of(tenant_id), renewing_until = null
    where tenant_id = ${db.tenant} and tokens_version = ${version} and revoked_at is null`)

/** Seals the tokens of companies by the present key, those in clear and those of an earlier key. */
export const sealBooksTokens = (database: Database, keys: DataKeys, tenants: readonly string[]): Promise<Sealing> =>
  sealEach(database, tenants, (db) => resealTokens(db, keys))

async function resealTokens(db: Db, keys: DataKeys): Promise<keyof Sealing | null> {
  const row = await db.maybe<{ kept: Buffer }>(
    sql`select tokens as kept from books_connections where tenant_id = ${db.tenant} for update`,
  )
  if (row === undefined) return null
  const sealed = resealText(keys, sealContext(db.tenant), row.kept)
  if (typeof sealed === 'string') return sealed
  await db.run(sql`update books_connections set tokens = ${sealed} where tenant_id = ${db.tenant}`)
  return 'sealed'
}
