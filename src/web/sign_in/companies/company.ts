import { saveTrial } from '../../../identity/providers/company/company_provider.ts'
import type { CompanyProviderClient } from '../../../identity/providers/company/company_provider_client.ts'
import { joinByCompany } from '../../../identity/providers/company/company_join.ts'
import { signInByCompany } from '../../../identity/providers/company/company_sign_in.ts'
import type { ProviderRedirect, ProvidedIdentity } from '../../../identity/providers/provider.ts'
import { keepRequest, takeRequest, type ProviderRequest } from '../../../identity/providers/requests.ts'
import { takeAttempt } from '../../../identity/sign_in/attempts.ts'
import { emitSignIn } from '../../../identity/sign_in/outcomes.ts'
import { answer, ownPath, redirect } from '../../../platform/http/answer.ts'
import { MAX_OPEN_BYTES, readFormFields } from '../../../platform/http/form.ts'
import { methodNotAllowed } from '../../../platform/html/message.ts'
import type { PageRequest, PageRouter } from '../../../platform/http/page_request.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal, Unavailable } from '../../../platform/errors/refusal.ts'
import { isId } from '../../../platform/validation/id.ts'
import { statusOf } from '../../faults.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { pageRoutes } from '../../page_routes.ts'
import type { Site } from '../../site.ts'
import { companySignInPage, type CompanyProblem } from './company_page.ts'
import { WHY, notSignedIn, silent, tookTooLong, tooMany } from './company_problems.ts'
import { sessionFor } from './company_session.ts'
import { departurePage } from '../provider.ts'
import { currentSession, originOf, requireMember, addSessionCookies } from '../session.ts'

/** Maximum departures to providers per address in 15 minutes, including the installation's provider. */
const MAX_DEPARTURES = 60

const HERE = '/:tenant{[0-9a-f-]{36}}/sign-in'

/** Returns the routes to a company's own provider and back (docs/spec/accounts.md#a-companys-own-provider). */
export const companySignInRoutes = (site: Site): PageRouter =>
  pageRoutes(site, { [HERE]: { get: show, post: leave }, [`${HERE}/callback`]: { get: handleCallback } })

type CompanySignIn = { tenant: string; provider: CompanyProviderClient }

/** Returns the company's provider. Answers 404 without one. */
async function requireCompanySignIn(site: Site, visit: PageRequest): Promise<CompanySignIn> {
  const tenant = visit.req.param('tenant') ?? ''
  const provider = isId(tenant) ? await site.companyProvider(tenant) : null
  if (provider === null) throw notFoundRefusal()
  return { tenant, provider }
}

async function show(site: Site, visit: PageRequest): Promise<Response> {
  const place = await requireCompanySignIn(site, visit)
  if (!place.provider.isOn) throw notFoundRefusal()
  const to = pathWithin(place.tenant, visit.req.query('to'))
  const isAgain = visit.req.query('again') !== undefined
  const session = await sessionFor(site, visit, place.tenant)
  if (!isAgain && session?.boundTo === place.tenant) return redirect(to)
  return answer(companySignInPage(place, { to, isAgain }))
}

/** Sends a browser to the provider. It takes a form of ours, so that no other site can sign it in as somebody. */
async function leave(site: Site, visit: PageRequest): Promise<Response> {
  const place = await requireCompanySignIn(site, visit)
  if (!place.provider.isOn) throw notFoundRefusal()
  const sent = await readFormFields(visit.req.raw, MAX_OPEN_BYTES)
  const invitation = sent.get('invitation')
  const path = invitation === null ? pathWithin(place.tenant, sent.get('to')) : joinPath(invitation)
  return leaveForProvider(site, visit, place, { path, user: null }, sent.has('again'))
}

/** Redirects to a company's provider to sign in, or, for the owner `user`, to test it. */
export async function leaveForProvider(
  site: Site,
  visit: PageRequest,
  place: CompanySignIn,
  who: Pick<ProviderRequest, 'path' | 'user'>,
  anew: boolean,
): Promise<Response> {
  const { tenant, provider } = place
  const subject = `provider ${site.senderOf(visit.env.incoming)}`
  const wait = await takeAttempt(site.database, [{ subject, most: MAX_DEPARTURES }])
  if (wait > 0 && who.user === null) emitSignIn({ outcome: 'limited', methods: ['company'] })
  if (wait > 0) return refusalPage(place, who.path, { ...tooMany(), status: 429 })
  const away = await prepareDeparture(provider, anew)
  if (away === null) return refusalPage(place, who.path, silent(provider))
  const { url, ...departure } = away
  const secret = await keepRequest(site.database, { ...departure, ...who, boundTo: tenant })
  return answer(departurePage(provider.name, url), {
    leavesSite: true,
    headers: { 'Set-Cookie': site.away.set(secret) },
  })
}

