import { entryOf, type Caller } from '../../identity/credentials/caller.ts'
import { StaleAccess, readTenant, writeTenant, type Db, type Sql, type TenantEntry } from '../../platform/db/tenant.ts'
import { HttpRefusal } from '../../platform/errors/http_refusal.ts'
import { Refusal, Unavailable, Uncertain, invalid, ruleForAgents } from '../../platform/errors/refusal.ts'
import { warningForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { newId } from '../../platform/validation/id.ts'
import { auditOf } from './audit.ts'
import type { ListedTool } from '../declare/catalog.ts'
import {
  AmountLimitExceeded,
  BurstLimitExceeded,
  burstMark,
  needsApproval,
  requireBelowAmount,
  requireBelowBurstLimit,
} from './burst_limit.ts'
import type { CallFailure, ToolAnswer, ToolCall, ToolContext } from './context.ts'
export type { CallFailure, ToolAnswer } from './context.ts'
import { withHint } from '../declare/finders.ts'
import { explainNotFound } from './not_found.ts'
import { answerOf, claimKey, saveAnswer, type KeyedAnswer } from './idempotency.ts'
import { parseArguments } from './problems.ts'
import { isUnchanged, type Outcome } from './outcome.ts'
import { refusals } from './refusals.ts'
import { resolveReferences, referencesIn, type Reference } from '../declare/references.ts'
import { asDeclared } from '../declare/inputs.ts'

/**
 * Runs a tool call. Rejects with a change of access, and with `Unavailable` when nothing was done and a retry is safe.
 */
export async function callTool(context: ToolContext, call: ToolCall): Promise<ToolAnswer> {
  const answer = await attempt(context, call.caller, async () => {
    const checked = checkCall(call)
    if (call.listed.tool.reads) return { result: await read(context, call, checked) }
    if (needsApproval(call)) return proposeCall(context, call, false)
    return write(context, call, checked).then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof BurstLimitExceeded) return proposeCall(context, call, true)
        if (error instanceof AmountLimitExceeded) return proposeCall(context, call, false)
        throw error
      },
    )
  })
  if (!('refusal' in answer)) return answer
  const refusal = await explainNotFound(context, call, answer.refusal)
  return {
    ...answer,
    refusal: needsApproval(call) ? refusal : ((await context.explainProposed?.(context, call, refusal)) ?? refusal),
  }
}

function proposeCall(context: ToolContext, call: ToolCall, isBurstLimited: boolean): Promise<ToolAnswer> {
  if (context.propose === undefined) throw new Error('Approvals are not configured')
  return context.propose(context, call, isBurstLimited)
}

/**
 * Does work for a caller. Turns every refusal and fault into an answer; throws only changes of access, HTTP refusals
 * and `Unavailable`. Confirms access before it reports a refusal, which may come from rights and settings that were
 * read before the tenant was entered.
 */
export async function attempt<T>(
  context: ToolContext,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T | CallFailure> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) await context.confirm(caller)
    return toFailure(context, error)
  }
}

/** Checks whether work for a caller failed. */
export const isFailed = (done: object): done is CallFailure => 'refusal' in done || 'fault' in done

/** Base of links, and whether a model reads the answer. */
type AnswerContext = Pick<ToolContext, 'baseUrl' | 'forAgent'>

/** Arguments that match the tool, with the references in them that are still to be resolved. */
type CheckedInput = { input: unknown; references: readonly Reference[] }

function checkCall(call: ToolCall): CheckedInput {
  const { listed, caller } = call
  requireScope(caller, listed)
  requirePerson(caller, listed)
  const { input, references } = referencesIn(call)
  return { input: parseArguments(listed.tool, input), references }
}

function requireScope({ scopes }: Caller, { canonical, scope }: ListedTool): void {
  if (!scopes.has(scope))
    throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.noScope({ tool: canonical, scope }) }])
}

/** Checks whether a caller has a tool's scope, and is a person if the tool needs one. */
export const mayCall = ({ scopes, user }: Caller, { scope, tool }: ListedTool): boolean =>
  scopes.has(scope) && (!tool.person || user !== null)

function requirePerson({ user }: Caller, { tool, canonical }: ListedTool): void {
  if (tool.person && user === null) throw invalid(refusals.noPerson({ tool: canonical }))
}

async function read(context: ToolContext, call: ToolCall, checked: CheckedInput): Promise<Outcome['result']> {
  const byChange = (checked.input as { updated_since?: string }).updated_since !== undefined
  const outcome = await readTenant(context.database, callEntry(call), (db) => run(db, context, call, checked), {
    byChange,
  })
  return resultOf(context, call, outcome)
}

async function write(context: ToolContext, call: ToolCall, checked: CheckedInput): Promise<Outcome['result']> {
  const key = (checked.input as { idempotency_key?: string }).idempotency_key
  const written = writeTenant(
    context.database,
    callEntry(call),
    async (db) => {
      const preparation = key === undefined ? undefined : await claimAndPrepare(db, context, call, checked, key)
      if (preparation !== undefined && 'answer' in preparation)
        return { result: answerOf(preparation, call), outcome: undefined }
      const [outcome] = await Promise.all([
        run(db, context, call, checked, preparation),
        requireBelowBurstLimit(db, call),
      ])
      const result = resultOf(context, call, outcome)
      if (isUnchanged(outcome)) throw new NothingChanged(result)
      requireBelowAmount(call, outcome)
      return { result, outcome }
    },
    ({ result, outcome }) =>
      outcome === undefined ? [] : [...recordOf(call, outcome, key, result), ...burstMark(call)],
  )
  const { result } = await written.catch(resultOfUnchanged)
  return result
}

