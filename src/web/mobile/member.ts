import { missingSignIn } from '../../identity/providers/company/company_rule.ts'
import { findSignedInMember } from '../../identity/people/recovery/signed_in_member.ts'
import { isTwoFactor } from '../../identity/sign_in/sessions.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { HttpRefusal, jsonAnswer } from '../../platform/errors/http_refusal.ts'
import { say } from '../../platform/i18n/say.ts'
import { memberContextOf, type MemberContext } from '../member_context.ts'
import { sessionFor } from '../sign_in/companies/company_session.ts'
import type { Site } from '../site.ts'

/**
 * Returns the context of the signed-in user in the company of the path. A phone that sends events gets the reason for a
 * refusal instead of a redirect, and asks its user to sign in later (docs/spec/field.md#signed-out).
 */
export async function requireFieldMember(site: Site, request: PageRequest): Promise<MemberContext> {
  const tenant = request.req.param('tenant') ?? ''
  const session = await sessionFor(site, request, tenant)
  if (session === null) throw fieldRefusal(401, 'signed_out', say`You are signed out. Sign in again.`)
  const member = await findSignedInMember(site.database, tenant, session.user.id)
  if (member === null) throw fieldRefusal(403, 'not_a_member', say`You are no longer a member of this company.`)
  const missing = await missingSignIn(site.database, session, member)
  if (missing === 'session') throw fieldRefusal(401, 'signed_out', say`You are signed out. Sign in again.`)
  if (missing === 'provider')
    throw fieldRefusal(401, 'provider', say`Your company requires you to sign in with its provider.`)
  if ((member.requiresSecondFactor || missing === 'factors') && !isTwoFactor(session.methods))
    throw fieldRefusal(401, 'second_factor', say`Your company requires a second sign-in step.`)
  return memberContextOf(site, request, { ...session, ...member })
}

type RefusalExtras = { body?: object; headers?: Readonly<Record<string, string>> }

/** Returns a refusal of a phone's request; the phone may show its sentence. */
export const fieldRefusal = (
  status: number,
  error: string,
  sentence: string,
  extras: RefusalExtras = {},
): HttpRefusal =>
  new HttpRefusal(
    jsonAnswer(
      status,
      { error, error_description: sentence, ...extras.body },
      { ...NO_STORE_HEADERS, ...extras.headers },
    ),
  )

/** Returns a refusal of a request that no phone of this version sends. */
export const unreadableRefusal = (status: number, error: string, extras?: RefusalExtras): HttpRefusal =>
  fieldRefusal(status, error, say`This couldn’t be sent. Reload the page and try again.`, extras)

/** Headers of responses that must not be cached. */
export const NO_STORE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
