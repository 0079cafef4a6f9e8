import { ownPath, redirect } from '../../../platform/http/answer.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { markRead, type MessageFilter } from '../../../messaging/inbox/inbox.ts'
import { say } from '../../../platform/i18n/say.ts'
import { isId } from '../../../platform/validation/id.ts'
import { mayReadMessages, mayWriteMessages } from '../../../messaging/inbox/rights.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal, notFoundPage } from '../../not_found.ts'
import type { Site } from '../../site.ts'

type Thread = Pick<MessageFilter, 'customer' | 'conversation' | 'stranger'>

/** Maximum length of an address, with room to spare. */
const MAX_ADDRESS = 400

/**
 * Draws the button that marks messages as read, up to the newest one shown. It applies to the whole company, and
 * requires write access to messages.
 */
export const markReadButton = (context: MemberContext, thread: Thread, through: string, back: string): Html | '' =>
  !mayWriteMessages(context)
    ? ''
    : html`
<form method="post" action="${context.path('messages', 'read')}" data-reads>${Object.entries(thread).map(([name, id]) =>
        hidden(name, id),
      )}${hidden('through', through)}${hidden('back', back)}
  <button class="button plain">${say`Mark as read`}</button></form>`

/** Marks the messages of a customer or thread as read, and goes back to the previous page. */
export async function markAsRead(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  const form = await readFormFields(request.req.raw)
  const [thread, through] = [readThread(form), form.get('through') ?? '']
  if (thread === undefined || !isId(through)) return notFoundPage()
  await context.write((db) => {
    requireWriteAccess(context)
    return markRead(db, thread, through)
  })
  return redirect(ownPath(form.get('back'), context.path('messages')))
}

function readThread(form: URLSearchParams): Thread | undefined {
  const [customer, conversation] = [form.get('customer') ?? '', form.get('conversation') ?? '']
  const stranger = (form.get('stranger') ?? '').slice(0, MAX_ADDRESS)
  if (isId(customer)) return { customer }
  if (isId(conversation)) return { conversation }
  return stranger === '' ? undefined : { stranger }
}

/** Answers 404 to members who can't write messages. */
export function requireWriteAccess(context: MemberContext): void {
  if (!mayWriteMessages(context)) throw notFoundRefusal()
}

/** Answers 404 to members who can't read messages. */
export function requireReadAccess(context: MemberContext): void {
  if (!mayReadMessages(context)) throw notFoundRefusal()
}
