import type { MiddlewareHandler } from 'hono'
import { joinByProvider } from '../../identity/people/invitations/invitations.ts'
import { signInByProvider, linkIdentity, type ProviderRefusal } from '../../identity/providers/identities.ts'
import type { ProvidedIdentity } from '../../identity/providers/provider.ts'
import { saveRequest, spendRequest, type ProviderRequest } from '../../identity/providers/requests.ts'
import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { signInPerson, type SignInResult } from '../../identity/sign_in/complete_sign_in.ts'
import { emitSignIn } from '../../identity/sign_in/outcomes.ts'
import { pageResponse, ownPath, redirect } from '../../platform/http/answer.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { redirectAfterClaim } from '../account/ended_access.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { PROVIDER_CALLBACK, type Site } from '../site.ts'
import { originOf, currentSession, requirePerson, addSessionCookies } from './session.ts'
import { requireForFactors } from './recent.ts'
import { signInPage, signInMethods } from './sign_in_page.ts'

/** Maximum departures to the provider per address in 15 minutes. */
const MAX_AUTHORIZATIONS = 60

type ConfiguredProvider = NonNullable<Site['provider']>

/** Returns the routes to the provider and back (docs/spec/accounts.md#identity-providers). */
export const providerRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .use('/sign-in/provider/*', noHead)
    .get('/sign-in/provider', (request) => startSignIn(site, requireProvider(site), request))
    .post((request) => startLinking(site, requireProvider(site), request))
    .all(methodNotAllowed('GET, POST'))
    .get(PROVIDER_CALLBACK, (request) => handleCallback(site, requireProvider(site), request))
    .all(PROVIDER_CALLBACK, methodNotAllowed('GET'))

/** Refuses HEAD, which runs the GET handler and would use up a one-time request. */
const noHead: MiddlewareHandler = async (request, next) => {
  if (request.req.raw.method === 'HEAD') return methodNotAllowed('GET, POST')()
  return next()
}

function requireProvider({ provider }: Site): ConfiguredProvider {
  if (provider === null) throw notFoundRefusal()
  return provider
}

/** Redirects a browser to the provider to sign in. */
async function startSignIn(site: Site, provider: ConfiguredProvider, request: PageRequest): Promise<Response> {
  const path = ownPath(request.req.query('to'))
  if ((await currentSession(site, request)) !== null) return redirect(path)
  return startProviderAuthorization(site, provider, request, { path, user: null }, (url, headers) =>
    redirect(url, headers),
  )
}

/**
 * Sends a signed-in person to the provider to link their account there. It takes a form of ours, so that no other site
 * can start it, and an intermediate page, since the CSP of the form's page blocks redirects to other sites.
 */
async function startLinking(site: Site, provider: ConfiguredProvider, request: PageRequest): Promise<Response> {
  const session = await requirePerson(site, request)
  await requireForFactors(site, request, session)
  const { user } = session
  const path = ownPath((await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)).get('to'))
  return startProviderAuthorization(site, provider, request, { path, user: user.id }, (url, headers) =>
    pageResponse(providerRedirectPage(provider.name, url), { leavesSite: true, headers }),
  )
}

async function startProviderAuthorization(
  site: Site,
  provider: ConfiguredProvider,
  request: PageRequest,
  target: Pick<ProviderRequest, 'path' | 'user'>,
  respond: (url: string, headers: { 'Set-Cookie': string }) => Response,
): Promise<Response> {
  const subject = `provider ${site.clientAddressOf(request.env.incoming)}`
  const wait = await takeAttempt(site.database, [{ subject, max: MAX_AUTHORIZATIONS }])
  if (wait > 0 && target.user === null) emitSignIn({ outcome: 'limited', methods: ['provider'] })
  if (wait > 0)
    return refusalPage(site, target.path, say`Too many attempts`, say`Wait a few minutes, then try again.`, 429)
  const { url, ...requestState } = await provider.startAuthorization()
  const secret = await saveRequest(site.database, { ...requestState, ...target, boundTo: null })
  return respond(url, { 'Set-Cookie': provider.cookie.set(secret) })
}

/** Draws the page that leads to a provider. */
export const providerRedirectPage = (name: string, url: string): Html =>
  layout({
    title: say`Link ${name}`,
    isNarrow: true,
    redirectTo: url,
    body: html`
<section class="ticket">
  <h1>${say`Link ${name}`}</h1>
  <p class="actions"><a class="button main" href="${url}">${say`Continue`}</a></p>
</section>`,
  })

