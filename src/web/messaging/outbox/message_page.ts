import { mayWriteMessages } from '../../../messaging/inbox/rights.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { facts } from '../../../platform/html/parts/facts.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayFor } from '../../../platform/i18n/say.ts'
import { hideLinks } from '../../../messaging/inbox/inbound/hidden_links.ts'
import { cancelMessage, markSent, resendMessage } from '../../../messaging/outbox/decisions.ts'
import { findOutgoing, type OutboxEntry } from '../../../messaging/outbox/list.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { moment, phone } from '../../../records/format/formats.ts'
import { part, multilineText } from '../../../records/page/parts.ts'
import { recordLink } from '../../../records/page/links.ts'
import { isId } from '../../../platform/validation/id.ts'
import { frame } from '../../frame.ts'
import { requireWriteAccess, requireReadAccess } from '../inbox/reading.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal, notFoundPage } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { segmentsText } from '../compose/segments.ts'
import type { Site } from '../../site.ts'
import { channelLabel, reasonOf, recipientOf, stateTag } from './words.ts'

/** Shows a full message, its status and its actions. */
export async function showOutgoing(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context)
  return page(context, await entryOf(context, request))
}

/** Cancels a message, sends it again, or marks it as sent. */
export async function changeOutgoing(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  const { id } = await entryOf(context, request)
  const action = (await readFormFields(request.req.raw)).get('act')
  try {
    if (action === 'cancel') {
      await writeAsOffice(context, (db) => cancelMessage(db, context.user.id, id))
      return redirectWithMessage(context.path('outbox', id), { sentence: say`The message was canceled.` })
    }
    if (action === 'sent') {
      await writeAsOffice(context, (db) => markSent(db, context.user.id, id))
      return redirectWithMessage(context.path('outbox', id), { sentence: say`The message is marked as sent.` })
    }
    if (action !== 'again') return notFoundPage()
    const sent = await writeAsOffice(context, (db) => resendMessage(db, context.user.id, id))
    return redirectWithMessage(context.path('outbox', sent), { sentence: say`The message will be sent again.` })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return page(context, await entryOf(context, request), error)
  }
}

const writeAsOffice = <T>(context: MemberContext, work: Parameters<typeof context.write<T>>[0]): Promise<T> =>
  context.write((db) => {
    requireWriteAccess(context)
    return work(db)
  })

async function entryOf(context: MemberContext, request: PageRequest): Promise<OutboxEntry> {
  const id = request.req.param('id') ?? ''
  if (!isId(id)) throw notFoundRefusal()
  return context.read((db) => findOutgoing(db, id))
}

function page(context: MemberContext, entry: OutboxEntry, refusal?: Refusal): Response {
  const at = (instant: string): string => moment(instant, context.company.timezone)
  const reason = reasonOf(entry, context.company.timezone)
  return pageResponse(
    frame(context, {
      title: entry.subject ?? say`Text to ${recipientOf(entry)}`,
      here: context.path('outbox'),
      width: 'wide',
      body: html`
<header class="page-head">
  <div>
    <p class="eyebrow">${channelLabel(entry.channel)}</p>
    <h1>${entry.subject ?? say`Text to ${recipientOf(entry)}`}</h1>
    <p>${stateTag(entry)}${when(reason || null, (reason) => html` <span class="help">${reason}</span>`)}</p>
  </div>
<div class="actions">${actionsHtml(context, entry)}${linkButton(
        say`Back to the outbox`,
        context.path('outbox'),
        'quiet',
      )}</div>
</header>${when(refusal, (refused) =>
        notice({ kind: 'error', title: say`That didn't work`, body: refusalForPeople(refused) }),
      )}
<div class="parts">
${facts([
  {
    label: say`To`,
    value: recipientOf(entry),
    says: recipientOf(entry) === phone(entry.recipient) ? undefined : phone(entry.recipient),
  },
  ...(entry.customer_id === null
    ? []
    : [
        { label: say`Customer`, value: recordLink(context, 'customers', entry.customer_id, entry.customer_name ?? '') },
      ]),
  ...(entry.about_kind === null
    ? []
    : [
        {
          label: say`About`,
          value: recordLink(context, entry.about_kind, entry.about_id!, aboutWord(entry.about_kind)),
        },
      ]),
  ...(entry.channel === 'sms' ? [{ label: say`Size`, value: segmentsText(entry.body) }] : []),
  { label: say`Sent by`, value: entry.queued_by ?? say`Automatic`, says: at(entry.created_at) },
  ...(entry.last_attempt_at === null
    ? []
    : [{ label: say`Last tried`, value: at(entry.last_attempt_at), says: attemptsWord(entry.attempts) }]),
])}
${part(say`Message`, multilineText(hideLinks(entry.body)))}
</div>`,
    }),
    { status: refusal === undefined ? 200 : 422 },
  )
}

const attemptsWord = (attempts: number): string | undefined => (attempts > 1 ? say`${attempts} times` : undefined)

const aboutWord = (kind: NonNullable<OutboxEntry['about_kind']>): string => ABOUT_WORDS[kind]()

const ABOUT_WORDS: Readonly<Record<NonNullable<OutboxEntry['about_kind']>, () => string>> = {
  invoices: () => say`Invoice`,
  quotes: () => say`Quote`,
  jobs: () => say`Job`,
  customers: () => say`Customer`,
  plans: () => say`Plan`,
}

/** Checks whether its record has changed, so that its text must not be sent any more. */
const isOvertaken = ({ state, reason }: OutboxEntry): boolean =>
  (state === 'failed' || state === 'cancelled') && (reason === 'overtaken' || reason === 'too_late')

/** Links to a new message about the current record. */
const newMessageLink = (context: MemberContext, { cause, about_kind, about_id }: OutboxEntry): Html | '' =>
  about_kind !== null && SENDABLE_KINDS.has(about_kind) && (cause === 'sent' || cause === 'reminder')
    ? linkButton(say`Write a new one`, context.path(about_kind, about_id!, 'send'))
    : ''

const SENDABLE_KINDS = new Set(['invoices', 'quotes', 'jobs'])

/** Draws the available actions. */
function actionsHtml(context: MemberContext, entry: OutboxEntry): Html | '' {
  if (!mayWriteMessages(context)) return ''
  const { id, state } = entry
  if (isOvertaken(entry)) return newMessageLink(context, entry)
  const buttons = [
    ...(['uncertain', 'held', 'failed', 'cancelled'].includes(state)
      ? [
          button({
            label: say`Send again`,
            kind: state === 'cancelled' ? 'plain' : 'main',
            name: 'act',
            value: 'again',
          }),
        ]
      : []),
    ...(state === 'uncertain' ? [button({ label: sayFor('message')`Mark as sent`, name: 'act', value: 'sent' })] : []),
    ...(state === 'queued' || state === 'held'
      ? [button({ label: say`Cancel message`, kind: 'danger', name: 'act', value: 'cancel' })]
      : []),
  ]
  return buttons.length === 0
    ? ''
    : html`<form class="actions" method="post" action="${context.path('outbox', id)}">${buttons}</form>`
}
