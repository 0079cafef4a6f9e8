import { isNameAssumed } from '../../identity/people/own_profile.ts'
import { isOffice } from '../../identity/permissions/areas.ts'
import { answer } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { sayCount, say } from '../../platform/i18n/say.ts'
import { day } from '../../records/format/formats.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { noticeLine } from '../account/notices.ts'
import { askForName } from '../account/own_name.ts'
import { isOwn, requireMemberContext, type MemberContext } from '../member_context.ts'
import { frame } from '../frame.ts'
import type { Site } from '../site.ts'
import { appRequestsPart } from './app_requests.ts'
import { assistantsPart } from './assistants.ts'
import { firstSteps } from './first_steps.ts'
import { weeklyInvoicesPart, overduePart, unreadPart, jobsToSchedulePart, openQuotesPart } from './office.ts'
import type { OwnVisit } from '../../records/jobs/index.ts'
import { ownVisits } from './own_visits.ts'
import { lateVisitsPart } from './late.ts'
import { listPartNames } from '../../records/catalog_items/index.ts'
import { visitCard } from './visit_card.ts'
import { visitsPart, weekPart } from './work.ts'

/** Shows today: one's own visits first, then what needs a decision, each part for those who may see it. */
export async function showHome(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const { timezone: zone } = context.company
  const today = todayIn(zone)
  const notices = isOwn(context) ? noticeLine(site, context.visitor, context.path()) : ''
  const isNameless = isOwn(context) ? isNameAssumed(site.database, context.user.id) : false
  const mayPlan = context.may('write:jobs') && isOffice(context.visitor)
  const own = context.may('read:jobs') ? await ownVisits(context, today.toString()) : []
  const [decisions, work, parts, helped] = await Promise.all([
    Promise.all([
      ...(context.visitor.role === 'owner' ? [appRequestsPart(context)] : []),
      ...(context.may('read:jobs') && mayPlan ? [lateVisitsPart(context, today), jobsToSchedulePart(context)] : []),
      ...(context.may('read:invoices') ? [overduePart(context)] : []),
      ...(context.may('read:quotes') ? [openQuotesPart(context)] : []),
      ...(context.may('read:customers') && isOffice(context.visitor) ? [unreadPart(context)] : []),
    ]),
    Promise.all([
      ...(context.may('read:jobs') ? [visitsPart(context, today, own.length > 0), weekPart(context, today)] : []),
      ...(context.may('read:invoices') ? [weeklyInvoicesPart(context, today)] : []),
    ]),
    own.length > 0 && context.may('write:jobs') ? context.read(listPartNames) : [],
    assistantsPart(context, today),
  ])
  return answer(
    frame(context, {
      title: say`Today`,
      here: context.path(),
      styles: own.length > 0 ? ['home.css', 'today.css'] : ['home.css'],
      scripts: own.length > 0 ? ['today.js'] : [],
      body: html`
<header class="page-head">
  <div><p class="eyebrow">${context.company.name}</p><h1>${day(today.toString())}</h1></div>
  <p class="actions">${when(context.may('write:jobs') && context.may('read:customers'), () =>
    linkButton(say`New call`, context.path('calls', 'new'), own.length > 0 ? 'plain' : 'main'),
  )}</p>
</header>${await notices}${when(await isNameless, () => askForName(context.path()))}${helped}${await firstSteps(
        site,
        context,
      )}${when(own.length > 0, () => ownDay(context, own, today, visit.req.header('user-agent')))}
<div class="parts">${[work, decisions]
        .filter(({ length }) => length > 0)
        .map(
          (parts) => html`
  <div class="column">${parts}</div>`,
        )}
</div>${when(
        parts.length > 0,
        () => html`<datalist id="parts">${parts.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>`,
      )}`,
    }),
  )
}

/** Draws one's own visits: what is done below what is still to be done. */
function ownDay(
  context: MemberContext,
  own: readonly OwnVisit[],
  today: Temporal.PlainDate,
  browser: string | undefined,
): Html {
  const around = { context, today: today.toString(), browser }
  const [ahead, done] = [own.filter(({ status }) => status !== 'done'), own.filter(({ status }) => status === 'done')]
  return html`
<section class="own" aria-labelledby="own-head">
  <h2 id="own-head">${
    ahead.length === 0 ? say`Your visits are done` : sayCount(ahead.length, 'One visit left', '{0} visits left')
  }</h2>
  <p>${linkButton(say`My visits`, `/field/${context.company.id}/`)}</p>
  <ol class="own-list">${[...ahead, ...done].map((visit) => visitCard(around, visit))}
  </ol>
</section>`
}
