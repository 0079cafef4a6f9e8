import { randomBytes } from 'node:crypto'
import { hashOf } from '../identity/credentials/secret_hash.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { findCustomer } from '../records/customers/index.ts'
import { invoicesNamed } from '../records/invoices/index.ts'
import { findDeposit, findQuote, listOptions, requireQuoteOwner } from '../records/quotes/index.ts'
import { invalidField, notFound } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import { toOffer, type LinkOffer, type OfferContent } from './offer.ts'
import { refusals } from './refusals.ts'

export type LinkTargetKind = 'quotes' | 'invoices' | 'customers'

/** What a link shows: one document, or the visits and open documents of one customer. */
export type LinkTarget = { kind: LinkTargetKind; id: string }

/** A link to be made; `by` is a user, null the service itself, and `days` how long it can be used. */
export type NewLink = LinkTarget & { by: string | null; days?: number }

/** Days that a link works by default, and the most that a person can choose. */
export const DEFAULT_LINK_DAYS = 90
export const MAX_LINK_DAYS = 365

/**
 * Makes a link, whose secret of 128 random bits is in its path and nowhere else: only its hash is stored. A quote's
 * link is made by who may change the quote, whatever page or message asks for it.
 */
export async function issueLink(
  db: Db,
  { kind, id, by, days = DEFAULT_LINK_DAYS }: NewLink,
): Promise<{ path: string }> {
  if (!Number.isInteger(days) || days < 1 || days > MAX_LINK_DAYS)
    throw invalidField('days', refusals.badDays({ max: String(MAX_LINK_DAYS), days: String(days) }))
  const offer = await offerFor(db, { kind, id }, by)
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

/** Returns what a link keeps of its record, which must be a live one; of a quote what it offers now. */
async function offerFor(db: Db, { kind, id }: LinkTarget, by: string | null): Promise<LinkOffer | null> {
  switch (kind) {
    case 'quotes': {
      const quote = await findQuote(db, id)
      if (by !== null) requireQuoteOwner(quote, { user: by })
      const offer = await offerNow(db, id)
      const options = quote.option_set === null ? [] : await listOptions(db, quote.option_set)
      const visible = options.filter((option) => option.id === id || SHOWN.has(option.status))
      if (visible.length < 2) return offer
      return {
        ...offer,
        options: await Promise.all(visible.map(async (one) => ({ id: one.id, offer: await offerNow(db, one.id) }))),
      }
    }
    case 'invoices':
      if ((await invoicesNamed(db, [id])).length === 0) throw notFound('invoice')
      return null
    case 'customers':
      await findCustomer(db, id)
      return null
  }
}

/** Statuses of options that a link shows: neither those that are being made, nor those that were withdrawn. */
const SHOWN: ReadonlySet<string> = new Set(['sent', 'accepted', 'expired'])

async function offerNow(db: Db, id: string): Promise<OfferContent> {
  const [quote, deposit] = await Promise.all([findQuote(db, id), findDeposit(db, id)])
  return toOffer(quote, deposit?.amount_cents ?? null)
}

const COLUMNS = { quotes: sql`quote_id`, invoices: sql`invoice_id`, customers: sql`customer_id` }

export const linkColumn = (kind: LinkTargetKind) => COLUMNS[kind]

const SINGULAR = { quotes: 'quote', invoices: 'invoice', customers: 'customer' } as const

type LinkAct = 'link_created' | 'link_taken_back'

/** Returns the audit row of what was done with a link, in the history of its record. */
export const auditLink = (
  db: Db,
  by: string | null,
  act: LinkAct,
  { kind, id }: LinkTarget,
  changes: Record<string, readonly [before: unknown, after: unknown]>,
) => sql`insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
  values (${db.tenant}, ${newId()}, ${by}, ${`${kind}.${act}`}, ${SINGULAR[kind]}, ${id}, ${JSON.stringify(changes)})`
