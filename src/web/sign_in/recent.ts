import { factorsOf, hasSecondFactor, type OwnFactors } from '../../identity/factors/factors.ts'
import { isSecondFactorRequiredAnywhere } from '../../identity/factors/rule.ts'
import {
  isBound,
  isTwoFactor,
  type AnySession,
  type BoundSession,
  type Session,
} from '../../identity/sign_in/sessions.ts'
import { companySignInPath, pageAnswer, redirectAnswer } from '../../platform/http/answer.ts'
import { confirmPage, type ConfirmForm } from '../../platform/html/confirm_page.ts'
import { MAX_SAVED_FORM_BYTES, parseFields, isForm, readFormBody } from '../../platform/http/form.ts'
import { factorMissingRefusal } from '../../identity/oauth/consent/sign_in_steps.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { HttpRefusal, type HttpAnswer } from '../../platform/errors/http_refusal.ts'
import type { Site } from '../site.ts'

/**
 * Requires that the session's person authenticated within the last 15 minutes. Otherwise asks them to, and continues
 * with the form they sent (docs/spec/accounts.md#step-up). Call it before the form is read, or pass the form.
 */
export async function requireRecent(
  site: Site,
  request: PageRequest,
  session: AnySession,
  sent?: URLSearchParams,
): Promise<void> {
  if (session.isRecent) return
  if (isBound(session))
    throw new HttpRefusal(redirectAnswer(companySignInPath(session.boundTo, returnPath(request, session), true)))
  const own = await factorsOf(site.database.send, session.user.id)
  throw new HttpRefusal(
    await confirmationAnswer(
      request,
      { person: session.user, isSecond: false, methods: confirmMethods(site, own) },
      sent,
    ),
  )
}

/**
 * Requires a two-factor session, for a company with that rule. People with a second factor are asked for it; others are
 * sent to set one up.
 */
export async function requireTwoFactors(
  site: Site,
  request: PageRequest,
  session: AnySession,
  company: string,
): Promise<void> {
  if (isTwoFactor(session.methods)) return
  if (isBound(session)) throw factorMissingRefusal()
  const own = await factorsOf(site.database.send, session.user.id)
  const { pathname, search } = new URL(request.req.url)
  const to = request.req.method === 'POST' ? `/${company}` : pathname + search
  throw new HttpRefusal(
    hasSecondFactor(own)
      ? await confirmationAnswer(request, { person: session.user, isSecond: true, methods: confirmMethods(site, own) })
      : redirectAnswer(setUpPath(company, to)),
  )
}

/**
 * Requires what a change of sign-in factors needs: recent authentication, with two factors if the person has a second
 * one that is required. Otherwise knowing the password would be enough to add a factor.
 */
export async function requireForFactors(site: Site, request: PageRequest, session: Session): Promise<void> {
  await requireRecent(site, request, session)
  if (isTwoFactor(session.methods)) return
  const own = await factorsOf(site.database.send, session.user.id)
  if (own.hasTotp || (own.passkeys > 0 && (await isSecondFactorRequiredAnywhere(site.database, session.user.id))))
    throw new HttpRefusal(
      await confirmationAnswer(request, { person: session.user, isSecond: true, methods: confirmMethods(site, own) }),
    )
}

/** Returns the page to come back to. For a form, it is the settings or the company's home page. */
function returnPath({ req }: PageRequest, { boundTo }: BoundSession): string {
  const { pathname, search } = new URL(req.url)
  if (req.method !== 'POST') return pathname + search
  return pathname.startsWith(`/${boundTo}/settings/`) ? `/${boundTo}/settings` : `/${boundTo}`
}

/** Returns the page that sets up a second factor for a company and then continues to a local path. */
const setUpPath = (company: string, to: string): string => `/factors?${new URLSearchParams({ company, to }).toString()}`

/** Returns the methods by which a person can confirm who they are. */
export const confirmMethods = (
  { relyingParty }: Pick<Site, 'relyingParty'>,
  own: OwnFactors,
): ConfirmForm['methods'] => ({
  password: own.hasPassword,
  passkey: relyingParty !== null && own.passkeys > 0,
  code: own.hasTotp,
})

async function confirmationAnswer(
  { req: { raw, url } }: PageRequest,
  form: Pick<ConfirmForm, 'person' | 'isSecond' | 'methods'>,
  sent?: URLSearchParams,
): Promise<HttpAnswer> {
  const { pathname, search } = new URL(url)
  if (!isForm(raw)) {
    const to = raw.method === 'POST' ? '/' : pathname + search
    return redirectAnswer(`/confirm?${new URLSearchParams({ to, ...(form.isSecond && { second: 'yes' }) }).toString()}`)
  }
  const formBody = sent === undefined ? await readFormBody(raw, MAX_SAVED_FORM_BYTES) : Buffer.from(sent.toString())
  parseFields(formBody)
  return pageAnswer(confirmPage({ ...form, to: pathname + search, typed: formBody.toString('base64url') }), {
    status: 401,
  })
}
