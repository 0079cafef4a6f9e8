import { z } from 'zod'
import { capProblems, invalidFields, type Refusal } from '../../platform/errors/refusal.ts'
import { refuse } from '../../platform/errors/rule_text.ts'
import { choice, flag, id, isInstant } from '../../platform/validation/fields.ts'
import { ruleOf } from '../../tools/call/issue_rule.ts'
import { HAS_OFFSET } from '../../platform/validation/formats/instants.ts'
import { refusals } from './refusals.ts'

/** Maximum events per request. */
const MAX_EVENTS = 50

/** Returns a schema for a device time with a UTC offset. */
export const deviceTime = () =>
  z
    .string()
    .refine((text) => text.length <= 40 && isInstant(text) && HAS_OFFSET.test(text), refuse(refusals.deviceTime()))

/** Possible statuses of a visit. */
const STATUSES = ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold', 'done', 'cancelled'] as const

/** State of the visit that the phone showed at the event; it was the user's own visit unless `mine` is false. */
const seen = z.strictObject({
  status: choice(...STATUSES),
  scheduled_start: deviceTime().nullable(),
  mine: flag().default(true),
})

/** Fields common to all events. */
export const commonFields = {
  id: id(),
  kind: z.string(),
  job_id: id(),
  at: deviceTime(),
  seen,
  decided: z.literal('mine').optional(),
}

export type FieldEvent = z.output<z.ZodObject<typeof commonFields>>

/** Event as sent; only its id, kind and job have been validated. */
export type SentEvent = Readonly<Record<string, unknown>> & { id: string; kind: string; job_id: string }

/** Request of a phone: the user, the phone's clock, and the events in the order they happened. */
export type SentEvents = { user_id: string; sent_at: string; acts: SentEvent[] }

const sentEventsSchema = z.strictObject({
  user_id: id(),
  sent_at: deviceTime(),
  acts: z
    .array(z.looseObject({ id: id(), kind: z.string().max(40), job_id: id() }))
    .min(1)
    .max(MAX_EVENTS),
})

/** Parses a request; a malformed one is refused as a whole, since an up-to-date phone never sends one. */
export const parseSentEvents = (input: unknown): SentEvents => parseInput(sentEventsSchema, truncateEvents(input))

/** Truncates a list that is too long to just over the limit, enough to be refused. */
function truncateEvents(input: unknown): unknown {
  const { acts } = Object(input) as { acts?: unknown }
  return Array.isArray(acts) && acts.length > MAX_EVENTS
    ? { ...(input as object), acts: acts.slice(0, MAX_EVENTS + 1) }
    : input
}

/** Returns a valid value, or throws a refusal that names each problem. */
export function parseInput<T>(shape: z.ZodType<T>, input: unknown): T {
  const { success, data, error } = shape.safeParse(input)
  if (success) return data
  throw refusalOf(error)
}

const refusalOf = ({ issues }: z.ZodError): Refusal =>
  invalidFields(
    capProblems(
      issues.slice(0, 10).map((issue) => ({ path: pathOf(issue.path), rule: ruleOf(issue) })),
      issues.length,
    ),
  )

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (before, step) =>
      typeof step === 'number' ? `${before}[${step}]` : before === '' ? String(step) : `${before}.${String(step)}`,
    '',
  )
