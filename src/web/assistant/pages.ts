import {
  deleteConversation,
  findConversation,
  listConversations,
  type Conversation,
} from '../../assistant/conversations.ts'
import { assistantProposes } from '../../identity/credentials/caller.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { pageHeaders } from '../../platform/http/headers.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { moment } from '../../records/format/formats.ts'
import { statusOf } from '../faults.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { frame } from '../frame.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { refusalNotice } from '../refusal_notice.ts'
import type { Site } from '../site.ts'
import { conversationHtml } from './conversation_view.ts'
import { panelHtml, talkHtml, type PanelView } from './panel.ts'

/** Maximum number of conversations to list. */
const MAX_LISTED = 50

/** Shows a new conversation, or how to connect a model if there is none. */
export async function showAssistant(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const model = (await site.assistant?.modelOf(context.company.id)) ?? null
  return model === null ? connectPage(context) : conversationPage(site, context, null)
}

/** Shows one of the user's conversations. */
export async function showConversation(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  return conversationPage(site, context, request.req.param('id') ?? null)
}

/** Returns a conversation without the page around it, for the side panel. */
export async function showPanel(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const query = new URL(request.req.url).searchParams
  const view = await readView(site, context, query.get('conversation') || null)
  return new Response(String(panelHtml(context, { ...view, page: query.get('page') ?? '' })), {
    headers: pageHeaders(),
  })
}

/** Deletes one of the user's conversations. */
export async function removeConversation(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  await readFormFields(request.req.raw)
  const id = request.req.param('id') ?? ''
  await context.withCaller((by) => deleteConversation(site.database, by, id))
  return redirectWithMessage(context.path('assistant'), { sentence: say`The conversation was deleted.` })
}

type Failure = { refusal: Refusal; text: string }

/** Renders a conversation on its own page, with a list of the others. */
export async function conversationPage(
  site: Site,
  context: MemberContext,
  id: string | null,
  failure?: Failure,
): Promise<Response> {
  const view = await readView(site, context, id)
  const list = await context.read((db) => listConversations(db, context.user.id, MAX_LISTED))
  return pageResponse(
    frame(context, {
      title: view.conversation?.title ?? say`Assistant`,
      here: context.path('assistant'),
      styles: ['proposals.css', 'assistant.css'],
      scripts: ['assistant.js'],
      body: html`
<header class="page-head"><h1>${say`Assistant`}</h1>${when(
        view.conversation,
        (one) => html`<div class="actions">${newLink(context)}${deleteForm(context, one)}</div>`,
      )}</header>
<div class="assistant-page">
<section class="assistant-talk" id="assistant">${talkHtml(context, {
        ...view,
        ...(failure && { text: failure.text, problem: refusalNotice(failure.refusal) }),
      })}</section>
${listHtml(context, list, view.conversation)}
</div>`,
    }),
    { status: failure === undefined ? 200 : statusOf(failure.refusal) },
  )
}

async function readView(site: Site, context: MemberContext, id: string | null): Promise<PanelView> {
  if (id === null) {
    const proposes = await context.read((db) => assistantProposes(db, context.user.id))
    return { conversation: undefined, body: '', proposes, page: '' }
  }
  const { conversation, messages } = await context.read((db) => findConversation(db, context.user.id, id))
  return { conversation, body: await conversationHtml(site, context, { id, messages }), page: '' }
}

const newLink = (context: MemberContext): Html => linkButton(say`New conversation`, context.path('assistant'))

const deleteForm = (context: MemberContext, { id }: Conversation): Html => html`
<form method="post" action="${context.path('assistant', id, 'delete')}">${button({
  label: say`Delete conversation`,
  kind: 'quiet',
})}</form>`

const listHtml = (
  context: MemberContext,
  conversations: readonly Conversation[],
  open: Conversation | undefined,
): Html => html`
<nav class="assistant-list" aria-labelledby="earlier">
  <h2 id="earlier">${say`Your conversations`}</h2>${
    conversations.length === 0
      ? html`<p class="help">${say`None yet. Only you can see them.`}</p>`
      : html`
  <ul>${conversations.map(
    ({ id, title, updated_at }) => html`
    <li><a href="${context.path('assistant', id)}"${when(
      id === open?.id,
      () => html` aria-current="page"`,
    )}>${title}<span class="help">${moment(updated_at, context.company.timezone)}</span></a></li>`,
  )}
  </ul>`
  }
  <p>${linkButton(say`Usage and settings`, context.path('settings', 'assistant'), 'quiet')}</p>
</nav>`

const connectPage = (context: MemberContext): Response =>
  pageResponse(
    frame(context, {
      title: say`Assistant`,
      here: context.path('assistant'),
      width: 'narrow',
      body: html`
<section class="ticket">
  <h1>${say`Connect a language model`}</h1>
  <p>${say`The assistant answers questions and prepares changes for you to approve.`}</p>
  <p>${say`It needs a language model: from Anthropic, or any with an OpenAI-compatible API.`}</p>${
    context.session.role === 'owner'
      ? html`
  <p class="actions">${linkButton(say`Connect a model`, context.path('settings', 'assistant'), 'main')}</p>`
      : html`
  <p>${say`Ask an owner of your company to connect one.`}</p>`
  }
</section>`,
    }),
  )
