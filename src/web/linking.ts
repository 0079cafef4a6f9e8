import { answer, redirect } from '../html/answer.ts'
import { linkButton } from '../html/button.ts'
import { hidden } from '../html/field.ts'
import { formOf } from '../html/form.ts'
import { html } from '../html/html.ts'
import type { Visit } from '../html/visit.ts'
import { listMessages } from '../messages/inbox.ts'
import type { Message } from '../messages/inbox.ts'
import { linkConversation } from '../messages/linking.ts'
import { isId } from '../shape/id.ts'
import { candidates, candidatesHtml } from './candidates.ts'
import { requireDesk } from './desk.ts'
import { frame } from './frame.ts'
import { messageHtml } from './message_item.ts'
import { notHere } from './not_here.ts'
import { requireOffice } from './reading.ts'
import type { Site } from './site.ts'

const MOST = 5

/** A thread of nobody known, and the customers whose it may be: first those whom its sender reaches. */
export async function showLinking(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireDesk(site, visit)
  requireOffice(desk)
  const conversation = visit.req.param('conversation')!
  if (!isId(conversation)) return notHere()
  const { rows: messages } = await desk.read((db) => listMessages(db, { conversation, unlinked: true }, { limit: MOST }))
  const last = messages.at(-1)
  if (last === undefined) return notHere()
  const query = new URL(visit.req.url).searchParams.get('customer') ?? addressOf(last)
  const here = desk.path('messages', conversation, 'link')
  return answer(frame(desk, {
    title: 'Whose message is it?', here: desk.path('messages'), width: 'wide', scripts: ['form.js'],
    body: html`
<section class="ticket">
  <h1>Whose message is it?</h1>
  <ol class="messages">${messages.map((message) => messageHtml(desk, message))}
  </ol>
  ${candidatesHtml({
      action: here, query, rows: await candidates(desk, query),
      choose: ({ id }, inside) => html`<form method="post" action="${here}">${hidden('customer_id', id)}<button>${inside}</button></form>`,
    })}
  <p class="actions">${linkButton('New customer', `${desk.path('customers', 'new')}?${reachOf(last).toString()}`, 'quiet')}${linkButton('Leave it', desk.path('messages'), 'quiet')}</p>
</section>`,
  }))
}

/** What a sender is looked for by: a number, or the address between angle brackets. */
const addressOf = ({ sender }: Message): string => /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender

/** What the form of a new customer begins with. */
const reachOf = (message: Message): URLSearchParams => new URLSearchParams([[message.channel === 'sms' ? 'phone' : 'email', addressOf(message)]])

/** Says whose a thread is, and goes to that customer. */
export async function link(site: Site, visit: Visit): Promise<Response> {
  const desk = await requireDesk(site, visit)
  requireOffice(desk)
  const customer = (await formOf(visit.req.raw)).get('customer_id') ?? ''
  const conversation = visit.req.param('conversation')!
  if (!isId(customer) || !isId(conversation)) return notHere()
  await desk.write((db) => {
    requireOffice(desk)
    return linkConversation(db, { user: desk.user.id }, conversation, customer)
  })
  return redirect(desk.path('customers', customer))
}
