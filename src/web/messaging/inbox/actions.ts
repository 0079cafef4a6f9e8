import { mayWriteMessages } from '../../../messaging/inbox/rights.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayFor } from '../../../platform/i18n/say.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import {
  archiveCorrespondent,
  assignCorrespondent,
  blockCorrespondent,
  findCorrespondent,
} from '../../../messaging/inbox/correspondents.ts'
import { members } from '../../../records/fields/choices.ts'
import { isId } from '../../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage, type FlashMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { requireWriteAccess } from './reading.ts'
import { conversationPath, personNameOf, type Counterpart } from './counterpart.ts'

type ConversationAction = {
  run(db: Db, by: string, id: string): Promise<void>
  message(name: string): string
  undo?: string
}

const ACTIONS: Readonly<Record<string, ConversationAction>> = {
  archive: {
    run: (db, by, id) => archiveCorrespondent(db, by, id, true),
    message: (name) => say`Archived the conversation with ${name}`,
    undo: 'unarchive',
  },
  unarchive: {
    run: (db, by, id) => archiveCorrespondent(db, by, id, false),
    message: (name) => say`The conversation with ${name} is open again`,
    undo: 'archive',
  },
  block: {
    run: (db, by, id) => blockCorrespondent(db, by, id, true),
    message: (name) => say`${name} is blocked`,
    undo: 'unblock',
  },
  unblock: {
    run: (db, by, id) => blockCorrespondent(db, by, id, false),
    message: (name) => say`${name} is no longer blocked`,
    undo: 'block',
  },
}

/** Draws the button that archives or reopens a conversation. */
export function archiveHtml(context: MemberContext, { correspondent }: Counterpart): Html | '' {
  if (correspondent === undefined || !mayWriteMessages(context)) return ''
  const { id, archived_at } = correspondent
  return archived_at === null
    ? actionButton(context, id, 'archive', say`Archive`)
    : actionButton(context, id, 'unarchive', say`Move to open`)
}

/** Draws the other actions on a conversation: assign it to a member, block the sender. */
export async function conversationActions(context: MemberContext, { correspondent }: Counterpart): Promise<Html | ''> {
  if (correspondent === undefined || !mayWriteMessages(context)) return ''
  const { id, blocked_at, assigned_to, assigned_name } = correspondent
  const people = await members(context, new URLSearchParams())
  return html`
<details class="conversation-acts"><summary>${
    assigned_name === null ? say`More` : say`Assigned to ${assigned_name}`
  }</summary>
  <div>
    <form method="post"
      action="${context.path('messages', id, 'assign')}"><label for="member">${say`Assigned to`}</label>
    <select id="member" name="member"><option value="">${say`Unassigned`}</option>${people.map(
      ({ value, label }) =>
        html`<option value="${value}"${attribute('selected', value === assigned_to)}>${label}</option>`,
    )}</select>${button({ label: say`Save` })}</form>
  ${
    blocked_at === null
      ? actionButton(context, id, 'block', say`Block`)
      : actionButton(context, id, 'unblock', say`Unblock`)
  }</div>
</details>${when(blocked_at, () =>
    notice({
      kind: 'warning',
      title: sayFor('sender')`Blocked`,
      body: say`What they write is kept under Blocked and never counted as unread.`,
    }),
  )}`
}

const actionButton = (context: MemberContext, id: string, action: string, label: string): Html =>
  html`<form method="post" action="${context.path('messages', id, action)}">${button({ label })}</form>`

/** Runs an action. Its opposite undoes it. */
export async function changeConversation(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  const [id, name] = [request.req.param('correspondent')!, request.req.param('act')!]
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (!isId(id) || action === undefined) throw notFoundRefusal()
  const person = await context.read((db) => findCorrespondent(db, id))
  await context.write((db) => {
    requireWriteAccess(context)
    return action.run(db, context.user.id, id)
  })
  const undo: FlashMessage['undo'] =
    action.undo === undefined ? undefined : { action: context.path('messages', id, action.undo), fields: {} }
  return redirectWithMessage(name === 'archive' ? context.path('messages') : conversationPath(context, person), {
    sentence: action.message(personNameOf(person)),
    undo,
  })
}

/** Assigns the conversation to the selected member, or to nobody. */
export async function assignConversation(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  const id = request.req.param('correspondent')!
  const member = (await readFormFields(request.req.raw)).get('member') ?? ''
  if (!isId(id) || (member !== '' && !isId(member))) throw notFoundRefusal()
  await context.write((db) => {
    requireWriteAccess(context)
    return assignCorrespondent(db, context.user.id, id, member === '' ? null : member)
  })
  const person = await context.read((db) => findCorrespondent(db, id))
  return redirectWithMessage(conversationPath(context, person), {
    sentence: person.assigned_name === null ? say`Unassigned` : say`Assigned to ${person.assigned_name}`,
  })
}
