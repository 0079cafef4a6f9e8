import { pageResponse } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { sayCount, say } from '../../platform/i18n/say.ts'
import { day } from '../../records/format/formats.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { noticeLine } from '../account/notices.ts'
import { askForName } from '../account/own_name.ts'
import { isOwnContext, requireMemberContext, type MemberContext } from '../member_context.ts'
import { frame } from '../frame.ts'
import { pushAttributes } from '../settings/notifications.ts'
import type { Site } from '../site.ts'
import { assistantsPart } from './worklist/assistants.ts'
import { firstSteps } from './first_steps.ts'
import { dayPart } from './day.ts'
import { listGroups } from './worklist/groups.ts'
import { monthPart } from './month.ts'
import { worklist } from './worklist/worklist.ts'
import type { OwnVisit } from '../../records/jobs/index.ts'
import { ownVisits } from './own_visits.ts'
import { listPartNames } from '../../records/catalog_items/index.ts'
import { visitCard } from './visit_card.ts'

/** Shows Today: the user's own visits first, then work that needs attention, each part by the user's rights. */
export async function showHome(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const { timezone: zone } = context.company
  const today = todayIn(zone)
  const notices = isOwnContext(context) ? noticeLine(site, context.session, context.path()) : ''
  const isNameless = isOwnContext(context) && context.user.isNameAssumed
  const ownRead = context.may('read:jobs') ? ownVisits(context, today.toString()) : Promise.resolve([])
  const [own, groups, visits, month, steps, parts, assistantsHtml] = await Promise.all([
    ownRead,
    listGroups(context, today),
    context.may('read:jobs') ? dayPart(context, today, ownRead) : '',
    context.may('read:invoices') ? monthPart(context, today) : '',
    firstSteps(site, context),
    ownRead.then(({ length }) => (length > 0 && context.may('write:jobs') ? context.read(listPartNames) : [])),
    assistantsPart(context, today),
  ])
  const isWaiting = groups.some(({ count }) => count > 0)
  return pageResponse(
    frame(context, {
      title: say`Today`,
      here: context.path(),
      styles: ['charts.css', 'home.css', ...(own.length > 0 ? ['today.css'] : [])],
      scripts: [...(own.length > 0 ? ['today.js'] : []), ...(site.pushKey === null ? [] : ['notifications.js'])],
      body: html`
<header class="page-head"${when(site.pushKey, (key) => html` ${pushAttributes(context, key)}`)}>
  <div><p class="eyebrow">${context.company.name}</p><h1>${day(today.toString())}</h1></div>
  <p class="actions">${when(context.may('write:jobs') && context.may('read:customers'), () =>
    linkButton(say`New call`, context.path('calls', 'new'), own.length > 0 ? 'plain' : 'main'),
  )}</p>
</header>${await notices}${when(isNameless, () => askForName(context.path()))}${assistantsHtml}${when(
        own.length > 0,
        () => ownDay(context, own, today, request.req.header('user-agent')),
      )}
${isWaiting ? '' : steps}<div class="cockpit">
  <div class="column">${visits}${month}</div>${when(
    groups.length > 0,
    () => html`
  <div class="column">${worklist(groups)}${isWaiting ? steps : ''}</div>`,
  )}
</div>${when(
        parts.length > 0,
        () => html`<datalist id="parts">${parts.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>`,
      )}`,
    }),
  )
}

/** Renders the user's own visits, finished ones below the others. */
function ownDay(
  context: MemberContext,
  own: readonly OwnVisit[],
  today: Temporal.PlainDate,
  browser: string | undefined,
): Html {
  const cardContext = { context, today: today.toString(), browser }
  const [remaining, done] = [
    own.filter(({ status }) => status !== 'done'),
    own.filter(({ status }) => status === 'done'),
  ]
  return html`
<section class="own" aria-labelledby="own-head">
  <h2 id="own-head">${
    remaining.length === 0 ? say`Your visits are done` : sayCount(remaining.length, 'One visit left', '{0} visits left')
  }</h2>
  <p>${linkButton(say`My visits`, `/field/${context.company.id}/`)}</p>
  <ol class="own-list">${[...remaining, ...done].map((visit) => visitCard(cardContext, visit))}
  </ol>
</section>`
}
