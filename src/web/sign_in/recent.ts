import { factorsOf, hasSecondFactor, type OwnFactors } from '../../identity/factors/factors.ts'
import { isSecondFactorRequiredAnywhere } from '../../identity/factors/rule.ts'
import {
  isBound,
  isTwoFactor,
  type AnySession,
  type BoundSession,
  type Session,
} from '../../identity/sign_in/sessions.ts'
import { companySignIn, pageAnswer, redirection } from '../../platform/http/answer.ts'
import { confirmPage, type ConfirmForm } from '../../platform/html/confirm_page.ts'
import { MAX_KEPT_FORM_BYTES, parseFields, isForm, readFormBody } from '../../platform/http/form.ts'
import { factorMissingRefusal } from '../../identity/oauth/consent/sign_in_steps.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { HttpRefusal, type HttpAnswer } from '../../platform/errors/http_refusal.ts'
import type { Site } from '../site.ts'

/**
 * Requires that the person of a session was recognized within the last 15 minutes; else asks them again, and goes on
 * with what they typed (docs/spec/accounts.md#step-up). It comes before the form is read, or is given what was sent.
 */
export async function requireRecent(
  site: Site,
  visit: PageRequest,
  session: AnySession,
  sent?: URLSearchParams,
): Promise<void> {
  if (session.isRecent) return
  if (isBound(session)) throw new HttpRefusal(redirection(companySignIn(session.boundTo, pageOf(visit, session), true)))
  const own = await factorsOf(site.database.send, session.user.id)
  throw new HttpRefusal(
    await confirmFirst(visit, { person: session.user, isSecond: false, ways: confirmMethods(site, own) }, sent),
  )
}

/**
 * Requires two factors of a session, for a company that asks everybody for them: whoever has a second one shows it,
 * anybody else is led to set one up.
 */
export async function requireTwoFactors(
  site: Site,
  visit: PageRequest,
  session: AnySession,
  company: string,
): Promise<void> {
  if (isTwoFactor(session.methods)) return
  if (isBound(session)) throw factorMissingRefusal()
  const own = await factorsOf(site.database.send, session.user.id)
  const { pathname, search } = new URL(visit.req.url)
  const to = visit.req.method === 'POST' ? `/${company}` : pathname + search
  throw new HttpRefusal(
    hasSecondFactor(own)
      ? await confirmFirst(visit, { person: session.user, isSecond: true, ways: confirmMethods(site, own) })
      : redirection(setUpPath(company, to)),
  )
}

/**
 * Requires what a change of somebody's factors requires: that they were recognized a short while ago, and where a
 * second factor of theirs is asked for, by two. Else whoever knows the password alone would add one of their own.
 */
export async function requireForFactors(site: Site, visit: PageRequest, session: Session): Promise<void> {
  await requireRecent(site, visit, session)
  if (isTwoFactor(session.methods)) return
  const own = await factorsOf(site.database.send, session.user.id)
  if (own.hasTotp || (own.passkeys > 0 && (await isSecondFactorRequiredAnywhere(site.database, session.user.id))))
    throw new HttpRefusal(
      await confirmFirst(visit, { person: session.user, isSecond: true, ways: confirmMethods(site, own) }),
    )
}

/** Returns the page to come back to: that of a form is the settings, or the company. */
function pageOf({ req }: PageRequest, { boundTo }: BoundSession): string {
  const { pathname, search } = new URL(req.url)
  if (req.method !== 'POST') return pathname + search
  return pathname.startsWith(`/${boundTo}/settings/`) ? `/${boundTo}/settings` : `/${boundTo}`
}

/** Returns where somebody sets up a second factor for a company, to go on to one of our own pages. */
const setUpPath = (company: string, to: string): string => `/factors?${new URLSearchParams({ company, to }).toString()}`

/** Returns by what somebody can be recognized here. */
export const confirmMethods = ({ relyingParty }: Pick<Site, 'relyingParty'>, own: OwnFactors): ConfirmForm['ways'] => ({
  password: own.hasPassword,
  passkey: relyingParty !== null && own.passkeys > 0,
  code: own.hasTotp,
})

async function confirmFirst(
  { req: { raw, url } }: PageRequest,
  form: Pick<ConfirmForm, 'person' | 'isSecond' | 'ways'>,
  sent?: URLSearchParams,
): Promise<HttpAnswer> {
  const { pathname, search } = new URL(url)
  if (!isForm(raw)) {
    const to = raw.method === 'POST' ? '/' : pathname + search
    return redirection(`/confirm?${new URLSearchParams({ to, ...(form.isSecond && { second: 'yes' }) }).toString()}`)
  }
  const written = sent === undefined ? await readFormBody(raw, MAX_KEPT_FORM_BYTES) : Buffer.from(sent.toString())
  parseFields(written)
  return pageAnswer(confirmPage({ ...form, to: pathname + search, typed: written.toString('base64url') }), {
    status: 401,
  })
}
