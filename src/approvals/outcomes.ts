import type { Caller } from '../identity/credentials/caller.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { conflict } from '../platform/errors/refusal.ts'
import type { ToolAnswer, ToolCall, ToolContext } from '../tools/call/context.ts'
import { findIds } from './dependencies.ts'
import { parseStoredCall, type ProposedCall, type StoredCall } from './proposal.ts'

export type UrlContext = Pick<ToolContext, 'baseUrl'>

/** Returns the address of the page where a person decides on a plan. */
export const proposalUrl = ({ baseUrl }: UrlContext, { tenant }: Pick<Caller, 'tenant'>, proposal: string): string =>
  `${baseUrl}/${tenant.id}/proposals/${proposal}`

type WaitingCall = { proposal: string; call: ProposedCall; decided: string | undefined; isBurstLimited: boolean }

/** Answers a call that waits: the address, the proposal, and the id under which later calls may build on it. */
export function toWaitingAnswer(context: UrlContext, { caller, listed }: ToolCall, planned: WaitingCall): ToolAnswer {
  const { proposal, call, decided, isBurstLimited } = planned
  const url = proposalUrl(context, caller, proposal)
  const sentences = [
    `waits for approval at ${url}`,
    `proposed: ${listed.tool.title}${idOf(call, listed.tool.verb)}`,
    ...warningsOf(call),
    ...(isBurstLimited
      ? ['this connection removed a lot in a short time, so everything it removes now waits for approval']
      : []),
    ...(decided === undefined ? [] : [`the previous plan ${decided}`]),
  ]
  return { refusal: conflict(sentences.join('; ')), pending: { proposal, position: call.position, url, effect: call } }
}

const idOf = ({ written }: ProposedCall, verb: string): string => {
  const id = written[0]?.record
  if (id === undefined) return ''
  return verb === 'create' ? `, under the id ${id}, which later calls can already use` : ` ${id}`
}

const warningsOf = ({ result }: ProposedCall): string[] => {
  const { warnings = [] } = result as { warnings?: readonly string[] }
  return warnings.length === 0 ? [] : [`warnings: ${warnings.join(', ')}`]
}

type DecisionState = {
  state: string
  word: string | null
  is_applied?: boolean | null
  withdrawn_at?: string | null | undefined
  applied?: number | null
  calls?: number
}

/** Checks whether a plan, or one of its calls, was withdrawn by its connection. */
export const isWithdrawn = ({ state, withdrawn_at: at }: Pick<DecisionState, 'state' | 'withdrawn_at'>): boolean =>
  state === 'withdrawn' || typeof at === 'string'

/** Describes the fate of a plan, or of one of its calls. */
export function describeDecision(decision: DecisionState): string {
  const { state, word, is_applied, applied = null, calls } = decision
  if (isWithdrawn(decision)) return 'was withdrawn by this connection'
  const reason = word === null ? '' : `: ${JSON.stringify(word)}`
  switch (state) {
    case 'open':
      return 'waits for approval'
    case 'approved':
      if (applied !== null)
        return applied === calls
          ? `was approved${reason}`
          : `was approved in part: ${applied} of ${calls} calls${reason}`
      return is_applied === true
        ? `was approved${reason}`
        : `was left out when other calls in its plan were approved${reason}`
    case 'declined':
      return `was declined${reason}`
    case 'sent_back':
      return `was sent back${reason}`
    default:
      return 'expired before anyone decided on it'
  }
}

type DecidedCall = Pick<ProposedCall, 'position' | 'tool' | 'ids' | 'is_applied' | 'withdrawn_at'> & {
  record: string | null
  edited: string[]
}

/** Columns of a decided call. Its record is the one it created, or the one it names. */
const decidedColumns = sql`c.position, c.tool, c.ids, c.is_applied, c.withdrawn_at, c.edited,
  coalesce(c.ids[1]::text, c.given::jsonb ->> 'id') as record`

