import { isBound } from '../../identity/sign_in/sessions.ts'
import { membershipsOf } from '../../identity/people/memberships.ts'
import { pageResponse, redirect } from '../../platform/http/answer.ts'
import { html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { currentAnySession, requirePerson } from '../sign_in/session.ts'
import type { Site } from '../site.ts'

/** Redirects to the visits of the user's only company, or lets them choose one. */
export async function startField(site: Site, request: PageRequest): Promise<Response> {
  const tenant = request.req.param('tenant')
  if (tenant !== undefined) return redirect(`/field/${tenant}/`)
  const session = await currentAnySession(site, request)
  if (session !== null && isBound(session)) return redirect(`/field/${session.boundTo}/`)
  const { user } = await requirePerson(site, request)
  const memberships = await membershipsOf(site.database, user.id)
  const [only, another] = memberships
  if (only === undefined) return redirect('/')
  if (another === undefined) return redirect(`/field/${only.company.id}/`)
  return pageResponse(
    layout({
      title: say`My visits`,
      isNarrow: true,
      person: user,
      body: html`
<section class="ticket">
  <h1>${say`Choose a company`}</h1>
  <ul class="companies">${memberships.map(
    ({ company }) => html`
    <li><a href="/field/${company.id}/"><span><b>${company.name}</b></span></a></li>`,
  )}
  </ul>
</section>`,
    }),
  )
}
