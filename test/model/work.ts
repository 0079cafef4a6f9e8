import type { Result } from '../harness/harness.ts'
import { discountOf, linesOf, pricedNow, computeUntaxedTotals } from './lines.ts'
import { contactsOf, locationsOf } from './people.ts'
import {
  broken,
  activateLead,
  isBlank,
  lacksRate,
  live,
  addRecord,
  patchField,
  strays,
  text,
  type Actor,
  type Code,
  type Customer,
  type Job,
  type Plan,
  type Quote,
  type Rule,
  type Rules,
  type World,
} from './world.ts'

const MINUTE = 60_000
const LONGEST = 14 * 24 * 60

type Schedule = Pick<Job, 'start' | 'end' | 'duration'>

/**
 * Returns the schedule after a patch, or undefined if it is invalid. An end needs an earlier start and must match the
 * duration.
 */
function patchSchedule(given: Result, present: Schedule): Schedule | undefined {
  const start: string | null = patchField(given, 'scheduled_start', present.start)
  const end = given['scheduled_end']
  if (end === undefined) {
    const duration = patchField(given, 'duration_minutes', present.duration)
    return { start, duration, end: start && plus(start, duration) }
  }
  const minutes = start === null ? 0 : (Date.parse(end) - Date.parse(start)) / MINUTE
  if (minutes <= 0 || minutes > LONGEST || ('duration_minutes' in given && given['duration_minutes'] !== minutes))
    return undefined
  return { start, duration: minutes, end: plus(start!, minutes) }
}

const plus = (start: string, minutes: number): string => new Date(Date.parse(start) + minutes * MINUTE).toISOString()

const hasStrayReference = (
  world: World,
  actor: Actor,
  given: Result,
  customer: string | undefined,
  present: { location_id?: string | null; contact_id?: string | null } = {},
): boolean =>
  (given['location_id'] !== present.location_id && strays(world, actor, 'location', given['location_id'], customer)) ||
  (given['contact_id'] !== present.contact_id && strays(world, actor, 'contact', given['contact_id'], customer))

const jobsCreate: Rule = (world, actor, given) => {
  const customer = live(world, actor, 'customer', given['customer_id'])
  const schedule = patchSchedule(given, { start: null, end: null, duration: 60 })
  const lines = linesOf(world, actor, given['line_items'])
  const totals = lines && computeUntaxedTotals(lines)
  const codes = broken(
    [text(given['title']) === null || schedule === undefined || totals === undefined, 'invalid_input'],
    [
      hasStrayReference(world, actor, given, customer?.id) ||
        strays(world, actor, 'quote', given['quote_id'], customer?.id),
      'invalid_input',
    ],
    [customer === undefined, 'not_found'],
  )
  if (codes.length > 0) return codes
  return (answer) => {
    const quote = given['quote_id'] === undefined ? undefined : (world.records.get(given['quote_id']) as Quote)
    const job = addRecord<Job>(
      world,
      {
        kind: 'job',
        customer_id: customer!.id,
        title: text(given['title'])!,
        status: schedule!.start === null ? 'unscheduled' : 'scheduled',
        ...schedule!,
        ...toPlace(world, given, customer!),
        lines: lines!,
        subtotal: totals!.subtotal_cents,
        quote_id: quote?.id ?? null,
        completed_at: null,
        cancelled_at: null,
        cancel_reason: null,
      },
      answer,
    )
    activateLead(customer!)
    if (quote !== undefined) quote.converted_job_id = job.id
    return { shows: job, touched: [job, customer!, ...(quote === undefined ? [] : [quote])] }
  }
}

/** Returns the named location and contact, none for null, or else the primary ones. */
const toPlace = (
  world: World,
  given: Result,
  customer: Customer,
): { location_id: string | null; contact_id: string | null } => ({
  location_id: patchField(
    given,
    'location_id',
    locationsOf(world, customer.id, 'service').find(({ is_primary }) => is_primary)?.id ?? null,
  ),
  contact_id: patchField(
    given,
    'contact_id',
    contactsOf(world, customer.id).find(({ is_primary }) => is_primary)?.id ?? null,
  ),
})

const jobsUpdate: Rule = (world, actor, given) => {
  const job = live(world, actor, 'job', given['id'])
  if (job === undefined) return ['not_found']
  const to = given['status']
  const isSetWithout =
    to === 'unscheduled' && (typeof given['scheduled_start'] === 'string' || 'scheduled_end' in given)
  const schedule = patchSchedule(to === 'unscheduled' ? { ...given, scheduled_start: null } : given, job)
  const lines = 'line_items' in given ? linesOf(world, actor, given['line_items']) : job.lines
  const totals = lines && computeUntaxedTotals(lines)
  const status: string = to ?? nextStatusOf(job, schedule)
  const codes = broken(
    [
      to === 'cancelled' ||
        isSetWithout ||
        isBlank(given, 'title') ||
        schedule === undefined ||
        totals === undefined ||
        hasStrayReference(world, actor, given, job.customer_id, job),
      'invalid_input',
    ],
    [status === 'scheduled' && schedule?.start === null, 'invalid_input'],
    [job.status === 'cancelled', 'conflict'],
  )
  if (codes.length > 0) return codes
  return () => {
    const completed_at = status !== 'done' ? null : job.status === 'done' ? job.completed_at : {}
    Object.assign(job, schedule, {
      title: text(patchField(given, 'title', job.title)),
      status,
      completed_at,
      lines,
      subtotal: totals!.subtotal_cents,
      location_id: patchField(given, 'location_id', job.location_id),
      contact_id: patchField(given, 'contact_id', job.contact_id),
    })
    return { shows: job, touched: [job, world.records.get(job.customer_id)!] }
  }
}

