import { createHash, randomBytes } from 'node:crypto'
import pino from 'pino'
import { openDataKeys } from '../../../src/identity/data_keys.ts'
import { openKeyring } from '../../../src/identity/credentials/tokens/signing_keys.ts'
import type { Area, Level } from '../../../src/identity/permissions/areas.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import type { AuthorizationServer } from '../../../src/identity/oauth/port.ts'
import { openAuthorizationServer } from '../../../src/identity/oauth/server.ts'
import { startService, type TestOverrides } from '../../../src/start/service.ts'
import { TEST_DATA_KEY, makeDatabase } from '../harness.ts'

export const BASE = 'https://callout.test'
export const ISSUER = `${BASE}/auth/v1`
export const RESOURCE = `${BASE}/api/mcp`
export const CALLBACK = 'http://127.0.0.1:33418/callback'
export const ALL_AREAS = allAreas('edit')

export function allAreas(level: Level): Partial<Record<Area, Level>> {
  return Object.fromEntries(
    [
      'Customers & contacts',
      'Notes',
      'Jobs & scheduling',
      'Recurring jobs',
      'Invoices',
      'Quotes',
      'Catalog & pricing',
      'Plans',
      'Tax rates',
    ].map((area) => [area, level]),
  )
}

export type AuthorizingService = Awaited<ReturnType<typeof startAuthorizing>>

/** Starts the service as https://callout.test, on a loopback port that only `fetch` maps to. */
export async function startAuthorizing(env: Record<string, string> = {}, outside: TestOverrides = {}) {
  const { database, owner, login, drop } = await makeDatabase()
  const config = {
    ...readConfig({
      RATE_LIMIT_PER_CREDENTIAL: '0',
      RATE_LIMIT_PER_TENANT: '0',
      BASE_URL: BASE,
      DATA_KEY: TEST_DATA_KEY,
      ...env,
    }),
    port: 0,
  }
  const dataKeys = openDataKeys(config.dataKey)
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const service = await startService(config, database, log, null, outside)
  const origin = `http://127.0.0.1:${service.port}`
  const send = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    const target = url.replace(BASE, origin)
    return fetch(input instanceof Request ? new Request(target, input) : target, init)
  }
  return {
    database,
    owner,
    login,
    config,
    origin,
    url: `${origin}/api/mcp`,
    fetch: send,
    lines,
    dataKeys,
    /** Authorization server without its pages, for decisions in tests. */
    port: openAuthorizationServer({ config, database, keyring: openKeyring(database, dataKeys), log, ...outside }),
    stop: async (): Promise<void> => {
      await service.stop(0)
      await drop()
    },
  }
}

export const verifierOf = () => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

type Sending = (input: string | URL, init?: RequestInit) => Promise<Response>

/** Acts as a browser: keeps cookies with their paths, and doesn't follow redirects by itself. */
export class Browser {
  readonly #send: Sending
  readonly cookies = new Map<string, { value: string; path: string }>()

  constructor(send: Sending) {
    this.#send = send
  }

  async get(url: string, headers: Record<string, string> = {}): Promise<Response> {
    const path = new URL(url).pathname
    const cookie = [...this.cookies]
      .filter(([, one]) => path.startsWith(one.path))
      .map(([key, one]) => `${key.split(' ')[0]}=${one.value}`)
      .join('; ')
    const response = await this.#send(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers },
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  #keep(line: string): void {
    const [pair = '', ...rest] = line.split('; ')
    const path = rest.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
    const at = pair.indexOf('=')
    this.cookies.set(`${pair.slice(0, at)} ${path}`, { value: pair.slice(at + 1), path })
  }

  valueOf(name: string): string | undefined {
    return [...this.cookies].find(([key]) => key.startsWith(`${name} `))?.[1].value
  }
}

export type Asking = Record<string, string | undefined>

