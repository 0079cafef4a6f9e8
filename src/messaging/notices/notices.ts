import { auditChange, type Actor } from '../../identity/audit.ts'
import { levelUnder, type Area, type Ceiling, type Role } from '../../identity/permissions/areas.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { languageOf, withReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import type { OutgoingMessage } from '../outbox/outgoing.ts'
import { queueMessage } from '../outbox/queue.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { money } from '../../records/format/formats.ts'

/** Customer's answer to a quote through their link; `text` is their reason or question. */
export type QuoteAnswer = {
  kind: 'accepted' | 'declined' | 'asked'
  quote: { id: string; display_number: string; title: string; total_cents: number; currency: string }
  /** Name of the person who answered, as they or the company write it. */
  name: string
  text: string | null
}

/** Customer's question through their link: about an invoice, or for another visit time (`invoice` is null). */
export type CustomerRequest = {
  customer: string
  name: string
  invoice: { id: string; display_number: string } | null
  text: string
}

/** Returns whether a company wants notices of answers to quotes. */
export const hasQuoteNotices = async (db: Db): Promise<boolean> =>
  (
    await db.maybe<{ quote_answers: boolean }>(
      sql`select quote_answers from notice_settings where tenant_id = ${db.tenant}`,
    )
  )?.quote_answers ?? true

/** Turns notices of answers to quotes on or off; owners only. */
export async function setQuoteNotices(db: Db, by: NonNullable<Actor>, quoteAnswers: boolean): Promise<void> {
  await requireOwner(db, by)
  const before = await hasQuoteNotices(db)
  await db.run(sql`insert into notice_settings (tenant_id, quote_answers) values (${db.tenant}, ${quoteAnswers})
    on conflict (tenant_id) do update set quote_answers = excluded.quote_answers,
      updated_at = later_than(notice_settings.updated_at)`)
  await db.run(
    auditChange(db.tenant, by, 'companies.set_notices', db.tenant, { quote_answers: [before, quoteAnswers] }),
  )
}

/**
 * Emails the answer to a quote to owners, and to office members who may see quotes, in the answer's transaction
 * (docs/spec/sending.md#notices). Skips an address that refuses mail: the answer counts anyway.
 */
export async function notifyOfAnswer(db: Db, answered: QuoteAnswer, baseUrl: string): Promise<void> {
  if (!(await hasQuoteNotices(db))) return
  const url = `${baseUrl}/${db.tenant}/quotes/${answered.quote.id}`
  const areas = answered.kind === 'asked' ? (['Quotes', ...MESSAGE_AREAS] as const) : (['Quotes'] as const)
  await mailOffice(db, areas, { kind: 'quotes', id: answered.quote.id }, () => letterOf(answered, url))
}

/** Emails a customer's request to the office, in the transaction that stores the message. */
export async function notifyOfRequest(db: Db, request: CustomerRequest, baseUrl: string): Promise<void> {
  if (!(await hasQuoteNotices(db))) return
  const { customer, name, invoice, text } = request
  const url = `${baseUrl}/${db.tenant}/messages/with/${customer}`
  const about =
    invoice === null ? ({ kind: 'customers', id: customer } as const) : ({ kind: 'invoices', id: invoice.id } as const)
  await mailOffice(db, invoice === null ? MESSAGE_AREAS : ['Invoices', ...MESSAGE_AREAS], about, () => ({
    subject:
      invoice === null
        ? say`${name} asks for another time`
        : say`${name} has a question about invoice ${invoice.display_number}`,
    body: [text, say`Open the message: ${url}`].join('\n\n'),
  }))
}

/** Areas that a notice with a customer's message needs. */
export const MESSAGE_AREAS = ['Messages', 'Customers & contacts'] as const

/** Emails owners and office members who may see all areas (null: owners only), each in their language. */
export async function mailOffice(
  db: Db,
  areas: readonly Area[] | null,
  about: NonNullable<OutgoingMessage['about']> | null,
  letter: () => { subject: string; body: string },
): Promise<void> {
  for (const { email, name, language } of await officeRecipients(db, areas)) {
    const { subject, body } = withReader({ language: languageOf(language), country: 'US' }, letter)
    try {
      await queueMessage(db, {
        channel: 'email',
        to: email,
        toName: name,
        subject: subject.slice(0, 250),
        body,
        about,
        customerId: null,
        cause: 'notice',
        by: null,
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
}

/** Maximum number of members to consider. */
const MAX_MEMBERS = 1_000

/** Maximum number of recipients of a notice. */
const MAX_RECIPIENTS = 10

type OfficeRecipient = { email: string; name: string; language: string | null }

/** Returns the recipients of a notice, ordered by address: every sender locks them in that order. */
async function officeRecipients(db: Db, areas: readonly Area[] | null): Promise<OfficeRecipient[]> {
  const people = await db.all<OfficeRecipient & { role: Role; ceiling: Ceiling }>(sql`
    select u.email, u.name, u.language, m.role, m.ceiling from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null and m.role in ('owner', 'office')
    order by u.email limit ${MAX_MEMBERS}`)
  return people
    .filter(
      ({ role, ceiling }) => role === 'owner' || areas?.every((area) => levelUnder(ceiling, area) !== 'none') === true,
    )
    .slice(0, MAX_RECIPIENTS)
}

function letterOf({ kind, quote, name, text }: QuoteAnswer, url: string): { subject: string; body: string } {
  const { display_number: number, title } = quote
  const total = money(quote.total_cents, quote.currency)
  const [subject, sentence] =
    kind === 'accepted'
      ? [say`${name} accepted quote ${number}`, say`${name} accepted quote ${number} for ${total}: ${title}`]
      : kind === 'declined'
        ? [say`${name} declined quote ${number}`, say`${name} declined quote ${number} for ${total}: ${title}`]
        : [say`${name} has a question about quote ${number}`, say`${name} asked about quote ${number}: ${title}`]
  return {
    subject: subject.slice(0, 250),
    body: [sentence, ...(text === null ? [] : [text]), say`Open the quote: ${url}`].join('\n\n'),
  }
}
