import { pageResponse } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import type { MemberContext } from '../member_context.ts'
import { frame } from '../frame.ts'
import { notFoundRefusal } from '../not_found.ts'
import { requireOwner } from '../settings/settings_page.ts'
import type { Site } from '../site.ts'
import { drawHours } from './hours.ts'
import { drawAssistant, drawCustomers, drawMessages, drawPayments, drawTeam } from './elsewhere.ts'
import { drawProfile } from './profile.ts'
import { drawServices } from './price_list.ts'
import { stepPage, type StepView } from './step_page.ts'
import { STEP_NAMES, findSetup, type Setup, type StepName } from './steps.ts'
import { drawTax } from './tax.ts'

const STEP_RENDERERS: Readonly<Record<StepName, (view: StepView) => Html | '' | Promise<Html | ''>>> = {
  profile: drawProfile,
  hours: drawHours,
  services: drawServices,
  tax: drawTax,
  messages: drawMessages,
  payments: drawPayments,
  team: drawTeam,
  customers: drawCustomers,
  assistant: drawAssistant,
}

/** Shows all setup steps and their benefits. */
export async function showSetup(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return pageResponse(overview(context, await findSetup(site, context)))
}

function overview(context: MemberContext, { steps }: Setup): Html {
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  return frame(context, {
    title: say`Set up your company`,
    here: context.path(),
    width: 'wide',
    styles: ['home.css', 'setup.css'],
    body: html`
<header class="page-head"><h1>${say`Set up your company`}</h1></header>
<p class="lead">${say`Leave whenever you like: what you saved stays, and Today brings you back.`}</p>
<section class="part">
  <p class="setup-progress"><progress max="${steps.length}" value="${done}" aria-label="${say`Setup`}"></progress>
    ${say`${done} of ${steps.length} done`}</p>
  <ol class="agenda first-steps">${steps.map(
    ({ name, isDone, title, benefit }) => html`
    <li><span><a href="${context.path('setup', name)}">${title}</a><span class="help">${benefit}</span></span>${when(
      isDone,
      () => status(sayFor('step')`Done`, 'good'),
    )}</li>`,
  )}
  </ol>
  <p class="actions">${when(next, ({ name }) =>
    linkButton(done === 0 ? say`Start setup` : say`Continue setup`, context.path('setup', name), 'main'),
  )}${linkButton(say`Go to Today`, context.path(), next === undefined ? 'main' : 'quiet')}</p>
</section>`,
  })
}

/** Shows one setup step. */
export async function showStep(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const name = requireStep(request)
  const view = { site, context, query: new URL(request.req.url).searchParams }
  return stepPage(name, view, STEP_RENDERERS[name](view))
}

/** Returns the step in the path; throws a 404 for an unknown one. */
function requireStep(request: PageRequest): StepName {
  const name = STEP_NAMES.find((one) => one === request.req.param('step'))
  if (name === undefined) throw notFoundRefusal()
  return name
}