/** Returns null for any error caused by the provider's metadata, which isn't our fault. */
const prepareDeparture = (provider: CompanyProviderClient, anew: boolean): Promise<ProviderRedirect | null> =>
  provider.depart({ anew }).catch(() => null)

async function handleCallback(site: Site, visit: PageRequest): Promise<Response> {
  if (visit.req.raw.method === 'HEAD') return methodNotAllowed('GET')()
  const place = await requireCompanySignIn(site, visit)
  const { tenant, provider } = place
  const request = await takeRequest(site.database, site.away.read(visit.req.header('cookie')), tenant)
  if (request === null) return refusalPage(place, `/${tenant}`, tookTooLong())
  const identity = await readIdentity(provider, visit, request)
  if (identity === null && request.user === null) emitSignIn({ outcome: 'failed', methods: ['company'] })
  const response =
    identity === 'silent'
      ? refusalPage(place, request.path, silent(provider))
      : identity === null
        ? refusalPage(place, request.path, notSignedIn(provider))
        : request.user === null
          ? await completeSignIn(site, visit, place, request, identity)
          : await recordTrial(site, visit, place, request, identity)
  response.headers.append('Set-Cookie', site.away.clear())
  return response
}

async function readIdentity(
  provider: CompanyProviderClient,
  visit: PageRequest,
  request: ProviderRequest,
): Promise<ProvidedIdentity | 'silent' | null> {
  try {
    return await provider.arrive(new URL(visit.req.url).searchParams, request)
  } catch (error) {
    if (error instanceof Unavailable) return 'silent'
    throw error
  }
}

async function completeSignIn(
  site: Site,
  visit: PageRequest,
  place: CompanySignIn,
  { path }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const secret = invitationIn(path)
  if (secret !== null) return joinAndLink(site, visit, place, secret, identity)
  const own = await currentSession(site, visit)
  const done = await signInByCompany(site.database, place.tenant, identity, originOf(site, visit), own)
  if ('refused' in done) emitSignIn({ outcome: 'failed', methods: ['company'] })
  if ('refused' in done) return refusalPage(place, path, WHY[done.refused](identity.email ?? ''))
  return addSessionCookies(site, done, redirect(path))
}

/** Accepts the invitation that the person came from, while signed in. They keep their session. */
async function joinAndLink(
  site: Site,
  visit: PageRequest,
  place: CompanySignIn,
  secret: string,
  identity: ProvidedIdentity,
): Promise<Response> {
  const { tenant } = place
  const home = `/${tenant}`
  const session = await currentSession(site, visit)
  if (session === null) return refusalPage(place, home, tookTooLong())
  if (identity.email === null && identity.unconfirmed === null)
    return refusalPage(place, home, WHY.unverified(identity.address ?? ''))
  try {
    await joinByCompany(site.database, { tenant, secret }, session, identity, originOf(site, visit))
    return redirect(home)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const title = say`You haven't joined ${place.provider.company}`
    return refusalPage(place, home, { title, body: refusalForPeople(error), status: statusOf(error) })
  }
}

const joinPath = (secret: string): string => `/join?${new URLSearchParams({ invitation: secret }).toString()}`

/** Returns the secret of the invitation whose page the person left from. No other page leads here. */
function invitationIn(path: string): string | null {
  const [pathname, query] = path.split('?')
  return pathname === '/join' ? new URLSearchParams(query).get('invitation') : null
}

/** Records what the provider returned about an owner. It signs nobody in. */
async function recordTrial(
  site: Site,
  visit: PageRequest,
  { tenant, provider: { version } }: CompanySignIn,
  { user, path }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const visitor = await requireMember(site, visit)
  if (visitor.role !== 'owner' || visitor.user.id !== user) throw notFoundRefusal()
  await saveTrial(site.database, tenant, identity, { version, by: { user } })
  return redirect(path)
}

/** Returns a local path within the company or the OAuth consent page; the company's home page for any other. */
function pathWithin(tenant: string, text: string | null | undefined): string {
  const path = ownPath(text, `/${tenant}`)
  const isTheirs = [`/${tenant}`, `/field/${tenant}`].some(
    (start) => path === start || path.startsWith(`${start}/`) || path.startsWith(`${start}?`),
  )
  return isTheirs || path.startsWith('/oauth/consent?') ? path : `/${tenant}`
}

const refusalPage = (place: CompanySignIn, to: string, problem: CompanyProblem): Response =>
  answer(companySignInPage(place, { to, isAgain: false, problem }), { status: problem.status })
