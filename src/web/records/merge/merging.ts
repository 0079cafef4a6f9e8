import { mayMerge } from '../../../records/customers/index.ts'
import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import type { PageRequest, PageRouter } from '../../../platform/http/page_request.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { isId } from '../../../platform/validation/id.ts'
import { findCandidates, candidatesHtml } from './candidates.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { statusOf } from '../../faults.ts'
import { frame } from '../../frame.ts'
import { findSide, sidesHtml } from './sides.ts'
import { notFoundRefusal, notFoundPage } from '../../not_found.ts'
import { pageRoutes } from '../../page_routes.ts'
import type { Site } from '../../site.ts'
import { say } from '../../../platform/i18n/say.ts'
import { refusalNotice } from '../../refusal_notice.ts'

const PAGE = '/:tenant{[0-9a-f-]{36}}/customers/:id{[0-9a-f-]{36}}/merge'

/** Returns the pages that merge two customers: choose the other one, compare both, and pick the one that stays. */
export const mergeRoutes = (site: Site): PageRouter =>
  pageRoutes(site, { [PAGE]: { get: showMerge, post: mergeCustomers } })

async function showMerge(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMerger(site, request)
  const [id, query] = [request.req.param('id')!, new URL(request.req.url).searchParams]
  const other = query.get('with') ?? ''
  return isId(other) && other !== id
    ? pageResponse(await comparePage(context, id, other))
    : pageResponse(await choosePage(context, id, query.get('customer') ?? undefined))
}

/** Merges the other customer into the one that stays, and goes to its page. */
async function mergeCustomers(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMerger(site, request)
  const values = await readFormFields(request.req.raw)
  const [id, other, keep] = [request.req.param('id')!, values.get('with') ?? '', values.get('keep') ?? '']
  if (!isId(other) || (keep !== id && keep !== other)) return notFoundPage()
  try {
    await context.call('customers_merge', keep === other ? { id, into_id: other } : { id: other, into_id: id })
    return redirect(context.path('customers', keep === other ? other : id))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return pageResponse(await comparePage(context, id, other, error), { status: statusOf(error) })
  }
}

/** Answers 404 to members who can't merge. */
async function requireMerger(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  const isOpen = context.may('write:customers') && context.may('read:customers') && mayMerge(context.caller)
  if (!isOpen || !isId(request.req.param('id')!)) throw notFoundRefusal()
  return context
}

async function choosePage(context: MemberContext, id: string, search: string | undefined): Promise<Html> {
  const side = await findSide(context, id)
  const here = context.path('customers', id, 'merge')
  const candidates = await Promise.all(
    (search === undefined ? side.searchTerms : [search]).map((query) => findCandidates(context, query)),
  )
  const rows = [...new Map(candidates.flat().map((row) => [row.id, row])).values()].filter((row) => row.id !== id)
  return frame(context, {
    title: say`Merge ${side.name}`,
    here: context.path('customers'),
    width: 'wide',
    body: html`
<section class="ticket">
  <p class="eyebrow">${side.name}</p>
  <h1>${say`Which customer is the duplicate?`}</h1>
  ${candidatesHtml({
    action: here,
    query: search ?? '',
    rows,
    ...(search === undefined
      ? { emptyText: say`No other customer has the same name, phone or email. Search for the other one.` }
      : {}),
    choose: (row, content) => html`<a href="${here}?with=${row.id}">${content}</a>`,
  })}
  <p class="actions">${linkButton(say`Cancel`, context.path('customers', id), 'quiet')}</p>
</section>`,
  })
}

async function comparePage(context: MemberContext, id: string, other: string, refusal?: Refusal): Promise<Html> {
  const sides = await Promise.all([findSide(context, id), findSide(context, other)])
  const here = context.path('customers', id, 'merge')
  return frame(context, {
    title: say`Merge ${sides[0].name}`,
    here: context.path('customers'),
    width: 'full',
    body: html`
<section class="ticket">
  <h1>${say`Merge these two?`}</h1>${when(refusal, refusalNotice)}
  <p class="lead">
    ${say`Everything moves to the customer you keep: contacts, locations, jobs, quotes, invoices, plans, notes, messages and tags. Where both have a value, the one you keep wins. The other one is archived, and this can't be undone.`}
  </p>
  <form class="form" method="post" action="${here}">${hidden('with', other)}
    ${sidesHtml(sides)}
    <p class="actions">
      ${button({ label: say`Merge`, kind: 'danger' })}
      ${linkButton(say`Choose another`, here, 'quiet')}
      ${linkButton(say`Cancel`, context.path('customers', id), 'quiet')}
    </p>
  </form>
</section>`,
  })
}
