import type { ChatMessage } from '../../assistant/messages.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { ModelCallResult } from '../../assistant/tools.ts'
import { findAssistantCaller } from '../../identity/credentials/caller.ts'
import { findChangesOfRecords, type RecordChange } from '../../undo/changes.ts'
import { isId } from '../../platform/validation/id.ts'
import { undoChangePath } from '../activity/addresses.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { callLine, recordIn } from './call_line.ts'
import { endReasonText } from './end_reasons.ts'
import { planHtml } from './plan.ts'
import { proseHtml } from './prose.ts'

type Conversation = { id: string; messages: readonly ChatMessage[] }

/** Renders a conversation: messages, calls as lines that expand, and waiting plans in their places. */
export async function conversationHtml(
  site: Site,
  context: MemberContext,
  { id, messages }: Conversation,
): Promise<Html> {
  const undos = await findUndos(site, context, id, messages)
  const plans = await renderPlans(site, context, id, messages)
  return html`${messages.map(
    (message, i) => html`${messageHtml(site, context, { message, next: messages[i + 1], undos })}${plans.get(i) ?? ''}`,
  )}`
}

/** Renders one message; the calls of an answer with their results, which are the next message. */
export function messageHtml(
  site: Site,
  context: MemberContext,
  {
    message,
    next,
    undos,
  }: { message: ChatMessage; next?: ChatMessage | undefined; undos?: ReadonlyMap<string, string> },
): Html | '' {
  switch (message.role) {
    case 'user':
      return html`
<div class="bubble mine"><span class="unseen">${say`You`}: </span>${message.text}</div>`
    case 'assistant': {
      const results = next?.role === 'tool' ? next.results : []
      return html`${when(message.text.trim() !== '', () => answerHtml(site, message.text))}${when(
        message.calls.length > 0,
        () => html`
<div class="call-lines">${message.calls.map((call, i) =>
          callLine(site, context, { call, result: resultOf(results, call.id, i), undoHref: undos?.get(call.id) }),
        )}
</div>`,
      )}`
    }
    case 'notice':
      return html`
<p class="bubble-notice" role="status">${endReasonText(message.reason)}</p>`
    case 'tool':
      return ''
  }
}

const answerHtml = ({ baseUrl }: Site, text: string): Html => html`
<div class="bubble theirs"><span class="unseen">${say`Assistant`}: </span>${proseHtml(text, baseUrl)}</div>`

const resultOf = (results: readonly ModelCallResult[], id: string, index: number): ModelCallResult | undefined =>
  results[index]?.id === id ? results[index] : results.find((result) => result.id === id)

/** Returns the plans of a conversation, by the message after which each was last extended. */
async function renderPlans(
  site: Site,
  context: MemberContext,
  conversation: string,
  messages: readonly ChatMessage[],
): Promise<Map<number, Html | ''>> {
  const lastPositions = new Map<string, number>()
  messages.forEach((message, i) => {
    if (message.role !== 'tool') return
    for (const { proposal } of message.results)
      if (proposal !== undefined) lastPositions.set(proposal, endOfAnswer(messages, i))
  })
  const plans = new Map<number, Html | ''>()
  for (const [proposal, index] of [...lastPositions].slice(-MAX_PLANS))
    plans.set(index, html`${plans.get(index) ?? ''}${await planHtml(site, context, { proposal, conversation })}`)
  return plans
}

/** Maximum plans of a conversation to render, newest first. */
const MAX_PLANS = 10

/** Returns the index of the last message of the answer that contains a message. */
function endOfAnswer(messages: readonly ChatMessage[], from: number): number {
  const next = messages.findIndex(({ role }, i) => i > from && role === 'user')
  return next < 0 ? messages.length - 1 : next - 1
}

/** Returns the undo paths of calls that ran without a proposal, by call id. */
async function findUndos(
  { database }: Site,
  context: MemberContext,
  conversation: string,
  messages: readonly ChatMessage[],
): Promise<Map<string, string>> {
  const doneCalls = messages.flatMap((message) =>
    message.role === 'tool' ? message.results.filter(isDone).flatMap(withRecord) : [],
  )
  const records = doneCalls.map(({ record }) => record)
  if (records.length === 0) return new Map()
  const caller = await findAssistantCaller(database, context.company.id, context.user.id)
  if (caller === undefined) return new Map()
  const changes = await context.read((db) => findChangesOfRecords(db, caller.credential.id, records))
  return new Map(
    doneCalls.flatMap(({ id, tool, record }) => {
      const change = changeOf(changes, tool, record)
      return change === undefined
        ? []
        : [[id, undoChangePath(context, change, context.path('assistant', conversation))]]
    }),
  )
}

const isDone = ({ isError, proposal }: ModelCallResult): boolean => !isError && proposal === undefined

const changeOf = (changes: readonly RecordChange[], tool: string, record: string): string | undefined =>
  changes.find((one) => one.record_id === record && one.tool.replace('.', '_') === tool && !one.is_undone)?.change_id

/** Returns a call with the id of the record in its result, if there is one. */
function withRecord(result: ModelCallResult): { id: string; tool: string; record: string }[] {
  const record = recordIn(result)?.['id']
  return typeof record === 'string' && isId(record) ? [{ id: result.id, tool: result.tool, record }] : []
}
