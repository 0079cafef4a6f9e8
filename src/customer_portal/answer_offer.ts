import { isOfficeDevice } from '../identity/sign_in/session_uses.ts'
import { values } from '../platform/db/rows.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { changeQuote, findDeposit, lockQuote, type Quote, type QuoteTerms } from '../records/quotes/index.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { hashOfContent } from '../platform/validation/canonical.ts'
import { newId } from '../platform/validation/id.ts'
import { issueDeposit } from './deposit.ts'
import { chooseLines, toOffer, type OfferContent } from './offer.ts'

/**
 * State of the offer that a customer sees. `stale`: the quote now offers something else; `revising`: the company is
 * changing it; `begun`: a job or an invoice was created from it.
 */
export type OfferState = 'open' | 'accepted' | 'declined' | 'expired' | 'stale' | 'revising' | 'begun' | 'withdrawn'

/**
 * Returns the state of an offer made by a live quote; `currentOffer` is its current offer, `today` the company's day.
 */
export function offerStateOf(quote: Quote, currentOffer: OfferContent, offer: OfferContent, today: string): OfferState {
  if (quote.status === 'draft') return 'revising'
  if (!hashOfContent(currentOffer).equals(hashOfContent(offer))) return 'stale'
  if (quote.status !== 'sent') return quote.status === 'archived' ? 'withdrawn' : quote.status
  if (quote.converted_job_id !== null || quote.converted_invoice_id !== null) return 'begun'
  return quote.valid_until < today ? 'expired' : 'open'
}

/** Person who answers, with the link and the device used. All values have a maximum length. */
type Respondent = { link: string; name: string; address: string; userAgent: string | null }

/** Answer to a quote, with the offer that the customer saw and the company's day. */
export type OfferAnswer = { quote: string; document: OfferContent; today: string; by: Respondent }

/** Error for an offer that can no longer be answered, with its state. */
export class OfferClosedError extends Error {
  readonly state: OfferState
  constructor(state: OfferState) {
    super(`The offer is ${state}`)
    this.state = state
  }
}

/** Signature of an acceptance, null for a typed name alone, and ids of the chosen optional lines. */
type AcceptanceInput = { signature: string | null; lines: readonly string[] }

/**
 * Accepts a quote for its customer by the same rules as a member of the company, stores the accepted content and issues
 * the deposit invoice. A link accepts only once: returns false if it has already accepted the quote.
 */
export async function acceptOffer(
  db: Db,
  { quote, document, today, by }: OfferAnswer,
  { signature, lines }: AcceptanceInput,
): Promise<boolean> {
  const locked = await lockOffer(db, quote)
  if (locked.before.status === 'accepted' && (await hasAccepted(db, quote, by.link))) return false
  await requireOpen(db, locked.before, document, today)
  const chosen = await chooseLines(db, locked.before, document, lines)
  const after = await changeQuote(db, { user: null }, locked, 'accepted', { chosen_lines: lines }, today)
  if (after.total_cents !== chosen.total_cents) throw new OfferClosedError('stale')
  const content = toAcceptedContent(chosen, after)
  const fromOffice = await isOfficeDevice(db, { address: by.address, agent: by.userAgent })
  const { link: link_id, name, address, userAgent: user_agent } = by
  await Promise.all([
    storeAcceptance(db, after, content, { link_id, name, signature, address, user_agent, from_office: fromOffice }),
    db.run(auditAnswer(db, by, 'accepted_by_link', locked.before, after, fromOffice)),
  ])
  await issueDeposit(db, quote, by, today)
  return true
}

/**
 * Stores the acceptance that a customer signed on a member's phone, for the quote as just accepted, and issues the
 * deposit invoice. Returns that invoice's id, null for none.
 */
export async function storeSignedQuote(
  db: Db,
  quote: Quote,
  signed: { name: string; signature: string | null; taken_by: string; signed_at: string },
  today: string,
): Promise<string | null> {
  const deposit = await findDeposit(db, quote.id)
  const offer = toOffer({ ...quote, optional_lines: null }, deposit?.amount_cents ?? null)
  await storeAcceptance(db, quote, toAcceptedContent(offer, quote), signed)
  await issueDeposit(db, quote.id, { user: signed.taken_by }, today)
  return deposit?.invoice?.id ?? null
}

