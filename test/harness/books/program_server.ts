import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Fields = Record<string, unknown>
export type ProgramAnswer = { status: number; body: unknown; headers?: Record<string, string> }
export type ProgramRequest = {
  method: string
  path: string
  query: URLSearchParams
  body: Fields
  headers: IncomingMessage['headers']
}

/** OAuth paths of a program, and its check of the code verifier, if any. */
type Authorization = { token: string; revoke: string; challenge: ((verifier: string) => string) | null }

const SECONDS = 3600

/**
 * Starts a fake accounting program on loopback: OAuth 2.0 with single-use refresh tokens, and an API that runs a
 * request with an idempotency key once and repeats its answer.
 */
export async function startProgram(
  authorization: Authorization,
  keyOf: (request: ProgramRequest) => string | undefined,
  handle: (request: ProgramRequest) => ProgramAnswer,
) {
  const app = { id: 'books-app', secret: 'books-secret' }
  const codes = new Map<string, { challenge: string | null }>()
  const access = new Map<string, number>()
  const refresh = new Set<string>()
  const byKey = new Map<string, ProgramAnswer>()
  const requests: ProgramRequest[] = []
  const state = {
    /** Called before and after an API request is handled. An error that it throws loses the answer. */
    around: undefined as
      | ((request: ProgramRequest, when: 'before' | 'after') => Promise<unknown> | undefined)
      | undefined,
    /** Answers instead of the program. */
    instead: undefined as ((request: ProgramRequest) => ProgramAnswer | undefined) | undefined,
    renewals: 0,
    revoked: [] as string[],
  }
  const fresh = (): string => randomBytes(12).toString('hex')

  function grant(): ProgramAnswer {
    const tokens = { access_token: `access-${fresh()}`, refresh_token: `refresh-${fresh()}` }
    access.set(tokens.access_token, Date.now() + 1000 * SECONDS)
    refresh.add(tokens.refresh_token)
    return { status: 200, body: { ...tokens, token_type: 'bearer', expires_in: SECONDS } }
  }

  function answerToken(form: URLSearchParams): ProgramAnswer {
    const invalid = { status: 400, body: { error: 'invalid_grant' } }
    if (form.get('grant_type') === 'refresh_token') {
      state.renewals++
      return refresh.delete(form.get('refresh_token') ?? '') ? grant() : invalid
    }
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (code === undefined) return invalid
    const { challenge } = authorization
    if (challenge !== null && challenge(form.get('code_verifier') ?? '') !== code.challenge) return invalid
    return grant()
  }

  async function answer(request: ProgramRequest, text: string): Promise<ProgramAnswer> {
    // Id and secret are form-encoded (RFC 6749, 2.3.1).
    const basic = Buffer.from(String(request.headers.authorization).replace(/^Basic /, ''), 'base64').toString()
    const isApp = basic.split(':').map(decodeURIComponent).join(':') === `${app.id}:${app.secret}`
    if (request.path === authorization.token || request.path === authorization.revoke) {
      if (!isApp) return { status: 401, body: { error: 'invalid_client' } }
      if (request.path === authorization.token) return answerToken(new URLSearchParams(text))
      const token = text.startsWith('{')
        ? String(request.body['token'])
        : (new URLSearchParams(text).get('token') ?? '')
      state.revoked.push(token)
      refresh.delete(token)
      access.clear()
      return { status: 200, body: {} }
    }
    requests.push(request)
    await state.around?.(request, 'before')
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if ((access.get(bearer) ?? 0) < Date.now()) return { status: 401, body: {} }
    const instead = state.instead?.(request)
    if (instead !== undefined) return instead
    const key = request.method === 'GET' ? undefined : keyOf(request)
    const before = key === undefined ? undefined : byKey.get(key)
    const done = before ?? handle(request)
    if (key !== undefined && done.status === 200) byKey.set(key, done)
    await state.around?.(request, 'after')
    return done
  }

  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const url = new URL(incoming.url ?? '/', 'http://here')
      let text = ''
      for await (const chunk of incoming) text += String(chunk)
      const body = text.startsWith('{') ? (JSON.parse(text) as Fields) : {}
      const request = {
        method: incoming.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        body,
        headers: incoming.headers,
      }
      try {
        const { status, body: answered, headers = {} } = await answer(request, text)
        outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answered))
      } catch {
        outgoing.destroy()
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    app,
    apiUrl,
    state,
    requests,
    /** Approves an authorization request. Returns the query of the redirect. */
    agree(url: string): URLSearchParams {
      const asked = new URL(url).searchParams
      const code = fresh()
      codes.set(code, { challenge: asked.get('code_challenge') })
      return new URLSearchParams({ code, state: asked.get('state') ?? '' })
    },
    /** Expires the access tokens. With `all`, it revokes the refresh tokens too, as a person in the program does. */
    endAccess(all = false): void {
      access.clear()
      if (all) refresh.clear()
    },
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
