import type { AnswerEvent } from '../../assistant/answer.ts'
import { findConversation } from '../../assistant/conversations.ts'
import type { ChatMessage } from '../../assistant/messages.ts'
import { disconnectSignal } from '../../identity/deadline.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { redirect } from '../../platform/http/answer.ts'
import { eventText, openEvents, wantsEvents } from '../../platform/http/event_stream.ts'
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

/** Maximum bytes of the form, for a message with every character encoded. */
const MAX_BYTES = 128 * 1024

/** Sends a message to the assistant. A script gets the answer as a stream, a plain form the whole conversation. */
export async function askAssistant(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const sent = await readFormFields(request.req.raw, MAX_BYTES)
  const conversation = request.req.param('id') ?? null
  const [text, page] = [sent.get('text') ?? '', sent.get('page') ?? '']
  const wantsStream = wantsEvents(request.req.raw)
  const question = {
    tenant: context.company.id,
    user: context.user.id,
    conversation,
    text,
    page: page.startsWith(`${context.path()}/`) && page.length < 300 ? page : null,
    language: currentReader().language,
    signal: disconnectSignal(request.env.outgoing),
  }
  try {
    if (site.assistant === null) throw conflict(refusals.noModel())
    const runningAnswer = await site.assistant.ask(question)
    if (wantsStream) return streamEvents(site, context, runningAnswer)
    for await (const _ of runningAnswer.events);
    return redirect(`${context.path('assistant', runningAnswer.conversation)}#ask`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (!wantsStream) return conversationPage(site, context, conversation, { refusal: error, text })
    return Response.json({ problem: refusalForPeople(error) }, { status: statusOf(error) })
  }
}

type RunningAnswer = { conversation: string; events: AsyncGenerator<AnswerEvent, void> }

/**
 * Sends the answer as server-sent events: `conversation` with its path, `text` as the model writes it, `item` with the
 * HTML that replaces it, and `end` with the whole conversation. If the reader disconnects, the answer's signal ends it;
 * its remaining events are still consumed, so that it is stored.
 */
function streamEvents(site: Site, context: MemberContext, { conversation, events }: RunningAnswer): Response {
  const { send, end, closed, response } = openEvents()
  const run = async (): Promise<void> => {
    const toServerEvent = serverEvents(site, context)
    send(eventText('conversation', { path: context.path('assistant', conversation) }))
    for await (const event of events) send(eventText(...toServerEvent(event)))
    if (!closed.aborted) send(eventText('end', { html: String(await currentHtml(site, context, conversation)) }))
  }
  void run()
    .catch((error: unknown) => site.report(newId(), error))
    .finally(end)
  return response
}

/** Returns the serializer of events. Results are rendered again with their calls, which they replace. */
function serverEvents(site: Site, context: MemberContext): (event: AnswerEvent) => [string, object] {
  let previous: ChatMessage | undefined
  return (event) => {
    if (event.type === 'text') return ['text', { delta: event.delta }]
    const { message } = event
    const part =
      message.role === 'tool' && previous !== undefined
        ? messageHtml(site, context, { message: previous, next: message })
        : messageHtml(site, context, { message })
    previous = message
    return ['item', { role: message.role, html: String(part) }]
  }
}

async function currentHtml(site: Site, context: MemberContext, id: string) {
  const { messages } = await context.read((db) => findConversation(db, context.user.id, id))
  return conversationHtml(site, context, { id, messages })
}
