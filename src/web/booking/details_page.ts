import type { BookableService } from '../../customer_portal/booking/bookable_service.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { problemsOf, type Problems } from '../../records/form/problems.ts'
import { statusOf } from '../faults.ts'
import { bookingPage, problemHtml, progressHtml, type BookingContext } from './booking_context.ts'
import { summaryHtml, type ChosenTime } from './chosen_time.ts'
import { toQuery } from './source.ts'

/** Shows the form again with its errors. */
export function answerRefusal(
  context: BookingContext,
  chosen: ChosenTime,
  sent: URLSearchParams,
  refusal: Refusal,
): Response {
  const problems = problemsOf(refusal, fieldsOf(chosen.service))
  return detailsPage(context, chosen, sent, problems, statusOf(refusal))
}

const fieldsOf = (service: BookableService) => [
  { name: 'name', label: say`Your name` },
  { name: 'phone', label: say`Mobile phone` },
  { name: 'email', label: say`Email` },
  { name: 'address_line1', label: say`Street address` },
  { name: 'city', label: say`City` },
  { name: 'region', label: say`State` },
  { name: 'postal_code', label: say`ZIP code` },
  ...service.questions.map((question, i) => ({ name: `answer_${i}`, label: question })),
]

export function detailsPage(
  context: BookingContext,
  chosen: ChosenTime,
  sent: URLSearchParams,
  problems: Problems = { fields: new Map(), general: [] },
  status = 200,
): Response {
  const { service, step, token } = chosen
  const drawField = (
    name: string,
    label: string,
    more: Omit<Parameters<typeof field>[0], 'name' | 'label'> = {},
  ): Html => field({ name, label, value: sent.get(name) ?? '', error: problems.fields.get(name), ...more })
  return bookingPage(context, {
    title: say`Your details`,
    back: context.path(service.catalog_item_id, toQuery(step.source)),
    status,
    body: html`
${progressHtml(3)}
<h1>${say`Where should we come?`}</h1>
${summaryHtml(context, chosen)}${problemHtml(problems.general[0])}
<form class="form booking-details" method="post" action="${context.path('details')}" novalidate>
  ${hidden('t', token)}
  ${drawField('address_line1', say`Street address`, { autocomplete: 'street-address', isRequired: true })}
  <div class="booking-city">
  ${drawField('city', say`City`, { autocomplete: 'address-level2', isRequired: true })}
  ${drawField('region', say`State`, { autocomplete: 'address-level1' })}
  ${drawField('postal_code', say`ZIP code`, { autocomplete: 'postal-code', keys: 'numeric' })}
  </div>${service.questions.map((question, i) => drawField(`answer_${i}`, question, { isRequired: true }))}
  ${drawField('name', say`Your name`, { autocomplete: 'name', isRequired: true })}
  <p class="help">${say`Enter a phone number, an email address, or both.`}</p>
  ${drawField('phone', say`Mobile phone`, { type: 'tel', autocomplete: 'tel' })}
  ${drawField('email', say`Email`, {
    type: 'email',
    autocomplete: 'email',
    help: step.isHeld === true ? undefined : say`We’ll send a code to confirm it’s you.`,
  })}
  <p class="actions">${button({
    label: context.page.needs_approval ? say`Request this visit` : say`Book this visit`,
    kind: 'main',
  })}</p>
  <p class="help">${say`Your details go to ${context.company.name}.`}</p>
</form>`,
  })
}
