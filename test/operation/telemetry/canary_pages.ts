import { rpc, toolHeaders } from '../../harness/http.ts'
import { askConsent, pressConsent, tokensOf, newBrowser } from '../../harness/web_client.ts'
import { CANARY, PASSWORD, hidden, type Watched } from './canary.ts'

const CALLBACK = 'http://127.0.0.1:33418/callback'

/** Uses pages and the authorization server with valid and invalid forms, cookies, codes and tokens. */
export async function visit(service: Watched, email: string): Promise<void> {
  const { authUrl, baseUrl } = service.config
  const browser = newBrowser(service)
  await browser.get(`/sign-in?to=/${CANARY}&${CANARY}=${CANARY}`)
  await browser.signIn(email, `/${CANARY}`, `${CANARY} wrong`)
  await browser.signIn(email, '/', PASSWORD)
  const home = (await browser.get('/')).location ?? ''
  for (const path of [
    `/customers?query=${CANARY}&${CANARY}=1`,
    `/customers/new?name=${CANARY}`,
    `/jobs?query=${CANARY}`,
    `/schedule?day=${CANARY}`,
  ])
    await browser.get(home + path)
  const fields = {
    name: CANARY,
    first_name: CANARY,
    email: `new-${CANARY}@example.com`,
    role: 'office',
    level: 'read',
    scopes: 'read',
    phone: CANARY,
    [CANARY]: CANARY,
  }
  for (const path of [
    '/customers/new',
    '/tags/new',
    '/notes/new',
    '/jobs/new',
    '/settings/company',
    '/settings/places',
    '/settings/clients',
    '/settings/password',
  ])
    await browser.post(home + path, fields)
  const shown = [
    await browser.post(`${home}/settings/keys`, fields),
    await browser.post(`${home}/settings/members`, fields),
  ]
    .map(({ text }) => text)
    .join('')
  hidden.push(...[...shown.matchAll(/svc_[ut]k_\w+|(?<=invitation=)[\w-]{20,}/g)].map(([secret]) => secret))
  await browser.get(`/join?invitation=${CANARY}`)
  await browser.post('/join', { invitation: CANARY, name: CANARY, password: PASSWORD })
  await browser.send('/', { headers: { cookie: `callout_session=${CANARY}` } })
  await browser.get(`/oauth/consent?authorization_id=${CANARY}`)
  const form = async (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Record<string, string>> =>
    (await fetch(authUrl + path, { method: 'POST', headers, body: new URLSearchParams(fields) }))
      .json()
      .catch(() => ({})) as Promise<Record<string, string>>
  const registered = await fetch(`${authUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: CANARY, redirect_uris: [CALLBACK], client_uri: `https://${CANARY}.example` }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  for (const client of [CANARY, `https://${CANARY.toLowerCase()}.example/client`])
    await browser.get(
      `${authUrl}/oauth/authorize?client_id=${client}&redirect_uri=https://${CANARY}.example&state=${CANARY}`,
    )
  await browser.get(`${authUrl}/oauth/authorize/${CANARY}?resume=${CANARY}`)
  const { id, path, verifier } = await askConsent(service, browser, client_id, CALLBACK, {
    state: CANARY,
    scope: `openid ${CANARY}`,
    login_hint: CANARY,
  })
  const { location } = await pressConsent(browser, path, 'approve', { all: 'most', [CANARY]: CANARY })
  const answered = await browser.get(location ?? '/')
  const callback = new URL(answered.location ?? baseUrl)
  const tokens = (await tokensOf(service, client_id, callback, verifier)) as {
    access_token?: string
    refresh_token?: string
  }
  const { access_token = 'none-yet', refresh_token = 'none-yet' } = tokens
  hidden.push(
    ...browser.jar.values(),
    id,
    verifier,
    callback.searchParams.get('code') ?? 'none-yet',
    access_token,
    refresh_token,
  )
  await fetch(service.url, { method: 'POST', headers: toolHeaders(access_token), body: rpc('tools/list') })
  const basic = { authorization: `Basic ${Buffer.from(`${CANARY}:${CANARY}`).toString('base64')}` }
  hidden.push(basic.authorization.slice('Basic '.length))
  const renewed = await form('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token })
  hidden.push(renewed['access_token'] ?? 'none-yet', renewed['refresh_token'] ?? 'none-yet')
  await form('/oauth/token', {
    grant_type: CANARY,
    client_id: CANARY,
    client_secret: CANARY,
    code: CANARY,
    code_verifier: CANARY,
    refresh_token: CANARY,
  })
  await form('/oauth/token', { grant_type: 'authorization_code', code: CANARY }, basic)
  await form('/oauth/revoke', { token: renewed['access_token'] ?? CANARY, client_id })
  await form('/oauth/revoke', { token: CANARY, client_id })
  await browser.post('/sign-out', { to: `/${CANARY}` })
}
