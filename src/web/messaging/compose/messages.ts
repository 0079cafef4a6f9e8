import { untaxedLetterNotice } from '../../../records/invoices/index.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import type { MessageDraft } from '../../../messaging/templates/queue_draft.ts'
import { isId, newId } from '../../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { statusOf } from '../../faults.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { messageFormPage } from './message_form.ts'
import { readChannel, readKind, openMessageForm, type MessageTarget, type MessageTopic } from './opening.ts'
import { requireRights, sendMessage } from './send.ts'

/** Shows the draft of a message: recipient, channel and text. */
export async function showMessageForm(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireSender(site, request)
  const searchParams = new URL(request.req.url).searchParams
  const target = targetOf(request)
  const [form, noticeHtml] = await Promise.all([
    openMessageForm(site, context, target, searchParams),
    noticeAbove(context, target),
  ])
  return pageResponse(messageFormPage(context, { ...form, noticeHtml }))
}

/** Sends the message, or shows the form again with its errors. */
export async function submitMessage(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireSender(site, request)
  const sent = await readFormFields(request.req.raw)
  const target = targetOf(request)
  const draft = readMessageDraft(sent, target.topic)
  try {
    const sentence = await sendMessage(site, context, {
      target,
      draft,
      key: readIdempotencyKey(sent),
      seenVersion: sent.get('seen') ?? '',
    })
    return redirectWithMessage(context.path(target.topic, target.id), { sentence })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    const [form, noticeHtml] = await Promise.all([
      openMessageForm(site, context, target, sent),
      noticeAbove(context, target),
    ])
    return pageResponse(messageFormPage(context, { ...form, noticeHtml, draft, refusal: error }), {
      status: statusOf(error),
    })
  }
}

/** Draws the notice above a message. */
const noticeAbove = async (context: MemberContext, { topic, id }: MessageTarget): Promise<Html | ''> =>
  topic === 'invoices' ? untaxedLetterNotice(context, id) : ''

const targetOf = (request: PageRequest): MessageTarget => ({
  topic: request.req.param('topic') as MessageTopic,
  id: request.req.param('id')!,
})

async function requireSender(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  requireRights(context, targetOf(request).topic)
  return context
}

/** Returns a form's idempotency key. A form without a valid one gets a new key each time. */
export const readIdempotencyKey = (form: URLSearchParams): string => {
  const key = form.get('idempotency_key') ?? ''
  return isId(key) ? key : newId()
}

/** Reads the fields of the message form. The other values come from the record. */
function readMessageDraft(form: URLSearchParams, topic: MessageTopic): MessageDraft {
  const chosen = form.get('to') ?? ''
  return {
    kind:
      readKind(form, topic) ?? (topic === 'quotes' ? 'quote_sent' : topic === 'jobs' ? 'visit_booked' : 'invoice_sent'),
    channel: readChannel(form),
    to: chosen === '' || chosen === 'other' ? (form.get('other') ?? '') : chosen,
    toName: null,
    firstName: null,
    subject: form.get('subject') ?? '',
    body: form.get('body') ?? '',
    hasPdf: form.get('pdf') === 'yes',
  }
}
