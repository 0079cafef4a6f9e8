import { pageResponse, redirect } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import type { MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { notFoundRefusal } from '../not_found.ts'
import { refusalNotice } from '../refusal_notice.ts'
import type { Site } from '../site.ts'
import { STEP_NAMES, findSetup, type StepName } from './steps.ts'

/** Data to render a step; `form` is a refused submission. */
export type StepView = { site: Site; context: MemberContext; query?: URLSearchParams; form?: URLSearchParams }

/** Renders a step: its benefit, its form, and the link to the next step. */
export async function stepPage(
  name: StepName,
  { site, context }: StepView,
  content: Html | '' | Promise<Html | ''>,
  refusal?: Refusal,
): Promise<Response> {
  const [{ steps }, body] = await Promise.all([findSetup(site, context), content])
  const index = steps.findIndex((step) => step.name === name)
  const step = steps[index]
  if (step === undefined) throw notFoundRefusal()
  const next = steps[index + 1]
  return pageResponse(
    frame(context, {
      title: step.title,
      here: context.path(),
      width: 'wide',
      styles: ['home.css', 'settings.css', 'calls.css', 'setup.css'],
      scripts: ['copy.js'],
      body: html`
<nav class="setup-steps" aria-label="${say`Setup`}"><ol>${steps.map(
        (one) => html`
  <li><a href="${context.path('setup', one.name)}"${attribute('aria-current', one === step, 'step')}
    ${attribute('class', one.isDone, 'is-done')}><span class="unseen">${one.title}${when(
      one.isDone,
      () => html`: ${sayFor('step')`Done`}`,
    )}</span></a></li>`,
      )}
</ol></nav>
<section class="ticket">
  <p class="eyebrow">${say`Step ${index + 1} of ${steps.length}`}</p>
  <h1>${step.title}</h1>
  <p class="lead">${step.benefit}</p>${when(refusal, refusalNotice)}
  ${body}
</section>
<p class="actions setup-ways">${linkButton(
        next === undefined ? say`Finish` : step.isDone ? say`Next step` : say`Skip for now`,
        next === undefined ? context.path() : context.path('setup', next.name),
        'quiet',
      )}${linkButton(say`All steps`, context.path('setup'), 'quiet')}</p>`,
    }),
    { status: refusal === undefined ? 200 : statusOf(refusal) },
  )
}

/** Redirects to the next step after one was saved. */
export function redirectToNextStep(context: MemberContext, name: StepName): Response {
  const next = STEP_NAMES[STEP_NAMES.indexOf(name) + 1]
  return redirect(next === undefined ? context.path('setup') : context.path('setup', next))
}
