import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { CALENDAR_ROUTES } from '../../../src/web/calendar/feed.ts'
import { CALLBACK } from '../../../test/harness/identity/consenting.ts'
import { formAt } from '../../../test/harness/identity/people_pages.ts'
import {
  askConsent,
  authorizeAddress,
  foundCompany,
  pressConsent,
  hiddenFieldsOf,
  tokensOf,
  visitor,
  type Browser,
} from '../../../test/harness/visiting.ts'
import { FORM_TYPE, JSON_TYPE } from '../requests.ts'
import { NOBODY, formBy, requestBy, type Place, type States } from './place.ts'

const registerApp = async ({ service }: Place): Promise<string> =>
  (await registerClient(service.database, { name: 'Assistant', redirect_uris: [CALLBACK], about: {} })).id

/** A request of an app that somebody is asked about at a browser, in a company of its own. */
async function requestConsent(place: Place, policy = 'any') {
  const company = await foundCompany(place.service, 'Apps')
  const at = (...steps: string[]): string => `/${[company.id, 'settings', ...steps].join('/')}`
  const [owner, browser] = [visitor(place.service), visitor(place.service)]
  await owner.signIn(company.owner.email)
  if (policy !== 'any') await owner.post(at('apps', 'policy'), { policy })
  const member = await company.hire('office')
  await browser.signIn(member.email)
  const client = await registerApp(place)
  return {
    company,
    at,
    owner,
    browser,
    member,
    client,
    ...(await askConsent(place.service, browser, client, CALLBACK)),
  }
}

/** Returns the address at which the server goes on once somebody has approved. */
async function approveApp(place: Place) {
  const request = await requestConsent(place)
  const { location } = await pressConsent(request.browser, request.path, 'view')
  const { pathname, search } = new URL(location!, place.service.config.baseUrl)
  return { ...request, onward: pathname + search }
}

/** Returns the code that the app gets. */
async function fetchCode(place: Place) {
  const request = await approveApp(place)
  const { location } = await request.browser.get(request.onward)
  return { ...request, code: new URL(location!).searchParams.get('code') ?? '' }
}

/** Connects an app that the company doesn't allow any more. */
async function outsideOfPolicy(place: Place) {
  const request = await fetchCode(place)
  await request.owner.post(request.at('apps', 'policy'), { policy: 'listed' })
  return request
}

const clientOf = async (owner: Browser, at: string): Promise<string> => {
  const { text } = await owner.post(at, NEW_CLIENT)
  return /Client ID [^]*?<code class="copy">([^<]+)/.exec(text)?.[1] ?? ''
}

const NEW_CLIENT = { name: 'Back end', redirect_uris: CALLBACK, customers: 'view' }

/** Routes of apps and of the server that authorizes them. */
export const appStates: States = {
  'POST /oauth/consent': async (place) => {
    const { browser, path, id } = await requestConsent(place)
    const { text } = await browser.get(path)
    return requestBy(browser, '/oauth/consent', { authorization_id: id, ...hiddenFieldsOf(text), decision: 'view' })
  },
  'GET /auth/v1/oauth/authorize/:id': async (place) => {
    const { browser, onward } = await approveApp(place)
    return requestBy(browser, onward)
  },
  'POST /auth/v1/oauth/token': async (place) => {
    const { client, code, verifier } = await fetchCode(place)
    const { authUrl, baseUrl } = place.service.config
    const fields = {
      grant_type: 'authorization_code',
      client_id: client,
      code,
      code_verifier: verifier,
      redirect_uri: CALLBACK,
      resource: `${baseUrl}/api/mcp`,
    }
    return { ...requestBy(NOBODY, `${new URL(authUrl).pathname}/oauth/token`, fields), headers: FORM_TYPE }
  },
  'POST /auth/v1/oauth/register': async () => ({
    path: '/auth/v1/oauth/register',
    headers: JSON_TYPE,
    body: Buffer.from(JSON.stringify({ client_name: 'Large', redirect_uris: [CALLBACK] })),
  }),
  'GET /auth/v1/oauth/authorize': async (place) => {
    const { address } = authorizeAddress(place.service, await registerApp(place), CALLBACK)
    const { pathname, search } = new URL(address)
    return requestBy(NOBODY, pathname + search)
  },
  'POST /auth/v1/oauth/revoke': async (place) => {
    const { client, code, verifier } = await fetchCode(place)
    const { access_token: token } = await tokensOf(place.service, client, new URL(`${CALLBACK}?code=${code}`), verifier)
    return { ...requestBy(NOBODY, '/auth/v1/oauth/revoke', { client_id: client, token }), headers: FORM_TYPE }
  },
  ...Object.fromEntries(
    CALENDAR_ROUTES.map((route) => [
      `GET ${route}`,
      async (place: Place) => requestBy(NOBODY, place.calendarAt(route)),
    ]),
  ),
  ...Object.fromEntries(
    ['oauth-authorization-server', 'openid-configuration', 'jwks.json'].map((name) => [
      `GET /auth/v1/.well-known/${name}`,
      async () => requestBy(NOBODY, `/auth/v1/.well-known/${name}`),
    ]),
  ),
  'POST /:tenant{[0-9a-f-]{36}}/settings/apps/outside': async (place) => {
    const { owner, at } = await outsideOfPolicy(place)
    return requestBy(owner, at('apps', 'outside'), {})
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/apps/requests': async (place) => {
    const { owner, browser, at, path } = await requestConsent(place, 'ask')
    await pressConsent(browser, path, 'view')
    return formBy(owner, await owner.get(at('apps')), at('apps', 'requests'), { answer: 'approved' })
  },
  'GET /:tenant{[0-9a-f-]{36}}/settings/app': async (place) => {
    const { owner, at, client, member } = await fetchCode(place)
    return requestBy(owner, `${at('app')}?${new URLSearchParams({ client, user: member.user_id }).toString()}`)
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/app': async (place) => {
    const { owner, at, client, member } = await fetchCode(place)
    const path = `${at('app')}?${new URLSearchParams({ client, user: member.user_id }).toString()}`
    return requestBy(owner, path, [...formAt(await owner.get(path), path), ['jobs', 'view']])
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/clients': async ({ beside: { office } }) =>
    requestBy(await office.signInAs(office.owner.email), office.at('settings', 'clients'), NEW_CLIENT),
  'POST /:tenant{[0-9a-f-]{36}}/settings/clients/:id': async ({ beside: { office } }) => {
    const owner = await office.signInAs(office.owner.email)
    return requestBy(
      owner,
      office.at('settings', 'clients', await clientOf(owner, office.at('settings', 'clients'))),
      {},
    )
  },
}