const storeAcceptance = (
  db: Db,
  { id, accepted_at }: Quote,
  content: AcceptedContent,
  details: object,
): Promise<number> =>
  db.run(
    sql`insert into acceptances ${values({
      tenant_id: db.tenant,
      id: newId(),
      quote_id: id,
      accepted_at,
      hash: hashOfContent(content),
      content,
      ...details,
    })}`,
  )

/** Accepted content: the offer, the customer's name, the message and the last valid day. */
type AcceptedContent = OfferContent & Pick<Quote, 'customer_name' | 'message' | 'valid_until'>

const toAcceptedContent = (offer: OfferContent, { customer_name, message, valid_until }: Quote): AcceptedContent => ({
  ...offer,
  customer_name,
  message,
  valid_until,
})

/** Declines a quote for its customer. Returns false if it was already declined. */
export async function declineOffer(
  db: Db,
  { quote, document, today, by }: OfferAnswer,
  reason: string | null,
): Promise<boolean> {
  const locked = await lockOffer(db, quote)
  if (locked.before.status === 'declined') return false
  await requireOpen(db, locked.before, document, today)
  const after = await changeQuote(db, { user: null }, locked, 'declined', { decline_reason: reason }, today)
  const fromOffice = await isOfficeDevice(db, { address: by.address, agent: by.userAgent })
  await db.run(auditAnswer(db, by, 'declined_by_link', locked.before, after, fromOffice))
  return true
}

/** Locks the quote with its customer, because an acceptance makes a lead an active customer. */
async function lockOffer(db: Db, quote: string): Promise<{ before: Quote; currentTerms: QuoteTerms }> {
  try {
    return await lockQuote(db, quote, { withCustomer: true })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') throw new OfferClosedError('withdrawn')
    throw error
  }
}

async function requireOpen(db: Db, quote: Quote, offer: OfferContent, today: string): Promise<void> {
  const deposit = await findDeposit(db, quote.id)
  const state = offerStateOf(quote, toOffer(quote, deposit?.amount_cents ?? null), offer, today)
  if (state !== 'open') throw new OfferClosedError(state)
}

const hasAccepted = async (db: Db, quote: string, link: string): Promise<boolean> =>
  (await db.maybe(
    sql`select id from acceptances where tenant_id = ${db.tenant} and quote_id = ${quote} and link_id = ${link}`,
  )) !== undefined

/** Returns the audit row of an answer. It names no user, because the customer answered by a link. */
const auditAnswer = (
  db: Db,
  { name, link }: Respondent,
  event: 'accepted_by_link' | 'declined_by_link',
  before: Quote,
  after: Quote,
  fromOffice: boolean,
) =>
  sql`insert into audit (tenant_id, id, client, tool, record_type, record_id, changed)
  values (${db.tenant}, ${newId()}, ${name}, ${`quotes.${event}`}, 'quote', ${after.id}, ${JSON.stringify({
    status: [before.status, after.status],
    ...(after.decline_reason === null ? {} : { decline_reason: [before.decline_reason, after.decline_reason] }),
    link: [null, link],
    ...(fromOffice ? { from_office: [null, true] } : {}),
  })})`

/** Customer's acceptance of a quote, by a link or on a member's phone. */
export type Acceptance = {
  id: string
  accepted_at: string
  name: string
  signature: string | null
  /** Null on a member's phone. */
  address: string | null
  user_agent: string | null
  taken_by_name: string | null
  /** Whether it came from a network and browser that members of the company use. */
  from_office: boolean
  /** SHA-256 of the canonical content, in hexadecimal. */
  hash: string
  content: AcceptedContent
}

/**
 * Returns the acceptance of a quote by a link or on a phone; undefined if the quote was changed since then or accepted
 * in another way.
 */
export const findAcceptance = (db: Db, quote: string): Promise<Acceptance | undefined> =>
  db.maybe<Acceptance>(sql`select a.id, coalesce(a.signed_at, a.accepted_at) as accepted_at, a.name, a.signature,
      a.address, a.user_agent, a.from_office, u.name as taken_by_name, encode(a.hash, 'hex') as hash, a.content
    from acceptances a
    join quotes q on q.tenant_id = a.tenant_id and q.id = a.quote_id and q.accepted_at = a.accepted_at
      left join users u on u.id = a.taken_by
    where a.tenant_id = ${db.tenant} and a.quote_id = ${quote} order by a.id desc limit 1`)