/**
 * Claims a key and prepares the work in the same round trip. The claim goes first, so that a call with a repeated key
 * waits for the first one before it locks anything. Returns the key's first answer, or the prepared work.
 */
async function claimAndPrepare(
  db: Db,
  context: ToolContext,
  call: ToolCall,
  checked: CheckedInput,
  key: string,
): Promise<KeyedAnswer | Prepared> {
  const claiming = claimKey(db, call, key)
  const preparing = prepare(db, context, call, checked)
  const [earlier] = await Promise.all([claiming, preparing.catch(() => {})])
  return earlier ?? preparing
}

/** Ends the transaction of a write that changed nothing, so that nothing its tool did leaves a trace. */
class NothingChanged extends Error {
  readonly result: Outcome['result']
  constructor(result: Outcome['result']) {
    super('Nothing changed')
    this.result = result
  }
}

function resultOfUnchanged(error: unknown): Pick<NothingChanged, 'result'> {
  if (error instanceof NothingChanged) return error
  throw error
}

/** Returns the statements that record a completed write: its audit rows, and its answer under its key. */
export const recordOf = (
  call: ToolCall,
  outcome: Outcome,
  key: string | undefined,
  result: Outcome['result'],
): Sql[] => [...auditOf(call, outcome), ...(key === undefined ? [] : [saveAnswer(call, key, result)])]

/**
 * Runs a write in an open transaction, with its audit rows, and returns its answer. Throws a refusal, which ends that
 * transaction.
 */
export async function callWithin(
  db: Db,
  context: Pick<ToolContext, 'baseUrl'>,
  call: ToolCall,
): Promise<Outcome['result']> {
  const { outcome, result } = await runWithin(db, context, call)
  if (!isUnchanged(outcome)) for (const statement of auditOf(call, outcome)) await db.run(statement)
  return result
}

/** Runs a write without its audit rows. Returns its outcome and its answer. */
export async function runWithin(
  db: Db,
  context: AnswerContext,
  call: ToolCall,
): Promise<{ outcome: Outcome; result: Outcome['result'] }> {
  const outcome = await run(db, context, call, checkCall(call))
  return { outcome, result: resultOf(context, call, outcome) }
}

/** Runs the tool on the prepared input, or after resolving the records that its arguments name. */
async function run(
  db: Db,
  { baseUrl, forAgent }: AnswerContext,
  call: ToolCall,
  checked: CheckedInput,
  prepared?: Prepared,
): Promise<Outcome> {
  const { listed, caller } = call
  const context = { db, caller, baseUrl, forAgent }
  if (prepared !== undefined) return listed.tool.run(context, prepared.input, Promise.resolve(prepared.ready))
  return listed.tool.run(context, checked.references.length === 0 ? checked.input : await inputOf(db, call, checked))
}

/** Input with names replaced by ids, and the data that the tool looked up for it. */
type Prepared = { input: unknown; ready: unknown }

async function prepare(
  db: Db,
  { baseUrl, forAgent }: AnswerContext,
  call: ToolCall,
  checked: CheckedInput,
): Promise<Prepared> {
  const { listed, caller } = call
  const input = checked.references.length === 0 ? checked.input : await inputOf(db, call, checked)
  return { input, ready: await listed.tool.prepare?.({ db, caller, baseUrl, forAgent }, input) }
}

/** Returns the input with its names resolved to ids. */
const inputOf = (
  db: Db,
  { listed: { tool }, input: raw }: ToolCall,
  { input, references }: CheckedInput,
): Promise<unknown> => resolveReferences(db, input, references, () => asDeclared(parseArguments(tool, raw)))

/** Returns the options for entering the call's tenant. */
export const callEntry = ({ listed, caller, deadline }: ToolCall): TenantEntry => ({
  ...entryOf(caller),
  options: { counter: listed.tool.counter, shares: listed.tool.verb === 'get', ...deadline },
})

/** Returns the result to answer, with its warnings worded for their reader, and with the record's url. */
function resultOf(
  { baseUrl, forAgent }: AnswerContext,
  { listed, caller }: ToolCall,
  { result: record, warnings = [] }: Outcome,
): Outcome['result'] {
  const { entity, tool } = listed
  const formatWarning = forAgent === true ? ruleForAgents : warningForPeople
  const result = warnings.length === 0 ? record : { ...record, warnings: warnings.map(formatWarning) }
  const isLinked = entity.linked && (tool.verb === 'get' || tool.verb === 'create')
  return isLinked ? { ...result, url: `${baseUrl}/${caller.tenant.id}/${entity.name}/${String(result['id'])}` } : result
}

function toFailure({ report }: ToolContext, error: unknown): CallFailure {
  if (error instanceof StaleAccess || error instanceof HttpRefusal || error instanceof Unavailable) throw error
  if (error instanceof Refusal) return { refusal: withHint(error) }
  const reference = newId()
  report(reference, error)
  return { fault: { reference, mayBeDone: error instanceof Uncertain } }
}
