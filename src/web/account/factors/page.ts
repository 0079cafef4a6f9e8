import { membershipsOf, type Membership } from '../../../identity/people/memberships.ts'
import type { Session } from '../../../identity/sign_in/sessions.ts'
import { pageResponse, ownPath } from '../../../platform/http/answer.ts'
import { html, when } from '../../../platform/html/html.ts'
import { layout } from '../../../platform/html/layout.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { statusOf } from '../../faults.ts'
import { flashMessageHtml, takeFlashMessage } from '../../flash_message.ts'
import { requirePerson } from '../../sign_in/session.ts'
import type { Site } from '../../site.ts'
import { factorsPart } from './part.ts'
import { refusalNotice } from '../../refusal_notice.ts'

/** Shows a user's sign-in methods outside any company, also when a company requires a second factor. */
export async function showFactors(site: Site, request: PageRequest): Promise<Response> {
  const session = await requirePerson(site, request)
  const query = new URL(request.req.url).searchParams
  const to = ownPath(query.get('to'), '/factors')
  return factorsPage(site, request, session, { to, company: query.get('company') })
}

/** Renders that page, with the refusal of the last action on it. */
export async function factorsPage(
  site: Site,
  request: PageRequest,
  { user }: Session,
  { to, company, refusal }: { to: string; company?: string | null; refusal?: Refusal },
): Promise<Response> {
  const memberships = await membershipsOf(site.database, user.id)
  const requiringMembership = memberships.find((one) => one.company.id === company)
  const zone = (requiringMembership ?? memberships[0])?.company.timezone ?? 'UTC'
  return pageResponse(
    layout({
      title: say`Signing in`,
      person: user,
      scripts: ['passkey.js'],
      styles: ['factors.css'],
      body: html`
<header class="page-head"><h1>${say`Signing in`}</h1></header>${when(takeFlashMessage(request), flashMessageHtml)}${when(
        refusal,
        refusalNotice,
      )}${when(requiringMembership, companyRequirementNotice)}
<div class="parts factors">
${await factorsPart(site, { user: user.id, to, zone })}
</div>`,
    }),
    { status: refusal === undefined ? 200 : statusOf(refusal) },
  )
}

const companyRequirementNotice = ({ company }: Membership) =>
  notice({
    kind: 'warning',
    title: say`${company.name} requires a second factor`,
    body: say`Add a passkey or set up an authenticator app to continue. Your API keys and connected apps work as before.`,
  })
