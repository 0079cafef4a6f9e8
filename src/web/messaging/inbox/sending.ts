import { pageResponse, ownPath } from '../../../platform/http/answer.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html } from '../../../platform/html/html.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { queueMessage } from '../../../messaging/outbox/queue.ts'
import { Refusal, invalidField } from '../../../platform/errors/refusal.ts'
import { findCandidates, candidatesHtml } from '../../records/merge/candidates.ts'
import { requireMemberContext } from '../../member_context.ts'
import { frame } from '../../frame.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { personPage } from './person.ts'
import { requireWriteAccess } from './reading.ts'
import { listReplyAddresses, readSenderStatus } from '../../../messaging/inbox/reply_address.ts'
import { keyOf } from './reply_form.ts'
import { requireCounterpart } from './counterpart.ts'
import { refusals } from '../../refusals.ts'

/**
 * Sends the typed message to one of a person's addresses, as a reply to the newest message from there. If it can't be
 * sent, shows the form again with the reason.
 */
export async function sendReply(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  const [person, form] = [await requireCounterpart(context, request), await readFormFields(request.req.raw)]
  try {
    const replyAddress = await context.write(async (db) => {
      requireWriteAccess(context)
      const replyAddresses = await listReplyAddresses(db, person, context.user.id)
      const replyAddress = replyAddresses.find((one) => keyOf(one) === form.get('to'))
      if (replyAddress === undefined) throw invalidField('to', refusals.unknownAddress())
      await queueMessage(db, {
        channel: replyAddress.channel,
        to: replyAddress.to,
        toName: replyAddress.name,
        ...(replyAddress.channel === 'email' ? { subject: form.get('subject') ?? '' } : {}),
        body: form.get('body') ?? '',
        about: person.customer === null ? null : { kind: 'customers', id: person.customer },
        customerId: person.customer,
        cause: replyAddress.answers === null ? 'sent' : 'reply',
        by: context.user.id,
        inReplyTo: replyAddress.answers?.id ?? null,
      })
      return replyAddress
    })
    const senderStatus = await context.read((db) => readSenderStatus(db, site.senders))
    return redirectWithMessage(ownPath(form.get('back'), person.path), {
      sentence: senderStatus[replyAddress.channel]
        ? say`Sending to ${person.name}`
        : say`Kept in the outbox: no sender is set up`,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return personPage(site, context, person, form, error)
  }
}

/** Shows possible recipients of a new message. */
export async function chooseRecipient(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  const query = new URL(request.req.url).searchParams.get('customer') ?? ''
  return pageResponse(
    frame(context, {
      title: say`New message`,
      here: context.path('messages'),
      width: 'wide',
      body: html`
<section class="ticket">
  <h1>${say`New message`}</h1>
  ${candidatesHtml({
    action: context.path('messages', 'new'),
    query,
    rows: await findCandidates(context, query),
    choose: ({ id }, inside) => html`<a href="${context.path('messages', 'with', id)}#reply">${inside}</a>`,
  })}
  <p class="actions">${linkButton(say`Cancel`, context.path('messages'), 'quiet')}</p>
</section>`,
    }),
  )
}
