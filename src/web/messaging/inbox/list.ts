import { mayWriteMessages } from '../../../messaging/inbox/rights.ts'
import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { pager } from '../../../platform/html/parts/pager.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount, sayFor } from '../../../platform/i18n/say.ts'
import {
  listCorrespondents,
  searchCorrespondents,
  type Correspondent,
  type CorrespondentView,
} from '../../../messaging/inbox/correspondents.ts'
import { hideLinks } from '../../../messaging/inbox/inbound/hidden_links.ts'
import { shortMoment } from '../../../records/format/formats.ts'
import { isId } from '../../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { frame } from '../../frame.ts'
import { MAX_QUERY_CHARS, parseSearch } from '../../../platform/validation/text/search_terms.ts'
import type { Site } from '../../site.ts'
import { requireReadAccess } from './reading.ts'
import { conversationPath, personNameOf } from './counterpart.ts'

const VIEWS: readonly { name: CorrespondentView; label: () => string; empty: () => string }[] = [
  {
    name: 'open',
    label: () => sayFor('conversations')`Open`,
    empty: () => say`No conversations. What customers text or email appears here.`,
  },
  { name: 'unread', label: () => say`Unread`, empty: () => say`All caught up` },
  { name: 'mine', label: () => say`Assigned to you`, empty: () => say`Nothing is assigned to you` },
  { name: 'unknown', label: () => say`Unknown senders`, empty: () => say`No unknown senders` },
  { name: 'archived', label: () => sayFor('conversations')`Archived`, empty: () => say`Nothing is archived` },
  { name: 'blocked', label: () => say`Blocked`, empty: () => say`No blocked senders` },
]

/** Lists conversations, newest message first, or the matches of a search. */
export async function showConversations(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context)
  const searchParams = new URL(request.req.url).searchParams
  const customer = searchParams.get('customer_id') ?? ''
  if (isId(customer)) return redirect(context.path('messages', 'with', customer))
  const query = (searchParams.get('q') ?? '').slice(0, MAX_QUERY_CHARS)
  const terms = parseSearch(query)
  const view = VIEWS.find(({ name }) => name === searchParams.get('view')) ?? VIEWS[0]!
  const after = searchParams.get('after') ?? ''
  const { rows, next } = await context.read(async (db) =>
    terms === undefined
      ? listCorrespondents(db, view.name, { user: context.user.id, after: isId(after) ? after : undefined })
      : { rows: await searchCorrespondents(db, terms.words, terms.digits), next: null },
  )
  const here = context.path('messages')
  const address = (more: Record<string, string>): string => `${here}?${new URLSearchParams(more).toString()}`
  return pageResponse(
    frame(context, {
      title: say`Messages`,
      here,
      styles: ['conversations.css'],
      body: html`
<header class="page-head">
  <h1>${say`Messages`}</h1>
  <p class="actions">${when(mayWriteMessages(context), () =>
    linkButton(say`New message`, context.path('messages', 'new'), 'main'),
  )}${linkButton(say`Outbox`, context.path('outbox'))}</p>
</header>
<div class="conversations-head">
<nav class="views" aria-label="${say`Views of messages`}">${VIEWS.map(
        ({ name, label }) => html`
  <a class="button quiet"
    href="${name === 'open' ? here : address({ view: name })}"
      ${attribute('aria-current', terms === undefined && name === view.name, 'true')}>${label()}${when(
        name === 'unread' && context.menuCounts.unread > 0,
        () => html` <span class="count">${context.menuCounts.unread}</span>`,
      )}</a>`,
      )}
</nav>
${searchForm(here, query)}
</div>${
        rows.length === 0
          ? html`
<p class="empty">${terms === undefined ? view.empty() : say`No matches`}</p>`
          : html`
<ul class="conversations">${rows.map((row) => rowHtml(context, row))}
</ul>`
      }
${pager({
  label: say`Pages of messages`,
  previous: after === '' ? undefined : address({ view: view.name }),
  next: next === null ? undefined : address({ view: view.name, after: next }),
})}`,
    }),
  )
}

const rowHtml = (context: MemberContext, row: Correspondent): Html => html`
  <li${attribute('class', row.unread > 0, 'unread')}><a href="${conversationPath(context, row)}">
    <span class="face" aria-hidden="true">${initialOf(row)}</span>
    <b>${personNameOf(row)}${when(
      row.unread > 0,
      () =>
        html` <span class="count"><span aria-hidden="true">${row.unread}</span><span class="unseen">${sayCount(
          row.unread,
          'one unread',
          '{0} unread',
        )}</span></span>`,
    )}</b>
    <time class="help" datetime="${row.last_occurred_at}">${shortMoment(
      row.last_occurred_at,
      context.company.timezone,
    )}</time>
    <span class="excerpt">${excerptOf(row)}</span>
    <span class="help tags">${row.last_status === 'failed' ? say`Not delivered` : ''}${when(
      row.is_stop_unclear,
      () => html`<span>${say`Asked to stop?`}</span>`,
    )}${when(row.assigned_name, (name) => html`<span>${name}</span>`)}</span></a></li>`

function excerptOf({ last_direction, last_text }: Correspondent): string {
  const text = hideLinks(last_text)
  return last_direction === 'outbound' ? say`You: ${text}` : text
}

const initialOf = ({ customer_name, address }: Correspondent): string =>
  customer_name === null
    ? (address ?? '').includes('@')
      ? '@'
      : '#'
    : (Array.from(customer_name.trim())[0] ?? '?').toUpperCase()

const searchForm = (here: string, query: string): Html => html`
<form class="search-in" role="search" aria-label="${say`Messages`}" action="${here}">
  <label class="unseen" for="in">${say`Search in messages`}</label><input id="in" name="q" type="search"
    value="${query}" maxlength="${MAX_QUERY_CHARS}" placeholder="${say`Search in messages`}">${button({
      label: say`Search`,
    })}</form>`
