import type { Caller } from '../identity/credentials/caller.ts'
import { insertSelected, readTenant, sql, writeTenant, type Db, type WritableDb } from '../platform/db/tenant.ts'
import { conflict, type Refusal } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import { callEntry } from '../tools/call/call.ts'
import type { Propose, ToolAnswer, ToolCall, ToolContext } from '../tools/call/context.ts'
import { answerOf, findAnswer, fingerprintOf, requireSameInput } from '../tools/call/idempotency.ts'
import { isUnchanged } from '../tools/call/outcome.ts'
import { holdConnection } from './hold.ts'
import { listWrites } from './comparison.ts'
import {
  EXPIRES_DAYS,
  MAX_BYTES,
  MAX_CALLS,
  callColumns,
  parseStoredCall,
  type ProposedCall,
  type StoredCall,
} from './proposal.ts'
import { rehearse, findVersions, type CallResult } from './rehearsal.ts'
import {
  proposalUrl,
  describeDecision,
  claimLastDecision,
  explainMissingId,
  isWithdrawn,
  toWaitingAnswer,
} from './outcomes.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/** Open plan of a connection: its calls, and their number including withdrawn ones. */
type Plan = { id: string; bytes: number; calls: ProposedCall[]; callCount: number }

/**
 * Proposes a call: tries it after the calls that its connection proposed before, rolls it back, and stores it with its
 * effect. Refusals, and writes that change nothing, are answered as usual.
 */
export const propose: Propose = (context, call, isBurstLimited) =>
  writeTenant(context.database, callEntry(call), async (db) => {
    const key = (call.input as { idempotency_key?: string } | null)?.idempotency_key
    const plan = await openPlan(db, call.caller)
    const earlier = key === undefined ? undefined : await answerRepeated(db, context, call, key)
    if (earlier !== undefined) return earlier

    const bytes = Buffer.byteLength(JSON.stringify(call.input))
    requireWithinLimits(plan, bytes, proposalUrl(context, call.caller, plan.id))
    const [performed, versions] = await rehearseCall(db, context, call, plan)
    if (isUnchanged(performed.outcome)) return { result: performed.result }

    const position = plan.callCount + 1
    const newCall = toNewCall(call, position, performed, versions.get(position))
    await storeCall(db, call, plan, newCall, bytes)
    if (isBurstLimited) await holdConnection(db, call.caller.credential.id)
    const decided = await claimLastDecision(db, call.caller.credential.id)
    return toWaitingAnswer(context, call, { proposal: plan.id, call: newCall, decided, isBurstLimited })
  })

/** Locks the connection, so that its calls are planned one after another, and reads its open plan. */
async function openPlan(db: Db, { credential }: Caller): Promise<Plan> {
  const isOpenPlan = sql`p.tenant_id = ${db.tenant} and p.credential_id = ${credential.id} and p.state = 'open'`
  const [, , plan, calls] = await Promise.all([
    db.run(sql`select from credentials where tenant_id = ${db.tenant} and id = ${credential.id} for no key update`),
    db.run(
      sql`update proposals p set state = 'expired', decided_at = moment()
        where ${isOpenPlan} and p.expires_at <= moment()`,
    ),
    db.maybe<{ id: string; bytes: number }>(sql`select p.id, p.bytes from proposals p where ${isOpenPlan}`),
    db.all<StoredCall>(sql`select ${callColumns} from proposed_calls where tenant_id = ${db.tenant}
      and proposal_id = (select p.id from proposals p where ${isOpenPlan}) order by position`),
  ])
  const waiting = calls.filter(({ withdrawn_at: at }) => at === null).map(parseStoredCall)
  return { id: plan?.id ?? newId(), bytes: plan?.bytes ?? 0, calls: waiting, callCount: calls.length }
}

/** Answers a repeated idempotency key: with its result, its waiting proposal, or a conflict if that was decided. */
async function answerRepeated(
  db: Db,
  context: ToolContext,
  call: ToolCall,
  key: string,
): Promise<ToolAnswer | undefined> {
  const { caller, listed, input } = call
  const [answer, proposed] = await Promise.all([
    findAnswer(db, call, key),
    db.maybe<StoredCall & { proposal_id: string; state: string; word: string | null; fingerprint: Buffer }>(sql`
      select c.proposal_id, c.fingerprint, p.state, p.word, ${callColumns}
      from proposed_calls c join proposals p on p.tenant_id = c.tenant_id and p.id = c.proposal_id
      where c.tenant_id = ${db.tenant} and p.credential_id = ${caller.credential.id} and c.tool = ${listed.wire}
        and c.idempotency_key = ${key}
        and c.created_at >= moment() - interval '24 hours'
      order by c.created_at desc limit 1`),
  ])
  if (answer !== undefined) return { result: answerOf(answer, call) }
  if (proposed === undefined) return undefined
  requireSameInput(key, fingerprintOf(input), proposed)
  const decision = describeDecision(proposed)
  if (proposed.state !== 'open' || isWithdrawn(proposed))
    throw conflict(`the call proposed under this idempotency_key ${decision}; send a new key to propose it again`)
  return toWaitingAnswer(context, call, {
    proposal: proposed.proposal_id,
    call: parseStoredCall(proposed),
    decided: undefined,
    isBurstLimited: false,
  })
}

