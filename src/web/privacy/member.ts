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
export async function showMemberData(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireOwner(site, visit)
  return page(context, idIn(visit))
}

/** Sends an owner the data of a member. */
export async function sendMemberData(site: Site, visit: PageRequest, handOver: SendArchive): Promise<Response> {
  const context = await requireRecentOwner(site, visit)
  return handOver(context, ofMember(idIn(visit), true))
}

/** Sends a user their own data. */
export async function sendOwnData(site: Site, visit: PageRequest, handOver: SendArchive): Promise<Response> {
  const context = await requireOwnContext(site, visit)
  await requireRecent(site, visit, context.visitor)
  return handOver(context, ofMember(context.user.id, false))
}

const ofMember = (user: string, isOwners: boolean) => ({
  kind: 'member' as const,
  subject: user,
  isOwners,
  scope: async (db: Db) => {
    await findDepartedMember(db, user)
    return { of: 'member' as const, user }
  },
})

/** Erases a member, whose name must be typed to confirm. */
export async function eraseTheMember(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, visit)
  const [id, form] = [idIn(visit), await readFormFields(visit.req.raw)]
  return catchRefusal(
    async () => {
      await context.as((caller) =>
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

function idIn(visit: PageRequest): string {
  const id = visit.req.param('id') ?? ''
  if (!isId(id)) throw notFoundRefusal()
  return id
}

async function page(context: MemberContext, id: string, refusal?: Refusal): Promise<Response> {
  const [leaver, counts] = await context.read((db) =>
    Promise.all([findDepartedMember(db, id), countMemberRecords(db, id)]),
  )
  const here = context.path('settings', 'members', id, 'data')
  return settingsPage(
    context,
    'members',
    leaver.name,
    html`
${part(
  say`Data about ${leaver.name}`,
  html`
  <p class="help">
    ${say`Their profile, membership, sessions, keys, hours, assignments, notes and what they did here, in one ZIP file.`}
  </p>
  <form method="post" action="${here}">
    <p class="actions">
      ${button({ label: say`Download` })}
      ${linkButton(say`Back to the members`, settingsPath(context, 'members'), 'quiet')}
    </p>
  </form>`,
)}
${part(
  say`Erase this person`,
  leaver.deactivated_at === null
    ? html`<p class="help">${say`Someone who still belongs to the company can't be erased. Remove them first.`}</p>`
    : html`
  <p class="lead">${say`This can't be undone. What they wrote about customers is kept, as written by a former member.`}</p>
  ${facts([
    { label: say`Notes that are kept, without their name`, value: String(counts['notes']) },
    { label: say`History entries, without their name`, value: String(counts['deeds']) },
    { label: say`Keys and apps that will be removed`, value: String(counts['keys']) },
    {
      label: say`Account`,
      value: leaver.is_elsewhere
        ? say`Kept for their other companies. Nothing here links to it any more.`
        : say`Cleared: name, address and password.`,
    },
  ])}
  <form class="form" method="post" action="${here}/erase">
    ${field({ name: 'name', label: say`Type the member's name to confirm`, isRequired: true, help: leaver.name })}
    <p class="actions">${button({ label: say`Erase for good`, kind: 'danger' })}</p>
  </form>`,
)}`,
    refusal,
  )
}
