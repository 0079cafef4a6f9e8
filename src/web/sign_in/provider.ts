import type { MiddlewareHandler } from 'hono'
import { joinByProvider } from '../../identity/people/invitations/invitations.ts'
import { enterByProvider, linkIdentity, type ProviderRefusal } from '../../identity/providers/identities.ts'
import type { ProvidedIdentity } from '../../identity/providers/provider.ts'
import { keepRequest, takeRequest, type ProviderRequest } from '../../identity/providers/requests.ts'
import { attempt } from '../../identity/sign_in/attempts.ts'
import { enter, type Entered } from '../../identity/sign_in/entering.ts'
import { tellOfSignIn } from '../../identity/sign_in/outcomes.ts'
import { answer, ownPath, redirect } from '../../platform/http/answer.ts'
import { OPEN_BYTES, formOf } from '../../platform/http/form.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../platform/http/visit.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { redirectClaimed } from '../account/before.ts'
import { noPage } from '../not_here.ts'
import { redirectSaying } from '../saying.ts'
import { PROVIDER_CALLBACK, type Site } from '../site.ts'
import { originOf, personAt, requirePerson, signedIn } from './session.ts'
import { requireForFactors } from './recent.ts'
import { signInPage, waysIn } from './sign_in_page.ts'

/** Limits departures to the provider from one address in a quarter of an hour. */
const MAX_DEPARTURES = 60

type Configured = NonNullable<Site['provider']>

/** Returns the way to the provider and back (docs/spec/accounts.md#identity-providers). */
export const providerRoutes = (site: Site): Pages =>
  newPages()
    .use('/sign-in/provider/*', noHead)
    .get('/sign-in/provider', (visit) => leave(site, required(site), visit))
    .post((visit) => leaveToLink(site, required(site), visit))
    .all(wrongMethod('GET, POST'))
    .get(PROVIDER_CALLBACK, (visit) => comeBack(site, required(site), visit))
    .all(PROVIDER_CALLBACK, wrongMethod('GET'))

/** Refuses HEAD, which is answered as GET is and would take what counts once. */
const noHead: MiddlewareHandler = async (visit, next) => {
  if (visit.req.raw.method === 'HEAD') return wrongMethod('GET, POST')()
  return next()
}

function required({ provider }: Site): Configured {
  if (provider === null) throw noPage()
  return provider
}

/** Sends a browser to the provider to sign in. */
async function leave(site: Site, provider: Configured, visit: Visit): Promise<Response> {
  const path = ownPath(visit.req.query('to'))
  if ((await personAt(site, visit)) !== null) return redirect(path)
  return departing(site, provider, visit, { path, user: null }, (url, headers) => redirect(url, headers))
}

/**
 * Sends whoever is signed in to the provider, by a form of ours, to link their account there: no other site can begin it.
 * A page stands between, since the policy of the form's page lets no redirect of it leave us.
 */
async function leaveToLink(site: Site, provider: Configured, visit: Visit): Promise<Response> {
  const session = await requirePerson(site, visit)
  await requireForFactors(site, visit, session)
  const { user } = session
  const path = ownPath((await formOf(visit.req.raw, OPEN_BYTES)).get('to'))
  return departing(site, provider, visit, { path, user: user.id }, (url, headers) =>
    answer(departurePage(provider.name, url), { leavesSite: true, headers }),
  )
}

async function departing(
  site: Site,
  provider: Configured,
  visit: Visit,
  who: Pick<ProviderRequest, 'path' | 'user'>,
  go: (url: string, headers: { 'Set-Cookie': string }) => Response,
): Promise<Response> {
  const subject = `provider ${site.senderOf(visit.env.incoming)}`
  const wait = await attempt(site.database, [{ subject, most: MAX_DEPARTURES }])
  if (wait > 0 && who.user === null) tellOfSignIn({ outcome: 'limited', methods: ['provider'] })
  if (wait > 0) return refused(site, who.path, say`Too many tries`, say`Wait a few minutes, then try again.`, 429)
  const { url, ...departure } = await provider.depart()
  const secret = await keepRequest(site.database, { ...departure, ...who, boundTo: null })
  return go(url, { 'Set-Cookie': provider.cookie.set(secret) })
}