function requireWithinLimits(plan: Plan, bytes: number, url: string): void {
  if (plan.callCount >= MAX_CALLS)
    throw conflict(`${MAX_CALLS} calls already wait for approval at ${url}; wait until a person has decided on them`)
  if (plan.bytes + bytes > MAX_BYTES)
    throw conflict(
      `the plan that waits for approval at ${url} would have more than ${MAX_BYTES} bytes; ` +
        `wait until a person has decided on it`,
    )
}

async function rehearseCall(
  db: WritableDb,
  context: ToolContext,
  call: ToolCall,
  { calls, callCount }: Plan,
): Promise<[CallResult, ReadonlyMap<number, string>]> {
  const input = call.input as ProposedCall['given']
  const newCall = { position: callCount + 1, tool: call.listed.wire, given: input, ids: [] }
  const versions = await findVersions(db, [newCall])
  const trials = await rehearse(db, context, [...calls, newCall], call.caller)
  const trial = requireValue(trials.at(-1), 'The last trial')
  if ('refusal' in trial) throw await explainRefusal(db, context, call, trial.refusal)
  return [trial, versions]
}

/** Explains a not-found refusal of a call that needn't wait, if its connection proposes. */
export const explainProposed: NonNullable<ToolContext['explainProposed']> = async (context, call, refusal) =>
  refusal.code !== 'not_found' || call.caller.approval === null
    ? refusal
    : readTenant(context.database, callEntry(call), (db) => explainRefusal(db, context, call, refusal))

/** Adds to a not-found refusal that the record was only proposed, and the fate of that proposal. */
async function explainRefusal(
  db: Db,
  context: ToolContext,
  { caller, input }: ToolCall,
  refusal: Refusal,
): Promise<Refusal> {
  if (refusal.code !== 'not_found') return refusal
  const explanation = await explainMissingId(db, context, caller, input)
  return explanation === undefined ? refusal : refusal.withContext('', `: ${explanation}`)
}

type NewCall = ProposedCall & { fingerprint: Buffer | null }

const toNewCall = (
  { listed, input }: ToolCall,
  position: number,
  { outcome, result, ids }: CallResult,
  version: string | undefined,
): NewCall => {
  const { idempotency_key = null, ...rest } = input as { idempotency_key?: string }
  return {
    position,
    tool: listed.wire,
    given: rest,
    ids,
    result,
    written: listWrites(outcome),
    seen_at: version ?? null,
    idempotency_key,
    fingerprint: idempotency_key === null ? null : fingerprintOf(input),
    is_applied: null,
  }
}

async function storeCall(
  db: Db,
  { caller, client, listed }: ToolCall,
  { id }: Plan,
  call: NewCall,
  bytes: number,
): Promise<void> {
  await Promise.all([
    db.run(
      insertSelected(sql`
      insert into proposals as p (tenant_id, id, credential_id, user_id, connection, client, scopes, calls, bytes,
        expires_at)
      select ${db.tenant}, ${id}, c.id, ${caller.user}, c.name, ${client}, ${[listed.scope]}, 1, ${bytes},
        moment() + make_interval(days => ${EXPIRES_DAYS})
      from credentials c where c.tenant_id = ${db.tenant} and c.id = ${caller.credential.id}
      on conflict (tenant_id, id) do update set calls = p.calls + 1, bytes = p.bytes + excluded.bytes,
        client = coalesce(excluded.client, p.client),
        scopes = case when p.scopes @> excluded.scopes then p.scopes else p.scopes || excluded.scopes end`),
    ),
    db.run(sql`
      insert into proposed_calls (tenant_id, proposal_id, position, tool, given, ids, result, written, seen_at,
        idempotency_key, fingerprint)
      values (${db.tenant}, ${id}, ${call.position}, ${call.tool}, ${JSON.stringify(call.given)}, ${call.ids},
        ${JSON.stringify(call.result)},
        ${JSON.stringify(call.written)}, ${call.seen_at}, ${call.idempotency_key}, ${call.fingerprint})`),
  ])
}
