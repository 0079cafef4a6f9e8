import { companyOf, type Company } from '../identity/companies/company.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { deductionsOf, findInvoice } from '../records/invoices/index.ts'
import { findJob } from '../records/jobs/index.ts'
import { findQuote } from '../records/quotes/index.ts'
import { isAsSigned, listSignatures } from '../mobile/signatures/work_order.ts'
import { findLogo, type Logo } from '../files/logo.ts'
import { languageOf, currentLocale, withReader, type Language } from '../platform/i18n/reader.ts'
import { say } from '../platform/i18n/say.ts'
import { todayIn } from '../platform/validation/formats/instants.ts'
import { toInvoiceContent } from './invoice_content.ts'
import type { PdfDocumentData, PdfDocumentKind } from './document.ts'
import type { PdfRecipient, PdfContent } from './content.ts'
import { toQuoteContent, type QuoteDocument } from './quote_content.ts'
import { toWorkOrderContent } from './work_order_content.ts'

export type PdfSource = {
  kind: PdfDocumentKind
  id: string
  /** False to leave out the customer's contacts. True by default. */
  namesContact?: boolean
  /** Values of the quote when it was sent to the customer. They replace its current values. */
  offered?: Partial<QuoteDocument>
  /** Reader's language, used if the customer has no preferred language. */
  language?: Language
}

/**
 * Returns a document in the language that its customer prefers, with dates and money in the format of the company's
 * country (docs/spec/documents.md#language-and-country). Throws `not_found` for a missing record.
 */
export async function readPdfDocument(
  db: Db,
  { kind, id, namesContact = true, offered = {}, language }: PdfSource,
): Promise<PdfDocumentData> {
  const company = companyOf(db)
  const [to, contentFor, from, logo] = await Promise.all([
    findPdfRecipient(db, kind, id),
    READERS[kind](db, id, company, offered),
    company,
    findLogo(db),
  ])
  const recipient = namesContact ? to : { ...to, contact: null, contact_phone: null }
  return withReader({ language: languageOf(to.preferred_language, language), country: from.country }, () =>
    toPdfDocument(kind, from, logo, contentFor(recipient, from)),
  )
}

type BuildContent = (to: PdfRecipient, company: Company) => PdfContent

type ReadContent = (
  db: Db,
  id: string,
  company: Promise<Company>,
  offered: Partial<QuoteDocument>,
) => Promise<BuildContent>

const READERS: Readonly<Record<PdfDocumentKind, ReadContent>> = {
  invoices: async (db, id, company) => {
    const today = todayIn((await company).timezone).toString()
    const [invoice, deducted] = await Promise.all([findInvoice(db, id, today), deductionsOf(db, id)])
    return (...to) => toInvoiceContent(invoice, deducted, ...to)
  },
  quotes: async (db, id, _, offered) => {
    const quote = { ...(await findQuote(db, id)), ...offered }
    return (...to) => toQuoteContent(quote, ...to)
  },
  jobs: async (db, id) => {
    const [job, signatures] = await Promise.all([findJob(db, id), listSignatures(db, [id])])
    const signature = signatures.find((one) => isAsSigned(one, job))
    return (...to) => toWorkOrderContent(job, signature, ...to)
  },
}

const TABLES = { invoices: sql`invoices`, quotes: sql`quotes`, jobs: sql`jobs` }

/** Returns the recipient of a record, without an archived contact. */
export const findPdfRecipient = (db: Db, kind: PdfDocumentKind, id: string): Promise<PdfRecipient> =>
  db.present<PdfRecipient>(
    sql`select c.preferred_language, nullif(concat_ws(' ', k.first_name, k.last_name), '') as contact,
        k.phone as contact_phone,
        ${kind === 'invoices' ? sql`r.billed_name` : sql`null`} as billed_name
      from ${TABLES[kind]} r join customers c on c.tenant_id = r.tenant_id and c.id = r.customer_id
      left join contacts k on k.tenant_id = r.tenant_id and k.id = r.contact_id and k.archived_at is null
      where r.tenant_id = ${db.tenant} and r.id = ${id}`,
    kind.slice(0, -1),
  )

/** Adds what the company puts on every document, in the reader's language. */
export const toPdfDocument = (
  kind: PdfDocumentData['kind'],
  company: Company,
  logo: Logo | undefined,
  content: PdfContent,
): PdfDocumentData => ({
  ...content,
  kind,
  locale: currentLocale(),
  format: LETTER_COUNTRIES.has(company.country) ? 'LETTER' : 'A4',
  from: {
    name: company.name,
    lines: letterhead(company),
    logo:
      logo === undefined
        ? null
        : { id: logo.id, type: logo.content_type, width: logo.width, height: logo.height, bytes: logo.bytes },
  },
  footer: company.document_footer,
  pages: say`Page ${'{page}'} of ${'{pages}'}`,
})

const letterhead = ({ address, phone, email, website, license_number }: Company): string[] => [
  ...(address?.split('\n') ?? []),
  ...joinFilled(phone, email),
  ...joinFilled(website, license_number === null ? null : say`License ${license_number}`),
]

const joinFilled = (...parts: (string | null)[]): string[] => {
  const filled = parts.filter((part) => part !== null)
  return filled.length === 0 ? [] : [filled.join(' · ')]
}

/** Countries that print on Letter (8.5 by 11 inches). The others use A4 (ISO 216). */
const LETTER_COUNTRIES: ReadonlySet<string> = new Set(
  'US CA MX PR GU VI AS MP UM PH CL CO CR DO GT HN NI PA SV VE BZ'.split(' '),
)
