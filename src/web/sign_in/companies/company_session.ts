import { findAnySession, isBound, type AnySession } from '../../../identity/sign_in/sessions.ts'
import { companySignInPath, redirectAnswer, signInAnswer } from '../../../platform/http/answer.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { HttpRefusal } from '../../../platform/errors/http_refusal.ts'
import { isId } from '../../../platform/validation/id.ts'
import type { Site } from '../../site.ts'
import { signInAgain } from '../sign_in_again.ts'
import { signInMethods } from '../sign_in_page.ts'

/** Returns the session for a company: one for all of the person's companies, or one for this company only. */
export async function sessionFor(site: Site, request: PageRequest, tenant: string): Promise<AnySession | null> {
  const session = await findAnySession(site.database, site.cookie.read(request.req.header('cookie')))
  return session !== null && isBound(session) && session.boundTo !== tenant ? null : session
}

/** Redirects to the company's provider, and back to this page. */
export const providerRedirect = (request: PageRequest, tenant: string): HttpRefusal =>
  new HttpRefusal(redirectAnswer(companySignInPath(tenant, returnPath(request, tenant))))

/**
 * Redirects to the sign-in for a company's people, and back here with the form they sent. The form is lost if the
 * provider is required.
 */
export async function signInRedirect(site: Site, request: PageRequest, tenant: string): Promise<HttpRefusal> {
  const provider = isId(tenant) ? await site.companyProvider(tenant) : null
  const { pathname, search } = new URL(request.req.url)
  if (provider?.isOn === true && (provider.isRequired || request.req.method !== 'POST'))
    return providerRedirect(request, tenant)
  return new HttpRefusal(
    request.req.method === 'POST'
      ? await signInAgain(request, pathname, signInMethods(site))
      : signInAnswer(pathname + search),
  )
}

function returnPath({ req }: PageRequest, tenant: string): string {
  const { pathname, search } = new URL(req.url)
  return req.method === 'POST' ? `/${tenant}` : pathname + search
}
