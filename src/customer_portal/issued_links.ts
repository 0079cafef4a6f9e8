import { sql, type Db } from '../platform/db/tenant.ts'
import { findQuote, requireQuoteOwner } from '../records/quotes/index.ts'
import { linkColumn, auditLink, type LinkTarget } from './link.ts'

/** Link as members of the company see it, without its secret. */
export type IssuedLink = {
  id: string
  /** Null for a link that the service created. */
  created_by_name: string | null
  created_at: string
  expires_at: string
  revoked_at: string | null
  has_expired: boolean
  views: number
  viewed_at: string | null
}

/** Checks whether a link still works. */
export const isActive = ({ revoked_at, has_expired }: IssuedLink): boolean => revoked_at === null && !has_expired

const MAX_LINKS = 20

/** Lists the newest links of a record. */
export const listLinks = (db: Db, { kind, id }: LinkTarget): Promise<IssuedLink[]> =>
  db.all(sql`select l.id, u.name as created_by_name, l.created_at, l.expires_at, l.revoked_at,
      l.expires_at <= moment() as has_expired, l.views, l.viewed_at
    from customer_links l left join users u on u.id = l.created_by
    where l.tenant_id = ${db.tenant} and l.${linkColumn(kind)} = ${id} order by l.created_at desc, l.id desc
    limit ${MAX_LINKS}`)

/** Lists the views of a link, newest first. */
export const listViews = (db: Db, link: string): Promise<{ at: string; address: string }[]> =>
  db.all(
    sql`select at, address from customer_link_views where tenant_id = ${db.tenant} and link_id = ${link}
      order by id desc`,
  )

/**
 * Revokes a link; it shows nothing from then on. Does nothing if it was already revoked. A quote's link can be revoked
 * only by someone who may change the quote.
 */
export async function revokeLink(db: Db, by: string, { kind, id }: LinkTarget, link: string): Promise<void> {
  if (kind === 'quotes') requireQuoteOwner(await findQuote(db, id), { user: by })
  await db.present(
    sql`select id from customer_links where tenant_id = ${db.tenant} and id = ${link} and ${linkColumn(kind)} = ${id}
      for no key update`,
    'link',
  )
  const revokedCount = await db.run(
    sql`update customer_links set revoked_at = moment()
      where tenant_id = ${db.tenant} and id = ${link} and revoked_at is null`,
  )
  if (revokedCount > 0) await db.run(auditLink(db, by, 'link_taken_back', { kind, id }, { link: [link, null] }))
}
