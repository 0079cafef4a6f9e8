import type { MiddlewareHandler } from 'hono'
import { joinByProvider } from '../../identity/people/invitations/invitations.ts'
import { signInByProvider, linkIdentity, type ProviderRefusal } from '../../identity/providers/identities.ts'
import type { ProvidedIdentity } from '../../identity/providers/provider.ts'
import { keepRequest, takeRequest, type ProviderRequest } from '../../identity/providers/requests.ts'
import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { signInPerson, type SignInResult } from '../../identity/sign_in/complete_sign_in.ts'
import { emitSignIn } from '../../identity/sign_in/outcomes.ts'
import { answer, ownPath, redirect } from '../../platform/http/answer.ts'
import { MAX_OPEN_BYTES, readFormFields } from '../../platform/http/form.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { redirectClaimed } from '../account/ended_access.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { PROVIDER_CALLBACK, type Site } from '../site.ts'
import { originOf, currentSession, requirePerson, addSessionCookies } from './session.ts'
import { requireForFactors } from './recent.ts'
import { signInPage, signInMethods } from './sign_in_page.ts'

/** Maximum departures to the provider per address in 15 minutes. */
const MAX_DEPARTURES = 60

type ConfiguredProvider = NonNullable<Site['provider']>

/** Returns the routes to the provider and back (docs/spec/accounts.md#identity-providers). */
export const providerRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .use('/sign-in/provider/*', noHead)
    .get('/sign-in/provider', (visit) => leave(site, requireProvider(site), visit))
    .post((visit) => leaveToLink(site, requireProvider(site), visit))
    .all(methodNotAllowed('GET, POST'))
    .get(PROVIDER_CALLBACK, (visit) => handleCallback(site, requireProvider(site), visit))
    .all(PROVIDER_CALLBACK, methodNotAllowed('GET'))

/** Refuses HEAD, which runs the GET handler and would use up a one-time request. */
const noHead: MiddlewareHandler = async (visit, next) => {
  if (visit.req.raw.method === 'HEAD') return methodNotAllowed('GET, POST')()
  return next()
}

function requireProvider({ provider }: Site): ConfiguredProvider {
  if (provider === null) throw notFoundRefusal()
  return provider
}

/** Redirects a browser to the provider to sign in. */
async function leave(site: Site, provider: ConfiguredProvider, visit: PageRequest): Promise<Response> {
  const path = ownPath(visit.req.query('to'))
  if ((await currentSession(site, visit)) !== null) return redirect(path)
  return startDeparture(site, provider, visit, { path, user: null }, (url, headers) => redirect(url, headers))
}

/**
 * Sends a signed-in person to the provider to link their account there. It takes a form of ours, so that no other site
 * can start it, and an intermediate page, since the CSP of the form's page blocks redirects to other sites.
 */
async function leaveToLink(site: Site, provider: ConfiguredProvider, visit: PageRequest): Promise<Response> {
  const session = await requirePerson(site, visit)
  await requireForFactors(site, visit, session)
  const { user } = session
  const path = ownPath((await readFormFields(visit.req.raw, MAX_OPEN_BYTES)).get('to'))
  return startDeparture(site, provider, visit, { path, user: user.id }, (url, headers) =>
    answer(departurePage(provider.name, url), { leavesSite: true, headers }),
  )
}

async function startDeparture(
  site: Site,
  provider: ConfiguredProvider,
  visit: PageRequest,
  who: Pick<ProviderRequest, 'path' | 'user'>,
  go: (url: string, headers: { 'Set-Cookie': string }) => Response,
): Promise<Response> {
  const subject = `provider ${site.senderOf(visit.env.incoming)}`
  const wait = await takeAttempt(site.database, [{ subject, most: MAX_DEPARTURES }])
  if (wait > 0 && who.user === null) emitSignIn({ outcome: 'limited', methods: ['provider'] })
  if (wait > 0)
    return refusalPage(site, who.path, say`Too many attempts`, say`Wait a few minutes, then try again.`, 429)
  const { url, ...departure } = await provider.depart()
  const secret = await keepRequest(site.database, { ...departure, ...who, boundTo: null })
  return go(url, { 'Set-Cookie': provider.cookie.set(secret) })
}

