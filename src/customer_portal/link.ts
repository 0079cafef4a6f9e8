import { randomBytes } from 'node:crypto'
import { hashOf } from '../identity/credentials/secret_hash.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { findCustomer } from '../records/customers/index.ts'
import { listInvoiceNames } from '../records/invoices/index.ts'
import { findDeposit, findQuote, listOptions, requireQuoteOwner } from '../records/quotes/index.ts'
import { invalidField, notFound } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import { toOffer, type LinkOffer, type OfferContent } from './offer.ts'
import { refusals } from './refusals.ts'

export type LinkTargetKind = 'quotes' | 'invoices' | 'customers'

/** Target of a link: one document, or a customer's visits and open documents. */
export type LinkTarget = { kind: LinkTargetKind; id: string }

/** Link to create. `by` is a user, or null for the service; `days` is its lifetime. */
export type NewLink = LinkTarget & { by: string | null; days?: number }

/** Default and maximum lifetime of a link in days. */
export const DEFAULT_LINK_DAYS = 90
export const MAX_LINK_DAYS = 365

/**
 * Creates a link. Its path holds the only copy of a secret of 128 random bits; only the hash is stored. A quote's link
 * requires someone who may change the quote, from every page and message.
 */
export async function issueLink(
  db: Db,
  { kind, id, by, days = DEFAULT_LINK_DAYS }: NewLink,
): Promise<{ path: string }> {
  if (!Number.isInteger(days) || days < 1 || days > MAX_LINK_DAYS)
    throw invalidField('days', refusals.badDays({ max: String(MAX_LINK_DAYS), days: String(days) }))
  const offer = await prepareOffer(db, { kind, id }, by)
  const [link, secret] = [newId(), randomBytes(16).toString('base64url')]
  await Promise.all([
    db.run(sql`insert into customer_links (tenant_id, id, ${linkColumn(kind)}, offer, created_by, expires_at)
      values (${db.tenant}, ${link}, ${id}, ${offer && JSON.stringify(offer)}, ${by},
        moment() + make_interval(days => ${days}))`),
    db.run(
      sql`insert into customer_link_hashes (hash, tenant_id, link_id)
        values (${hashOf(secret)}, ${db.tenant}, ${link})`,
    ),
    db.run(auditLink(db, by, 'link_created', { kind, id }, { days: [null, days] })),
  ])
  return { path: `/c/${secret}` }
}

/** Returns the data that a link stores: for a quote, its current offer. Throws unless its record is live. */
async function prepareOffer(db: Db, { kind, id }: LinkTarget, by: string | null): Promise<LinkOffer | null> {
  switch (kind) {
    case 'quotes': {
      const quote = await findQuote(db, id)
      if (by !== null) requireQuoteOwner(quote, { user: by })
      const offer = await currentOffer(db, id)
      const options = quote.option_set === null ? [] : await listOptions(db, quote.option_set)
      const visible = options.filter((option) => option.id === id || SHOWN_STATUSES.has(option.status))
      if (visible.length < 2) return offer
      return {
        ...offer,
        options: await Promise.all(visible.map(async (one) => ({ id: one.id, offer: await currentOffer(db, one.id) }))),
      }
    }
    case 'invoices':
      if ((await listInvoiceNames(db, [id])).length === 0) throw notFound('invoice')
      return null
    case 'customers':
      await findCustomer(db, id)
      return null
  }
}

/** Statuses of the options that a link shows. Drafts and withdrawn options are left out. */
const SHOWN_STATUSES: ReadonlySet<string> = new Set(['sent', 'accepted', 'expired'])

async function currentOffer(db: Db, id: string): Promise<OfferContent> {
  const [quote, deposit] = await Promise.all([findQuote(db, id), findDeposit(db, id)])
  return toOffer(quote, deposit?.amount_cents ?? null)
}

const COLUMNS = { quotes: sql`quote_id`, invoices: sql`invoice_id`, customers: sql`customer_id` }

export const linkColumn = (kind: LinkTargetKind) => COLUMNS[kind]

const SINGULAR = { quotes: 'quote', invoices: 'invoice', customers: 'customer' } as const

type LinkEvent = 'link_created' | 'link_taken_back'

/** Returns the audit row of an action on a link, for the history of its record. */
export const auditLink = (
  db: Db,
  by: string | null,
  event: LinkEvent,
  { kind, id }: LinkTarget,
  changes: Record<string, readonly [before: unknown, after: unknown]>,
) => sql`insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
  values (${db.tenant}, ${newId()}, ${by}, ${`${kind}.${event}`}, ${SINGULAR[kind]}, ${id}, ${JSON.stringify(changes)})`