/** Leads on to a provider from a page of ours. */
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

async function comeBack(site: Site, provider: Configured, visit: Visit): Promise<Response> {
  const query = new URL(visit.req.url).searchParams
  const request = await takeRequest(site.database, provider.cookie.read(visit.req.header('cookie')), null)
  if (request === null) return tookTooLong(site, '/')
  const identity = await provider.arrive(query, request)
  if (identity === null && request.user === null) tellOfSignIn({ outcome: 'failed', methods: ['provider'] })
  const response =
    identity === null
      ? refused(site, request.path, say`${provider.name} did not sign you in`, say`Nothing was done. Try again.`, 422)
      : request.user === null
        ? await entered(site, visit, request, identity)
        : await linked(site, visit, request, identity)
  response.headers.append('Set-Cookie', provider.cookie.clear())
  return response
}

async function entered(
  site: Site,
  visit: Visit,
  request: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const origin = originOf(site, visit)
  const done = await enterByProvider(site.database, identity, origin)
  if (!('refused' in done))
    return signedIn(site, done, done.isClaimed ? redirectClaimed(request.path) : redirect(request.path))
  const joined = done.refused === 'unknown' ? await joinedAt(site, visit, request, identity) : null
  if (joined !== null) return signedIn(site, joined.entered, redirect(`/${joined.tenant}`))
  tellOfSignIn({ outcome: 'failed', methods: ['provider'] })
  return notEntered(site, request.path, done.refused, identity.email)
}

/** Accepts the invitation that somebody came from, when it is for the address that the provider vouches for. */
async function joinedAt(
  site: Site,
  visit: Visit,
  { path }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<{ tenant: string; entered: Entered } | null> {
  const { pathname, searchParams } = new URL(path, site.baseUrl)
  const secret = pathname === '/join' ? searchParams.get('invitation') : null
  if (secret === null || identity.email === null) return null
  try {
    const { tenant } = await joinByProvider(site.database, secret, { email: identity.email, name: identity.name })
    const entered = await enterByProvider(site.database, identity, originOf(site, visit))
    return 'refused' in entered ? null : { tenant, entered }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return null
  }
}

/** Links the provider's account to whoever left from here and is still signed in. */
async function linked(
  site: Site,
  visit: Visit,
  { path, user }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const session = await personAt(site, visit)
  if (session?.user.id !== user)
    return refused(site, path, say`Somebody else is signed in now`, say`Nothing was linked. Sign in again.`, 409)
  try {
    const claimed = await linkIdentity(site.database, session, identity, originOf(site, visit))
    const entered = claimed && (await enter(site.database, claimed, ['provider'], originOf(site, visit)))
    if (claimed !== null)
      return entered === null ? tookTooLong(site, path) : signedIn(site, entered, redirectClaimed(path))
    return redirectSaying(path, { sentence: say`Your account is linked.` })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectSaying(path, { sentence: say`That account is linked to somebody else here.` })
  }
}

function notEntered(site: Site, path: string, why: ProviderRefusal, email: string | null): Response {
  if (why === 'ended') return tookTooLong(site, path)
  const [title, body] =
    why === 'unverified'
      ? [say`Your e-mail address isn't verified there`, say`Verify it with them, or sign in with your password.`]
      : [say`Nobody here has ${email ?? ''}`, say`Ask an owner of your company to invite you.`]
  return refused(site, path, title, body, 422)
}

const tookTooLong = (site: Site, path: string): Response =>
  refused(site, path, say`This sign-in took too long`, say`Nothing was done. Sign in again.`, 400)

const refused = (site: Site, to: string, title: string, body: string, status: number): Response =>
  answer(signInPage({ to, problem: { title, body }, ...waysIn(site) }), { status })
