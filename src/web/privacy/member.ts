import { entryOf } from '../../identity/credentials/caller.ts'
import { writeTenant, type Db } from '../../platform/db/tenant.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { field } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { facts } from '../../platform/html/parts/facts.ts'
import { html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { eraseMemberAsOwner } from '../../privacy/erase/confirm.ts'
import { countMemberRecords, findDepartedMember } from '../../privacy/erase/erase_member.ts'
import { writeErasureList } from '../../privacy/tombstones.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { part } from '../../records/page/parts.ts'
import { isId } from '../../platform/validation/id.ts'
import { requireOwnContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import {
  catchRefusal,
  settingsPath,
  requireOwner,
  requireRecentOwner,
  settingsPage,
} from '../settings/settings_page.ts'
import { requireRecent } from '../sign_in/recent.ts'
import type { Site } from '../site.ts'
import type { openArchiveSender } from './archive_download.ts'

type SendArchive = ReturnType<typeof openArchiveSender>

/** Shows an owner what can be done with the data of a current or former member. */
export async function showMemberData(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return page(context, readMemberId(request))
}

/** Sends an owner the data of a member. */
export async function sendMemberData(site: Site, request: PageRequest, sendArchive: SendArchive): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  return sendArchive(context, memberArchive(readMemberId(request), true))
}

/** Sends a user their own data. */
export async function sendOwnData(site: Site, request: PageRequest, sendArchive: SendArchive): Promise<Response> {
  const context = await requireOwnContext(site, request)
  await requireRecent(site, request, context.session)
  return sendArchive(context, memberArchive(context.user.id, false))
}

const memberArchive = (user: string, isOwners: boolean) => ({
  kind: 'member' as const,
  subject: user,
  isOwners,
  scope: async (db: Db) => {
    await findDepartedMember(db, user)
    return { of: 'member' as const, user }
  },
})

/** Erases a member, whose name must be typed to confirm. */
export async function eraseMemberData(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const [id, form] = [readMemberId(request), await readFormFields(request.req.raw)]
  return catchRefusal(
    async () => {
      await context.withCaller((caller) =>
        writeTenant(site.database, { ...entryOf(caller), options: { patient: true } }, (db) =>
          eraseMemberAsOwner(db, id, { by: { user: context.user.id }, name: form.get('name') ?? '' }),
        ),
      )
      await writeErasureList(site.database, site.storage, context.company.id).catch((error: unknown) =>
        site.report(id, error),
      )
      return redirectWithMessage(settingsPath(context, 'members'), { sentence: say`The member was erased.` })
    },
    (refusal) => page(context, id, refusal),
  )
}

function readMemberId(request: PageRequest): string {
  const id = request.req.param('id') ?? ''
  if (!isId(id)) throw notFoundRefusal()
  return id
}

async function page(context: MemberContext, id: string, refusal?: Refusal): Promise<Response> {
  const [member, counts] = await context.read((db) =>
    Promise.all([findDepartedMember(db, id), countMemberRecords(db, id)]),
  )
  const here = context.path('settings', 'members', id, 'data')
  return settingsPage(
    context,
    'members',
    member.name,
    html`
${part(
  say`Data about ${member.name}`,
  html`
  <p class="help">
    ${say`Their profile, membership, sessions, keys, hours, assignments, notes and what they did here, in one ZIP file.`}
  </p>
  <form method="post" action="${here}">
    <p class="actions">
      ${button({ label: say`Download` })}
      ${linkButton(say`Back to members`, settingsPath(context, 'members'), 'quiet')}
    </p>
  </form>`,
)}
${part(
  say`Erase this person`,
  member.deactivated_at === null
    ? html`<p class="help">${say`Someone who still belongs to the company can't be erased. Remove them first.`}</p>`
    : html`
  <p class="lead">${say`This can't be undone. What they wrote about customers is kept, as written by a former member.`}</p>
  ${facts([
    { label: say`Notes that are kept, without their name`, value: String(counts['notes']) },
    { label: say`History entries, without their name`, value: String(counts['deeds']) },
    { label: say`Keys and apps that will be removed`, value: String(counts['keys']) },
    {
      label: say`Account`,
      value: member.is_elsewhere
        ? say`Kept for their other companies. Nothing here links to it anymore.`
        : say`Cleared: name, address and password.`,
    },
  ])}
  <form class="form" method="post" action="${here}/erase">
    ${field({ name: 'name', label: say`Type the member's name to confirm`, isRequired: true, help: member.name })}
    <p class="actions">${button({ label: say`Erase for good`, kind: 'danger' })}</p>
  </form>`,
)}`,
    refusal,
  )
}
