import { HTTPException } from 'hono/http-exception'
import { companyOf } from '../../access/companies/company.ts'
import type { Invoice } from '../../entities/invoices/index.ts'
import type { Quote } from '../../entities/quotes/index.ts'
import { answer } from '../../html/answer.ts'
import { linkButton } from '../../html/button.ts'
import { html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import { wrongMethod } from '../../html/message.ts'
import { newPages } from '../../html/visit.ts'
import type { Pages, Visit } from '../../html/visit.ts'
import { Refusal } from '../../refusal.ts'
import { requireDesk } from '../desk.ts'
import type { Workdesk } from '../desk.ts'
import { notHere } from '../not_here.ts'
import { paperHtml } from './paper.ts'
import { invoicePaper, quotePaper } from './papers.ts'
import type { Paper } from './papers.ts'
import type { Site } from '../site.ts'

const RECORD = '/:id{[0-9a-f-]{36}}/print'
const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Invoices and quotes as sheets of paper, for the customer. */
export const printingRoutes = (site: Site): Pages => newPages()
  .get(`${TENANT}/invoices${RECORD}`, (visit) => print(site, visit, 'invoices', async (desk, id) => invoicePaper(await desk.call<Invoice>('invoices_get', { id }))))
  .all(wrongMethod('GET, HEAD'))
  .get(`${TENANT}/quotes${RECORD}`, (visit) => print(site, visit, 'quotes', async (desk, id) => quotePaper(await desk.call<Quote>('quotes_get', { id }))))
  .all(wrongMethod('GET, HEAD'))

type Read = (desk: Workdesk, id: string) => Promise<Paper>

async function print(site: Site, visit: Visit, room: 'invoices' | 'quotes', read: Read): Promise<Response> {
  const desk = await requireDesk(site, visit)
  if (!desk.may(`read:${room}`)) throw new HTTPException(404, { res: notHere() })
  const id = visit.req.param('id')!
  const [paper, company] = await Promise.all([read(desk, id), desk.read(companyOf)])
  const contact = await contactName(desk, paper.contact_id)
  return answer(layout({
    title: `${paper.kind} ${paper.number}`, person: desk.user, company: desk.company, styles: ['paper.css'], scripts: ['print.js'],
    body: html`
<div class="paper-tools">${linkButton(`Back to the ${paper.kind.toLowerCase()}`, desk.path(room, id))}
  <print-button><p class="help">Print it, or save it as PDF, with your browser.</p></print-button></div>
${paperHtml(paper, company, contact)}`,
  }))
}

/** Nobody for an archived contact, and for who may not see customers. */
async function contactName(desk: Workdesk, id: string | null): Promise<string | undefined> {
  if (id === null || !desk.may('read:customers')) return undefined
  try {
    const { first_name, last_name } = await desk.call<{ id: string; first_name: string | null; last_name: string | null }>('contacts_get', { id })
    return [first_name, last_name].filter(Boolean).join(' ') || undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
}
