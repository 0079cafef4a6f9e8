import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { newProviderId } from './payments.ts'
import {
  makeErrorAnswer,
  makeStateError,
  ok,
  problems,
  shownMethod,
  shownSetup,
  type Answer,
  type FakeIntent,
  type FakeMethod,
  type FakeSetup,
  type Form,
  type LedgerEntry,
  type ProviderEvent,
  type ProviderRequest,
} from './saved_objects.ts'

const compile = async (name: string) => {
  const ajv = new Ajv({ coerceTypes: true, allErrors: true, strict: false })
  addFormats.default(ajv)
  return ajv.compile(
    JSON.parse(await readFile(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8')) as object,
  )
}

/**
 * Returns the provider's saved payment methods: setup pages, setup intents, payment methods and payment intents, as its
 * published API has them. Every POST with an idempotency key is done once, its failure included. A payment intent takes
 * money once at most, and each success is in the ledger and among the events.
 */
export async function fakeSavedPayments() {
  const [isSetup, isIntent] = await Promise.all([compile('setup_session'), compile('payment_intent')])
  const setups = new Map<string, FakeSetup>()
  const setupIntents = new Map<string, { status: string; payment_method: string | null }>()
  const methods = new Map<string, FakeMethod>()
  const intents = new Map<string, FakeIntent>()
  const byKey = new Map<string, { written: string; answer: Answer }>()
  const ledger: LedgerEntry[] = []
  const events: ProviderEvent[] = []
  let now = Math.floor(Date.now() / 1000)
  const state = {
    /** Called before and after a request is handled. An error that it throws loses the answer. */
    around: undefined as ((path: string, when: 'before' | 'after') => Promise<unknown> | undefined) | undefined,
  }

  const tell = (account: string, type: string, object: object): void =>
    void events.push({
      id: newProviderId('evt'),
      type,
      account,
      livemode: false,
      created: (now += 1),
      data: { object },
    })

  /** Saves a method on a setup page, as its customer does. */
  function completeSetup(
    setup: FakeSetup,
    given: Partial<Pick<FakeMethod, 'type' | 'about' | 'result'>> = {},
  ): FakeMethod {
    const customer = typeof setup.asked['customer'] === 'string' ? setup.asked['customer'] : newProviderId('cus')
    const method: FakeMethod = {
      id: newProviderId('pm'),
      account: setup.account,
      customer,
      type: 'card',
      about: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2034 },
      result: 'succeeded',
      ...given,
    }
    methods.set(method.id, method)
    const setupIntent = newProviderId('seti')
    setupIntents.set(setupIntent, { status: 'succeeded', payment_method: method.id })
    Object.assign(setup, { status: 'complete', customer, setupIntent })
    const { metadata } = setup.asked['setup_intent_data'] as Form
    tell(setup.account, 'setup_intent.succeeded', {
      id: setupIntent,
      object: 'setup_intent',
      status: 'succeeded',
      customer,
      payment_method: method.id,
      metadata,
    })
    return method
  }

  function startSetup({ asked, account }: ProviderRequest): Answer {
    if (!isSetup(asked)) return makeErrorAnswer(400, 'parameter_invalid', problems(isSetup.errors))
    const minutes = (Number(asked['expires_at']) - Date.now() / 1000) / 60
    if (minutes < 30 || minutes > 24 * 60)
      return makeErrorAnswer(400, 'parameter_invalid', `expires_at in ${minutes} minutes`)
    const known = [...methods.values()].some(({ customer }) => customer === asked['customer'])
    if (asked['customer'] !== undefined && !known && !isCustomer(asked['customer']))
      return makeErrorAnswer(400, 'resource_missing', 'no such customer')
    const id = newProviderId('cs_test')
    const setup: FakeSetup = {
      id,
      account,
      asked,
      status: 'open',
      customer: null,
      setupIntent: null,
      url: `https://checkout.example/${id}`,
    }
    setups.set(id, setup)
    return ok(shownSetup(setup))
  }

  const isCustomer = (id: unknown): boolean => [...setups.values()].some(({ customer }) => customer === id)

  function makeIntent({ asked, account }: ProviderRequest): Answer {
    if (!isIntent(asked)) return makeErrorAnswer(400, 'parameter_invalid', problems(isIntent.errors))
    const method = methods.get(String(asked['payment_method']))
    if (method === undefined || method.account !== account)
      return makeErrorAnswer(400, 'resource_missing', 'No such PaymentMethod')
    if (method.customer === null || method.customer !== asked['customer'])
      return makeErrorAnswer(
        400,
        'payment_method_unexpected_state',
        'The payment method does not belong to the customer',
      )
    const intent: FakeIntent = {
      id: newProviderId('pi'),
      account,
      asked,
      method: method.id,
      status: 'requires_confirmation',
      charge: null,
      error: null,
    }
    intents.set(intent.id, intent)
    return ok(shownIntent(intent))
  }

  function confirm(intent: FakeIntent): Answer {
    if (intent.status !== 'requires_confirmation') return makeStateError(intent)
    const method = methods.get(intent.method ?? '')
    if (method?.customer == null) {
      intent.status = 'requires_payment_method'
      return makeErrorAnswer(400, 'payment_method_unexpected_state', 'The payment method was detached')
    }
    if (method.result === 'succeeded') return succeed(intent)
    if (method.result === 'processing') {
      intent.status = 'processing'
      intent.charge = newProviderId('py')
      tell(intent.account, 'payment_intent.processing', shownIntent(intent))
      return ok(shownIntent(intent))
    }
    return decline(intent, method.result === 'requires_action' ? 'authentication_required' : method.result.decline_code)
  }

  /** Takes the money of a payment, at once or when a bank has decided. */
  function succeed(intent: FakeIntent): Answer {
    const { amount, metadata } = intent.asked as { amount: number; metadata: Form }
    Object.assign(intent, { status: 'succeeded', charge: intent.charge ?? newProviderId('ch') })
    ledger.push({ intent: intent.id, charge: String(intent.charge), account: intent.account, amount, metadata })
    const { currency } = intent.asked
    const charge = { id: intent.charge, object: 'charge', amount, captured: true, currency, metadata }
    tell(intent.account, 'charge.succeeded', { ...charge, payment_intent: intent.id })
    tell(intent.account, 'payment_intent.succeeded', shownIntent(intent))
    return ok(shownIntent(intent))
  }

  /** Declines a payment. Keeps the intent, without its method. */
  function decline(intent: FakeIntent, decline_code: string): Answer {
    const charge = intent.charge ?? newProviderId('ch')
    const code = decline_code === 'authentication_required' ? decline_code : 'card_declined'
    const error = {
      type: 'card_error',
      code,
      decline_code,
      message: `Your card was declined: ${decline_code}.`,
      charge,
    }
    Object.assign(intent, { status: 'requires_payment_method', method: null, charge, error })
    const { amount, currency, metadata } = intent.asked
    const failed = { id: charge, object: 'charge', amount, currency, metadata, payment_intent: intent.id }
    tell(intent.account, 'charge.failed', { ...failed, failure_code: code, failure_message: error.message })
    tell(intent.account, 'payment_intent.payment_failed', shownIntent(intent))
    return { status: 402, body: { error: { ...error, payment_intent: shownIntent(intent) } } }
  }

  function cancel(intent: FakeIntent): Answer {
    if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status))
      return makeStateError(intent)
    intent.status = 'canceled'
    tell(intent.account, 'payment_intent.canceled', shownIntent(intent))
    return ok(shownIntent(intent))
  }

  function detach(method: FakeMethod | undefined): Answer {
    if (method === undefined) return makeErrorAnswer(400, 'resource_missing', 'No such PaymentMethod')
    if (method.customer === null)
      return makeErrorAnswer(400, 'payment_method_unexpected_state', 'The payment method is not attached to a customer')
    method.customer = null
    tell(method.account, 'payment_method.detached', shownMethod(method))
    return ok(shownMethod(method))
  }

  function write(request: ProviderRequest): Answer | undefined {
    const { path, asked, account } = request
    if (path === '/v1/checkout/sessions' && asked['mode'] === 'setup') return startSetup(request)
    if (path === '/v1/payment_intents') return makeIntent(request)
    const [, id = '', step] = /^\/v1\/payment_intents\/([\w-]+)\/(confirm|cancel)$/.exec(path) ?? []
    const intent = intents.get(id)
    if (step !== undefined)
      return intent?.account !== account
        ? makeErrorAnswer(404, 'resource_missing', 'No such payment_intent')
        : step === 'cancel'
          ? cancel(intent)
          : asked['off_session'] === 'true'
            ? confirm(intent)
            : makeErrorAnswer(400, 'parameter_missing', 'return_url')
    const [, method] = /^\/v1\/payment_methods\/([\w-]+)\/detach$/.exec(path) ?? []
    return method === undefined ? undefined : detach(methods.get(method))
  }

  function read({ path, account }: ProviderRequest): Answer | undefined {
    const [, kind, id = ''] = /^\/v1\/(payment_intents|setup_intents|checkout\/sessions)\/([\w-]+)$/.exec(path) ?? []
    const intent = intents.get(id)
    if (kind === 'payment_intents' && intent?.account === account) return ok(shownIntent(intent))
    const setupIntent = setupIntents.get(id)
    if (kind === 'setup_intents' && setupIntent !== undefined) return ok({ id, object: 'setup_intent', ...setupIntent })
    const setup = setups.get(id)
    if (kind === 'checkout/sessions' && setup?.account === account) return ok(shownSetup(setup))
    const [, customer, own = ''] = /^\/v1\/customers\/([\w-]+)\/payment_methods\/([\w-]+)$/.exec(path) ?? []
    const method = methods.get(own)
    if (customer === undefined) return undefined
    return method === undefined || method.customer !== customer
      ? makeErrorAnswer(404, 'resource_missing', 'No such payment_method')
      : ok(shownMethod(method))
  }

  /** Answers requests about saved methods. Returns undefined for other requests. */
  async function answer(request: ProviderRequest): Promise<Answer | undefined> {
    if (request.method === 'GET') return read(request)
    const key = `${request.account} ${request.key}`
    const before = byKey.get(key)
    const written = `${request.path} ${request.written}`
    if (before !== undefined)
      return before.written === written
        ? before.answer
        : makeErrorAnswer(
            400,
            'idempotency_key_reused',
            'Keys for idempotent requests can only be used with the same parameters',
          )
    await state.around?.(request.path, 'before')
    const answered = write(request)
    if (answered === undefined) return undefined
    // The body is as it was; what happens later is read again.
    byKey.set(key, { written, answer: structuredClone(answered) })
    await state.around?.(request.path, 'after')
    return answered
  }

  const shownIntent = ({ id, asked, status, method, charge, error }: FakeIntent): object => ({
    id,
    object: 'payment_intent',
    amount: Number(asked['amount']),
    amount_received: status === 'succeeded' ? Number(asked['amount']) : 0,
    currency: asked['currency'],
    metadata: asked['metadata'],
    status,
    payment_method: method,
    latest_charge: charge,
    last_payment_error: error,
  })

  return {
    answer,
    state,
    setups,
    setupIntents,
    methods,
    intents,
    ledger,
    events,
    completeSetup,
    detach: (method: FakeMethod) => detach(method),
    succeed,
    decline,
  }
}

export type SavedProvider = Awaited<ReturnType<typeof fakeSavedPayments>>
