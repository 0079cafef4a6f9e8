import { saveTrial } from '../../../identity/providers/company/company_provider.ts'
import type { CompanyProviderClient } from '../../../identity/providers/company/company_provider_client.ts'
import { signInByCompany, type CompanyRefusal } from '../../../identity/providers/company/company_sign_in.ts'
import type { ProviderRedirect, ProvidedIdentity } from '../../../identity/providers/provider.ts'
import { keepRequest, takeRequest, type ProviderRequest } from '../../../identity/providers/requests.ts'
import { isStale } from '../../../identity/permissions/rights.ts'
import { takeAttempt } from '../../../identity/sign_in/attempts.ts'
import { emitSignIn } from '../../../identity/sign_in/outcomes.ts'
import { answer, ownPath, redirect } from '../../../platform/http/answer.ts'
import { MAX_OPEN_BYTES, readFormFields } from '../../../platform/http/form.ts'
import { methodNotAllowed } from '../../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Unavailable } from '../../../platform/errors/refusal.ts'
import { isId } from '../../../platform/validation/id.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { companySignInPage, type CompanyProblem } from './company_page.ts'
import { sessionFor } from './company_session.ts'
import { departurePage } from '../provider.ts'
import { originOf, requireMember, addBoundSessionCookies } from '../session.ts'

/** Limits departures to providers from one address in a quarter of an hour, those of the installation included. */
const MAX_DEPARTURES = 60

const HERE = '/:tenant{[0-9a-f-]{36}}/sign-in'

/** Returns the way to a company's own provider and back (docs/spec/accounts.md#a-companys-own-provider). */
export const companySignInRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(HERE, (visit) => show(site, visit))
    .post((visit) => leave(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/callback`, (visit) => handleCallback(site, visit))
    .all(methodNotAllowed('GET'))

type CompanySignIn = { tenant: string; provider: CompanyProviderClient }

/** Returns the company's provider; where there is none, there is no such page. */
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

/** Sends a browser to the provider, by a form of ours: no other site can sign it in as somebody. */
async function leave(site: Site, visit: PageRequest): Promise<Response> {
  const place = await requireCompanySignIn(site, visit)
  if (!place.provider.isOn) throw notFoundRefusal()
  const sent = await readFormFields(visit.req.raw, MAX_OPEN_BYTES)
  const path = pathWithin(place.tenant, sent.get('to'))
  return leaveForProvider(site, visit, place, { path, user: null }, sent.has('again'))
}

/** Leaves for the provider of a company to sign in there, or, as the owner `user`, to try it. */
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

/** Returns null for whatever its metadata may break: they are a stranger's, and no fault of ours. */
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
  const done = await signInByCompany(site.database, place.tenant, identity, originOf(site, visit))
  if ('refused' in done) emitSignIn({ outcome: 'failed', methods: ['company'] })
  if ('refused' in done) return refusalPage(place, path, WHY[done.refused](identity.email ?? ''))
  return addBoundSessionCookies(site, done, redirect(path))
}

/** Notes for an owner what their provider said of them; nobody is signed in by it. */
async function recordTrial(
  site: Site,
  visit: PageRequest,
  { tenant, provider: { version } }: CompanySignIn,
  { user, path }: ProviderRequest,
  identity: ProvidedIdentity,
): Promise<Response> {
  const visitor = await requireMember(site, visit)
  if (visitor.role !== 'owner' || visitor.user.id !== user) throw notFoundRefusal()
  try {
    await saveTrial(site.database, tenant, identity, { version, by: { user } })
  } catch (error) {
    throw isStale(error) ? notFoundRefusal() : error
  }
  return redirect(path)
}

/** Returns one of our own paths that belongs to a company, or where an app is connected; else its first page. */
function pathWithin(tenant: string, given: string | null | undefined): string {
  const path = ownPath(given, `/${tenant}`)
  const isTheirs = [`/${tenant}`, `/field/${tenant}`].some(
    (start) => path === start || path.startsWith(`${start}/`) || path.startsWith(`${start}?`),
  )
  return isTheirs || path.startsWith('/oauth/consent?') ? path : `/${tenant}`
}

const refusalPage = (place: CompanySignIn, to: string, problem: CompanyProblem): Response =>
  answer(companySignInPage(place, { to, isAgain: false, problem }), { status: problem.status })

const tooMany = () => ({ title: say`Too many attempts`, body: say`Wait a few minutes, then try again.` })

const tookTooLong = (): CompanyProblem => ({
  title: say`This sign-in took too long`,
  body: say`Nothing was done. Sign in again.`,
  status: 400,
})

const silent = ({ name }: CompanyProviderClient): CompanyProblem => ({
  title: say`${name} does not answer`,
  body: say`Nothing was done. Try again in a moment. If it happens again, tell an owner of your company.`,
  status: 503,
})

const notSignedIn = ({ name }: CompanyProviderClient): CompanyProblem => ({
  title: say`${name} did not sign you in`,
  body: say`Nothing was done. Try again.`,
  status: 422,
})

const WHY: Readonly<Record<CompanyRefusal, (email: string) => CompanyProblem>> = {
  ended: tookTooLong,
  off: () => ({
    title: say`This way to sign in is turned off`,
    body: say`Sign in with your own account.`,
    status: 422,
  }),
  unverified: () => ({
    title: say`Your e-mail address isn't verified there`,
    body: say`Your provider’s administrator can verify it. Then sign in again.`,
    status: 422,
  }),
  unknown: (email) => ({
    title: say`Nobody in this company has ${email}`,
    body: say`Ask an owner of your company to invite you.`,
    status: 422,
  }),
  frozen: () => ({
    title: say`Your company is being moved`,
    body: say`Until that is done it can only be read, and nobody new can join. Try again later.`,
    status: 503,
  }),
  theirs: (email) => ({
    title: say`${email} has an account here already`,
    body: say`Your company can't add it without you. Open the link of your invitation, and sign in with your own account to accept.`,
    status: 422,
  }),
}