/** Draws the page that leads to a provider. */
export const departurePage = (name: string, url: string): Html =>
  layout({
    title: say`Link ${name}`,
    isNarrow: true,
    goesOn: url,
    body: html`
<section class="ticket">
  <h1>${say`Link ${name}`}</h1>
  <p class="actions"><a class="button main" href="${url}">${say`Continue`}</a></p>
</section>`,
  })

async function handleCallback(site: Site, provider: ConfiguredProvider, visit: PageRequest): Promise<Response> {
  const query = new URL(visit.req.url).searchParams
  const request = await takeRequest(site.database, provider.cookie.read(visit.req.header('cookie')), null)
  if (request === null) return tookTooLong(site, '/')
  const identity = await provider.arrive(query, request)
  if (identity === null && request.user === null) emitSignIn({ outcome: 'failed', methods: ['provider'] })
  const response =
    identity === null
      ? refusalPage(
          site,
          request.path,
          say`${provider.name} did not sign you in`,
          say`Nothing was done. Try again.`,
          422,
        )
      : request.user === null
        ? await completeSignIn(site, visit, request, identity)
        : await linkAccount(site, visit, request, identity)
  response.headers.append('Set-Cookie', provider.cookie.clear())
  return response
}

async function completeSignIn(
  site: Site,
  visit: PageRequest,
  request: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const origin = originOf(site, visit)
  const done = await signInByProvider(site.database, identity, origin)
  if (!('refused' in done))
    return addSessionCookies(site, done, done.isClaimed ? redirectClaimed(request.path) : redirect(request.path))
  const joined = done.refused === 'unknown' ? await joinAndSignIn(site, visit, request, identity) : null
  if (joined !== null) return addSessionCookies(site, joined.entered, redirect(`/${joined.tenant}`))
  emitSignIn({ outcome: 'failed', methods: ['provider'] })
  return notEntered(site, request.path, done.refused, identity.email)
}

/** Accepts the invitation that the person came from, if it is for the address that the provider vouches for. */
async function joinAndSignIn(
  site: Site,
  visit: PageRequest,
  { path }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<{ tenant: string; entered: SignInResult } | null> {
  const { pathname, searchParams } = new URL(path, site.baseUrl)
  const secret = pathname === '/join' ? searchParams.get('invitation') : null
  if (secret === null || identity.email === null) return null
  try {
    const { tenant } = await joinByProvider(site.database, secret, { email: identity.email, name: identity.name })
    const entered = await signInByProvider(site.database, identity, originOf(site, visit))
    return 'refused' in entered ? null : { tenant, entered }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return null
  }
}

/** Links the provider's account to the person who left from here, if they are still signed in. */
async function linkAccount(
  site: Site,
  visit: PageRequest,
  { path, user }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const session = await currentSession(site, visit)
  if (session?.user.id !== user)
    return refusalPage(site, path, say`Another user is signed in`, say`Nothing was linked. Sign in again.`, 409)
  try {
    const claimed = await linkIdentity(site.database, session, identity, originOf(site, visit))
    const entered = claimed && (await signInPerson(site.database, claimed, ['provider'], originOf(site, visit)))
    if (claimed !== null)
      return entered === null ? tookTooLong(site, path) : addSessionCookies(site, entered, redirectClaimed(path))
    return redirectWithMessage(path, { sentence: say`Your account is linked.` })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectWithMessage(path, { sentence: say`That account is already linked to another user.` })
  }
}

function notEntered(site: Site, path: string, why: ProviderRefusal, email: string | null): Response {
  if (why === 'ended') return tookTooLong(site, path)
  const [title, body] =
    why === 'unverified'
      ? [say`Your e-mail address isn't verified there`, say`Verify it with them, or sign in with your password.`]
      : [say`Nobody here has ${email ?? ''}`, say`Ask an owner of your company to invite you.`]
  return refusalPage(site, path, title, body, 422)
}

const tookTooLong = (site: Site, path: string): Response =>
  refusalPage(site, path, say`This sign-in took too long`, say`Nothing was done. Sign in again.`, 400)

const refusalPage = (site: Site, to: string, title: string, body: string, status: number): Response =>
  answer(signInPage({ to, problem: { title, body }, ...signInMethods(site) }), { status })