/** Returns the latest decision that a connection was not told of yet, call by call, and marks it as told. */
export async function claimLastDecision(db: Db, credential: string): Promise<string | undefined> {
  const decided = await db.maybe<DecisionState & { id: string }>(sql`
    update proposals set told_at = moment() where tenant_id = ${db.tenant} and id = (
      select id from proposals where tenant_id = ${db.tenant} and credential_id = ${credential} and state <> 'open'
      order by created_at desc limit 1) and told_at is null
    returning id, state, word, applied, calls`)
  if (decided === undefined) return undefined
  if (decided.state !== 'approved') return describeDecision(decided)
  const calls = await db.all<DecidedCall>(sql`select ${decidedColumns} from proposed_calls c
    where c.tenant_id = ${db.tenant} and c.proposal_id = ${decided.id} and c.withdrawn_at is null
    order by c.position`)
  const edits = calls.filter(({ edited, is_applied }) => is_applied === true && edited.length > 0)
  const summary = `${describeDecision(decided)}${
    edits.length === 0
      ? ''
      : `; a person edited these calls before they ran: ${edits
          .map(({ position, tool, edited }) => `${position} ${tool} (${edited.join(', ')})`)
          .join(', ')}`
  }`
  if (decided.applied === decided.calls) return summary
  const listCalls = (isApplied: boolean): string =>
    calls
      .filter(({ is_applied }) => (is_applied === true) === isApplied)
      .map(({ position, tool, record }) => `${position} ${tool}${record === null ? '' : ` ${record}`}`)
      .join(', ')
  return `${summary}; approved: ${listCalls(true)}; declined, do not propose again: ${listCalls(false)}`
}

/** Call of a plan as its connection reads it: the call and its outcome. */
export type CallOutcome = DecidedCall & { proposal: string; state: string; word: string | null; at: string }

/** Lists the calls of a connection's plans, newest plan first. */
export const listPlannedCalls = (db: Db, credential: string, limit: number): Promise<CallOutcome[]> =>
  db.all<CallOutcome>(sql`
    select p.id as proposal, p.state, p.word, coalesce(p.decided_at, p.created_at) as at, ${decidedColumns}
    from proposals p join proposed_calls c on c.tenant_id = p.tenant_id and c.proposal_id = p.id
    where p.tenant_id = ${db.tenant} and p.credential_id = ${credential}
    order by p.created_at desc, p.id desc, c.position limit ${limit}`)

/** Call of one plan, with its planned or actual writes. */
export type PlanCall = CallOutcome & Pick<ProposedCall, 'result' | 'written'>

/** Lists the calls of a plan in order; none if another connection proposed it. */
export async function listCallsOfPlan(db: Db, credential: string, proposal: string): Promise<PlanCall[]> {
  const rows = await db.all<
    CallOutcome & Pick<StoredCall, 'result' | 'written' | 'given' | 'given_before' | 'seen_at' | 'idempotency_key'>
  >(
    sql`select p.id as proposal, p.state, p.word, coalesce(p.decided_at, p.created_at) as at, c.result, c.written,
      c.given, c.given_before, c.seen_at, c.idempotency_key, ${decidedColumns}
    from proposals p join proposed_calls c on c.tenant_id = p.tenant_id and c.proposal_id = p.id
    where p.tenant_id = ${db.tenant} and p.credential_id = ${credential} and p.id = ${proposal}
    order by c.position`,
  )
  return rows.map((row) => ({ ...row, ...parseStoredCall(row) }))
}

/** Describes the outcome of a planned call in a few words. */
export function describeOutcome(call: Pick<CallOutcome, 'state' | 'is_applied' | 'withdrawn_at' | 'edited'>): string {
  const { state, is_applied, edited } = call
  if (isWithdrawn(call)) return 'withdrawn'
  const edits = edited.length === 0 ? '' : `, edited by a person: ${edited.join(', ')}`
  if (state === 'open') return `waits for approval${edits}`
  if (state !== 'approved') return state.replace('_', ' ')
  return is_applied === true ? `approved${edits}` : 'declined'
}

/** Explains the newest record that the arguments name and that this connection only proposed. */
export async function explainMissingId(
  db: Db,
  context: UrlContext,
  caller: Pick<Caller, 'tenant' | 'credential'>,
  input: unknown,
): Promise<string | undefined> {
  const namedIds = [...findIds(input)].slice(0, 200)
  if (namedIds.length === 0) return undefined
  const decision = await db.maybe<DecisionState & { id: string; ids: string[] }>(sql`
    select p.id, p.state, p.word, c.is_applied, c.withdrawn_at, c.ids
    from proposed_calls c join proposals p on p.tenant_id = c.tenant_id and p.id = c.proposal_id
    where c.tenant_id = ${db.tenant} and p.credential_id = ${caller.credential.id} and c.ids && ${namedIds}::uuid[]
      and c.is_applied is distinct from true
    order by c.created_at desc limit 1`)
  if (decision === undefined) return undefined
  const urlText =
    decision.state === 'open' && !isWithdrawn(decision) ? ` at ${proposalUrl(context, caller, decision.id)}` : ''
  return `${decision.ids.find((id) => namedIds.includes(id))} was only proposed, and ${describeDecision(decision)}${urlText}`
}
