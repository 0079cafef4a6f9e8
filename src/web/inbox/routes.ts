import { answer } from '../../html/answer.ts'
import { linkButton } from '../../html/button.ts'
import { html, when, type Html } from '../../html/html.ts'
import { wrongMethod } from '../../html/message.ts'
import { pager } from '../../html/pager.ts'
import { newPages, type Pages, type Visit } from '../../html/visit.ts'
import { openAttachment } from '../../files/download.ts'
import { countUnread, listMessages, type Message, type Which } from '../../messages/inbox.ts'
import { say } from '../../language/say.ts'
import { recordLink } from '../../screens/links.ts'
import { isId } from '../../shape/id.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { frame } from '../frame.ts'
import { link, showLinking } from './linking.ts'
import { isUnread, messageHtml } from './message_item.ts'
import { notHere } from '../not_here.ts'
import { showText } from './message_text.ts'
import { read, readButton, requireSight } from './reading.ts'
import type { Site } from '../site.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Returns the pages of what customers wrote, and the files that came with it. */
export const messageRoutes = (site: Site): Pages =>
  newPages()
    .get(`${TENANT}/messages`, (visit) => showMessages(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .post(`${TENANT}/messages/read`, (visit) => read(site, visit))
    .all(wrongMethod('POST'))
    .get(`${TENANT}/messages/:conversation{[0-9a-f-]{36}}/link`, (visit) => showLinking(site, visit))
    .post((visit) => link(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${TENANT}/messages/:message{[0-9a-f-]{36}}/text`, (visit) => showText(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(`${TENANT}/attachments/:id{[0-9a-f-]{36}}`, (visit) => download(site, visit))
    .all(wrongMethod('GET, HEAD'))

const VIEWS = [
  { name: '', label: 'All' },
  { name: 'unread', label: 'Unread' },
  { name: 'unlinked', label: 'Unknown senders' },
] as const

/** Shows messages of all customers and of unknown senders, newest first. */
async function showMessages(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  requireSight(context)
  const asked = new URL(visit.req.url).searchParams
  const [view, customer, before] = [asked.get('view') ?? '', asked.get('customer_id') ?? '', asked.get('before') ?? '']
  const which: Which = {
    unread: view === 'unread',
    unlinked: view === 'unlinked',
    ...(isId(customer) ? { customer } : {}),
  }
  const [{ rows, earlier }, unread] = await context.read((db) =>
    Promise.all([listMessages(db, which, isId(before) ? { before } : {}), countUnread(db)]),
  )
  const address = (more: Readonly<Record<string, string>>): string => {
    const query = new URLSearchParams(
      Object.entries({ view, customer_id: 'customer' in which ? customer : '', ...more }).filter(
        ([, value]) => value !== '',
      ),
    )
    return `${context.path('messages')}${query.size === 0 ? '' : `?${query.toString()}`}`
  }
  const here = address({ before: isId(before) ? before : '' })
  return answer(
    frame(context, {
      title: 'Messages',
      here: context.path('messages'),
      scripts: ['form.js'],
      body: html`
<header class="page-head"><h1>Messages</h1><div class="actions">${linkButton(say`Outbox`, context.path('outbox'))}</div></header>
<nav class="views" aria-label="Views of Messages">${VIEWS.map(
        ({ name, label }) => html`
  <a class="button quiet" href="${address({ view: name })}"${when(name === view, () => html` aria-current="true"`)}>${label}${when(name === 'unread' && unread > 0, () => html` <span class="count">${unread}</span>`)}</a>`,
      )}
</nav>${
        rows.length === 0
          ? html`
<p class="empty">${view === 'unread' ? 'Everything is read.' : view === 'unlinked' ? 'Every sender is known.' : "No messages yet. What comes to the company's number or address is shown here."}</p>`
          : html`
<ol class="messages part">${rows.toReversed().map((message) => messageHtml(context, message, { ...whose(context, message), ways: waysOf(context, message, here) }))}
</ol>`
      }
${pager({ label: 'Pages of Messages', previous: isId(before) ? address({}) : undefined, next: earlier === null ? undefined : address({ before: earlier }) })}`,
    }),
  )
}

/** Returns the customer beside the sender; a person who writes for themselves is named once. */
function whose(
  context: MemberContext,
  { direction, customer_id, customer_name, contact_name }: Message,
): { name?: Html; about?: Html } {
  if (customer_id === null) return {}
  const link = recordLink(context, 'customers', customer_id, customer_name ?? 'A customer')
  return direction === 'inbound' && contact_name === customer_name
    ? { name: link }
    : { about: html`<span>${link}</span>` }
}

const waysOf = (context: MemberContext, message: Message, back: string): Html | '' =>
  when(
    message.conversation_id,
    (conversation_id) =>
      html`${isUnread(message) ? readButton(context, { conversation: conversation_id }, message.id, back) : ''}${when(
        message.customer_id === null && message.direction === 'inbound' && context.may('write:customers'),
        () => linkButton('Whose is it?', context.path('messages', conversation_id, 'link')),
      )}`,
  )

/** Sends the file as it came, to be saved and never shown in place. */
async function download(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  requireSight(context)
  const id = visit.req.param('id')!
  if (!isId(id)) return notHere()
  const { headers, body } = await openAttachment(
    site.database,
    site.storage,
    context.company.id,
    id,
    visit.req.method === 'HEAD' ? 'headers' : 'file',
  )
  return new Response(body, { headers })
}
