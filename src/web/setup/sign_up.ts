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
import { answer, redirect } from '../../platform/http/answer.ts'
import { MAX_OPEN_BYTES, readFormFields } from '../../platform/http/form.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { message } from '../../platform/html/message.ts'
import { html } from '../../platform/html/html.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { redirectClaimed } from '../account/ended_access.ts'
import { expiredLinkPage, linkSecret, openMailedLink } from '../account/mailed_link.ts'
import { statusOf } from '../faults.ts'
import { readNewSignIn } from '../sign_in/passkeys.ts'
import { requireRecent } from '../sign_in/recent.ts'
import { addSessionCookies, currentSession, originOf } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { ownZones } from '../settings/company/regions.ts'
import { mayStart } from './may_start.ts'
import { askPage, startPage, type StartForm } from './sign_up_pages.ts'

/** Maximum links requested per network address in 15 minutes. */
const MAX_ASKED = 5

/** Maximum companies one person may try to start in 15 minutes. */
const MAX_STARTED = 5

/** Shows how to start a company: by email address, by the link mailed to it, or as a signed-in user. */
export async function showStart(site: Site, visit: PageRequest): Promise<Response> {
  if (!mayStart(site)) return redirect('/docs/company')
  const secret = linkSecret(visit)
  const session = await currentSession(site, visit)
  const reach = visit.req.query('zones') === 'all' ? 'zones' : 'countries'
  if (secret !== '') {
    const link = await openMailedLink(site, visit, () => findCompanyLink(site.database, secret))
    return link === null
      ? expiredLinkPage()
      : answer(startPage({ email: link.address, link: secret, hasPasskeys: site.relyingParty !== null, reach }))
  }
  return answer(session === null ? askPage() : startPage({ ...emailOf(session), reach }))
}

/** Mails a link, or starts the company. */
export async function saveStart(site: Site, visit: PageRequest): Promise<Response> {
  if (!mayStart(site)) return redirect('/docs/company')
  const session = await currentSession(site, visit)
  const sent = await readFormFields(visit.req.raw, MAX_OPEN_BYTES + 2 * MAX_PASSKEY_CHARS)
  if (sent.has('link')) return startByLink(site, visit, sent)
  return session === null ? mailLink(site, visit, sent) : startAs(site, visit, session, sent)
}

async function mailLink(site: Site, visit: PageRequest, sent: URLSearchParams): Promise<Response> {
  const { database, senderOf, mailing, newCompaniesPerDay } = site
  const email = sent.get('email') ?? ''
  const wait = await takeAttempt(database, [
    { subject: `company link ${senderOf(visit.env.incoming)}`, most: MAX_ASKED },
  ])
  if (wait > 0) return tooMany(wait)
  try {
    await requestCompanyLink(database, email, newCompaniesPerDay)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return answer(askPage({ email, refusal: error }), { status: statusOf(error) })
  }
  return message({
    title: say`Check your e-mail`,
    body: html`<p>${say`A link to start your company is on its way. It works once, for 24 hours.`}</p>
    <p>${
      mailing === 'kept'
        ? say`This service sends no mail yet. Whoever runs it finds yours with callout mail list.`
        : say`Didn't get it? Check your spam folder.`
    }</p>`,
    next: { label: say`Home`, href: '/' },
  })
}

async function startByLink(site: Site, visit: PageRequest, sent: URLSearchParams): Promise<Response> {
  const secret = sent.get('link') ?? ''
  const link = await openMailedLink(site, visit, () => findCompanyLink(site.database, secret))
  if (link === null) return expiredLinkPage()
  const form = { email: link.address, link: secret, typed: sent, hasPasskeys: site.relyingParty !== null }
  return begin(site, visit, form, async (company) =>
    startCompanyByLink(
      site.database,
      { secret, person: await readNewSignIn(site, visit, sent), company, perDay: site.newCompaniesPerDay },
      originOf(site, visit),
    ),
  )
}

async function startAs(site: Site, visit: PageRequest, session: Session, sent: URLSearchParams): Promise<Response> {
  await requireRecent(site, visit, session, sent)
  const user = session.user.id
  const wait = await takeAttempt(site.database, [{ subject: `company start ${user}`, most: MAX_STARTED }])
  if (wait > 0) return tooMany(wait)
  return begin(site, visit, { ...emailOf(session), typed: sent }, (company) =>
    startCompanyAs(site.database, { user, company, perDay: site.newCompaniesPerDay }),
  )
}

/** Starts the company and redirects to its setup, or shows the form again with the error. */
async function begin(
  site: Site,
  visit: PageRequest,
  form: StartForm & { typed: URLSearchParams },
  start: (company: CompanyStart) => Promise<StartedCompany>,
): Promise<Response> {
  const company = readCompany(form.typed)
  if (isZoneElsewhere(company, form.typed)) return answer(startPage(form), { status: 422 })
  try {
    const { tenant, isClaimed, ...person } = await start(company)
    const there = redirect(`/${tenant}/setup`)
    if (form.link === undefined) return there
    const entered = await signInPerson(
      site.database,
      person,
      form.typed.has('passkey') ? ['link', 'passkey'] : ['link'],
      originOf(site, visit),
    )
    if (entered === null) return redirect(`/sign-in?to=/${tenant}/setup`)
    return addSessionCookies(site, entered, isClaimed ? redirectClaimed(`/${tenant}/setup`) : there)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return expiredLinkPage()
    return answer(startPage({ ...form, refusal: error }), { status: statusOf(error) })
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

const tooMany = (wait: number): Response =>
  message({
    title: say`Too many attempts`,
    status: 429,
    body: sayCount(
      Math.max(1, Math.ceil(wait / 60)),
      'Wait a minute, then try again.',
      'Wait {0} minutes, then try again.',
    ),
    next: { label: say`Home`, href: '/' },
  })
