import { z } from 'zod'
import { capProblems, invalidFields, type Refusal } from '../../platform/errors/refusal.ts'
import { findRefusal } from '../../platform/errors/rule_text.ts'
import { choice, flag, id, isInstant } from '../../platform/validation/fields.ts'
import { HAS_OFFSET } from '../../platform/validation/formats/instants.ts'

/** Limits the acts of one request. */
const MAX_EVENTS = 50

/** Checks a time of a device's clock, which says its offset from UTC. */
export const deviceTime = () =>
  z
    .string()
    .refine(
      (text) => text.length <= 40 && isInstant(text) && HAS_OFFSET.test(text),
      'must be an instant such as 2027-03-31T09:00:00Z',
    )

/** Lists what a visit can be when it is looked at. */
const STATUSES = ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold', 'done', 'cancelled'] as const

/** Holds what the phone showed of the visit when the act was done; it was the person's own unless `mine` says no. */
const seen = z.strictObject({
  status: choice(...STATUSES),
  scheduled_start: deviceTime().nullable(),
  mine: flag().default(true),
})

/** Declares what every act has. */
export const commonFields = {
  id: id(),
  kind: z.string(),
  job_id: id(),
  at: deviceTime(),
  seen,
  decided: z.literal('mine', { error: "must be 'mine', or left out" }).optional(),
}

export type FieldEvent = z.output<z.ZodObject<typeof commonFields>>

/** Describes an act as it was sent, of which only its names are known to be right. */
export type SentEvent = Readonly<Record<string, unknown>> & { id: string; kind: string; job_id: string }

/** Describes what a phone sends: whose acts they are, its clock, and the acts in the order in which they were done. */
export type SentEvents = { user_id: string; sent_at: string; acts: SentEvent[] }

const sent = z.strictObject({
  user_id: id(),
  sent_at: deviceTime(),
  acts: z
    .array(z.looseObject({ id: id(), kind: z.string().max(40), job_id: id() }))
    .min(1)
    .max(MAX_EVENTS),
})

/** Reads a request; one that isn't of this form is refused whole, since a phone that is up to date sends none. */
export const parseSentEvents = (input: unknown): SentEvents => parseInput(sent, truncateEvents(input))

/** Leaves no more of a list that is too long than what is needed to say so. */
function truncateEvents(input: unknown): unknown {
  const { acts } = Object(input) as { acts?: unknown }
  return Array.isArray(acts) && acts.length > MAX_EVENTS
    ? { ...(input as object), acts: acts.slice(0, MAX_EVENTS + 1) }
    : input
}

/** Returns a value that fits, or throws a refusal that names each problem. */
export function parseInput<T>(shape: z.ZodType<T>, input: unknown): T {
  const { success, data, error } = shape.safeParse(input)
  if (success) return data
  throw refusalOf(error)
}

const refusalOf = ({ issues }: z.ZodError): Refusal =>
  invalidFields(
    capProblems(
      issues
        .slice(0, 10)
        .map(({ path, message }) => ({
          path: pathOf(path),
          rule: findRefusal(message) ?? (message.startsWith('must') ? message : `is not right: ${message}`),
        })),
      issues.length,
    ),
  )

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (before, step) =>
      typeof step === 'number' ? `${before}[${step}]` : before === '' ? String(step) : `${before}.${String(step)}`,
    '',
  )
