import { Refusal, invalidField, type Code } from '../../platform/errors/refusal.ts'
import { checked, type CommonAct, type SentActs, type SentAct } from './act.ts'
import { ourTime, requireRecent } from './kinds/clock.ts'
import { ChangedMeanwhile, lockActJob } from './kinds/job.ts'
import type { PhoneContext, ActKind, PreparedAct, ActContext } from './kind.ts'
import { ADDING, KINDS } from './kinds.ts'
import { inOrder } from './order.ts'
import { claimAct, markOf, requireSameAct, takenOf, type Taken } from './taken.ts'

/** Says what became of an act (docs/spec/field.md#outcomes). */
export type ActAnswer = { id: string } & (
  | { outcome: 'done' | 'waits' | 'conflict' }
  | { outcome: 'refused'; code: Code; description: string }
)

/**
 * THE WALK OF WHAT A PHONE SENDS: each act is one transaction, done once however often it comes, in the order of its visit.
 * It rejects with what is no fault of the phone; then all is sent again.
 */
export async function takeActs(context: PhoneContext, user: string, sent: SentActs): Promise<ActAnswer[]> {
  const taken = await context.read((db) =>
    takenOf(
      db,
      sent.acts.map(({ id }) => id),
    ),
  )
  const now = Temporal.Now.instant()
  const [answers, stopped] = [[] as ActAnswer[], new Set<string>()]
  for (const act of sent.acts) {
    const answer = await answerTo(context, { user, act, taken, now, sentAt: sent.sent_at, stopped })
    if (answer.outcome === 'conflict' || answer.outcome === 'refused') stopped.add(act.job_id)
    answers.push(answer)
  }
  return answers
}

type Given = {
  user: string
  act: SentAct
  taken: Taken
  now: Temporal.Instant
  sentAt: string
  stopped: ReadonlySet<string>
}

async function answerTo(context: PhoneContext, given: Given): Promise<ActAnswer> {
  const { id, job_id, kind } = given.act
  try {
    const earlier = given.taken.get(id)
    if (earlier !== undefined) requireSameAct(markOf(given.act, given.user), earlier)
    else if (given.stopped.has(job_id) && !ADDING.has(kind)) return { id, outcome: 'waits' }
    else await takeAct(context, given)
    return { id, outcome: 'done' }
  } catch (error) {
    if (error instanceof ChangedMeanwhile || error instanceof Refusal) return stoppedBy(context, given, error)
    throw error
  }
}

/** Says why an act was not taken, unless another request took the same meanwhile: then that was what stood in its way. */
async function stoppedBy(
  context: PhoneContext,
  { act, user }: Given,
  error: ChangedMeanwhile | Refusal,
): Promise<ActAnswer> {
  const { id } = act
  const taken = (await context.read((db) => takenOf(db, [id]))).get(id)
  if (taken !== undefined && taken.equals(markOf(act, user))) return { id, outcome: 'done' }
  if (error instanceof ChangedMeanwhile) return { id, outcome: 'conflict' }
  return { id, outcome: 'refused', code: error.code, description: error.message }
}

async function takeAct(context: PhoneContext, { user, act, now, sentAt }: Given): Promise<void> {
  const kind = kindOf(act)
  const read = checked(kind.act, act)
  const at = ourTime(read.at, sentAt, now)
  requireRecent(at, now)
  const prepared = await kind.prepare?.(context, read)
  let isTaken = false
  try {
    isTaken = await inTransaction(context, { user, act, read, at, now, take: (prepared ?? kind).take! })
  } finally {
    if (!isTaken) await prepared?.giveUp()
  }
}

type Ready = {
  user: string
  act: SentAct
  read: CommonAct
  /** Is when it was done by our clock, as far as this request shows. */
  at: Temporal.Instant
  now: Temporal.Instant
  take: PreparedAct['take']
}

/** Returns whether the act was taken now; another request may have taken it meanwhile. */
const inTransaction = (context: PhoneContext, { user, act, read, take, ...shown }: Ready): Promise<boolean> =>
  context.write(async (db) => {
    const fingerprint = markOf(act, user)
    const said = Temporal.Instant.from(read.at)
    const at = await inOrder(db, { user, said, ...shown })
    if (!(await claimAct(db, act, { user, fingerprint, said, at }))) {
      requireSameAct(fingerprint, (await takenOf(db, [act.id])).get(act.id)!)
      return false
    }
    const { caller, baseUrl, may } = context
    if (!may('read:jobs')) throw new Refusal('insufficient_scope', 'visits need read:jobs')
    const job = await lockActJob(db, act.job_id, user)
    const call: ActContext['call'] = (wire, given) => context.within(db, wire, given)
    await take({ db, caller, baseUrl, may, at, call }, read, job)
    return true
  })

function kindOf({ kind }: SentAct): ActKind {
  const found = KINDS.get(kind)
  if (found === undefined) throw invalidField('kind', `must be one of ${[...KINDS.keys()].join(', ')} (got '${kind}')`)
  return found
}
