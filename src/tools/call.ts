import { entryOf, type Caller } from '../access/credentials/caller.ts'
import { HttpRefusal } from '../access/credentials/http_refusal.ts'
import { StaleAccess, readTenant, writeTenant, type TenantEntry } from '../db/tenant.ts'
import { Refusal, Unavailable, Uncertain, invalid, type Code } from '../refusal.ts'
import { newId } from '../shape/id.ts'
import { auditOf } from './audit.ts'
import type { Listed } from './catalogue.ts'
import type { ToolCall, ToolContext } from './context.ts'
import { withHint } from './finders.ts'
import { answerOf, claim, keep } from './idempotency.ts'
import { parse } from './problems.ts'
import { isUnchanged, type Outcome } from './outcome.ts'

/** `text` is the JSON of the result, or `<code>: <message>` (docs/spec/interface.md#form-of-an-error). `mayBeDone`: the answer to its COMMIT is lost. */
export type ToolResult = { text: string; isError: boolean; code?: Code; mayBeDone?: true }
export type Failure = { text: string; isError: true; code: Code; mayBeDone?: true }

/** THE WALK OF A TOOL CALL. It rejects with a change of access, and with `Unavailable` when nothing was done that may be tried again. */
export function callTool(context: ToolContext, call: ToolCall): Promise<ToolResult> {
  return attempted(context, call.caller, async () => {
    const input = guarded(call)
    const text = call.listed.tool.reads ? await read(context, call, input) : await write(context, call, input)
    return { text, isError: false }
  }, call)
}

/**
 * Work for a caller. Every refusal and fault becomes a result; only a change of access is thrown, and `Unavailable`. A refusal
 * may come from rights and settings that were read earlier, before the tenant was entered, so it is confirmed first.
 */
export async function attempted<T>(context: ToolContext, caller: Caller, work: () => Promise<T>, call?: ToolCall): Promise<T | Failure> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) await context.confirm(caller)
    return failed(context, error, call)
  }
}

function guarded({ listed, caller, given }: ToolCall): unknown {
  requireScope(caller, listed)
  requirePerson(caller, listed)
  return parse(listed.tool, given)
}

function requireScope({ scopes }: Caller, { canonical, scope }: Listed): void {
  if (!scopes.has(scope)) throw new Refusal('insufficient_scope', `${canonical} needs ${scope}`)
}

function requirePerson({ user }: Caller, { tool, canonical }: Listed): void {
  if (tool.person && user === null) throw invalid(`${canonical} needs a user; a tenant key has none, use a user key or sign in`)
}

async function read(context: ToolContext, call: ToolCall, input: unknown): Promise<string> {
  const { listed, caller } = call
  const byChange = (input as { updated_since?: string }).updated_since !== undefined
  const outcome = await readTenant(context.database, entered(call), (db) => listed.tool.run({ db, caller, baseUrl: context.baseUrl }, input), { byChange })
  return textOf(context, call, outcome)
}

async function write(context: ToolContext, call: ToolCall, input: unknown): Promise<string> {
  const { listed, caller } = call
  const key = (input as { idempotency_key?: string }).idempotency_key
  const written = writeTenant(context.database, entered(call), async (db) => {
    const earlier = key === undefined ? undefined : await claim(db, call, key)
    if (earlier !== undefined) return { text: answerOf(earlier, call), outcome: undefined }
    const outcome = await listed.tool.run({ db, caller, baseUrl: context.baseUrl }, input)
    if (isUnchanged(outcome)) throw new Undone(textOf(context, call, outcome))
    return { text: textOf(context, call, outcome), outcome }
  }, ({ text, outcome }) => (outcome === undefined ? [] : [
    ...auditOf(call, outcome),
    ...(key === undefined ? [] : [keep(call, key, text)]),
  ]))
  const { text } = await written.catch(undone)
  return text
}

/** Ends the transaction of a write that changed nothing without a trace of it, whatever its tool did on the way. */
class Undone extends Error {
  readonly text: string
  constructor(text: string) {
    super('Nothing changed')
    this.text = text
  }
}

function undone(error: unknown): { text: string } {
  if (error instanceof Undone) return error
  throw error
}

const entered = ({ listed, caller, haste }: ToolCall): TenantEntry => ({ ...entryOf(caller), options: { counter: listed.tool.counter, ...haste } })

function textOf({ baseUrl }: ToolContext, { listed, caller }: ToolCall, { result }: Outcome): string {
  const { entity, tool } = listed
  const isLinked = entity.linked && (tool.verb === 'get' || tool.verb === 'create')
  return JSON.stringify(isLinked ? { ...result, url: `${baseUrl}/${caller.tenant.id}/${entity.name}/${String(result['id'])}` } : result)
}

function failed({ report }: ToolContext, error: unknown, call: ToolCall | undefined): Failure {
  if (error instanceof StaleAccess || error instanceof HttpRefusal || error instanceof Unavailable) throw error
  if (error instanceof Refusal) return { text: `${error.code}: ${withHint(error)}`, isError: true, code: error.code }
  const reference = newId()
  report(reference, error)
  if (error instanceof Uncertain && call !== undefined) return { text: `internal: ${uncertain(call, reference)}`, isError: true, code: 'internal', mayBeDone: true }
  return { text: `internal: an unexpected error occurred (reference ${reference})`, isError: true, code: 'internal' }
}

function uncertain({ listed: { entity, tool }, given }: ToolCall, reference: string): string {
  const hasKey = (given as { idempotency_key?: string } | null)?.idempotency_key !== undefined
  const wayOut = hasKey ? 'repeat with the same idempotency_key and arguments, which never does it twice'
    : `read the ${entity.singular} to see before trying again${tool.verb === 'create' ? ', and send an idempotency_key next time' : ''}`
  return `it may have been done, the database did not say (reference ${reference}); ${wayOut}`
}
