import { Refusal, invalidField, type Code } from '../../platform/errors/refusal.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { parseInput, type FieldEvent, type SentEvents, type SentEvent } from './event.ts'
import { toServerTime, requireRecent } from './kinds/clock.ts'
import { VisitChangedError, lockEventJob } from './kinds/job.ts'
import type { PhoneContext, EventKind, PreparedEvent, EventContext } from './kind.ts'
import { ADDITIVE_KINDS, EVENT_KINDS } from './kinds.ts'
import { correctEventTime } from './order.ts'
import { claimEvent, fingerprintEvent, requireSameEvent, findAppliedEvents, type AppliedEvents } from './applied.ts'
import { refusals } from './refusals.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Outcome of an event (docs/spec/field.md#outcomes). */
export type EventResult = { id: string } & (
  | { outcome: 'done' | 'waits' | 'conflict' }
  | { outcome: 'refused'; code: Code; description: string }
)

/**
 * Applies the events of a phone, one idempotent transaction each, in the order of their visit. Rejects on an error that
 * isn't the phone's fault; the phone then sends everything again.
 */
export async function applyEvents(context: PhoneContext, user: string, sent: SentEvents): Promise<EventResult[]> {
  const appliedEvents = await context.read((db) =>
    findAppliedEvents(
      db,
      sent.acts.map(({ id }) => id),
    ),
  )
  const now = Temporal.Now.instant()
  const [results, blockedJobs] = [[] as EventResult[], new Set<string>()]
  for (const sentEvent of sent.acts) {
    const result = await answerEvent(context, {
      user,
      sentEvent,
      appliedEvents,
      now,
      sentAt: sent.sent_at,
      blockedJobs,
    })
    if (result.outcome === 'conflict' || result.outcome === 'refused') blockedJobs.add(sentEvent.job_id)
    results.push(result)
  }
  return results
}

type EventInput = {
  user: string
  sentEvent: SentEvent
  appliedEvents: AppliedEvents
  now: Temporal.Instant
  sentAt: string
  blockedJobs: ReadonlySet<string>
}

async function answerEvent(context: PhoneContext, input: EventInput): Promise<EventResult> {
  const { id, job_id, kind } = input.sentEvent
  try {
    const earlier = input.appliedEvents.get(id)
    if (earlier !== undefined) requireSameEvent(fingerprintEvent(input.sentEvent, input.user), earlier)
    else if (input.blockedJobs.has(job_id) && !ADDITIVE_KINDS.has(kind)) return { id, outcome: 'waits' }
    else await applyEvent(context, input)
    return { id, outcome: 'done' }
  } catch (error) {
    if (error instanceof VisitChangedError || error instanceof Refusal) return toFailedResult(context, input, error)
    throw error
  }
}

/**
 * Returns why an event was refused, or `done` if a concurrent request applied the same event, which caused the refusal.
 */
async function toFailedResult(
  context: PhoneContext,
  { sentEvent, user }: EventInput,
  error: VisitChangedError | Refusal,
): Promise<EventResult> {
  const { id } = sentEvent
  const applied = (await context.read((db) => findAppliedEvents(db, [id]))).get(id)
  if (applied !== undefined && applied.equals(fingerprintEvent(sentEvent, user))) return { id, outcome: 'done' }
  if (error instanceof VisitChangedError) return { id, outcome: 'conflict' }
  return { id, outcome: 'refused', code: error.code, description: refusalForPeople(error) }
}

async function applyEvent(context: PhoneContext, { user, sentEvent, now, sentAt }: EventInput): Promise<void> {
  const kind = kindOf(sentEvent)
  const parsed = parseInput(kind.schema, sentEvent)
  const at = toServerTime(parsed.at, sentAt, now)
  requireRecent(at, now)
  const prepared = await kind.prepare?.(context, parsed)
  let isApplied = false
  try {
    isApplied = await applyInTransaction(context, {
      user,
      sentEvent,
      parsed,
      at,
      now,
      apply: requireValue((prepared ?? kind).apply, 'What an event does'),
    })
  } finally {
    if (!isApplied) await prepared?.discard()
  }
}

type ReadyEvent = {
  user: string
  sentEvent: SentEvent
  parsed: FieldEvent
  /** Time of the event by our clock, as estimated from this request. */
  at: Temporal.Instant
  now: Temporal.Instant
  apply: PreparedEvent['apply']
}

/** Returns whether this call applied the event; a concurrent request may have done so. */
const applyInTransaction = (
  context: PhoneContext,
  { user, sentEvent, parsed, apply, ...times }: ReadyEvent,
): Promise<boolean> =>
  context.write(async (db) => {
    const fingerprint = fingerprintEvent(sentEvent, user)
    const deviceTime = Temporal.Instant.from(parsed.at)
    const at = await correctEventTime(db, { user, deviceTime, ...times })
    if (!(await claimEvent(db, sentEvent, { user, fingerprint, deviceTime, at }))) {
      const earlier = (await findAppliedEvents(db, [sentEvent.id])).get(sentEvent.id)
      requireSameEvent(fingerprint, requireValue(earlier, 'An event that was applied'))
      return false
    }
    const { caller, baseUrl, may } = context
    if (!may('read:jobs')) throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.visitsNotAllowed() }])
    const job = await lockEventJob(db, sentEvent.job_id, user)
    const call: EventContext['call'] = async (wire, args) => void (await context.callInTransaction(db, wire, args))
    const create: EventContext['create'] = async (wire, args) =>
      String((await context.callInTransaction(db, wire, args))['id'])
    await apply({ db, caller, baseUrl, may, at, call, create }, parsed, job)
    return true
  })

function kindOf({ kind }: SentEvent): EventKind {
  const eventKind = EVENT_KINDS.get(kind)
  if (eventKind === undefined)
    throw invalidField('kind', refusals.unknownKind({ kinds: [...EVENT_KINDS.keys()].join(', '), kind }))
  return eventKind
}
