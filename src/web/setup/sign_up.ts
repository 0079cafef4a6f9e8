import { findCompanyLink, requestCompanyLink } from '../../identity/companies/starting/company_links.ts'
import {
  startCompanyAs,
  startCompanyByLink,
  type CompanyStart,
  type StartedCompany,
} from '../../identity/companies/starting/start_company.ts'
import { MAX_PASSKEY_CHARS } from '../../identity/factors/passkeys/passkey_answers.ts'
import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { signInPerson } from '../../identity/sign_in/complete_sign_in.ts'
import type { Session } from '../../identity/sign_in/sessions.ts'
import { pageResponse, redirect } from '../../platform/http/answer.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { messageResponse } from '../../platform/html/message.ts'
import { html } from '../../platform/html/html.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { redirectAfterClaim } from '../account/ended_access.ts'
import { expiredLinkPage, linkSecret, openMailedLink } from '../account/mailed_link.ts'
import { statusOf } from '../faults.ts'
import { readNewSignIn } from '../sign_in/passkeys.ts'
import { requireRecent } from '../sign_in/recent.ts'
import { addSessionCookies, currentSession, originOf } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { ownZones } from '../settings/company/regions.ts'
import { mayStart } from './may_start.ts'
import { requestLinkPage, startPage, type StartForm } from './sign_up_pages.ts'

/** Maximum links requested per network address in 15 minutes. */
const MAX_LINK_REQUESTS = 5

/** Maximum companies one person may try to start in 15 minutes. */
const MAX_STARTS = 5

/** Shows how to start a company: by email address, by the link mailed to it, or as a signed-in user. */
export async function showStart(site: Site, request: PageRequest): Promise<Response> {
  if (!mayStart(site)) return redirect('/docs/company')
  const secret = linkSecret(request)
  const session = await currentSession(site, request)
  const regionChoice = request.req.query('zones') === 'all' ? 'zones' : 'countries'
  if (secret !== '') {
    const link = await openMailedLink(site, request, () => findCompanyLink(site.database, secret))
    return link === null
      ? expiredLinkPage()
      : pageResponse(
          startPage({ email: link.address, link: secret, hasPasskeys: site.relyingParty !== null, regionChoice }),
        )
  }
  return pageResponse(session === null ? requestLinkPage() : startPage({ ...emailOf(session), regionChoice }))
}

/** Mails a link, or starts the company. */
export async function saveStart(site: Site, request: PageRequest): Promise<Response> {
  if (!mayStart(site)) return redirect('/docs/company')
  const session = await currentSession(site, request)
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES + 2 * MAX_PASSKEY_CHARS)
  if (sent.has('link')) return startByLink(site, request, sent)
  return session === null ? mailLink(site, request, sent) : startAsUser(site, request, session, sent)
}

async function mailLink(site: Site, request: PageRequest, sent: URLSearchParams): Promise<Response> {
  const { database, clientAddressOf, mailing, newCompaniesPerDay } = site
  const email = sent.get('email') ?? ''
  const wait = await takeAttempt(database, [
    { subject: `company link ${clientAddressOf(request.env.incoming)}`, max: MAX_LINK_REQUESTS },
  ])
  if (wait > 0) return tooManyAttemptsPage(wait)
  try {
    await requestCompanyLink(database, email, newCompaniesPerDay)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return pageResponse(requestLinkPage({ email, refusal: error }), { status: statusOf(error) })
  }
  return messageResponse({
    title: say`Check your email`,
    body: html`<p>${say`A link to start your company is on its way. It works once, for 24 hours.`}</p>
    <p>${
      mailing === 'kept'
        ? say`This service doesn’t send mail yet. Its administrator can find yours with callout mail list.`
        : say`Didn't get it? Check your spam folder.`
    }</p>`,
    next: { label: say`Home`, href: '/' },
  })
}

async function startByLink(site: Site, request: PageRequest, sent: URLSearchParams): Promise<Response> {
  const secret = sent.get('link') ?? ''
  const link = await openMailedLink(site, request, () => findCompanyLink(site.database, secret))
  if (link === null) return expiredLinkPage()
  const form = { email: link.address, link: secret, typed: sent, hasPasskeys: site.relyingParty !== null }
  return startAndSignIn(site, request, form, async (company) =>
    startCompanyByLink(
      site.database,
      { secret, person: await readNewSignIn(site, request, sent), company, perDay: site.newCompaniesPerDay },
      originOf(site, request),
    ),
  )
}

async function startAsUser(
  site: Site,
  request: PageRequest,
  session: Session,
  sent: URLSearchParams,
): Promise<Response> {
  await requireRecent(site, request, session, sent)
  const user = session.user.id
  const wait = await takeAttempt(site.database, [{ subject: `company start ${user}`, max: MAX_STARTS }])
  if (wait > 0) return tooManyAttemptsPage(wait)
  return startAndSignIn(site, request, { ...emailOf(session), typed: sent }, (company) =>
    startCompanyAs(site.database, { user, company, perDay: site.newCompaniesPerDay }),
  )
}

/** Starts the company and redirects to its setup, or shows the form again with the error. */
async function startAndSignIn(
  site: Site,
  request: PageRequest,
  form: StartForm & { typed: URLSearchParams },
  start: (company: CompanyStart) => Promise<StartedCompany>,
): Promise<Response> {
  const company = readCompany(form.typed)
  if (isZoneElsewhere(company, form.typed)) return pageResponse(startPage(form), { status: 422 })
  try {
    const { tenant, isClaimed, ...person } = await start(company)
    const setupRedirect = redirect(`/${tenant}/setup`)
    if (form.link === undefined) return setupRedirect
    const signInResult = await signInPerson(
      site.database,
      person,
      form.typed.has('passkey') ? ['link', 'passkey'] : ['link'],
      originOf(site, request),
    )
    if (signInResult === null) return redirect(`/sign-in?to=/${tenant}/setup`)
    return addSessionCookies(site, signInResult, isClaimed ? redirectAfterClaim(`/${tenant}/setup`) : setupRedirect)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return expiredLinkPage()
    return pageResponse(startPage({ ...form, refusal: error }), { status: statusOf(error) })
  }
}

/** Reads the company fields of a form. */
export const readCompany = (sent: URLSearchParams): CompanyStart => ({
  name: sent.get('company') ?? '',
  timezone: sent.get('timezone') ?? '',
  country: sent.get('country') ?? '',
})

/** Checks whether the time zone was chosen from another country's list, before this country's list was shown. */
export function isZoneElsewhere({ country, timezone }: CompanyStart, sent: URLSearchParams): boolean {
  const zones = ownZones(country)
  return zones.length > 0 && !zones.includes(timezone) && sent.get('zones_of') !== country
}

const emailOf = ({ user }: Session): { email: string } => ({ email: user.email })

const tooManyAttemptsPage = (wait: number): Response =>
  messageResponse({
    title: say`Too many attempts`,
    status: 429,
    body: sayCount(
      Math.max(1, Math.ceil(wait / 60)),
      'Wait a minute, then try again.',
      'Wait {0} minutes, then try again.',
    ),
    next: { label: say`Home`, href: '/' },
  })
