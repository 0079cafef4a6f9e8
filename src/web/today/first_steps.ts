import { hideFirstSteps } from '../../identity/companies/starting/first_steps.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount, sayFor } from '../../platform/i18n/say.ts'
import { part } from '../../records/page/parts.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { findSetup, type SetupStep } from '../setup/steps.ts'
import type { Site } from '../site.ts'

/** Maximum steps to show; the others are collapsed. */
const MAX_SHOWN = 4

/**
 * Renders a new company's first steps for its owner, until they are done or hidden, or the company is no longer new.
 */
export async function firstSteps(site: Site, context: MemberContext): Promise<Html | ''> {
  if (context.session.role !== 'owner') return ''
  const { steps, isOffered } = await findSetup(site, context)
  const open = steps.filter(({ isDone }) => !isDone)
  const [next] = open
  if (!isOffered || next === undefined) return ''
  const further = [...open.slice(MAX_SHOWN), ...steps.filter(({ isDone }) => isDone)]
  const row = (step: SetupStep): Html => stepRow(context, step)
  return part(
    say`First steps: ${steps.length - open.length} of ${steps.length} done`,
    html`
  <ol class="agenda first-steps">${open.slice(0, MAX_SHOWN).map(row)}
  </ol>${when(
    further.length > 0,
    () => html`
  <details class="more-steps"><summary>${sayCount(further.length, 'One more step', '{0} more steps')}</summary>
  <ol class="agenda first-steps">${further.map(row)}
  </ol></details>`,
  )}
  <p class="actions">${linkButton(say`Continue setup`, context.path('setup', next.name))}</p>`,
    html`<form method="post" action="${context.path('first-steps')}">${button({
      label: say`Hide`,
      kind: 'quiet',
    })}</form>`,
  )
}

const stepRow = (context: MemberContext, { name, isDone, title, benefit, alternative }: SetupStep): Html => html`
    <li><span><a href="${context.path('setup', name)}">${title}</a><span class="help">${benefit}</span></span>${
      isDone ? status(sayFor('step')`Done`, 'good') : (alternative?.(context.path()) ?? '')
    }</li>`

/** Hides the first steps, or shows them again. */
export async function saveFirstSteps(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  if (context.session.role !== 'owner') throw notFoundRefusal()
  const shouldShow = (await readFormFields(request.req.raw)).get('show') !== null
  await context.write((db) => hideFirstSteps(db, !shouldShow, { user: context.user.id }))
  return redirectWithMessage(
    context.path(),
    shouldShow
      ? { sentence: say`The first steps are back.` }
      : {
          sentence: say`The first steps are hidden.`,
          undo: { action: context.path('first-steps'), fields: { show: 'yes' } },
        },
  )
}
