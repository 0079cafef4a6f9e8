import type { Db } from '../../../platform/db/tenant.ts'
import { findDeposit, findQuote, type DepositState, type Quote } from '../../../records/quotes/index.ts'
import {
  findAcceptance,
  offerStateOf,
  type Acceptance,
  type OfferState,
} from '../../../customer_portal/answer_offer.ts'
import { toOffer, type OfferContent } from '../../../customer_portal/offer.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { isVisible, type PortalDocument } from '../document.ts'
import type { LinkContext } from '../link_context.ts'

/** A quote as its customer sees it: what it offered when they got it, and what can be done with that now. */
export type QuoteOffer = {
  quote: Quote
  content: OfferContent
  state: OfferState
  /** False on a customer's own page that somebody else than the quote's owner gave: it shows the quote only. */
  isAnswerable: boolean
  /** Set when it was accepted by a link. */
  acceptance: Acceptance | undefined
  /** Invoice of its deposit. */
  deposit: DepositState['invoice']
}

/** Reads what a link shows of a quote; `withdrawn` for one that is archived, undefined for none of the link's. */
export async function findOffer(
  context: LinkContext,
  { id }: PortalDocument,
): Promise<QuoteOffer | 'withdrawn' | undefined> {
  const { link, today } = context
  const [quote, deposit, acceptance] = await context.read((db) =>
    Promise.all([liveQuote(db, id), findDeposit(db, id), findAcceptance(db, id)]),
  )
  if (quote === undefined) return link.kind === 'customers' ? undefined : 'withdrawn'
  if (!isVisible(context, quote)) return undefined
  const isAccepted = quote.status === 'accepted' && acceptance !== undefined
  const now = toOffer(quote, deposit)
  const content = isAccepted ? acceptance.content : (link.offer ?? now)
  return {
    quote,
    content,
    state: isAccepted ? 'accepted' : offerStateOf(quote, now, content, today),
    isAnswerable: link.kind === 'quotes' || link.created_by === quote.owner_id,
    acceptance: isAccepted ? acceptance : undefined,
    deposit: deposit?.invoice ?? null,
  }
}

async function liveQuote(db: Db, id: string): Promise<Quote | undefined> {
  try {
    return await findQuote(db, id)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}
