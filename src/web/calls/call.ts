import { pageResponse } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { moment, phone } from '../../records/format/formats.ts'
import { problemsOf } from '../../records/form/problems.ts'
import { isId, newId } from '../../platform/validation/id.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { parsePhoneQuery } from '../../platform/validation/formats/phone.ts'
import type { Results } from '../../tools/declare/results.ts'
import { statusOf } from '../faults.ts'
import { requireAllowed, type MemberContext } from '../member_context.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { sendNow } from '../messaging/compose/send_now.ts'
import { addressIn } from '../../platform/validation/formats/address.ts'
import { findCustomersByPhone, findCaller, type CallerMatch } from './caller.ts'
import { isKeyUsed } from '../../tools/call/idempotency.ts'
import { callerPart } from './caller_part.ts'
import { callPage, type CallProblems } from './page.ts'
import { readCallKinds, findCatalogLine, readTitle } from './kinds.ts'
import { chosenTime, readMinutes, findFreeTimes, parseSlot, slotName, timesPart, type FreeTimes } from './times.ts'

/** Shows the form of a call; the query may prefill the caller, the work and the time. */
export async function showCall(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCallAccess(site, request)
  return page(context, new URL(request.req.url).searchParams, { fields: new Map(), whole: [] })
}

/** Returns the caller section of the page. */
export async function showCaller(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCallAccess(site, request)
  const form = new URL(request.req.url).searchParams
  return pageResponse(callerPart(context, await findCaller(context, form), form, new Map()))
}

/** Returns the section with the free times. */
export async function showTimes(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCallAccess(site, request)
  const form = new URL(request.req.url).searchParams
  return pageResponse(timesPart(context, await findFreeTimes(context, form), form))
}

/**
 * Books the call and redirects to the job; or shows errors, the customer who owns the number, or the next free time.
 */
