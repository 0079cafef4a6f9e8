import { companyOf } from '../../access/companies/company.ts'
import { answer } from '../../html/answer.ts'
import { linkButton } from '../../html/button.ts'
import { html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import { wrongMethod } from '../../html/message.ts'
import { newPages, type Pages, type Visit } from '../../html/visit.ts'
import { Refusal } from '../../refusal.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { noPage } from '../not_here.ts'
import { printMany } from './many.ts'
import { paperHtml } from './paper.ts'
import { invoicePaper, quotePaper, type Paper } from './papers.ts'
import type { Site } from '../site.ts'

const RECORD = '/:id{[0-9a-f-]{36}}/print'
const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Returns invoices and quotes as sheets of paper, for the customer. */
export const printingRoutes = (site: Site): Pages =>
  newPages()
    .get(`${TENANT}/invoices/print`, (visit) => printMany(site, visit, 'invoices', invoiceOf, contactName))
    .all(wrongMethod('GET, HEAD'))
    .get(`${TENANT}/quotes/print`, (visit) => printMany(site, visit, 'quotes', quoteOf, contactName))
    .all(wrongMethod('GET, HEAD'))
    .get(`${TENANT}/invoices${RECORD}`, (visit) => print(site, visit, 'invoices', invoiceOf))
    .all(wrongMethod('GET, HEAD'))
    .get(`${TENANT}/quotes${RECORD}`, (visit) => print(site, visit, 'quotes', quoteOf))
    .all(wrongMethod('GET, HEAD'))

const invoiceOf: Read = async (context, id) => invoicePaper(await context.call('invoices_get', { id }))
const quoteOf: Read = async (context, id) => quotePaper(await context.call('quotes_get', { id }))

type Read = (context: MemberContext, id: string) => Promise<Paper>

async function print(site: Site, visit: Visit, room: 'invoices' | 'quotes', read: Read): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  if (!context.may(`read:${room}`)) throw noPage()
  const id = visit.req.param('id')!
  const [paper, company] = await Promise.all([read(context, id), context.read(companyOf)])
  const contact = await contactName(context, paper.contact_id)
  return answer(
    layout({
      title: `${paper.kind} ${paper.number}`,
      person: context.user,
      company: context.company,
      styles: ['paper.css'],
      scripts: ['print.js'],
      body: html`
<div class="paper-tools">${linkButton(`Back to the ${paper.kind.toLowerCase()}`, context.path(room, id))}
  <print-button><p class="help">Print it, or save it as PDF, with your browser.</p></print-button></div>
${paperHtml(paper, company, contact)}`,
    }),
  )
}

/** Returns nothing for an archived contact, and for somebody who may not see customers. */
async function contactName(context: MemberContext, id: string | null): Promise<string | undefined> {
  if (id === null || !context.may('read:customers')) return undefined
  try {
    const { first_name, last_name } = await context.call('contacts_get', { id })
    return [first_name, last_name].filter(Boolean).join(' ') || undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
}