export function authorizeUrl(client: string, challenge: string, more: Asking = {}): string {
  const given: Asking = {
    client_id: client,
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'st4te',
    resource: RESOURCE,
    ...more,
  }
  const pairs = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `${ISSUER}/oauth/authorize?${new URLSearchParams(pairs).toString()}`
}

/** Registers a public client. Returns its id. */
export async function registerPublicClient(service: AuthorizingService, more: object = {}): Promise<string> {
  const response = await service.fetch(`${ISSUER}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Test client',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      ...more,
    }),
  })
  const body = (await response.json()) as { client_id?: string }
  if (body.client_id === undefined) throw new Error(JSON.stringify(body))
  return body.client_id
}

export type Deciding = { user: string; tenant: string; areas?: Partial<Record<Area, Level>> }

/** Starts an authorize request in a browser. Returns the id in the consent URL. */
export async function startAuthorization(browser: Browser, url: string): Promise<string> {
  const response = await browser.get(url)
  const location = response.headers.get('location') ?? ''
  const id = new URL(location === '' ? 'about:blank' : location).searchParams.get('authorization_id')
  if (id === null) throw new Error(`HTTP ${response.status} ${location} ${await response.text()}`)
  return id
}

/** Approves as the person at a browser. Returns the client's callback URL. */
export async function approveRequest(
  port: AuthorizationServer,
  browser: Browser,
  url: string,
  { user, tenant, areas = ALL_AREAS }: Deciding,
): Promise<URL> {
  const interaction = await port.load(await startAuthorization(browser, url), browser.valueOf(port.browserCookieName))
  if (interaction === null) throw new Error('No interaction')
  const resume = await port.approve(interaction, { user, tenant, areas })
  const response = await browser.get(resume)
  const location = response.headers.get('location')
  if (location === null) throw new Error(`HTTP ${response.status} ${await response.text()}`)
  return new URL(location)
}

export type Tokens = {
  access_token: string
  token_type: string
  expires_in: number
  refresh_token: string
  scope?: string
  id_token?: string
}
export type Answered<T = Record<string, unknown>> = { status: number; body: T; headers: Headers }

export async function requestTokens<T = Tokens>(
  service: AuthorizingService,
  given: Asking,
  headers: Record<string, string> = {},
): Promise<Answered<T>> {
  const pairs = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const response = await service.fetch(`${ISSUER}/oauth/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(pairs),
  })
  return { status: response.status, body: (await response.json()) as T, headers: response.headers }
}

/** Returns a code with everything that the token request needs. */
export async function obtainCode(service: AuthorizingService, client: string, by: Deciding, more: Asking = {}) {
  const verifier = verifierOf()
  const callback = await approveRequest(
    service.port,
    new Browser(service.fetch),
    authorizeUrl(client, challengeOf(verifier), more),
    by,
  )
  const code = callback.searchParams.get('code')
  if (code === null) throw new Error(callback.href)
  return {
    callback,
    given: {
      grant_type: 'authorization_code',
      client_id: client,
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      resource: RESOURCE,
    } satisfies Asking,
  }
}

/** Returns tokens from the complete flow. */
export async function obtainTokens(service: AuthorizingService, client: string, by: Deciding): Promise<Tokens> {
  const { given } = await obtainCode(service, client, by)
  const { status, body } = await requestTokens(service, given)
  if (status !== 200) throw new Error(`HTTP ${status} ${JSON.stringify(body)}`)
  return body
}

/** Calls a tool as clients do. Returns the status and body of the HTTP answer. */
export async function callTool(
  service: AuthorizingService,
  token: string,
  name = 'customers_search',
  given: object = {},
): Promise<Answered> {
  const response = await service.fetch(RESOURCE, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}

/** Returns the token endpoint's status and error for a request. */
export async function outcome(
  service: AuthorizingService,
  given: Asking,
  headers?: Record<string, string>,
): Promise<[number, unknown]> {
  const { status, body } = await requestTokens<{ error?: string }>(service, given, headers)
  return [status, body.error]
}

/** Returns the Authorization header with a client's id and secret. */
export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})
