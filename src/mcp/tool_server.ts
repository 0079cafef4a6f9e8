import type { Caller } from '../identity/credentials/caller.ts'
import { saveClientCapabilities } from '../identity/credentials/clients/client_capabilities.ts'
import { answerQuestion } from '../identity/credentials/clients/questions.ts'
import { defaultDeadline, type Deadline } from '../identity/deadline.ts'
import type { ToolUses } from '../identity/credentials/tool_uses.ts'
import { answerDecided, findPlannedCall } from '../approvals/planned_answer.ts'
import { isWithdrawn } from '../approvals/outcomes.ts'
import { parseStoredCall } from '../approvals/proposal.ts'
import { withdrawCall } from '../approvals/undecided.ts'
import { entities } from '../records/index.ts'
import { callTool, type ToolAnswer } from '../tools/call/call.ts'
import type { ToolCall, ToolContext } from '../tools/call/context.ts'
import { toolCatalogOf, narrowCatalog, type ToolCatalog, type ListedTool } from '../tools/declare/catalog.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { isId } from '../platform/validation/id.ts'
import { VERSION } from '../platform/version.ts'
import { sendApprovalRequest, approvalRequest, canOpenPages, findDecision } from './rounds/approval.ts'
import { askChoice, choiceOf, choiceRequest, readChoice, fillsForms, withChoice, withChoices } from './rounds/choice.ts'
import { openToolAccess } from './rounds/open_tool_access.ts'
import { newCompleter } from './rounds/completing.ts'
import { cardMeta } from './cards/result_meta.ts'
import { CARDS_EXTENSION, withCard } from './cards/cards.ts'
import { instructionsFor } from './instructions.ts'
import { promptsFor, promptsOf } from './prompts.ts'
import { absent, kindsOf } from './resources/records.ts'
import { resourcesOf } from './resources.ts'
import { ownTools } from './own_tools.ts'
import { toDecidedTask, taskOf, toWaitingTask, toWithdrawnTask } from './rounds/tasks.ts'
import type { Fields } from './protocol/jsonrpc.ts'
import type { Narrowing, Reply, ToolServer } from './protocol/types.ts'
import { customerTextBlocks, customerTextMeta, toolText } from './words.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/** Filters of the listed tools, and the counter of reads and refusals. */
type ToolServerOptions = Partial<Pick<Narrowing, 'mine' | 'ui'>> & { uses?: ToolUses | undefined }

/**
 * Returns the service's tools, with the resources and prompts that go with them. `name` is also the scheme of its URIs.
 */
