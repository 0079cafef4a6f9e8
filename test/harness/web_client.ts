import { createHash, randomBytes, randomInt, scryptSync } from 'node:crypto'
import { createServer } from 'node:net'
import { decodeJwt } from 'jose'
import { addMember } from '../../src/identity/people/people.ts'
import { createTenant } from '../../src/identity/companies/tenants.ts'
import type { Ceiling, Role } from '../../src/identity/permissions/areas.ts'
import { sql, writeTenant, type Database } from '../../src/platform/db/tenant.ts'
import { startTestService, type Around, type TestService } from './harness.ts'

export const PASSWORD = 'correct horse battery'

/** Hash of the password at the lowest cost. These tests check the password, not the cost of guessing it. */
const STORED = storedCheaply(PASSWORD)

function storedCheaply(password: string): string {
  const salt = randomBytes(16)
  const hash = scryptSync(password, salt, 32, { N: 16, r: 1, p: 1 })
  return `$scrypt$ln=4,r=1,p=1$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/** Sets a password for a person who has none, like an operator. */
export async function givePassword(database: Database, tenant: string, user: string): Promise<void> {
  await writeTenant(database, { tenant }, (db) =>
    db.run(sql`update users set password_hash = ${STORED} where id = ${user} and password_hash is null`),
  )
}

/** Starts the service at its own base URL, the one in its pages and authorization server. */
export async function startSite(env: Record<string, string> = {}, outside: Around = {}): Promise<TestService> {
  const port = await freePort()
  return startTestService({ BASE_URL: `http://localhost:${port}`, PORT: String(port), ...env }, outside)
}

/** Returns a free port below the range for outgoing connections, so that none of them takes it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

let serial = 0

/** Makes a company whose owner can sign in. Makes the account if the address is new. */
export async function createCompany(
  { database }: TestService,
  name: string,
  owner = `owner-${++serial}@example.com`,
  timezone = 'America/New_York',
) {
  const made = await createTenant(database, {
    name,
    timezone,
    currency: 'USD',
    country: 'US',
    owner: { email: owner, name: 'Ana Ruiz', password: 'none' },
  })
  await givePassword(database, made.id, made.owner.user_id)
  const join = (
    role: Role,
    { email = `${role}-${++serial}@example.com`, areas }: { email?: string; areas?: Partial<Ceiling> } = {},
  ) => addMember(database, { tenant: made.id }, { email, name: 'Leo Park', role, areas, password: 'none' })
  const addMemberWithPassword = async (role: Role, areas?: Partial<Ceiling>) => {
    const member = await join(role, areas === undefined ? {} : { areas })
    await givePassword(database, made.id, member.user_id)
    return member
  }
  return { id: made.id, name, owner: made.owner, join, hire: addMemberWithPassword }
}

export type BrowserResponse = { status: number; location: string | null; headers: Headers; text: string }

/** Returns a browser without scripts. It keeps cookies, sends forms and doesn't follow redirects. */
export function newBrowser({ config: { baseUrl } }: TestService) {
  const jar = new Map<string, string>()

  async function send(
    path: string,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<BrowserResponse> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, baseUrl), {
      redirect: 'manual',
      ...init,
      headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return {
      status: response.status,
      location: response.headers.get('location'),
      headers: response.headers,
      text: await response.text(),
    }
  }

  const post = (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = { origin: baseUrl, 'sec-fetch-site': 'same-origin' },
  ): Promise<BrowserResponse> => send(path, { method: 'POST', body: new URLSearchParams(fields), headers })
  const signIn = (email: string, to = '/', password = PASSWORD): Promise<BrowserResponse> =>
    post('/sign-in', { email, password, to })
  return { jar, send, get: (path: string) => send(path), post, signIn }
}

export type Browser = ReturnType<typeof newBrowser>

type Asking = Record<string, string>

/** Returns a client's authorize URL with a new code verifier. */
export function authorizeAddress(
  { config: { authUrl, baseUrl } }: TestService,
  client: string,
  callback: string,
  more: Asking = {},
) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: client,
    redirect_uri: callback,
    response_type: 'code',
    state: 'st4te',
    resource: `${baseUrl}/api/mcp`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  return { address: `${authUrl}/oauth/authorize?${query.toString()}`, verifier }
}

/** Starts an authorize request in a browser. Returns the path of the consent screen and its id. */
export async function askConsent(
  service: TestService,
  browser: Browser,
  client: string,
  callback: string,
  more: Asking = {},
) {
  const { address, verifier } = authorizeAddress(service, client, callback, more)
  const { location, text } = await browser.get(address)
  if (location === null) throw new Error(text)
  const { pathname, search, searchParams } = new URL(location)
  return { path: pathname + search, id: searchParams.get('authorization_id')!, verifier }
}

/** Returns the hidden fields that a consent form sends back about what it showed. */
export const hiddenFieldsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(authorization_id|company|person|shown)" value="([^"]*)">/g)].map(
      ([, name, value]) => [name!, value!],
    ),
  )

/** Opens the consent screen, for a company if one is given, and presses a button. */
export async function pressConsent(
  browser: Browser,
  path: string,
  decision: 'approve' | 'view' | 'deny',
  fields: Record<string, string> = {},
  company?: string,
): Promise<BrowserResponse> {
  const { text } = await browser.get(company === undefined ? path : `${path}&company=${company}`)
  return browser.post('/oauth/consent', {
    authorization_id: new URLSearchParams(path.split('?')[1]).get('authorization_id') ?? '',
    ...hiddenFieldsOf(text),
    decision,
    ...fields,
  })
}

/** Exchanges the code at the client's callback URL for tokens. */
export async function tokensOf(
  { config: { authUrl, baseUrl } }: TestService,
  client: string,
  callback: URL,
  verifier: string,
): Promise<{ access_token: string; refresh_token: string }> {
  const response = await fetch(`${authUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client,
      code: callback.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: callback.href.replace(/\?.*$/, ''),
      resource: `${baseUrl}/api/mcp`,
    }),
  })
  return (await response.json()) as { access_token: string; refresh_token: string }
}

/** Exchanges the code for tokens. Returns the access token's claims. */
export async function exchangeCode(
  service: TestService,
  client: string,
  callback: URL,
  verifier: string,
): Promise<{ tenant_id: string; scopes: string[]; role: string }> {
  const { access_token } = await tokensOf(service, client, callback, verifier)
  return decodeJwt(access_token)
}
