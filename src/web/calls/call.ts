import { answer } from '../../platform/http/answer.ts'
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
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { sendNow } from '../messaging/compose/send_now.ts'
import { addressIn } from '../../platform/validation/formats/address.ts'
import { findCustomersByPhone, findCaller, type CallerMatch } from './caller.ts'
import { isKeyUsed } from '../../tools/call/idempotency.ts'
import { callerPart } from './caller_part.ts'
import { callPage, type CallProblems } from './page.ts'
import { callKinds, findCatalogLine, titleIn } from './kinds.ts'
import { chosenTime, readMinutes, findFreeTimes, parseSlot, slotName, timesPart, type FreeTimes } from './times.ts'

/** Shows the form of a call; the address may say who calls, what about and when. */
export async function showCall(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireCalls(site, visit)
  return page(context, new URL(visit.req.url).searchParams, { fields: new Map(), whole: [] })
}

/** Sends the part of the page that says who calls. */
export async function showCaller(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireCalls(site, visit)
  const typed = new URL(visit.req.url).searchParams
  return answer(callerPart(context, await findCaller(context, typed), typed, new Map()))
}

/** Sends the part of the page with the free times. */
export async function showTimes(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireCalls(site, visit)
  const typed = new URL(visit.req.url).searchParams
  return answer(timesPart(context, await findFreeTimes(context, typed), typed))
}

/**
 * Books what was typed and goes to the job; or shows what is wrong, whom the number belongs to, or the next free time.
 */
export async function bookCall(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireCalls(site, visit)
  const typed = await readFormFields(visit.req.raw)
  const missing = missingIn(typed)
  if (missing.size > 0) return page(context, typed, { fields: missing, whole: [] }, 422)
  if (isNew(typed) && !typed.has('anyway')) {
    const [owner] = await findCustomersByPhone(context, typed.get('q') ?? '')
    if (owner !== undefined && !(await isBooked(context, typed))) return askWhether(context, typed, owner)
  }
  try {
    const job = await context.call('jobs_book', await toBookingArgs(context, typed))
    const isAhead = job.status === 'scheduled'
    const sent = isAhead && typed.has('confirm') ? await sendConfirmation(site, context, job.id, typed) : undefined
    return redirectWithMessage(context.path('jobs', job.id), {
      sentence: bookingMessage(job, context.company.timezone),
      notes: [...(sent === undefined ? [] : [sent]), ...(job.warnings ?? [])],
      ...(isAhead && sent === undefined
        ? { next: { label: say`Send confirmation`, href: context.path('jobs', job.id, 'send') } }
        : {}),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.problems.some(({ path }) => path === 'scheduled_start') && error.code === 'conflict')
      return offerNext(context, typed)
    const { fields, whole } = problemsOf(error, FIELDS())
    return page(context, typed, { fields, whole }, statusOf(error))
  }
}

/** Sends the likeliest person of the customer when somebody comes; undefined where somebody has to decide first. */
function sendConfirmation(site: Site, context: MemberContext, job: string, typed: URLSearchParams) {
  const key = typed.get('idempotency_key') ?? ''
  return sendNow(site, context, { topic: 'jobs', id: job }, isId(key) ? key : newId())
}

/** Checks whether this press was booked already: then the customer who has the number is the one that it made. */
const isBooked = (context: MemberContext, typed: URLSearchParams): Promise<boolean> =>
  context.read((db) => isKeyUsed(db, context.caller.credential.id, typed.get('idempotency_key') ?? ''))

async function requireCalls(site: Site, visit: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, visit)
  if (!context.may('write:jobs') || !context.may('read:jobs') || !context.may('read:customers')) throw notFoundRefusal()
  return context
}

const isNew = (typed: URLSearchParams): boolean => (typed.get('customer_id') ?? '') === ''

