import type { Caller } from '../identity/credentials/caller.ts'
import type { Scope } from '../identity/permissions/scopes.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { nearestName } from '../platform/validation/text/nearest.ts'
import { attempt, isFailed } from '../tools/call/call.ts'
import type { ToolContext } from '../tools/call/context.ts'
import type { ToolCatalog } from '../tools/declare/catalog.ts'
import { parseArguments } from '../tools/call/problems.ts'
import type { ToolAccess } from './rounds/tool_access.ts'
import type { Fields } from './protocol/jsonrpc.ts'
import { answerCustomer } from './prompts/answer_customer.ts'
import { billFinishedWork } from './prompts/bill_finished_work.ts'
import { chaseOverdue } from './prompts/chase_overdue.ts'
import { customerJobDraft } from './prompts/customer_job_draft.ts'
import { draftInvoice } from './prompts/draft_invoice.ts'
import { fitThisIn } from './prompts/fit_this_in.ts'
import { morningBrief } from './prompts/morning_brief.ts'
import { planMyDay } from './prompts/plan_my_day.ts'
import { planNextWeek } from './prompts/plan_next_week.ts'
import type { Prompt } from './prompts/prompt.ts'
import { quoteFromNotes } from './prompts/quote_from_notes.ts'
import { failureReply } from './protocol/failure_reply.ts'
import type { Prompts } from './protocol/types.ts'
import { requireValue } from '../platform/errors/require_value.ts'

const PROMPTS: readonly Prompt[] = [
  customerJobDraft,
  draftInvoice,
  planMyDay,
  morningBrief,
  chaseOverdue,
  answerCustomer,
  quoteFromNotes,
  planNextWeek,
  fitThisIn,
  billFinishedWork,
]

/** Checks whether a prompt has this name, for any caller. */
export const isPrompt = (name: string): boolean => PROMPTS.some((prompt) => prompt.name === name)

/** Returns the prompts whose tools are all in the catalog, by name. */
export const promptsFor = ({ tools }: ToolCatalog): ReadonlyMap<string, Prompt> =>
  new Map(
    PROMPTS.filter((prompt) => prompt.tools.every((wire) => tools.has(wire))).map((prompt) => [prompt.name, prompt]),
  )

/**
 * Returns prompts filled with the account's current data, which tools read under the caller's own scopes
 * (docs/spec/tools.md#prompts).
 */
export function promptsOf(
  context: ToolContext,
  prompts: ReadonlyMap<string, Prompt>,
  toolAccessOf: (caller: Caller) => ToolAccess,
): Prompts<Caller> {
  const described = [...prompts.values()].map((prompt) => ({ prompt, description: describe(prompt) }))
  return {
    has: (name) => prompts.has(name),
    nearest: (name) => nearestName(name, prompts.keys()),
    list: (caller) =>
      described
        .filter(({ prompt }) => missingScope(caller, prompt) === undefined)
        .map(({ description }) => description),
    async get(caller, name, args) {
      const result = await attempt(context, caller, async () => {
        const prompt = requireValue(prompts.get(name), 'A listed prompt')
        requireScope(caller, prompt)
        const text = await prompt.write(
          toolAccessOf(caller),
          parseArguments({ verb: 'get', input: prompt.input }, withoutBlanks(args)),
        )
        return {
          result: { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] },
        }
      })
      return isFailed(result) ? failureReply(result) : result
    },
  }
}

export function requireScope(caller: Caller, prompt: Prompt): void {
  const missing = missingScope(caller, prompt)
  if (missing !== undefined) throw new Refusal('insufficient_scope', `${prompt.name} needs ${missing}`)
}

const missingScope = (caller: Caller, { scopes }: Prompt): Scope | undefined =>
  scopes.find((scope) => !caller.scopes.has(scope))

/** Removes empty texts, which clients send for blank form fields. */
const withoutBlanks = (args: Fields): Fields =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== ''))

const describe = ({ name, title, description, input }: Prompt): Fields => ({
  name,
  title,
  description,
  arguments: Object.entries(input.shape).map(([name, field]) => ({
    name,
    description: field.meta()?.description,
    required: !field.safeParse(undefined).success,
  })),
})
