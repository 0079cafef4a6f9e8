import type { Db } from '../../../platform/db/tenant.ts'
import { findDeposit, findQuote, type DepositState, type Quote } from '../../../records/quotes/index.ts'
import {
  findAcceptance,
  offerStateOf,
  type Acceptance,
  type OfferState,
} from '../../../customer_portal/answer_offer.ts'
import { chooseLines, offerIn, optionsOf, toOffer, type OfferContent } from '../../../customer_portal/offer.ts'
import { ifPresent } from '../../../platform/errors/refusal.ts'
import { isVisible, type PortalDocument } from '../document.ts'
import type { LinkContext } from '../link_context.ts'

/** A quote as its customer sees it: what it offered when they got it, and what can be done with that now. */
export type QuoteOffer = {
  quote: Quote
  content: OfferContent
  /** What the customer gets with the optional lines that they ticked. */
  chosen: OfferContent
  /** Ids of those lines. */
  lines: readonly string[]
  state: OfferState
  /** False on a customer's own page that somebody else than the quote's owner gave: it shows the quote only. */
  isAnswerable: boolean
  /** Set when it was accepted by a link. */
  acceptance: Acceptance | undefined
  /** Invoice of its deposit. */
  deposit: DepositState['invoice']
}

/**
 * Reads what a link shows of a quote, with those of its optional lines that `ticked` names; `withdrawn` for one that is
 * archived, undefined for none of the link's.
 */
export async function findOffer(
  context: LinkContext,
  { id }: Pick<PortalDocument, 'id'>,
  ticked: readonly string[] = [],
): Promise<QuoteOffer | 'withdrawn' | undefined> {
  const { link, today } = context
  const [quote, deposit, acceptance] = await context.read((db) =>
    Promise.all([liveQuote(db, id), findDeposit(db, id), findAcceptance(db, id)]),
  )
  if (quote === undefined) return link.kind === 'customers' ? undefined : 'withdrawn'
  if (!isVisible(context, quote)) return undefined
  const isAccepted = quote.status === 'accepted' && acceptance !== undefined
  const now = toOffer(quote, deposit?.amount_cents ?? null)
  const offer = offerIn(link, id) ?? now
  // Somebody of the company chose among the optional lines: what they accepted is what the quote offers now.
  const isChosen = quote.status === 'accepted' && offer.optional_lines !== undefined
  const content = isAccepted ? acceptance.content : isChosen ? now : offer
  const state = isAccepted ? 'accepted' : offerStateOf(quote, now, content, today)
  const lines = state === 'open' ? optionalIn(content, ticked) : []
  return {
    quote,
    content,
    chosen: lines.length === 0 ? content : await context.read((db) => chooseLines(db, quote, content, lines)),
    lines,
    state,
    isAnswerable: link.kind === 'quotes' || link.created_by === quote.owner_id,
    acceptance: isAccepted ? acceptance : undefined,
    deposit: deposit?.invoice ?? null,
  }
}

/** One of several options that a link shows. */
export type OptionOffer = QuoteOffer & { id: string }

/** Reads the options that a link shows, without those that were withdrawn. */
export async function findOffers(context: LinkContext): Promise<OptionOffer[]> {
  const offers = await Promise.all(
    optionsOf(context.link.offer).map(async ({ id }) => {
      const offered = await findOffer(context, { id })
      return typeof offered === 'object' ? [{ ...offered, id }] : []
    }),
  )
  return offers.flat()
}

/** Returns which of an offer's optional lines are ticked, in its order. */
const optionalIn = ({ optional_lines = [] }: OfferContent, ticked: readonly string[]): string[] =>
  optional_lines.map(({ id }) => id).filter((id) => ticked.includes(id))

const liveQuote = (db: Db, id: string): Promise<Quote | undefined> => ifPresent(findQuote(db, id))