function missingIn(typed: URLSearchParams): Map<string, string> {
  const missing = new Map<string, string>()
  if (isNew(typed) && (typed.get('name') ?? '').trim() === '') missing.set('name', say`Enter the caller’s name.`)
  if (titleIn(typed) === '') missing.set('title', say`Choose or enter what needs to be done.`)
  if (typed.get('when') === 'other' && (typed.get('start') ?? '') === '')
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

/** Returns what is typed as the arguments of the booking. */
async function toBookingArgs(context: MemberContext, typed: URLSearchParams): Promise<Record<string, unknown>> {
  const title = titleIn(typed)
  const address = addressIn(typed.get('address') ?? '', context.company.country)
  const chosen = chosenTime(typed)
  const slot = parseSlot(chosen)
  const who = slot?.user ?? (chosen === 'later' ? '' : (typed.get('who') ?? ''))
  const location = typed.get('location_id') ?? ''
  return {
    ...(isNew(typed)
      ? {
          new_customer: {
            name: typed.get('name'),
            is_company: typed.has('is_company'),
            phone: typed.get('q') ?? '',
            ...(address === undefined ? {} : { address }),
          },
        }
      : { customer_id: typed.get('customer_id'), ...(location === '' ? {} : { location_id: location }) }),
    title,
    instructions: (typed.get('notes') ?? '').replaceAll('\r\n', '\n'),
    duration_minutes: readMinutes(typed),
    line_items: await findCatalogLine(context, title),
    ...(chosen === 'later' ? {} : { scheduled_start: slot?.start ?? typed.get('start') }),
    ...(who === '' ? {} : { assignees: [who] }),
    if_free: slot !== undefined,
    idempotency_key: typed.get('idempotency_key') || newId(),
  }
}

function bookingMessage(job: Results['jobs_book'], zone: string): string {
  const { customer_name, scheduled_start, assignments } = job
  const who = assignments.map(({ name }) => name).join(', ')
  if (scheduled_start === null) return say`Booked for ${customer_name}, without a time yet`
  return who === ''
    ? say`Booked for ${customer_name}: ${moment(scheduled_start, zone)}`
    : say`Booked for ${customer_name}: ${moment(scheduled_start, zone)} with ${who}`
}

/** Asks whether a caller is the customer who has that number. */
async function askWhether(context: MemberContext, typed: URLSearchParams, owner: string): Promise<Response> {
  const { display_name } = await context.call('customers_get', { id: owner })
  const number = parsePhoneQuery(typed.get('q') ?? '', context.company.country)
  const asks = {
    title: say`${phone(number ?? '')} is ${display_name}`,
    body: html`
  <span class="actions"><button class="button main" form="call" name="customer_id"
    value="${owner}">${say`Book job for ${display_name}`}</button>
  <button class="button plain" form="call" name="anyway" value="yes">${say`Create a new customer`}</button></span>`,
  }
  return page(context, typed, { fields: new Map(), whole: [], asks }, 409)
}

/** Reports that a time was taken meanwhile, with the next one of the same technician chosen. */
async function offerNext(context: MemberContext, typed: URLSearchParams): Promise<Response> {
  const user = parseSlot(chosenTime(typed))?.user
  const { free } = await findFreeTimes(context, typed)
  const found = free.find(({ user_id }) => user_id === user)
  const [next] = found?.slots ?? []
  const again = new URLSearchParams(typed)
  if (found === undefined || next === undefined) {
    again.set('when', 'later')
    return page(context, again, { fields: new Map(), whole: [say`That time was just taken. Choose another one.`] }, 409)
  }
  again.set('when', `${next.start}|${found.user_id}`)
  const { timezone } = context.company
  const at = slotName(next.start, timezone, todayIn(timezone))
  const whole = [say`That time was just taken. The next free time of ${found.name} is chosen now: ${at}.`]
  return page(context, again, { fields: new Map(), whole }, 409)
}

async function page(
  context: MemberContext,
  typed: URLSearchParams,
  problems: CallProblems,
  status = 200,
): Promise<Response> {
  const [[found, offered], kinds] = await Promise.all([
    findCaller(context, typed).then(async (found): Promise<[CallerMatch, FreeTimes]> => {
      const customer = found.kind === 'known' ? found.known.customer.id : ''
      return [found, await findFreeTimes(context, typed, customer)]
    }),
    callKinds(context),
  ])
  return answer(callPage(context, { typed, found, offered, kinds, problems }), { status })
}
