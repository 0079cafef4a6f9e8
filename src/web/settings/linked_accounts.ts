import { identitiesOf, unlinkIdentity, type LinkedIdentity } from '../../identity/providers/identities.ts'
import { button } from '../../platform/html/parts/button.ts'
import { hidden } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { moment } from '../../records/format/formats.ts'
import { mailText } from '../../records/page/contact_links.ts'
import { requireOwnContext, type OwnContext } from '../member_context.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { requireForFactors } from '../sign_in/recent.ts'
import { originOf } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { catchRefusal, settingsPath } from './settings_page.ts'

/** Unlinks an account at a provider, unless it is the only way to sign in. */
export async function unlinkOwnIdentity(
  site: Site,
  request: PageRequest,
  onRefusal: (context: OwnContext, refusal: Refusal) => Promise<Response>,
): Promise<Response> {
  const context = await requireOwnContext(site, request)
  await requireForFactors(site, request, context.session)
  const sent = await readFormFields(request.req.raw)
  const identity = { issuer: sent.get('issuer') ?? '', subject: sent.get('subject') ?? '' }
  return catchRefusal(
    async () => {
      await unlinkIdentity(site.database, context.user.id, identity, originOf(site, request))
      return redirectWithMessage(settingsPath(context, 'sign-ins'), { sentence: say`The account is unlinked.` })
    },
    (refusal) => onRefusal(context, refusal),
  )
}

/** Draws the linked accounts at a provider; nothing without a provider. */
export async function identitiesPart(site: Site, context: OwnContext): Promise<Html | ''> {
  const { provider } = site
  if (provider === null) return ''
  const linked = await identitiesOf(site.database, context.user.id)
  const back = settingsPath(context, 'sign-ins')
  return html`
<h2>${say`Linked accounts`}</h2>
${table<LinkedIdentity>({
  caption: say`Linked accounts`,
  isCaptionHidden: true,
  rows: linked,
  empty: say`None. With one you sign in without your password.`,
  columns: [
    {
      label: say`Account`,
      cell: ({ email, issuer }) =>
        html`${email === null ? provider.name : mailText(email)}<span class="help">${new URL(issuer).hostname}</span>`,
    },
    { label: say`Last used`, cell: ({ used_at }) => moment(used_at, context.company.timezone) },
    {
      label: say`Unlink`,
      cell: ({ issuer, subject }) =>
        html`<form method="post" action="${settingsPath(context, 'linked')}">${hidden('issuer', issuer)}${hidden(
          'subject',
          subject,
        )}${button({ label: say`Unlink` })}</form>`,
    },
  ],
})}
<form method="post" action="/sign-in/provider">${hidden('to', back)}<p class="actions">${button({
    label: say`Link ${provider.name}`,
  })}</p>
</form>`
}