/** Returns the next status. Setting a start schedules an unscheduled job. Clearing it unschedules the job. */
function nextStatusOf(job: Job, schedule: Schedule | undefined): string {
  if (job.status === 'unscheduled' && schedule?.start != null) return 'scheduled'
  if (job.status === 'scheduled' && schedule?.start === null) return 'unscheduled'
  return job.status
}

const jobsCancel: Rule = (world, actor, given) => {
  const job = live(world, actor, 'job', given['id'])
  if (job === undefined) return ['not_found']
  return () => {
    if (job.status !== 'cancelled')
      Object.assign(job, { status: 'cancelled', cancelled_at: {}, cancel_reason: text(given['reason']) })
    return { shows: job, touched: [job, world.records.get(job.customer_id)!] }
  }
}

const DAYS: Record<string, Temporal.DurationLike> = {
  weekly: { days: 7 },
  monthly: { months: 1 },
  annual: { years: 1 },
}

/** Returns the first run date from today on: whole intervals after the anchor, clamped to the end of a month. */
export function nextRun(plan: Plan, today: string): string | null {
  if (plan.status !== 'active') return null
  const anchor = Temporal.PlainDate.from(plan.start_date)
  const every = Temporal.Duration.from(DAYS[plan.cadence]!)
  for (let runs = 0; ; runs++) {
    const date = anchor.add({ days: every.days * runs, months: every.months * runs, years: every.years * runs })
    if (Temporal.PlainDate.compare(date, today) >= 0) return date.toString()
  }
}

const plansCreate: Rule = (world, actor, given) => {
  const customer = live(world, actor, 'customer', given['customer_id'])
  const lines = linesOf(world, actor, given['line_items'])
  const isWrong =
    text(given['name']) === null ||
    lines === undefined ||
    lines.length === 0 ||
    lacksRate(world, actor, given['tax_rate_id']) ||
    strays(world, actor, 'location', given['location_id'], customer?.id)
  if (isWrong || customer === undefined)
    return broken([isWrong, 'invalid_input'], [customer === undefined, 'not_found'])
  const asked = {
    lines,
    discount: discountOf(given, null),
    chosen: given['tax_rate_id'],
    location_id: toPlace(world, given, customer).location_id,
  }
  const now = pricedNow(world, customer, asked)
  if (now === undefined) return ['invalid_input']
  return (answer) => {
    activateLead(customer)
    const plan = addRecord<Plan>(
      world,
      {
        kind: 'plan',
        customer_id: customer.id,
        name: text(given['name'])!,
        status: 'active',
        cadence: given['cadence'],
        start_date: given['start_date'] ?? world.today,
        ...asked,
        ...now,
        cancel_reason: null,
        cancelled_at: null,
      },
      answer,
    )
    return { shows: plan, touched: [plan, customer] }
  }
}

const plansUpdate: Rule = (world, actor, given) => {
  const plan = live(world, actor, 'plan', given['id'])
  if (plan === undefined) return ['not_found']
  const customer = world.records.get(plan.customer_id) as Customer
  const lines = 'line_items' in given ? linesOf(world, actor, given['line_items']) : plan.lines
  const asked = {
    lines: lines ?? [],
    discount: discountOf(given, plan.discount),
    chosen: patchField(given, 'tax_rate_id', plan.chosen),
    location_id: plan.location_id,
  }
  const isWrong =
    isBlank(given, 'name') ||
    lines === undefined ||
    lines.length === 0 ||
    (given['tax_rate_id'] !== plan.chosen && lacksRate(world, actor, given['tax_rate_id']))
  const now = isWrong ? undefined : pricedNow(world, customer, asked, plan)
  const codes: Code[] = broken(
    [now === undefined, 'invalid_input'],
    [
      plan.status === 'cancelled' || (given['status'] === 'active' && plan.status !== 'active' && !customer.live),
      'conflict',
    ],
  )
  if (codes.length > 0) return codes
  return () => {
    if (['line_items', 'discount', 'tax_rate_id', 'location_id'].some((field) => field in given))
      Object.assign(plan, asked, now)
    Object.assign(plan, {
      name: text(patchField(given, 'name', plan.name)),
      status: patchField(given, 'status', plan.status),
      cadence: patchField(given, 'cadence', plan.cadence),
    })
    return { shows: plan, touched: [plan] }
  }
}

const plansCancel: Rule = (world, actor, given) => {
  const plan = live(world, actor, 'plan', given['id'])
  if (plan === undefined) return ['not_found']
  if (plan.status === 'cancelled') return ['conflict']
  return () => {
    Object.assign(plan, { status: 'cancelled', cancelled_at: {}, cancel_reason: text(given['reason']) })
    return { shows: plan, touched: [plan] }
  }
}

const rules = (scope: string, of: Record<string, Rule>): Rules =>
  Object.fromEntries(Object.entries(of).map(([name, rule]) => [name, { scope, person: true, rule }]))

export const work: Rules = {
  ...rules('write:jobs', { jobs_create: jobsCreate, jobs_update: jobsUpdate, jobs_cancel: jobsCancel }),
  ...rules('write:plans', { plans_create: plansCreate, plans_update: plansUpdate, plans_cancel: plansCancel }),
}
