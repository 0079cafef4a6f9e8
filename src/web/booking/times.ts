import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import type { BookableService } from '../../customer_portal/booking/bookable_service.ts'
import {
  beginStep,
  isProof,
  nextStep,
  verifyStep,
  signStep,
  type BookingStep,
} from '../../customer_portal/booking/step_token.ts'
import { offerWindows, requireBookable, type OfferedWindows } from '../../customer_portal/booking/windows.ts'
import { canSend } from '../../messaging/outbox/senders/senders.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { hidden } from '../../platform/html/parts/field.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { redirect } from '../../platform/http/answer.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { holdTime, mayHold, type Hold } from '../../scheduling/holds.ts'
import { windowPicker } from './window_picker.ts'
import { bookingPage, problemHtml, progressHtml, tooManyAttemptsPage, type BookingContext } from './booking_context.ts'
import { factsOf } from './choose_service.ts'
import { sourceOf, toQuery } from './source.ts'

/** Maximum times held per network address, and for all of a company's visitors, in 15 minutes. */
const MAX_HOLDS = 12
const MAX_HOLDS_PER_COMPANY = 120

/** Offers times for a service. */
export async function showTimes(context: BookingContext, request: PageRequest): Promise<Response> {
  const service = serviceOf(context, request)
  if (service === undefined) return redirect(context.path())
  return timesPage(context, service, beginStep(service.catalog_item_id, sourceOf(request)), {
    day: parseDay(request.req.query('day')?.slice(0, 10) ?? ''),
  })
}

/**
 * Accepts the chosen time. It is held at once if the browser did its proof of work. Without a script, or while the
 * company has too many holds, it is held only after an address is confirmed.
 */
export async function chooseTime(context: BookingContext, request: PageRequest): Promise<Response> {
  const service = serviceOf(context, request)
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  const token = sent.get('t') ?? ''
  const step = verifyStep(context.page.secret, token, 'times')
  if (service === undefined || step?.service !== service.catalog_item_id) return redirect(context.path())
  const start = sent.get('start') ?? ''
  const showAgain = (problem: string, status: number): Promise<Response> =>
    timesPage(context, service, beginStep(step.service, step.source), {
      problem,
      status,
      day: parseDay(start.slice(0, 10)),
    })
  if (step.offered?.includes(start) !== true) return showAgain(say`Choose a time.`, 422)
  const hasProof = isProof(token, sent.get('proof') ?? '')
  const wait = hasProof ? await countHold(context, `booking holds ${context.clientAddress}`, MAX_HOLDS) : 0
  if (wait > 0) return tooManyAttemptsPage(wait)
  try {
    requireBookable(context.company.timezone, context.page, start)
    const hold = hasProof
      ? await tryToHold(context, { id: step.id, start, minutes: service.minutes, skills: service.skills })
      : undefined
    // Page of a completed booking, opened again; another booking needs a new token.
    if (hold !== undefined && hold.job_id !== null) return await showAgain(say`Choose a time.`, 409)
    if (hold === undefined && !(await canConfirm(context))) return await showAgain(reasonWithoutHold(hasProof), 422)
    const next = nextStep(step, { step: 'details', start, isHeld: hold !== undefined })
    return redirect(context.path('details', { t: signStep(context.page.secret, next) }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return showAgain(refusalForPeople(error), 409)
  }
}

/** Holds a time; returns undefined if the company has too many holds. */
async function tryToHold(context: BookingContext, request: Parameters<typeof holdTime>[2]): Promise<Hold | undefined> {
  if ((await countHold(context, `booking holds of ${context.tenant.id}`, MAX_HOLDS_PER_COMPANY)) > 0) return undefined
  return context.write(async (db) =>
    (await mayHold(db, request.id)) ? holdTime(db, context.company.timezone, request) : undefined,
  )
}

const countHold = ({ site }: BookingContext, subject: string, max: number): Promise<number> =>
  takeAttempt(site.database, [{ subject, max }])

const reasonWithoutHold = (hasProof: boolean): string =>
  hasProof
    ? say`Many people are booking right now. Try again in 10 minutes, or call us.`
    : say`Your browser has JavaScript turned off. Turn it on, or call us to book.`

async function canConfirm(context: BookingContext): Promise<boolean> {
  const { senders } = context.site
  const open = await context.read((db) => Promise.all([canSend(db, senders, 'email'), canSend(db, senders, 'sms')]))
  return open.includes(true)
}

const serviceOf = (context: BookingContext, request: PageRequest): BookableService | undefined =>
  context.services.find(({ catalog_item_id }) => catalog_item_id === request.req.param('service'))

type TimesOptions = { day?: Temporal.PlainDate | undefined; problem?: string; status?: number }

async function timesPage(
  context: BookingContext,
  service: BookableService,
  step: BookingStep,
  { day, problem, status = 200 }: TimesOptions,
): Promise<Response> {
  const offered = await context.read((db) =>
    offerWindows(db, context.company.timezone, context.page, { minutes: service.minutes, skills: service.skills, day }),
  )
  return bookingPage(context, {
    title: say`Choose a time`,
    back: context.path(undefined, toQuery(step.source)),
    status,
    body: html`
${progressHtml(2)}
<h1>${say`When should we come?`}</h1>
<p class="lead">${service.name} · ${factsOf(service, context.company.currency)}</p>${problemHtml(problem)}
${timesForm(context, service, step, offered)}`,
  })
}

function timesForm(
  context: BookingContext,
  service: BookableService,
  step: BookingStep,
  offered: OfferedWindows,
): Html {
  const token = signStep(context.page.secret, { ...step, offered: [...offered.starts] })
  const here = context.path(service.catalog_item_id)
  return html`
<form class="booking-times" method="post" action="${here}" data-proof="${token}">
  ${hidden('t', token)}${hidden('proof', '')}
  ${windowPicker(offered, {
    zone: context.company.timezone,
    minutes: context.page.window_minutes,
    more: (day) => context.path(service.catalog_item_id, { ...toQuery(step.source), day }),
  })}
  <p class="help" role="status" data-wait hidden>${say`One moment: holding this time for you…`}</p>
</form>`
}
