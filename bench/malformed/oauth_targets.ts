import { askConsent, hiddenFieldsOf, newBrowser } from '../../test/harness/web_client.ts'
import type { Office } from '../cost/office.ts'
import { JSON_TYPE, formSent, type Target } from '../cost/requests.ts'
import { applyGenes, applyGenesToFields, listPaths } from './apply_genes.ts'

const CALLBACK = 'http://127.0.0.1:33418/callback'

/** Pending authorization requests per client. Each decision uses up one. */
const REQUESTS = 6

/** Returns the requests of a new client to the authorization server, and the owner's consent screen. */
export async function oauthTargets(office: Office): Promise<Target[]> {
  const { config } = office.service
  const at = (step: string): string => `${new URL(config.authUrl).pathname}/oauth/${step}`
  const metadata = {
    client_name: 'Bench',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'read:jobs',
    contacts: ['a@example.com'],
  }
  const answer = await fetch(new URL(at('register'), config.baseUrl), {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(metadata),
  })
  const { client_id } = (await answer.json()) as { client_id: string }
  const client: [string, string][] = [
    ['client_id', client_id],
    ['redirect_uri', CALLBACK],
    ['resource', `${config.baseUrl}/api/mcp`],
  ]
  const query: [string, string][] = [
    ...client,
    ['response_type', 'code'],
    ['state', 'a'],
    ['scope', 'read:jobs'],
    ['prompt', 'consent'],
    ['code_challenge', 'a'.repeat(43)],
    ['code_challenge_method', 'S256'],
  ]
  const code: [string, string][] = [...client, ['code', 'a'.repeat(43)], ['code_verifier', 'a'.repeat(43)]]
  const token: [string, string] = ['refresh_token', 'a'.repeat(43)]
  return [
    {
      name: `POST ${at('register')}, deep`,
      maxBytes: 15_000,
      fields: listPaths(metadata),
      request: (genes) => ({
        path: at('register'),
        headers: JSON_TYPE,
        body: Buffer.from(applyGenes(metadata, genes)),
      }),
    },
    read(at('authorize'), query),
    form(at('token'), [['grant_type', 'authorization_code'], ...code]),
    form(at('token'), [['grant_type', 'refresh_token'], ...client, token]),
    form(at('revoke'), [...client, ['token', 'a'.repeat(43)], ['token_type_hint', 'refresh_token']]),
    ...(await Promise.all(Array.from({ length: REQUESTS }, () => consentTargets(office, client_id)))).flat(),
  ]
}

async function consentTargets(office: Office, client: string): Promise<Target[]> {
  const browser = newBrowser(office.service)
  const { path, id } = await askConsent(office.service, browser, client, CALLBACK, { code_challenge: 'a'.repeat(43) })
  const ownCookies = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const cookie = (): string => `${ownCookies}; ${office.cookie()}`
  const { text } = await fetchPage(office, path, cookie())
  const usual: [string, string][] = [
    ['authorization_id', id],
    ...Object.entries(hiddenFieldsOf(text)).filter(([name]) => name !== 'authorization_id'),
    ['decision', 'approve'],
    ['level.Jobs & scheduling', 'view'],
    ['all', 'no'],
  ]
  return [
    read(
      '/oauth/consent',
      [
        ['authorization_id', id],
        ['company', office.tenant],
      ],
      cookie,
    ),
    form('/oauth/consent', usual, cookie),
  ]
}

const fetchPage = async (office: Office, path: string, cookie: string): Promise<{ text: string }> => ({
  text: await (await fetch(new URL(path, office.service.config.baseUrl), { headers: { cookie } })).text(),
})

const NOBODY = (): string => ''

const read = (path: string, usual: readonly [string, string][], cookie = NOBODY): Target => ({
  name: `GET ${path}, a known client`,
  maxBytes: 12_000,
  fields: [...usual.map(([name]) => name), 'strange'],
  request: (genes) => ({
    path: `${path}?${applyGenesToFields(usual, genes).toString().slice(0, 12_000)}`,
    headers: { cookie: cookie() },
    body: Buffer.alloc(0),
  }),
})

const form = (path: string, usual: readonly [string, string][], cookie = NOBODY): Target => ({
  name: `POST ${path}, a known client`,
  maxBytes: 100_000,
  fields: [...usual.map(([name]) => name), 'strange'],
  request: (genes) => formSent(path, Buffer.from(applyGenesToFields(usual, genes).toString()), cookie()),
})
