import { hashOf } from '../identity/credentials/secret_hash.ts'
import { rowsOf, readTenant, sql, type Database, type Db, type TransactionOptions } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'
import type { LinkTargetKind } from './link.ts'
import type { LinkOffer } from './offer.ts'

/** Link opened by its secret. */
export type OpenedLink = {
  id: string
  tenant: string
  kind: LinkTargetKind
  /** Id of the quote, invoice or customer. */
  record: string
  /** Offer of the quote when the link was created. */
  offer: LinkOffer | null
  customer_id: string
  customer_name: string
  /** Language tag; null if unknown. */
  preferred_language: string | null
  created_at: string
  expires_at: string
  has_expired: boolean
  is_revoked: boolean
  /** User who created it; null for the service. */
  created_by: string | null
}

/** Reasons that a link no longer works. */
export type LinkStatus = Pick<OpenedLink, 'has_expired' | 'is_revoked'>

const STATUS_COLUMNS = sql`l.expires_at <= moment() as has_expired, l.revoked_at is not null as is_revoked`

/** Returns whether an opened link has expired or was revoked, to check before a write. */
export const findLinkStatus = (db: Db, { id }: Pick<OpenedLink, 'id'>): Promise<LinkStatus> =>
  db.present<LinkStatus>(
    sql`select ${STATUS_COLUMNS} from customer_links l where l.tenant_id = ${db.tenant} and l.id = ${id}`,
    'link',
  )

/** Returns the link with this secret; undefined if there is none. */
export async function openLink(
  database: Database,
  secret: string,
  options: TransactionOptions = {},
): Promise<OpenedLink | undefined> {
  if (!/^[\w-]{22}$/.test(secret)) return undefined
  const hash = hashOf(secret)
  const [existing] = await rowsOf(
    database.send,
    sql<{ tenant_id: string }>`select tenant_id from customer_link_hashes where hash = ${hash}`,
  )
  if (existing === undefined) return undefined
  return readTenant(database, { tenant: existing.tenant_id, options }, (db) =>
    db.maybe<OpenedLink>(sql`
    select l.id, l.tenant_id as tenant,
      case when l.quote_id is not null then 'quotes' when l.invoice_id is not null then 'invoices' else 'customers'
        end as kind,
      coalesce(l.quote_id, l.invoice_id, l.customer_id) as record, l.offer, c.id as customer_id,
      c.display_name as customer_name, c.preferred_language,
      l.created_at, l.expires_at, ${STATUS_COLUMNS}, l.created_by
    from customer_link_hashes h join customer_links l on l.tenant_id = h.tenant_id and l.id = h.link_id
    left join quotes q on q.tenant_id = l.tenant_id and q.id = l.quote_id
    left join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
    join customers c on c.tenant_id = l.tenant_id and c.id = coalesce(l.customer_id, q.customer_id, i.customer_id)
    where h.tenant_id = ${db.tenant} and h.hash = ${hash}`),
  )
}

/** Maximum views to keep per link. */
const MAX_VIEWS = 100

/** Records a view of a link from an address, at most once an hour. */
export async function recordView(db: Db, { id }: Pick<OpenedLink, 'id'>, address: string): Promise<void> {
  const counted = await db.run(sql`with seen as (
      insert into customer_link_views (tenant_id, id, link_id, address)
      select ${db.tenant}, ${newId()}, ${id}, ${address.slice(0, 64)}::text
      where not exists (select 1 from customer_link_views
        where tenant_id = ${db.tenant} and link_id = ${id} and address = ${address.slice(0, 64)}
          and at > moment() - interval '1 hour')
      returning at)
    update customer_links set views = views + 1, viewed_at = (select at from seen)
    where tenant_id = ${db.tenant} and id = ${id} and exists (select 1 from seen)`)
  if (counted === 0) return
  await db.run(sql`delete from customer_link_views where tenant_id = ${db.tenant} and link_id = ${id} and id < (
    select id from customer_link_views where tenant_id = ${db.tenant} and link_id = ${id} order by id desc
    offset ${MAX_VIEWS - 1} limit 1)`)
}
