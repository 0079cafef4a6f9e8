import type { AnswerEvent } from '../../assistant/answer.ts'
import { findConversation } from '../../assistant/conversations.ts'
import type { ChatMessage } from '../../assistant/messages.ts'
import { disconnectSignal } from '../../identity/deadline.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { redirect } from '../../platform/http/answer.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { Refusal, conflict } from '../../platform/errors/refusal.ts'
import { currentReader } from '../../platform/i18n/reader.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { newId } from '../../platform/validation/id.ts'
import { refusals } from '../../assistant/refusals.ts'
import { statusOf } from '../faults.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { conversationHtml, messageHtml } from './conversation_view.ts'
import { conversationPage } from './pages.ts'

/** Maximum bytes of the form: a message whose characters are all encoded. */
const MAX_BYTES = 128 * 1024

/** Sends a message to the assistant: a script gets the answer as it comes, a form the whole conversation. */
export async function askAssistant(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const sent = await readFormFields(visit.req.raw, MAX_BYTES)
  const conversation = visit.req.param('id') ?? null
  const [text, page] = [sent.get('text') ?? '', sent.get('page') ?? '']
  const streams = visit.req.header('accept')?.includes('text/event-stream') ?? false
  const question = {
    tenant: context.company.id,
    user: context.user.id,
    conversation,
    text,
    page: page.startsWith(`${context.path()}/`) && page.length < 300 ? page : null,
    language: currentReader().language,
    signal: disconnectSignal(visit.env.outgoing),
  }
  try {
    if (site.assistant === null) throw conflict(refusals.noModel())
    const answering = await site.assistant.ask(question)
    if (streams) return new Response(streamEvents(site, context, answering), { headers: STREAM_HEADERS })
    for await (const _ of answering.events);
    return redirect(`${context.path('assistant', answering.conversation)}#ask`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (!streams) return conversationPage(site, context, conversation, { refusal: error, text })
    return Response.json({ problem: refusalForPeople(error) }, { status: statusOf(error) })
  }
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

type RunningAnswer = { conversation: string; events: AsyncGenerator<AnswerEvent, void> }

/**
 * Sends what happens as server-sent events: `conversation` with its path, `text` as the model writes it, `item` with
 * HTML that takes its place, and `end` with the conversation as it now is. When the reader leaves, the signal of the
 * answer ends it, and the rest of its events are read to the end, so that it is stored.
 */
function streamEvents(
  site: Site,
  context: MemberContext,
  { conversation, events }: RunningAnswer,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isOpen = true
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: string, data: object): void => {
        if (isOpen) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      const run = async (): Promise<void> => {
        const toServerEvent = serverEvents(site, context)
        send('conversation', { path: context.path('assistant', conversation) })
        for await (const event of events) send(...toServerEvent(event))
        if (isOpen) send('end', { html: String(await currentHtml(site, context, conversation)) })
      }
      const fail = (error: unknown): void => site.report(newId(), error)
      void run()
        .catch(fail)
        .finally(() => {
          if (isOpen) controller.close()
          isOpen = false
        })
    },
    cancel() {
      isOpen = false
    },
  })
}

/** Returns what writes events; results are drawn again with their calls, whose place they take. */
function serverEvents(site: Site, context: MemberContext): (event: AnswerEvent) => [string, object] {
  let before: ChatMessage | undefined
  return (event) => {
    if (event.type === 'text') return ['text', { delta: event.delta }]
    const { message } = event
    const part =
      message.role === 'tool' && before !== undefined
        ? messageHtml(site, context, { message: before, next: message })
        : messageHtml(site, context, { message })
    before = message
    return ['item', { role: message.role, html: String(part) }]
  }
}

async function currentHtml(site: Site, context: MemberContext, id: string) {
  const { messages } = await context.read((db) => findConversation(db, context.user.id, id))
  return conversationHtml(site, context, { id, messages })
}
