import { untaxedLetterNotice } from '../../../records/invoices/index.ts'
import { answer } from '../../../platform/http/answer.ts'
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
import { letterPage } from './letter_page.ts'
import { readChannel, readKind, openLetter, type MessageTarget, type MessageTopic } from './opening.ts'
import { requireRights, send } from './send.ts'

/** Shows the draft of a message: recipient, channel and text. */
export async function showLetter(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireSender(site, visit)
  const searchParams = new URL(visit.req.url).searchParams
  const about = aboutOf(visit)
  const [form, before] = await Promise.all([
    openLetter(site, context, about, searchParams),
    noticeBefore(context, about),
  ])
  return answer(letterPage(context, { ...form, before }))
}

/** Sends the message, or shows the form again with its errors. */
export async function sendLetter(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireSender(site, visit)
  const sent = await readFormFields(visit.req.raw)
  const about = aboutOf(visit)
  const letter = letterIn(sent, about.topic)
  try {
    const sentence = await send(site, context, { about, letter, key: keyIn(sent), seen: sent.get('seen') ?? '' })
    return redirectWithMessage(context.path(about.topic, about.id), { sentence })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    const [form, before] = await Promise.all([openLetter(site, context, about, sent), noticeBefore(context, about)])
    return answer(letterPage(context, { ...form, before, draft: letter, refusal: error }), { status: statusOf(error) })
  }
}

/** Draws the notice above a message. */
const noticeBefore = async (context: MemberContext, { topic, id }: MessageTarget): Promise<Html | ''> =>
  topic === 'invoices' ? untaxedLetterNotice(context, id) : ''

const aboutOf = (visit: PageRequest): MessageTarget => ({
  topic: visit.req.param('topic') as MessageTopic,
  id: visit.req.param('id')!,
})

async function requireSender(site: Site, visit: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, visit)
  requireRights(context, aboutOf(visit).topic)
  return context
}

/** Returns a form's idempotency key. A form without a valid one gets a new key each time. */
export const keyIn = (form: URLSearchParams): string => {
  const key = form.get('idempotency_key') ?? ''
  return isId(key) ? key : newId()
}

/** Reads the fields of the message form. The other values come from the record. */
function letterIn(form: URLSearchParams, topic: MessageTopic): MessageDraft {
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
