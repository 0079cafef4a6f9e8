import { saveTrial } from '../../../identity/providers/company/company_provider.ts'
import type { CompanyProviderClient } from '../../../identity/providers/company/company_provider_client.ts'
import { joinByCompany } from '../../../identity/providers/company/company_join.ts'
import { signInByCompany } from '../../../identity/providers/company/company_sign_in.ts'
import type { ProviderRedirect, ProvidedIdentity } from '../../../identity/providers/provider.ts'
import { saveRequest, spendRequest, type ProviderRequest } from '../../../identity/providers/requests.ts'
import { takeAttempt } from '../../../identity/sign_in/attempts.ts'
import { emitSignIn } from '../../../identity/sign_in/outcomes.ts'
import { pageResponse, ownPath, redirect } from '../../../platform/http/answer.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../../platform/http/form.ts'
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
import {
  REFUSAL_PROBLEMS,
  notSignedInProblem,
  unavailableProblem,
  timeoutProblem,
  tooManyAttempts,
} from './company_problems.ts'
import { sessionFor } from './company_session.ts'
import { providerRedirectPage } from '../provider.ts'
import { currentSession, originOf, requireMember, addSessionCookies } from '../session.ts'

/** Maximum departures to providers per address in 15 minutes, including the installation's provider. */
const MAX_AUTHORIZATIONS = 60

const BASE_PATH = '/:tenant{[0-9a-f-]{36}}/sign-in'

/** Returns the routes to a company's own provider and back (docs/spec/accounts.md#a-companys-own-provider). */
export const companySignInRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [BASE_PATH]: { get: show, post: startSignIn },
    [`${BASE_PATH}/callback`]: { get: handleCallback },
  })

type CompanySignIn = { tenant: string; provider: CompanyProviderClient }

/** Returns the company's provider. Answers 404 without one. */
async function requireCompanySignIn(site: Site, request: PageRequest): Promise<CompanySignIn> {
  const tenant = request.req.param('tenant') ?? ''
  const provider = isId(tenant) ? await site.companyProvider(tenant) : null
  if (provider === null) throw notFoundRefusal()
  return { tenant, provider }
}

async function show(site: Site, request: PageRequest): Promise<Response> {
  const signIn = await requireCompanySignIn(site, request)
  if (!signIn.provider.isOn) throw notFoundRefusal()
  const to = pathWithin(signIn.tenant, request.req.query('to'))
  const isAgain = request.req.query('again') !== undefined
  const session = await sessionFor(site, request, signIn.tenant)
  if (!isAgain && session?.boundTo === signIn.tenant) return redirect(to)
  return pageResponse(companySignInPage(signIn, { to, isAgain }))
}

/** Sends a browser to the provider. It takes a form of ours, so that no other site can sign it in as somebody. */
async function startSignIn(site: Site, request: PageRequest): Promise<Response> {
  const signIn = await requireCompanySignIn(site, request)
  if (!signIn.provider.isOn) throw notFoundRefusal()
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  const invitation = sent.get('invitation')
  const path = invitation === null ? pathWithin(signIn.tenant, sent.get('to')) : joinPath(invitation)
  return startProviderAuthorization(site, request, signIn, { path, user: null }, sent.has('again'))
}

/** Redirects to a company's provider to sign in, or, for the owner `user`, to test it. */
export async function startProviderAuthorization(
  site: Site,
  request: PageRequest,
  signIn: CompanySignIn,
  target: Pick<ProviderRequest, 'path' | 'user'>,
  anew: boolean,
): Promise<Response> {
  const { tenant, provider } = signIn
  const subject = `provider ${site.clientAddressOf(request.env.incoming)}`
  const wait = await takeAttempt(site.database, [{ subject, max: MAX_AUTHORIZATIONS }])
  if (wait > 0 && target.user === null) emitSignIn({ outcome: 'limited', methods: ['company'] })
  if (wait > 0) return refusalPage(signIn, target.path, { ...tooManyAttempts(), status: 429 })
  const providerRedirect = await tryAuthorization(provider, anew)
  if (providerRedirect === null) return refusalPage(signIn, target.path, unavailableProblem(provider))
  const { url, ...requestState } = providerRedirect
  const secret = await saveRequest(site.database, { ...requestState, ...target, boundTo: tenant })
  return pageResponse(providerRedirectPage(provider.name, url), {
    leavesSite: true,
    headers: { 'Set-Cookie': site.authorizationCookie.set(secret) },
  })
}

