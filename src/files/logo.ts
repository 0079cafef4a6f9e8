import { auditChange } from '../identity/audit.ts'
import { requireOwner } from '../identity/permissions/rights.ts'
import { sql, writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import { invalidField, notFound } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import type { Download } from './download.ts'
import { refusals } from './refusals.ts'
import { readPicture, type Picture } from './screening/pictures.ts'

/** Logo of a company with its bytes. The id changes with the picture. */
export type Logo = Picture & { id: string }

/** Maximum logo size in bytes. Every document contains the logo. */
export const MAX_LOGO_BYTES = 512 * 2 ** 10

const columns = sql`id, content_type, width, height, bytes`

/** Returns the company's logo with its bytes, for documents; undefined if it has none. */
export const findLogo = (db: Db): Promise<Logo | undefined> =>
  db.maybe<Logo>(sql`select ${columns} from logos where tenant_id = ${db.tenant}`)

/** Returns the logo without its bytes. */
export const logoInfo = (db: Db): Promise<Omit<Logo, 'bytes'> | undefined> =>
  db.maybe(sql`select id, content_type, width, height from logos where tenant_id = ${db.tenant}`)

type Owner = { user: string }

/** Sets or replaces a company's logo: a PNG or JPEG of at most 512 KiB and 4 million pixels. */
export async function setLogo(
  database: Database,
  tenant: string,
  content: Buffer,
  by: Owner,
): Promise<Omit<Logo, 'bytes'>> {
  if (content.length === 0) throw invalidField('logo', refusals.empty())
  if (content.length > MAX_LOGO_BYTES) throw invalidField('logo', refusals.logoTooLarge())
  const { content_type, width, height, bytes } = await readPicture(content, 'logo')
  const id = newId()
  return writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      await db.run(sql`insert into logos (tenant_id, ${columns})
        values (${tenant}, ${id}, ${content_type}, ${width}, ${height}, ${bytes})
        on conflict (tenant_id) do update set id = excluded.id, content_type = excluded.content_type,
          width = excluded.width,
          height = excluded.height, bytes = excluded.bytes, created_at = excluded.created_at`)
      return { id, content_type, width, height }
    },
    () => [auditChange(tenant, by, 'companies.set', tenant, { logo: [null, `${width} × ${height}`] })],
  )
}

/** Removes a company's logo, if there is one. */
export const removeLogo = (database: Database, tenant: string, by: Owner): Promise<unknown> =>
  writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      return db.run(sql`delete from logos where tenant_id = ${tenant}`)
    },
    (removed) => (removed === 0 ? [] : [auditChange(tenant, by, 'companies.set', tenant, { logo: ['removed', null] })]),
  )

/** Opens the logo for display. Its URL changes with it, so browsers can cache it. Throws `not_found` for another id. */
export async function openLogo(db: Db, id: string): Promise<Download> {
  const logo = await findLogo(db)
  if (logo?.id !== id) throw notFound('logo')
  return {
    headers: {
      'Content-Type': logo.content_type,
      'Content-Length': String(logo.bytes.length),
      'Content-Disposition': 'inline',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'private, max-age=31536000, immutable',
    },
    body: new Uint8Array(logo.bytes),
  }
}
