import { companyAccountsOf, unlinkCompanyAccount } from '../../../identity/providers/company/company_accounts.ts'
import type { LinkedIdentity } from '../../../identity/providers/identities.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { day } from '../../../records/format/formats.ts'
import { mailText } from '../../../records/page/contact_links.ts'
import { isOwnContext, requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { requireRecent } from '../../sign_in/recent.ts'
import type { Site } from '../../site.ts'

/**
 * Draws a member's linked accounts at the company's provider, each with a button to unlink it; nothing if there are
 * none.
 */
export async function companyAccountsPart(site: Site, context: MemberContext, user: string): Promise<Html | ''> {
  const linked = await companyAccountsOf(site.database, context.company.id, user)
  if (linked.length === 0) return ''
  const zone = context.company.timezone
  const dayOf = (at: string): string => day(Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate().toString())
  return html`
<section class="part">
<h2>${say`Accounts at the company's provider`}</h2>
${table<LinkedIdentity>({
  caption: say`Accounts at the company's provider`,
  isCaptionHidden: true,
  rows: linked,
  empty: '',
  columns: [
    {
      label: say`Account`,
      cell: ({ email, subject }) =>
        html`${email === null ? subject : mailText(email)}<span class="help">${subject.slice(0, 60)}</span>`,
    },
    { label: say`First used`, cell: ({ created_at }) => dayOf(created_at) },
    { label: say`Last used`, cell: ({ used_at }) => dayOf(used_at) },
    {
      label: say`Unlink`,
      cell: ({ issuer, subject }) =>
        html`<form method="post" action="${context.path('settings', 'members', user, 'unlink')}">${hidden(
          'issuer',
          issuer,
        )}${hidden('subject', subject)}${button({ label: say`Unlink` })}</form>`,
    },
  ],
})}
<p class="help">${say`Each one signs in here as this member. Unlink an account that belongs to somebody else by now.`}</p>
</section>`
}

/**
 * Unlinks an account from a member. Owners may do it for everybody, other members for themselves if they signed in with
 * their own account.
 */
export async function unlinkAccount(site: Site, request: PageRequest): Promise<Response> {
  const user = request.req.param('id') ?? ''
  const context = await requireMemberContext(site, request)
  const isSelf = user === context.user.id
  if (isSelf ? !isOwnContext(context) : context.caller.role !== 'owner') throw notFoundRefusal()
  await requireRecent(site, request, context.session)
  const sent = await readFormFields(request.req.raw)
  const identity = { issuer: sent.get('issuer') ?? '', subject: sent.get('subject') ?? '' }
  await unlinkCompanyAccount(site.database, context.company.id, user, identity, { user: context.user.id })
  const back = isSelf ? ['sign-ins'] : ['members', user]
  return redirectWithMessage(context.path('settings', ...back), { sentence: say`The account is unlinked.` })
}