/** Returns null for any error caused by the provider's metadata, which isn't our fault. */
const tryAuthorization = (provider: CompanyProviderClient, anew: boolean): Promise<ProviderRedirect | null> =>
  provider.startAuthorization({ anew }).catch(() => null)

async function handleCallback(site: Site, request: PageRequest): Promise<Response> {
  if (request.req.raw.method === 'HEAD') return methodNotAllowed('GET')()
  const signIn = await requireCompanySignIn(site, request)
  const { tenant, provider } = signIn
  const providerRequest = await spendRequest(
    site.database,
    site.authorizationCookie.read(request.req.header('cookie')),
    tenant,
  )
  if (providerRequest === null) return refusalPage(signIn, `/${tenant}`, timeoutProblem())
  const identity = await readIdentity(provider, request, providerRequest)
  if (identity === null && providerRequest.user === null) emitSignIn({ outcome: 'failed', methods: ['company'] })
  const response =
    identity === 'silent'
      ? refusalPage(signIn, providerRequest.path, unavailableProblem(provider))
      : identity === null
        ? refusalPage(signIn, providerRequest.path, notSignedInProblem(provider))
        : providerRequest.user === null
          ? await completeSignIn(site, request, signIn, providerRequest, identity)
          : await recordTrial(site, request, signIn, providerRequest, identity)
  response.headers.append('Set-Cookie', site.authorizationCookie.clear())
  return response
}

async function readIdentity(
  provider: CompanyProviderClient,
  request: PageRequest,
  providerRequest: ProviderRequest,
): Promise<ProvidedIdentity | 'silent' | null> {
  try {
    return await provider.handleCallback(new URL(request.req.url).searchParams, providerRequest)
  } catch (error) {
    if (error instanceof Unavailable) return 'silent'
    throw error
  }
}

async function completeSignIn(
  site: Site,
  request: PageRequest,
  signIn: CompanySignIn,
  { path }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const secret = invitationIn(path)
  if (secret !== null) return joinAndLink(site, request, signIn, secret, identity)
  const own = await currentSession(site, request)
  const signInResult = await signInByCompany(site.database, signIn.tenant, identity, originOf(site, request), own)
  if ('refused' in signInResult) emitSignIn({ outcome: 'failed', methods: ['company'] })
  if ('refused' in signInResult)
    return refusalPage(signIn, path, REFUSAL_PROBLEMS[signInResult.refused](identity.email ?? ''))
  return addSessionCookies(site, signInResult, redirect(path))
}

/** Accepts the invitation that the person came from, while signed in. They keep their session. */
async function joinAndLink(
  site: Site,
  request: PageRequest,
  signIn: CompanySignIn,
  secret: string,
  identity: ProvidedIdentity,
): Promise<Response> {
  const { tenant } = signIn
  const home = `/${tenant}`
  const session = await currentSession(site, request)
  if (session === null) return refusalPage(signIn, home, timeoutProblem())
  if (identity.email === null && identity.unconfirmed === null)
    return refusalPage(signIn, home, REFUSAL_PROBLEMS.unverified(identity.address ?? ''))
  try {
    await joinByCompany(site.database, { tenant, secret }, session, identity, originOf(site, request))
    return redirect(home)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const title = say`You haven't joined ${signIn.provider.company}`
    return refusalPage(signIn, home, { title, body: refusalForPeople(error), status: statusOf(error) })
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
  request: PageRequest,
  { tenant, provider: { version } }: CompanySignIn,
  { user, path }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const session = await requireMember(site, request)
  if (session.role !== 'owner' || session.user.id !== user) throw notFoundRefusal()
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

const refusalPage = (signIn: CompanySignIn, to: string, problem: CompanyProblem): Response =>
  pageResponse(companySignInPage(signIn, { to, isAgain: false, problem }), { status: problem.status })
