import { entryOf, type Caller } from '../access/credentials/caller.ts'
import { StaleAccess, readTenant, writeTenant, type Db, type TenantEntry } from '../db/tenant.ts'
import { HttpRefusal } from '../http_refusal.ts'
import { Refusal, Unavailable, Uncertain, invalid } from '../refusal.ts'
import { newId } from '../shape/id.ts'
import { auditOf } from './audit.ts'
import type { Listed } from './catalogue.ts'
import type { ToolCall, ToolContext } from './context.ts'
import { withHint } from './finders.ts'
import { answerOf, claim, keep } from './idempotency.ts'
import { parse } from './problems.ts'
import { isUnchanged, type Outcome } from './outcome.ts'

/** A fault that no caller can mend, kept under its reference; with `mayBeDone` the answer to its COMMIT is lost. */
export type ToolFault = { reference: string; mayBeDone: boolean }
export type Failed = { refusal: Refusal } | { fault: ToolFault }
export type ToolAnswer = { result: Outcome['result'] } | Failed

/** THE WALK OF A TOOL CALL. It rejects with a change of access, and with `Unavailable` when nothing was done that may be tried again. */
export function callTool(context: ToolContext, call: ToolCall): Promise<ToolAnswer> {
  return attempted(context, call.caller, async () => {
    const input = guarded(call)
    return { result: call.listed.tool.reads ? await read(context, call, input) : await write(context, call, input) }
  })
}

/**
 * Work for a caller. Every refusal and fault becomes an answer; only a change of access is thrown, and `Unavailable`. A refusal
 * may come from rights and settings that were read earlier, before the tenant was entered, so it is confirmed first.
 */
export async function attempted<T>(context: ToolContext, caller: Caller, work: () => Promise<T>): Promise<T | Failed> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) await context.confirm(caller)
    return failed(context, error)
  }
}

/** Whether work for a caller came to nothing. */
export const isFailed = (done: object): done is Failed => 'refusal' in done || 'fault' in done

function guarded({ listed, caller, given }: ToolCall): unknown {
  requireScope(caller, listed)
  requirePerson(caller, listed)
  return parse(listed.tool, given)
}

function requireScope({ scopes }: Caller, { canonical, scope }: Listed): void {
  if (!scopes.has(scope)) throw new Refusal('insufficient_scope', `${canonical} needs ${scope}`)
}

function requirePerson({ user }: Caller, { tool, canonical }: Listed): void {
  if (tool.person && user === null)
    throw invalid(`${canonical} needs a user; a tenant key has none, use a user key or sign in`)
}

async function read(context: ToolContext, call: ToolCall, input: unknown): Promise<Outcome['result']> {
  const { listed, caller } = call
  const byChange = (input as { updated_since?: string }).updated_since !== undefined
  const outcome = await readTenant(
    context.database,
    entered(call),
    (db) => listed.tool.run({ db, caller, baseUrl: context.baseUrl }, input),
    { byChange },
  )
  return resultOf(context, call, outcome)
}

async function write(context: ToolContext, call: ToolCall, input: unknown): Promise<Outcome['result']> {
  const { listed, caller } = call
  const key = (input as { idempotency_key?: string }).idempotency_key
  const written = writeTenant(
    context.database,
    entered(call),
    async (db) => {
      const earlier = key === undefined ? undefined : await claim(db, call, key)
      if (earlier !== undefined) return { result: answerOf(earlier, call), outcome: undefined }
      const outcome = await listed.tool.run({ db, caller, baseUrl: context.baseUrl }, input)
      const result = resultOf(context, call, outcome)
      if (isUnchanged(outcome)) throw new Undone(result)
      return { result, outcome }
    },
    ({ result, outcome }) =>
      outcome === undefined ? [] : [...auditOf(call, outcome), ...(key === undefined ? [] : [keep(call, key, result)])],
  )
  const { result } = await written.catch(undone)
  return result
}

/** Ends the transaction of a write that changed nothing, and leaves no trace of it, whatever its tool did before. */
class Undone extends Error {
  readonly result: Outcome['result']
  constructor(result: Outcome['result']) {
    super('Nothing changed')
    this.result = result
  }
}

function undone(error: unknown): Pick<Undone, 'result'> {
  if (error instanceof Undone) return error
  throw error
}

/** Runs a write in a transaction that is under way, with its audit rows; a refusal is thrown and ends that transaction. */
export async function callWithin(db: Db, context: Pick<ToolContext, 'baseUrl'>, call: ToolCall): Promise<void> {
  const outcome = await call.listed.tool.run({ db, caller: call.caller, baseUrl: context.baseUrl }, guarded(call))
  if (isUnchanged(outcome)) return
  for (const statement of auditOf(call, outcome)) await db.run(statement)
}

const entered = ({ listed, caller, deadline }: ToolCall): TenantEntry => ({
  ...entryOf(caller),
  options: { counter: listed.tool.counter, ...deadline },
})

function resultOf({ baseUrl }: ToolContext, { listed, caller }: ToolCall, { result }: Outcome): Outcome['result'] {
  const { entity, tool } = listed
  const isLinked = entity.linked && (tool.verb === 'get' || tool.verb === 'create')
  return isLinked ? { ...result, url: `${baseUrl}/${caller.tenant.id}/${entity.name}/${String(result['id'])}` } : result
}

function failed({ report }: ToolContext, error: unknown): Failed {
  if (error instanceof StaleAccess || error instanceof HttpRefusal || error instanceof Unavailable) throw error
  if (error instanceof Refusal) return { refusal: withHint(error) }
  const reference = newId()
  report(reference, error)
  return { fault: { reference, mayBeDone: error instanceof Uncertain } }
}
