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
  const taken = await context.read((db) =>
    findAppliedEvents(
      db,
      sent.acts.map(({ id }) => id),
    ),
  )
  const now = Temporal.Now.instant()
  const [answers, stopped] = [[] as EventResult[], new Set<string>()]
  for (const act of sent.acts) {
    const answer = await answerEvent(context, { user, act, taken, now, sentAt: sent.sent_at, stopped })
    if (answer.outcome === 'conflict' || answer.outcome === 'refused') stopped.add(act.job_id)
    answers.push(answer)
  }
  return answers
}

type EventInput = {
  user: string
  act: SentEvent
  taken: AppliedEvents
  now: Temporal.Instant
  sentAt: string
  stopped: ReadonlySet<string>
}

async function answerEvent(context: PhoneContext, input: EventInput): Promise<EventResult> {
  const { id, job_id, kind } = input.act
  try {
    const earlier = input.taken.get(id)
    if (earlier !== undefined) requireSameEvent(fingerprintEvent(input.act, input.user), earlier)
    else if (input.stopped.has(job_id) && !ADDITIVE_KINDS.has(kind)) return { id, outcome: 'waits' }
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
  { act, user }: EventInput,
  error: VisitChangedError | Refusal,
): Promise<EventResult> {
  const { id } = act
  const taken = (await context.read((db) => findAppliedEvents(db, [id]))).get(id)
  if (taken !== undefined && taken.equals(fingerprintEvent(act, user))) return { id, outcome: 'done' }
  if (error instanceof VisitChangedError) return { id, outcome: 'conflict' }
  return { id, outcome: 'refused', code: error.code, description: refusalForPeople(error) }
}

async function applyEvent(context: PhoneContext, { user, act, now, sentAt }: EventInput): Promise<void> {
  const kind = kindOf(act)
  const read = parseInput(kind.act, act)
  const at = toServerTime(read.at, sentAt, now)
  requireRecent(at, now)
  const prepared = await kind.prepare?.(context, read)
  let isTaken = false
  try {
    isTaken = await applyInTransaction(context, {
      user,
      act,
      read,
      at,
      now,
      take: requireValue((prepared ?? kind).take, 'What an event does'),
    })
  } finally {
    if (!isTaken) await prepared?.giveUp()
  }
}

type ReadyEvent = {
  user: string
  act: SentEvent
  read: FieldEvent
  /** Time of the event by our clock, as estimated from this request. */
  at: Temporal.Instant
  now: Temporal.Instant
  take: PreparedEvent['take']
}

/** Returns whether this call applied the event; a concurrent request may have done so. */
const applyInTransaction = (context: PhoneContext, { user, act, read, take, ...shown }: ReadyEvent): Promise<boolean> =>
  context.write(async (db) => {
    const fingerprint = fingerprintEvent(act, user)
    const deviceTime = Temporal.Instant.from(read.at)
    const at = await correctEventTime(db, { user, said: deviceTime, ...shown })
    if (!(await claimEvent(db, act, { user, fingerprint, said: deviceTime, at }))) {
      const earlier = (await findAppliedEvents(db, [act.id])).get(act.id)
      requireSameEvent(fingerprint, requireValue(earlier, 'An event that was applied'))
      return false
    }
    const { caller, baseUrl, may } = context
    if (!may('read:jobs')) throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.visitsNotAllowed() }])
    const job = await lockEventJob(db, act.job_id, user)
    const call: EventContext['call'] = async (wire, args) => void (await context.within(db, wire, args))
    const create: EventContext['create'] = async (wire, args) => String((await context.within(db, wire, args))['id'])
    await take({ db, caller, baseUrl, may, at, call, create }, read, job)
    return true
  })

function kindOf({ kind }: SentEvent): EventKind {
  const eventKind = EVENT_KINDS.get(kind)
  if (eventKind === undefined)
    throw invalidField('kind', refusals.unknownKind({ kinds: [...EVENT_KINDS.keys()].join(', '), kind }))
  return eventKind
}