export function toolServer(
  context: ToolContext,
  name: string,
  whole: ToolCatalog = toolCatalogOf(entities),
  { mine = false, ui = false, uses }: ToolServerOptions = {},
): ToolServer<Caller> {
  const forAgents = { ...context, forAgent: true }
  const catalog = ui ? { ...whole, descriptions: whole.descriptions.map(withCard) } : whole
  const kinds = kindsOf(catalog, name)
  const prompts = promptsFor(catalog)
  const toolAccessOf = (caller: Caller) => openToolAccess(context, catalog, kinds, caller)
  return {
    name,
    version: VERSION,
    instructions: (caller, deadline) => instructionsFor(context, caller, deadline),
    noteClient: (caller, { software, capabilities }) =>
      saveClientCapabilities(context.database, caller, {
        software,
        opensPages: canOpenPages(capabilities),
        fillsForms: fillsForms(capabilities),
      }),
    acceptResponse: async (caller, id, result) =>
      isId(id) ? answerQuestion(context.database, caller, id, readChoice(result)) : undefined,
    toolsJson: JSON.stringify(catalog.descriptions),
    ...(ui && { extensions: { [CARDS_EXTENSION]: {} } }),
    ...((mine || ui) && { ownToolsJson: ownTools(catalog, { mine, ui }) }),
    hasTool: (tool) => catalog.tools.has(tool),
    bytesOf: (tool) => findListedTool(catalog, tool).tool.inputLimits.bytes,
    nearestTool: catalog.nearest,
    toolsets: entities.map((entity) => entity.name),
    narrow: (part) => toolServer(context, name, narrowCatalog(whole, part), { ...part, uses }),
    async callTool(caller, tool, sentInput, { client, deadline, params, clientChannel }) {
      const input = withChoices(sentInput, params)
      let call: ToolCall = { listed: findListedTool(catalog, tool), caller, client, input, deadline }
      let answer = (await findDecision(forAgents, call, params)) ?? (await callTool(forAgents, call))
      const choice = choiceOf(answer)
      if (choice !== undefined) {
        const request = choiceRequest(choice, params)
        if (request !== undefined) return request
        const id = await askChoice(context.database, caller, choice, { clientChannel, deadline })
        if (id !== undefined) {
          call = callAgain(call, withChoice(input, choice, id), deadline)
          answer = await callTool(forAgents, call)
        }
      }
      noteUse(uses, call, answer)
      const task = taskOf(answer, params)
      if (task !== undefined) return { task }
      const required = approvalRequest(answer, call, params)
      if (required !== undefined) return required
      if (clientChannel !== undefined) await sendApprovalRequest(context.database, answer, call, clientChannel)
      return toReply(answer, call, ui)
    },
    readTask: (caller, id, { params }) => readTask(forAgents, catalog, caller, id, params),
    cancelTask: (caller, id) => cancelTask(context, caller, id),
    resources: resourcesOf(context, catalog, kinds, ui),
    prompts: promptsOf(context, prompts, toolAccessOf),
    complete: newCompleter({ context, catalog, kinds, prompts, toolAccessOf }),
  }
}

/** Returns a call with other arguments and a fresh time limit. */
const callAgain = (call: ToolCall, input: Fields, { signal }: Deadline): ToolCall => ({
  ...call,
  input,
  deadline: { signal, by: defaultDeadline() },
})

/** Converts an answer to the result of a call. */
function toReply(answer: ToolAnswer, call: ToolCall, ui: boolean): { result: Fields; code: string | undefined } {
  const { text, code, customerText = [] } = toolText(answer, call)
  return {
    result: {
      content: [{ type: 'text', text }, ...customerTextBlocks(customerText)],
      isError: code !== undefined,
      ...customerTextMeta(customerText, ui ? cardMeta(answer, call) : {}),
    },
    code,
  }
}

/** Reads the task of a call that the caller's connection proposed. Requires the current scope for its tool. */
async function readTask(
  context: ToolContext,
  { tools }: ToolCatalog,
  caller: Caller,
  id: string,
  params: Fields,
): Promise<Reply> {
  const planned = await findPlannedCall(context, caller, id)
  const listed = planned && tools.get(planned.tool)
  if (planned === undefined || listed === undefined || !caller.scopes.has(listed.scope)) return absent
  const call: ToolCall = { listed, caller, client: null, input: parseStoredCall(planned).given }
  if (isWithdrawn(planned)) return { result: toWithdrawnTask(planned) }
  if (planned.state === 'open') return { result: toWaitingTask(context, call, planned, params) }
  return { result: toDecidedTask(planned, toReply(answerDecided(context, call, planned), call, false).result) }
}

/** Withdraws the call of a task that the caller's connection proposed. Does nothing if it is already decided. */
async function cancelTask(context: ToolContext, caller: Caller, id: string): Promise<void> {
  const planned = await findPlannedCall(context, caller, id)
  if (planned?.state !== 'open' || isWithdrawn(planned)) return
  await withdrawCall(context, caller, planned).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}

/** Counts reads, refusals and proposals. Completed writes are in the audit log. */
function noteUse(uses: ToolUses | undefined, { caller, listed }: ToolCall, answer: ToolAnswer): void {
  const { canonical, tool } = listed
  if ('refusal' in answer) uses?.note(caller, canonical, answer.pending === undefined ? 'refused' : 'proposed')
  else if ('result' in answer && tool.reads) uses?.note(caller, canonical, 'read')
}

const findListedTool = ({ tools }: ToolCatalog, name: string): ListedTool =>
  requireValue(tools.get(name), 'A listed tool')
