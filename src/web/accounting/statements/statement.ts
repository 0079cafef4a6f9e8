import { findCustomer, type Customer } from '../../../records/customers/index.ts'
import { statementOf, type Statement } from '../../../records/invoices/index.ts'
import { readStatementDocument, statementFileName } from '../../../pdf/statement.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { listRecipients } from '../../../messaging/templates/recipients.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { sendPdf } from '../../print/pdf_response.ts'
import type { Site } from '../../site.ts'
import { readRange, type RequestedRange } from '../range.ts'
import { maySendStatements } from './rights.ts'
import { statementPage } from './statement_page.ts'

type StatementRequest = { context: MemberContext; id: string; range: RequestedRange }

/** Shows a customer's account for a date range. */
export async function showStatement(site: Site, request: PageRequest): Promise<Response> {
  const { context, id, range } = await requireStatement(site, request)
  const [[customer, statement], recipients] = await context.read((db) =>
    Promise.all([
      readStatement(db, context, id, range),
      maySendStatements(context) ? listRecipients(db, { customer_id: id, contact_id: null }, 'email') : [],
    ]),
  )
  const to = recipients.find(({ hasOptedOut }) => !hasOptedOut)?.address ?? ''
  return pageResponse(statementPage(context, { customer, statement, range, to }), {
    status: range.problem === undefined ? 200 : 422,
  })
}

/** Sends the statement as a PDF. */
export async function sendStatement(site: Site, request: PageRequest): Promise<Response> {
  const { context, id, range } = await requireStatement(site, request)
  if (range.problem !== undefined) return showStatement(site, request)
  const document = await context.read(async (db) => {
    const [, statement] = await readStatement(db, context, id, range)
    return readStatementDocument(db, id, statement)
  })
  return sendPdf(request, document, { company: context.company.id, name: statementFileName(range) })
}

/** Answers 404 to members who can't see both customers and invoices. */
export async function requireStatement(site: Site, request: PageRequest): Promise<StatementRequest> {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:customers') || !context.may('read:invoices')) throw notFoundRefusal()
  const { searchParams } = new URL(request.req.url)
  const id = requireValue(request.req.param('id'), 'The customer of a statement')
  return { context, id, range: readRange(searchParams, context.company.timezone) }
}

const readStatement = (
  db: Db,
  { company }: MemberContext,
  customer: string,
  { from, to }: RequestedRange,
): Promise<[Customer, Statement]> =>
  Promise.all([
    findCustomer(db, customer),
    statementOf(db, {
      customer,
      range: { from, to },
      today: todayIn(company.timezone).toString(),
      timezone: company.timezone,
    }),
  ])
