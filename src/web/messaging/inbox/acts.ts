import { html, when, type Html } from '../../../platform/html/html.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { formOf } from '../../../platform/http/form.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { Visit } from '../../../platform/http/visit.ts'
import { say } from '../../../platform/i18n/say.ts'
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
import { noPage } from '../../not_here.ts'
import { redirectSaying, type Saying } from '../../saying.ts'
import type { Site } from '../../site.ts'
import { requireOffice } from './reading.ts'
import { conversationPath, personNameOf, type Counterpart } from './whose.ts'

type Act = { run(db: Db, by: string, id: string): Promise<void>; said(name: string): string; undo?: string }

const ACTS: Readonly<Record<string, Act>> = {
  archive: {
    run: (db, by, id) => archiveCorrespondent(db, by, id, true),
    said: (name) => say`Archived the conversation with ${name}`,
    undo: 'unarchive',
  },
  unarchive: {
    run: (db, by, id) => archiveCorrespondent(db, by, id, false),
    said: (name) => say`The conversation with ${name} is open again`,
    undo: 'archive',
  },
  block: {
    run: (db, by, id) => blockCorrespondent(db, by, id, true),
    said: (name) => say`${name} is blocked`,
    undo: 'unblock',
  },
  unblock: {
    run: (db, by, id) => blockCorrespondent(db, by, id, false),
    said: (name) => say`${name} is no longer blocked`,
    undo: 'block',
  },
}

/** Draws the button that puts a conversation away, or takes it back. */
export function archiveHtml(context: MemberContext, { correspondent }: Counterpart): Html | '' {
  if (correspondent === undefined || !context.may('write:customers')) return ''
  const { id, archived_at } = correspondent
  return archived_at === null
    ? press(context, id, 'archive', say`Archive`)
    : press(context, id, 'unarchive', say`Move to open`)
}

/** Draws what else can be done with a conversation: give it to a member, block who writes. */
export async function actsHtml(context: MemberContext, { correspondent }: Counterpart): Promise<Html | ''> {
  if (correspondent === undefined || !context.may('write:customers')) return ''
  const { id, blocked_at, assigned_to, assigned_name } = correspondent
  const people = await members(context, new URLSearchParams())
  return html`
<details class="conversation-acts"><summary>${assigned_name === null ? say`More` : say`Assigned to ${assigned_name}`}</summary>
  <div><form method="post" action="${context.path('messages', id, 'assign')}"><label for="member">${say`Assigned to`}</label>
    <select id="member" name="member"><option value="">${say`Unassigned`}</option>${people.map(({ value, label }) => html`<option value="${value}"${when(value === assigned_to, () => html` selected`)}>${label}</option>`)}</select>${button({ label: say`Save` })}</form>
  ${blocked_at === null ? press(context, id, 'block', say`Block`) : press(context, id, 'unblock', say`Unblock`)}</div>
</details>${when(blocked_at, () => notice({ kind: 'warning', title: say`Blocked`, body: say`What they write is kept under Blocked and never counted as unread.` }))}`
}

const press = (context: MemberContext, id: string, act: string, label: string): Html =>
  html`<form method="post" action="${context.path('messages', id, act)}">${button({ label })}</form>`

/** Does one of them; undone by its opposite. */
export async function actOn(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  requireOffice(context)
  const [id, name] = [visit.req.param('correspondent')!, visit.req.param('act')!]
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  if (!isId(id) || act === undefined) throw noPage()
  const person = await context.read((db) => findCorrespondent(db, id))
  await context.write((db) => {
    requireOffice(context)
    return act.run(db, context.user.id, id)
  })
  const undo: Saying['undo'] =
    act.undo === undefined ? undefined : { action: context.path('messages', id, act.undo), fields: {} }
  return redirectSaying(name === 'archive' ? context.path('messages') : conversationPath(context, person), {
    sentence: act.said(personNameOf(person)),
    undo,
  })
}

/** Gives the conversation to the member of the form, or to nobody. */
export async function assign(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  requireOffice(context)
  const id = visit.req.param('correspondent')!
  const member = (await formOf(visit.req.raw)).get('member') ?? ''
  if (!isId(id) || (member !== '' && !isId(member))) throw noPage()
  await context.write((db) => {
    requireOffice(context)
    return assignCorrespondent(db, context.user.id, id, member === '' ? null : member)
  })
  const person = await context.read((db) => findCorrespondent(db, id))
  return redirectSaying(conversationPath(context, person), {
    sentence: person.assigned_name === null ? say`Unassigned` : say`Assigned to ${person.assigned_name}`,
  })
}
