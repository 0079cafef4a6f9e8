import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { checkbox } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { listMessages, type Message } from '../../../messaging/inbox/inbox.ts'
import { linkConversation } from '../../../messaging/inbox/linking.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { phone } from '../../../records/format/formats.ts'
import { isId } from '../../../platform/validation/id.ts'
import { findCandidates, candidatesHtml } from '../../records/merge/candidates.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { frame } from '../../frame.ts'
import { messageHtml } from './message_item.ts'
import { notFoundPage } from '../../not_found.ts'
import { requireWriteAccess } from './reading.ts'
import type { Site } from '../../site.ts'

const MAX_MESSAGES = 5

/** Shows the thread of an unknown sender and possible customers, those with this number or address first. */
export async function showLinking(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  const conversation = request.req.param('conversation')!
  if (!isId(conversation)) return notFoundPage()
  const { rows: messages } = await context.read((db) =>
    listMessages(db, { conversation, unlinked: true }, { limit: MAX_MESSAGES }),
  )
  const last = messages.at(-1)
  if (last === undefined) return notFoundPage()
  const query = new URL(request.req.url).searchParams.get('customer') ?? addressOf(last)
  const here = context.path('messages', conversation, 'link')
  return pageResponse(
    frame(context, {
      title: say`Whose message is it?`,
      here: context.path('messages'),
      width: 'wide',
      styles: ['conversations.css'],
      body: html`
<section class="ticket">
  <h1>${say`Whose message is it?`}</h1>
  <ol class="messages">${messages.map((message) => messageHtml(context, message))}
  </ol>
  ${candidatesHtml({
    action: here,
    query,
    rows: await findCandidates(context, query),
    choose: ({ id }, inside) => html`<button form="link" name="customer_id" value="${id}">${inside}</button>`,
  })}
  <form class="form" id="link" method="post" action="${here}">${when(contactFieldOf(last) !== undefined, () =>
    checkbox({ name: 'add', label: say`Add ${phone(addressOf(last))} to the customer's contacts` }),
  )}</form>
  <p class="actions">
    ${linkButton(say`New customer`, `${context.path('customers', 'new')}?${contactQuery(last).toString()}`, 'quiet')}
    ${linkButton(say`Cancel`, context.path('messages'), 'quiet')}
  </p>
</section>`,
    }),
  )
}

/** Returns the search text for a sender: the number, or the address between angle brackets. */
const addressOf = ({ sender }: Message): string => /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender

/** Returns the initial values of the new customer form. */
const contactQuery = (message: Message): URLSearchParams =>
  new URLSearchParams([[message.channel === 'sms' ? 'phone' : 'email', addressOf(message)]])

/** Returns the sender as a contact field; undefined for short codes and names. */
function contactFieldOf(message: Message): { phone: string } | { email: string } | undefined {
  const address = addressOf(message)
  if (message.channel === 'sms') return address.startsWith('+') ? { phone: address } : undefined
  return address.includes('@') ? { email: address.toLowerCase() } : undefined
}

/** Links a thread to a customer, adds the sender to the customer's contacts if requested, and goes to the customer. */
export async function linkThread(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  const form = await readFormFields(request.req.raw)
  const customer = form.get('customer_id') ?? ''
  const conversation = request.req.param('conversation')!
  if (!isId(customer) || !isId(conversation)) return notFoundPage()
  const { rows } = await context.read((db) => listMessages(db, { conversation, unlinked: true }, { limit: 1 }))
  await context.write((db) => {
    requireWriteAccess(context)
    return linkConversation(db, { user: context.user.id }, conversation, customer)
  })
  const contactField = form.get('add') === 'yes' && rows[0] !== undefined ? contactFieldOf(rows[0]) : undefined
  if (contactField !== undefined) await addContactField(context, customer, contactField)
  return redirect(context.path('customers', customer))
}

/**
 * Fills in the missing field of the primary contact, or adds a contact. An address that no contact can hold stays in
 * the message only.
 */
async function addContactField(
  context: MemberContext,
  customer: string,
  contactField: { phone: string } | { email: string },
): Promise<void> {
  const [field, value] = Object.entries(contactField)[0] as ['phone' | 'email', string]
  const { contacts } = await context.call('customers_get', { id: customer })
  if (contacts.some((contact) => contact[field] === value)) return
  const incompleteContact = contacts.find((contact) => contact.is_primary && contact[field] === null)
  const saving =
    incompleteContact === undefined
      ? context.call('contacts_create', { customer_id: customer, ...contactField })
      : context.call('contacts_update', { id: incompleteContact.id, ...contactField })
  await saving.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}