async function handleCallback(site: Site, provider: ConfiguredProvider, request: PageRequest): Promise<Response> {
  const query = new URL(request.req.url).searchParams
  const providerRequest = await spendRequest(site.database, provider.cookie.read(request.req.header('cookie')), null)
  if (providerRequest === null) return timeoutPage(site, '/')
  const identity = await provider.handleCallback(query, providerRequest)
  if (identity === null && providerRequest.user === null) emitSignIn({ outcome: 'failed', methods: ['provider'] })
  const response =
    identity === null
      ? refusalPage(
          site,
          providerRequest.path,
          say`${provider.name} did not sign you in`,
          say`Nothing was done. Try again.`,
          422,
        )
      : providerRequest.user === null
        ? await completeSignIn(site, request, providerRequest, identity)
        : await linkAccount(site, request, providerRequest, identity)
  response.headers.append('Set-Cookie', provider.cookie.clear())
  return response
}

async function completeSignIn(
  site: Site,
  request: PageRequest,
  providerRequest: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const origin = originOf(site, request)
  const signInResult = await signInByProvider(site.database, identity, origin)
  if (!('refused' in signInResult))
    return addSessionCookies(
      site,
      signInResult,
      signInResult.isClaimed ? redirectAfterClaim(providerRequest.path) : redirect(providerRequest.path),
    )
  const joined =
    signInResult.refused === 'unknown' ? await joinAndSignIn(site, request, providerRequest, identity) : null
  if (joined !== null) return addSessionCookies(site, joined.signInResult, redirect(`/${joined.tenant}`))
  emitSignIn({ outcome: 'failed', methods: ['provider'] })
  return signInRefusalPage(site, providerRequest.path, signInResult.refused, identity.email)
}

/** Accepts the invitation that the person came from, if it is for the address that the provider vouches for. */
async function joinAndSignIn(
  site: Site,
  request: PageRequest,
  { path }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<{ tenant: string; signInResult: SignInResult } | null> {
  const { pathname, searchParams } = new URL(path, site.baseUrl)
  const secret = pathname === '/join' ? searchParams.get('invitation') : null
  if (secret === null || identity.email === null) return null
  try {
    const { tenant } = await joinByProvider(site.database, secret, { email: identity.email, name: identity.name })
    const signInResult = await signInByProvider(site.database, identity, originOf(site, request))
    return 'refused' in signInResult ? null : { tenant, signInResult }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return null
  }
}

/** Links the provider's account to the person who left from here, if they are still signed in. */
async function linkAccount(
  site: Site,
  request: PageRequest,
  { path, user }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const session = await currentSession(site, request)
  if (session?.user.id !== user)
    return refusalPage(site, path, say`Another user is signed in`, say`Nothing was linked. Sign in again.`, 409)
  try {
    const claimed = await linkIdentity(site.database, session, identity, originOf(site, request))
    const signInResult = claimed && (await signInPerson(site.database, claimed, ['provider'], originOf(site, request)))
    if (claimed !== null)
      return signInResult === null
        ? timeoutPage(site, path)
        : addSessionCookies(site, signInResult, redirectAfterClaim(path))
    return redirectWithMessage(path, { sentence: say`Your account is linked.` })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectWithMessage(path, { sentence: say`That account is already linked to another user.` })
  }
}

function signInRefusalPage(site: Site, path: string, reason: ProviderRefusal, email: string | null): Response {
  if (reason === 'ended') return timeoutPage(site, path)
  const [title, body] =
    reason === 'unverified'
      ? [say`Your email address isn't verified there`, say`Verify it with them, or sign in with your password.`]
      : [say`Nobody here has ${email ?? ''}`, say`Ask an owner of your company to invite you.`]
  return refusalPage(site, path, title, body, 422)
}

const timeoutPage = (site: Site, path: string): Response =>
  refusalPage(site, path, say`This sign-in took too long`, say`Nothing was done. Sign in again.`, 400)

const refusalPage = (site: Site, to: string, title: string, body: string, status: number): Response =>
  pageResponse(signInPage({ to, problem: { title, body }, ...signInMethods(site) }), { status })
