import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { CALENDAR_ROUTES } from '../../../src/web/calendar/feed.ts'
import { CALLBACK } from '../../../test/harness/identity/consent.ts'
import { formAt } from '../../../test/harness/identity/people_pages.ts'
import {
  askConsent,
  authorizeAddress,
  createCompany,
  pressConsent,
  hiddenFieldsOf,
  tokensOf,
  newBrowser,
  type Browser,
} from '../../../test/harness/web_client.ts'
import { FORM_TYPE, JSON_TYPE } from '../requests.ts'
import { NOBODY, formBy, requestBy, type StateContext, type States } from './context.ts'

const registerApp = async ({ service }: StateContext): Promise<string> =>
  (await registerClient(service.database, { name: 'Assistant', redirect_uris: [CALLBACK], about: {} })).id

/** Opens an app's consent request in a member's browser, in a new company. */
async function requestConsent(context: StateContext, policy = 'any') {
  const company = await createCompany(context.service, 'Apps')
  const at = (...steps: string[]): string => `/${[company.id, 'settings', ...steps].join('/')}`
  const [owner, browser] = [newBrowser(context.service), newBrowser(context.service)]
  await owner.signIn(company.owner.email)
  if (policy !== 'any') await owner.post(at('apps', 'policy'), { policy })
  const member = await company.hire('office')
  await browser.signIn(member.email)
  const client = await registerApp(context)
  return {
    company,
    at,
    owner,
    browser,
    member,
    client,
    ...(await askConsent(context.service, browser, client, CALLBACK)),
  }
}

/** Returns the address at which the server continues after the approval. */
async function approveApp(context: StateContext) {
  const request = await requestConsent(context)
  const { location } = await pressConsent(request.browser, request.path, 'view')
  const { pathname, search } = new URL(location!, context.service.config.baseUrl)
  return { ...request, resumePath: pathname + search }
}

/** Returns the authorization code that the app gets. */
async function fetchCode(context: StateContext) {
  const request = await approveApp(context)
  const { location } = await request.browser.get(request.resumePath)
  return { ...request, code: new URL(location!).searchParams.get('code') ?? '' }
}

/** Connects an app, which the company's policy then forbids. */
async function outsideOfPolicy(context: StateContext) {
  const request = await fetchCode(context)
  await request.owner.post(request.at('apps', 'policy'), { policy: 'listed' })
  return request
}

const clientOf = async (owner: Browser, at: string): Promise<string> => {
  const { text } = await owner.post(at, NEW_CLIENT)
  return /Client ID [^]*?<code class="copy">([^<]+)/.exec(text)?.[1] ?? ''
}

const NEW_CLIENT = { name: 'Back end', redirect_uris: CALLBACK, customers: 'view' }

/** Routes of apps and of the authorization server. */
export const appStates: States = {
  'POST /oauth/consent': async (context) => {
    const { browser, path, id } = await requestConsent(context)
    const { text } = await browser.get(path)
    return requestBy(browser, '/oauth/consent', { authorization_id: id, ...hiddenFieldsOf(text), decision: 'view' })
  },
  'GET /auth/v1/oauth/authorize/:id': async (context) => {
    const { browser, resumePath } = await approveApp(context)
    return requestBy(browser, resumePath)
  },
  'POST /auth/v1/oauth/token': async (context) => {
    const { client, code, verifier } = await fetchCode(context)
    const { authUrl, baseUrl } = context.service.config
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
  'GET /auth/v1/oauth/authorize': async (context) => {
    const { address } = authorizeAddress(context.service, await registerApp(context), CALLBACK)
    const { pathname, search } = new URL(address)
    return requestBy(NOBODY, pathname + search)
  },
  'POST /auth/v1/oauth/revoke': async (context) => {
    const { client, code, verifier } = await fetchCode(context)
    const { access_token: token } = await tokensOf(
      context.service,
      client,
      new URL(`${CALLBACK}?code=${code}`),
      verifier,
    )
    return { ...requestBy(NOBODY, '/auth/v1/oauth/revoke', { client_id: client, token }), headers: FORM_TYPE }
  },
  ...Object.fromEntries(
    CALENDAR_ROUTES.map((route) => [
      `GET ${route}`,
      async (context: StateContext) => requestBy(NOBODY, context.calendarAt(route)),
    ]),
  ),
  ...Object.fromEntries(
    ['oauth-authorization-server', 'openid-configuration', 'jwks.json'].map((name) => [
      `GET /auth/v1/.well-known/${name}`,
      async () => requestBy(NOBODY, `/auth/v1/.well-known/${name}`),
    ]),
  ),
  'POST /:tenant{[0-9a-f-]{36}}/settings/apps/outside': async (context) => {
    const { owner, at } = await outsideOfPolicy(context)
    return requestBy(owner, at('apps', 'outside'), {})
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/apps/requests': async (context) => {
    const { owner, browser, at, path } = await requestConsent(context, 'ask')
    await pressConsent(browser, path, 'view')
    return formBy(owner, await owner.get(at('apps')), at('apps', 'requests'), { answer: 'approved' })
  },
  'GET /:tenant{[0-9a-f-]{36}}/settings/app': async (context) => {
    const { owner, at, client, member } = await fetchCode(context)
    return requestBy(owner, `${at('app')}?${new URLSearchParams({ client, user: member.user_id }).toString()}`)
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/app': async (context) => {
    const { owner, at, client, member } = await fetchCode(context)
    const path = `${at('app')}?${new URLSearchParams({ client, user: member.user_id }).toString()}`
    return requestBy(owner, path, [...formAt(await owner.get(path), path), ['jobs', 'view']])
  },
  'POST /:tenant{[0-9a-f-]{36}}/settings/clients': async ({ sandbox: { office } }) =>
    requestBy(await office.signInAs(office.owner.email), office.at('settings', 'clients'), NEW_CLIENT),
  'POST /:tenant{[0-9a-f-]{36}}/settings/clients/:id': async ({ sandbox: { office } }) => {
    const owner = await office.signInAs(office.owner.email)
    return requestBy(
      owner,
      office.at('settings', 'clients', await clientOf(owner, office.at('settings', 'clients'))),
      {},
    )
  },
}
