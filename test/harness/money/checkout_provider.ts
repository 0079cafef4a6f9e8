import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { newProviderId } from './payments.ts'
import { fakeSavedPayments } from './saved_provider.ts'

type Form = Record<string, unknown>
export type FakeSession = {
  id: string
  account: string
  asked: Form
  status: 'open' | 'complete' | 'expired'
  /** State of the payment, once the customer has paid. `hidden` from a key without permission to see it. */
  intent: 'processing' | 'succeeded' | 'requires_payment_method' | 'hidden'
  url: string
}
type Answer = { status: number; body: object }

const SCHEMA = new URL('../../fixtures/checkout_session.json', import.meta.url)

/**
 * Starts the payments provider's hosted checkout API on loopback. It accepts what the published API description allows,
 * repeats its answer for a repeated idempotency key, and expires only open sessions.
 */
export async function startCheckoutProvider(key = 'sk_test_key') {
  const ajv = new Ajv({ coerceTypes: true, allErrors: true })
  addFormats.default(ajv)
  const fits = ajv.compile(JSON.parse(await readFile(SCHEMA, 'utf8')) as object)
  const sessions = new Map<string, FakeSession>()
  const saved = await fakeSavedPayments()
  const byKey = new Map<string, { written: string; answer: Answer }>()
  const requests: {
    path: string
    key: string | undefined
    account: string | undefined
    version: string | undefined
  }[] = []
  const state = {
    refusal: undefined as { status: number; code: string } | undefined,
    duringStart: undefined as (() => Promise<unknown>) | undefined,
  }

  async function start(written: string, account: string, idempotency: string): Promise<Answer> {
    const before = byKey.get(idempotency)
    if (before !== undefined)
      return before.written === written
        ? before.answer
        : makeErrorAnswer(400, 'idempotency_key_reused', 'other parameters')
    const asked = parseForm(new URLSearchParams(written))
    if (!fits(asked)) return makeErrorAnswer(400, 'parameter_invalid', problems(fits.errors))
    const minutes = (Number(asked['expires_at']) - Date.now() / 1000) / 60
    if (minutes < 30 || minutes > 24 * 60)
      return makeErrorAnswer(400, 'parameter_invalid', `expires_at in ${minutes} minutes`)
    if (state.refusal !== undefined) return makeErrorAnswer(state.refusal.status, state.refusal.code, 'told to')
    await state.duringStart?.()
    const id = newProviderId('cs_test')
    const session: FakeSession = {
      id,
      account,
      asked,
      status: 'open',
      intent: 'succeeded',
      url: `https://checkout.example/${id}`,
    }
    sessions.set(id, session)
    const answer = { status: 200, body: toView(session) }
    byKey.set(idempotency, { written, answer })
    return answer
  }

  function end(session: FakeSession): Answer {
    if (session.status !== 'open') return makeErrorAnswer(400, 'checkout_session_not_open', `it is ${session.status}`)
    session.status = 'expired'
    return { status: 200, body: toView(session) }
  }

  async function answer(request: IncomingMessage, written: string): Promise<Answer> {
    const {
      authorization,
      'stripe-account': account,
      'idempotency-key': idempotency,
      'stripe-version': version,
    } = request.headers
    requests.push({
      path: `${request.method} ${request.url}`,
      key: one(idempotency),
      account: one(account),
      version: one(version),
    })
    if (authorization !== `Bearer ${key}`) return makeErrorAnswer(401, 'api_key_invalid', 'no such key')
    if (account === undefined)
      return makeErrorAnswer(400, 'account_missing', 'these tests pay to connected accounts alone')
    const ofSaved = await saved.answer({
      method: String(request.method),
      path: String(request.url),
      asked: parseForm(new URLSearchParams(written)),
      written,
      account: String(account),
      key: one(idempotency),
    })
    if (ofSaved !== undefined) return ofSaved
    const [, paid] = /^\/v1\/payment_intents\/pi_(.+)$/.exec(request.url ?? '') ?? []
    if (paid !== undefined) return intentOf(sessions.get(paid))
    const [, id, step] = /^\/v1\/checkout\/sessions\/(\w+(?:-\w+)*)(\/expire)?$/.exec(request.url ?? '') ?? []
    if (request.method === 'POST' && request.url === '/v1/checkout/sessions')
      return start(written, String(account), String(idempotency))
    const session = sessions.get(id ?? '')
    if (session === undefined || session.account !== account)
      return makeErrorAnswer(404, 'resource_missing', 'no such session')
    return step === undefined ? { status: 200, body: toView(session) } : end(session)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    const send = async (): Promise<void> => {
      try {
        const { status, body } = await answer(request, Buffer.concat(chunks).toString())
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      } catch {
        // A test drops the answer.
        response.destroy()
      }
    }
    request.on('end', () => void send())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    saved,
    requests,
    state,
    started: (): FakeSession[] => [...sessions.values()],
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type CheckoutProvider = Awaited<ReturnType<typeof startCheckoutProvider>>

const toView = ({ id, status, intent, url }: FakeSession): object => ({
  id,
  object: 'checkout.session',
  status,
  payment_status: status === 'complete' && intent === 'succeeded' ? 'paid' : 'unpaid',
  payment_intent: status === 'complete' ? `pi_${id}` : null,
  url: status === 'open' ? url : null,
})

const intentOf = (session: FakeSession | undefined): Answer =>
  session === undefined || session.intent === 'hidden'
    ? makeErrorAnswer(403, 'more_permissions_required', 'the key may not read payments')
    : { status: 200, body: { id: `pi_${session.id}`, object: 'payment_intent', status: session.intent } }

const makeErrorAnswer = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { type: status === 500 ? 'api_error' : 'invalid_request_error', code, message } },
})

const problems = (errors: ErrorObject[] | null | undefined): string =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')

const one = (header: string | string[] | undefined): string | undefined => [header].flat()[0]

/** Parses `line_items[0][price_data][currency]` into nested values. */
function parseForm(form: URLSearchParams): Form {
  const root: Form = {}
  for (const [path, value] of form) {
    const steps = path.split(/[[\]]+/).filter((step) => step !== '')
    let at: Form = root
    for (const step of steps.slice(0, -1)) at = (at[step] ??= {}) as Form
    at[steps.at(-1)!] = value
  }
  return restoreArrays(root) as Form
}

const restoreArrays = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, one]) => [name, restoreArrays(one)] as const)
  return members.length > 0 && members.every(([name], i) => name === String(i))
    ? members.map(([, one]) => one)
    : Object.fromEntries(members)
}
