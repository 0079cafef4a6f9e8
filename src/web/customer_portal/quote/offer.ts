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

/** Quote as its customer sees it: the content they were sent, and its current state. */
export type QuoteOffer = {
  quote: Quote
  content: OfferContent
  /** Content with the optional lines that the customer checked. */
  chosenContent: OfferContent
  /** Ids of those lines. */
  lines: readonly string[]
  state: OfferState
  /** False on a customer's page shared by someone other than the quote's owner. That page only shows the quote. */
  isAnswerable: boolean
  /** Acceptance through a link. */
  acceptance: Acceptance | undefined
  /** Deposit invoice. */
  deposit: DepositState['invoice']
}

/**
 * Reads a link's quote with the optional lines in `checkedLines`. An archived quote is `withdrawn`, or undefined on a
 * link to a customer. A quote the link doesn't show is undefined.
 */
export async function findOffer(
  context: LinkContext,
  { id }: Pick<PortalDocument, 'id'>,
  checkedLines: readonly string[] = [],
): Promise<QuoteOffer | 'withdrawn' | undefined> {
  const { link, today } = context
  const [quote, deposit, acceptance] = await context.read((db) =>
    Promise.all([liveQuote(db, id), findDeposit(db, id), findAcceptance(db, id)]),
  )
  if (quote === undefined) return link.kind === 'customers' ? undefined : 'withdrawn'
  if (!isVisible(context, quote)) return undefined
  const isAccepted = quote.status === 'accepted' && acceptance !== undefined
  const currentOffer = toOffer(quote, deposit?.amount_cents ?? null)
  const offer = offerIn(link, id) ?? currentOffer
  // The company chose the optional lines itself, so the accepted content is the quote's current one.
  const isChosen = quote.status === 'accepted' && offer.optional_lines !== undefined
  const content = isAccepted ? acceptance.content : isChosen ? currentOffer : offer
  const state = isAccepted ? 'accepted' : offerStateOf(quote, currentOffer, content, today)
  const lines = state === 'open' ? optionalIn(content, checkedLines) : []
  return {
    quote,
    content,
    chosenContent: lines.length === 0 ? content : await context.read((db) => chooseLines(db, quote, content, lines)),
    lines,
    state,
    isAnswerable: link.kind === 'quotes' || link.created_by === quote.owner_id,
    acceptance: isAccepted ? acceptance : undefined,
    deposit: deposit?.invoice ?? null,
  }
}

/** One of several options of a link. */
export type OptionOffer = QuoteOffer & { id: string }

/** Reads the options of a link, without withdrawn ones. */
export async function findOffers(context: LinkContext): Promise<OptionOffer[]> {
  const offers = await Promise.all(
    optionsOf(context.link.offer).map(async ({ id }) => {
      const offer = await findOffer(context, { id })
      return typeof offer === 'object' ? [{ ...offer, id }] : []
    }),
  )
  return offers.flat()
}

/** Returns the ids of the checked optional lines, in the offer's order. */
const optionalIn = ({ optional_lines = [] }: OfferContent, checkedLines: readonly string[]): string[] =>
  optional_lines.map(({ id }) => id).filter((id) => checkedLines.includes(id))

const liveQuote = (db: Db, id: string): Promise<Quote | undefined> => ifPresent(findQuote(db, id))
