import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { openDataKeys } from '../../../src/identity/data_keys.ts'
import {
  companyProvider,
  saveTrial,
  saveCompanyProvider,
  setCompanyProviderOn,
} from '../../../src/identity/providers/company/company_provider.ts'
import type { Network } from '../../../src/identity/public_request.ts'
import { certificate, privateKey } from './client_certificate.ts'
import type { TestService } from '../harness.ts'
import { createCompany, type Browser, type BrowserResponse } from '../web_client.ts'

/** Claims of a company's provider about the person who signs in, of any kind. */
export type ProviderClaims = {
  sub: string
  email?: string
  email_verified?: unknown
  xms_edov?: unknown
  tid?: string
  ver?: string
  name?: string
  amr?: string[]
  auth_time?: number
  iss?: string
  aud?: string
  nonce?: string
}

/** Network for these tests: the provider's name resolves to loopback, and loopback is allowed. */
export const LOOPBACK_NETWORK: Network = {
  resolve: async () => ['127.0.0.1'],
  isAllowed: (address) => address === '127.0.0.1',
  ca: certificate,
}

type AuthorizationRequest = { nonce: string; client: string; redirect: string; claims: ProviderClaims }

/**
 * Starts a company's OpenID provider, which returns the claims that a test sets; `isPlain` without TLS, as an
 * installation's own may be on the same machine.
 */
export async function startCompanyProvider({ isPlain = false } = {}) {
  const keys = await generateKeyPair('ES256')
  const codes = new Map<string, AuthorizationRequest>()
  const seen: { path: string; authorization: string | undefined; body: string }[] = []
  let answers: ((req: IncomingMessage, res: ServerResponse) => boolean) | null = null
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    void answer(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)))
  }
  const server = isPlain ? createPlainServer(handle) : createServer({ cert: certificate, key: privateKey }, handle)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const issuer = isPlain ? `http://localhost:${port}` : `https://client.test:${port}`

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of req) body += String(chunk)
    seen.push({ path: req.url ?? '', authorization: req.headers.authorization, body })
    if (answers?.(req, res) === true) return
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await bodyAt(req.url ?? '', body)))
  }

  async function bodyAt(path: string, sent: string): Promise<object> {
    if (path === '/jwks')
      return { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] }
    if (path !== '/token') return metadata(issuer)
    const { nonce, client, claims } = codes.get(new URLSearchParams(sent).get('code') ?? '')!
    const { sub, iss = issuer, aud = client, ...otherClaims } = claims
    const token = await new SignJWT({ nonce, ...otherClaims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(iss)
      .setAudience(aud)
      .setSubject(sub)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(keys.privateKey)
    return { access_token: 'none', token_type: 'bearer', id_token: token }
  }

  /** Approves an authorization request. Returns the callback path. */
  function approve(departure: string, claims: ProviderClaims, more: Record<string, string> = {}): string {
    const query = new URL(departure).searchParams
    const code = `code-${codes.size}`
    const redirect = query.get('redirect_uri')!
    codes.set(code, { nonce: query.get('nonce')!, client: query.get('client_id')!, redirect, claims })
    const back = new URL(redirect)
    return `${back.pathname}?${new URLSearchParams({ code, state: query.get('state')!, ...more }).toString()}`
  }

  return {
    issuer,
    seen,
    approve,
    /** Replaces the provider's answers. Null restores them. */
    answering: (how: typeof answers) => (answers = how),
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped())
        server.closeAllConnections()
      }),
  }
}

export type CompanyProviderServer = Awaited<ReturnType<typeof startCompanyProvider>>

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
})

/** Returns the destination of a page that redirects. */
export const continueUrl = ({ text }: Pick<BrowserResponse, 'text'>): string =>
  /<a class="button main" href="([^"]+)">Continue/.exec(text)![1]!.replaceAll('&amp;', '&')

/** Signs in through a company's provider with these claims. */
export async function signInThrough(
  provider: CompanyProviderServer,
  browser: Browser,
  tenant: string,
  claims: ProviderClaims,
  more: Record<string, string> = {},
): Promise<BrowserResponse> {
  const away = await browser.post(`/${tenant}/sign-in`, { to: `/${tenant}`, ...more })
  return browser.get(provider.approve(continueUrl(away), claims))
}

/** Makes a company with its own provider turned on, bypassing the checks of the settings page. */
export async function providedCompany(here: TestService, provider: CompanyProviderServer, name: string) {
  const company = await createCompany(here, name)
  const [tenant, by] = [company.id, { user: company.owner.user_id }]
  const { database, config } = here
  const options = {
    issuer: provider.issuer,
    clientId: `callout-${name}`,
    clientSecret: 'secret',
    name: `${name} Login`,
  }
  await saveCompanyProvider(database, openDataKeys(config.dataKey), tenant, options, by)
  const { version } = (await companyProvider(database, tenant))!
  const identity = {
    issuer: provider.issuer,
    subject: 'tried',
    email: null,
    address: null,
    name: null,
    methods: [],
    unconfirmed: null,
    recognizedAt: null,
  }
  await saveTrial(database, tenant, identity, { version, by })
  await setCompanyProviderOn(database, tenant, true, by)
  return company
}
