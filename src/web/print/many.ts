import { companyOf } from '../../access/companies/company.ts'
import { answer } from '../../html/answer.ts'
import { linkButton } from '../../html/button.ts'
import { html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import type { Visit } from '../../html/visit.ts'
import { say, sayCount } from '../../language/say.ts'
import { Refusal } from '../../refusal.ts'
import { isId } from '../../shape/id.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { noPage } from '../not_here.ts'
import type { Site } from '../site.ts'
import { paperHtml } from './paper.ts'
import type { Paper } from './papers.ts'

/** Limits how many papers are laid out at once. */
const MAX_PAPERS = 100

/** Lays several documents out on paper, each on a sheet of its own; one that is gone meanwhile is left out. */
export async function printMany(
  site: Site,
  visit: Visit,
  room: 'invoices' | 'quotes',
  read: (context: MemberContext, id: string) => Promise<Paper>,
  contactName: (context: MemberContext, id: string | null) => Promise<string | undefined>,
): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  if (!context.may(`read:${room}`)) throw noPage()
  const asked = (new URL(visit.req.url).searchParams.get('ids') ?? '').slice(0, MAX_PAPERS * 37)
  const ids = [...new Set(asked.split(','))].filter(isId).slice(0, MAX_PAPERS)
  const company = await context.read(companyOf)
  const papers = []
  for (const id of ids) {
    const paper = await paperOf(context, id, read)
    if (paper !== undefined) papers.push(paperHtml(paper, company, await contactName(context, paper.contact_id)))
  }
  return answer(
    layout({
      title: say`Print`,
      person: context.user,
      company: context.company,
      styles: ['paper.css'],
      scripts: ['print.js'],
      body: html`
<div class="paper-tools">${linkButton(say`Back to the list`, context.path(room))}
  <print-button><p class="help">${sayCount(papers.length, 'One sheet.', '{0} sheets.')}</p></print-button></div>
${papers}`,
    }),
  )
}

async function paperOf(
  context: MemberContext,
  id: string,
  read: (context: MemberContext, id: string) => Promise<Paper>,
): Promise<Paper | undefined> {
  try {
    return await read(context, id)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}
