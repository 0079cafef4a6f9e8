import { confirmVisit } from '../../../messaging/notices/booking_notices.ts'
import { redirect } from '../../../platform/http/answer.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import type { WritableDb } from '../../../platform/db/tenant.ts'
import { endSentence, problemsOf } from '../../../records/form/problems.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import { enterDaysOff } from '../../../scheduling/off_time.ts'
import { currentChange } from '../../../undo/changes.ts'
import { undoForm } from '../../activity/undo_page.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { runOnce } from '../../messaging/compose/run_once.ts'
import { statusOf } from '../../faults.ts'
import type { Site } from '../../site.ts'
import { moveFields } from '../move_page.ts'
import { addressOf } from '../schedule_view.ts'
import { planPage, requirePlanner } from './plan_page.ts'
import { proposalPath, rangeOf, readFingerprint, readProposalQuery, type ProposalQuery } from './read_proposal.ts'
import { argsOf, readMoves, type SentMove } from './sent_moves.ts'

/**
 * Moves the checked visits, all or none, and enters days off, as one change with a single undo. If the day changed
 * since it was planned, it changes nothing and shows the new plan.
 */
export async function approvePlan(site: Site, request: PageRequest): Promise<Response> {
  const context = await requirePlanner(site, request)
  const query = readProposalQuery(context, new URL(request.req.url).searchParams)
  const form = await readFormFields(request.req.raw)
  const moves = readMoves(form)
  if (form.has('again')) return redirect(proposalPath(context, { ...query, only: new Set(moves.map(({ id }) => id)) }))
  if (moves.length === 0 && query.off === undefined)
    return planPage(context, query, { status: 422, problem: { kind: 'error', title: say`Check at least one visit` } })
  const options: MoveOptions = {
    query,
    moves,
    fingerprint: form.get('mark') ?? '',
    key: form.get('idempotency_key') ?? '',
  }
  try {
    const change = await context.write((db) => applyMoves(context, db, options))
    if (change === undefined) return redirect(addressOf(context, { day: query.scheduleView.day, view: 'day' }))
    const shouldNotify = form.has('tell') && context.may('read:customers')
    const notified = shouldNotify ? await context.write((db) => notifyCustomers(site, context, db, moves)) : 0
    return redirectWithResult(context, query, { moved: moves.length, notified, change })
  } catch (error) {
    if (error instanceof MoveRefused) return refusalPage(context, query, error)
    throw error
  }
}

/** Rolls back the transaction of moves: one was refused, or the days changed. */
class MoveRefused extends Error {
  readonly refusal: Refusal | undefined
  constructor(refusal?: Refusal) {
    super('The moves are refused')
    this.refusal = refusal
  }
}

type MoveOptions = { query: ProposalQuery; fingerprint: string; moves: readonly SentMove[]; key: string }

/** Moves visits and enters days off. Returns the change; undefined for a form sent before, which does nothing. */
async function applyMoves(
  context: MemberContext,
  db: WritableDb,
  { query, fingerprint, moves, key }: MoveOptions,
): Promise<string | undefined> {
  if (!context.may('write:jobs')) throw notFoundRefusal()
  let change: string | undefined
  const onceKey = { caller: context.caller, action: 'jobs.plan', id: context.company.id, key }
  await runOnce(db, onceKey, async () => {
    if ((await readFingerprint(db, context, query)) !== fingerprint) throw new MoveRefused()
    for (const move of moves)
      try {
        await context.within(db, 'jobs_update', argsOf(move))
      } catch (error) {
        throw error instanceof Refusal ? new MoveRefused(error) : error
      }
    if (query.off !== undefined) {
      const by = { user: context.user.id }
      await enterDaysOff(db, query.off, rangeOf(query), context.company.timezone, by)
    }
    change = await currentChange(db)
  })
  return change
}

/** Notifies customers of moved visits, as a separate change, since a sent message can't be undone. */
async function notifyCustomers(
  site: Site,
  context: MemberContext,
  db: WritableDb,
  moves: readonly SentMove[],
): Promise<number> {
  if (!context.may('write:jobs') || !context.may('read:customers')) throw notFoundRefusal()
  let notified = 0
  for (const { id, to } of moves)
    if (to !== NOBODY && (await confirmVisit(db, id, site.senders)) !== undefined) notified++
  return notified
}

type PlanResult = { moved: number; notified: number; change: string }

function redirectWithResult(
  context: MemberContext,
  query: ProposalQuery,
  { moved, notified, change }: PlanResult,
): Response {
  const back = addressOf(context, { day: query.scheduleView.day, view: 'day' })
  const movedText = sayCount(moved, 'One visit moved', '{0} visits moved')
  return redirectWithMessage(back, {
    sentence: query.off === undefined ? movedText : say`Days off saved`,
    notes: [
      ...(query.off === undefined || moved === 0 ? [] : [`${movedText}.`]),
      ...(notified === 0 ? [] : [sayCount(notified, 'One customer gets a message.', '{0} customers get a message.')]),
    ],
    undo: undoForm(context, change, back),
  })
}

function refusalPage(context: MemberContext, query: ProposalQuery, { refusal }: MoveRefused): Promise<Response> {
  if (refusal === undefined || refusal.code === 'conflict')
    return planPage(context, query, {
      status: 409,
      problem: {
        kind: 'warning',
        title: say`The schedule changed since this was planned`,
        body: say`Nothing was moved. This is the plan for the schedule as it is now.`,
      },
    })
  const { fields, general } = problemsOf(refusal, moveFields())
  return planPage(context, query, {
    status: statusOf(refusal),
    problem: {
      kind: 'error',
      title: say`Nothing was moved`,
      body: [...fields.values(), ...general.map(endSentence)].join(' '),
    },
  })
}