export async function bookCall(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCallAccess(site, request)
  const form = await readFormFields(request.req.raw)
  const missing = findMissingFields(form)
  if (missing.size > 0) return page(context, form, { fields: missing, whole: [] }, 422)
  if (isNewCustomer(form) && !form.has('anyway')) {
    const [owner] = await findCustomersByPhone(context, form.get('q') ?? '')
    if (owner !== undefined && !(await isBooked(context, form))) return askIfSameCustomer(context, form, owner)
  }
  try {
    const job = await context.call('jobs_book', await toBookingArgs(context, form))
    const isScheduled = job.status === 'scheduled'
    const confirmationNote =
      isScheduled && form.has('confirm') ? await sendConfirmation(site, context, job.id, form) : undefined
    return redirectWithMessage(context.path('jobs', job.id), {
      sentence: bookingMessage(job, context.company.timezone),
      notes: [...(confirmationNote === undefined ? [] : [confirmationNote]), ...(job.warnings ?? [])],
      ...(isScheduled && confirmationNote === undefined
        ? { next: { label: say`Send confirmation`, href: context.path('jobs', job.id, 'send') } }
        : {}),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.problems.some(({ path }) => path === 'scheduled_start') && error.code === 'conflict')
      return offerNextTime(context, form)
    const { fields, general } = problemsOf(error, FIELDS())
    return page(context, form, { fields, whole: general }, statusOf(error))
  }
}

/** Sends the confirmation to the most likely contact; undefined if a person must choose first. */
function sendConfirmation(site: Site, context: MemberContext, job: string, form: URLSearchParams) {
  const key = form.get('idempotency_key') ?? ''
  return sendNow(site, context, { topic: 'jobs', id: job }, isId(key) ? key : newId())
}

/** Checks whether this submit was already booked: then the customer with the number is the one it created. */
const isBooked = (context: MemberContext, form: URLSearchParams): Promise<boolean> =>
  context.read((db) => isKeyUsed(db, context.caller.credential.id, form.get('idempotency_key') ?? ''))

const requireCallAccess = (site: Site, request: PageRequest): Promise<MemberContext> =>
  requireAllowed(site, request, ({ may }) => may('write:jobs') && may('read:jobs') && may('read:customers'))

const isNewCustomer = (form: URLSearchParams): boolean => (form.get('customer_id') ?? '') === ''

function findMissingFields(form: URLSearchParams): Map<string, string> {
  const missing = new Map<string, string>()
  if (isNewCustomer(form) && (form.get('name') ?? '').trim() === '') missing.set('name', say`Enter the caller’s name.`)
  if (readTitle(form) === '') missing.set('title', say`Choose or enter what needs to be done.`)
  if (form.get('when') === 'other' && (form.get('start') ?? '') === '')
    missing.set('start', say`Enter the day and time, or choose “Schedule later”.`)
  return missing
}

const FIELDS = () => [
  { name: 'title', label: say`What` },
  { name: 'name', label: say`Name` },
  {
    name: 'new_customer',
    label: say`Caller`,
    parts: { name: say`Name`, phone: say`Phone`, address_line1: say`Address` },
  },
  { name: 'phone', label: say`Phone` },
  { name: 'instructions', label: say`Notes` },
  { name: 'scheduled_start', label: say`Start` },
  { name: 'duration_minutes', label: say`Length` },
]

/** Converts the form to the arguments of the booking tool. */
async function toBookingArgs(context: MemberContext, form: URLSearchParams): Promise<Record<string, unknown>> {
  const title = readTitle(form)
  const address = addressIn(form.get('address') ?? '', context.company.country)
  const chosen = chosenTime(form)
  const slot = parseSlot(chosen)
  const assignee = slot?.user ?? (chosen === 'later' ? '' : (form.get('who') ?? ''))
  const location = form.get('location_id') ?? ''
  return {
    ...(isNewCustomer(form)
      ? {
          new_customer: {
            name: form.get('name'),
            is_company: form.has('is_company'),
            phone: form.get('q') ?? '',
            ...(address === undefined ? {} : { address }),
          },
        }
      : { customer_id: form.get('customer_id'), ...(location === '' ? {} : { location_id: location }) }),
    title,
    instructions: (form.get('notes') ?? '').replaceAll('\r\n', '\n'),
    duration_minutes: readMinutes(form),
    line_items: await findCatalogLine(context, title),
    ...(chosen === 'later' ? {} : { scheduled_start: slot?.start ?? form.get('start') }),
    ...(assignee === '' ? {} : { assignees: [assignee] }),
    if_free: slot !== undefined,
    idempotency_key: form.get('idempotency_key') || newId(),
  }
}

function bookingMessage(job: Results['jobs_book'], zone: string): string {
  const { customer_name, scheduled_start, assignments } = job
  const assigneeNames = assignments.map(({ name }) => name).join(', ')
  if (scheduled_start === null) return say`Booked for ${customer_name}, without a time yet`
  return assigneeNames === ''
    ? say`Booked for ${customer_name}: ${moment(scheduled_start, zone)}`
    : say`Booked for ${customer_name}: ${moment(scheduled_start, zone)} with ${assigneeNames}`
}

/** Asks whether the caller is the customer with that number. */
async function askIfSameCustomer(context: MemberContext, form: URLSearchParams, owner: string): Promise<Response> {
  const { display_name } = await context.call('customers_get', { id: owner })
  const number = parsePhoneQuery(form.get('q') ?? '', context.company.country)
  const question = {
    title: say`${phone(number ?? '')} is ${display_name}`,
    body: html`
  <span class="actions"><button class="button main" form="call" name="customer_id"
    value="${owner}">${say`Book job for ${display_name}`}</button>
  <button class="button plain" form="call" name="anyway" value="yes">${say`Create a new customer`}</button></span>`,
  }
  return page(context, form, { fields: new Map(), whole: [], question }, 409)
}

/** Reports that a time was just taken, with the same technician's next one preselected. */
async function offerNextTime(context: MemberContext, form: URLSearchParams): Promise<Response> {
  const user = parseSlot(chosenTime(form))?.user
  const { free } = await findFreeTimes(context, form)
  const person = free.find(({ user_id }) => user_id === user)
  const [next] = person?.slots ?? []
  const nextForm = new URLSearchParams(form)
  if (person === undefined || next === undefined) {
    nextForm.set('when', 'later')
    return page(
      context,
      nextForm,
      { fields: new Map(), whole: [say`That time was just taken. Choose another one.`] },
      409,
    )
  }
  nextForm.set('when', `${next.start}|${person.user_id}`)
  const { timezone } = context.company
  const timeText = slotName(next.start, timezone, todayIn(timezone))
  const whole = [say`That time was just taken. The next free time of ${person.name} is chosen now: ${timeText}.`]
  return page(context, nextForm, { fields: new Map(), whole }, 409)
}

async function page(
  context: MemberContext,
  form: URLSearchParams,
  problems: CallProblems,
  status = 200,
): Promise<Response> {
  const [[match, freeTimes], kinds] = await Promise.all([
    findCaller(context, form).then(async (match): Promise<[CallerMatch, FreeTimes]> => {
      const customer = match.kind === 'known' ? match.known.customer.id : ''
      return [match, await findFreeTimes(context, form, customer)]
    }),
    readCallKinds(context),
  ])
  return pageResponse(callPage(context, { form, match, freeTimes, kinds, problems }), { status })
}
