import { Stripe } from 'stripe'

/** Is what the payments provider is asked with; the key goes to `apiUrl` alone. */
export type PaymentsAccess = { key: string; apiUrl: string }

/** Describes a page to pay an amount on, in the smallest unit of the currency. */
export type CheckoutAsked = {
  /** Names the request: asked again, the provider answers with the same page. */
  id: string
  account: string
  tenant: string
  invoice: string
  /** Is what the customer reads: `Invoice INV-1042`. */
  label: string
  amount_cents: number
  currency: string
  /** Address for the provider's receipt, where the customer has one. */
  email: string | null
  language: 'en' | 'es'
  /** Is when nobody can pay on it any more, in seconds since 1970. */
  expiresAt: number
  paidUrl: string
  backUrl: string
}

/** Says why there is no page: the provider refuses it for good, or can't be asked now. */
export type CheckoutFailure = 'refused' | 'unreachable'

/** Holds what the payments provider does for a page of payment. */
export type HostedCheckout = {
  start(asked: CheckoutAsked): Promise<{ session: string; url: string } | CheckoutFailure>
  /** Ends a page; `complete` for one whose money is paid or on its way, and `undefined` when that can't be known now. */
  end(account: string, session: string): Promise<'expired' | 'complete' | undefined>
  /** Returns what became of a page, and leaves it as it is; `undefined` for one that is open, or that can't be asked about now. */
  status(account: string, session: string): Promise<'expired' | 'complete' | undefined>
}

/** Is in milliseconds: an answer to the customer comes within 5 s of the last round trip to the database. */
const TIMEOUT_MS = 10_000

/** Returns the provider's API under our key. */
export function paymentsApi({ key, apiUrl }: PaymentsAccess): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl)
  return new Stripe(key, {
    apiVersion: '2026-10-28.endive',
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** Opens the provider's hosted checkout, on the connected account of each request. */
export function openCheckout({ key, apiUrl }: PaymentsAccess): HostedCheckout {
  const stripe = paymentsApi({ key, apiUrl })

  return {
    async start({
      id,
      account,
      tenant,
      invoice,
      label,
      amount_cents,
      currency,
      email,
      language,
      expiresAt,
      paidUrl,
      backUrl,
    }) {
      const metadata = { invoice_id: invoice, tenant_id: tenant }
      try {
        const { id: session, url } = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            submit_type: 'pay',
            client_reference_id: invoice,
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: currency.toLowerCase(),
                  unit_amount: amount_cents,
                  product_data: { name: label },
                },
              },
            ],
            // The customer pays in the currency of the invoice, to the cent.
            adaptive_pricing: { enabled: false },
            metadata,
            ...(email !== null && { customer_email: email }),
            payment_intent_data: { description: label, metadata, ...(email !== null && { receipt_email: email }) },
            locale: language,
            expires_at: expiresAt,
            success_url: paidUrl,
            cancel_url: backUrl,
          },
          { stripeAccount: account, idempotencyKey: id },
        )
        return url === null ? 'refused' : { session, url }
      } catch (error) {
        return failureOf(error)
      }
    },

    async end(account, session) {
      try {
        await stripe.checkout.sessions.expire(session, {}, { stripeAccount: account })
        return 'expired'
      } catch (error) {
        if (failureOf(error) === 'unreachable') return undefined
        return statusOf(account, session)
      }
    },

    status: statusOf,
  }

  /** Returns what became of a page; one that the account doesn't know can't be paid on. */
  async function statusOf(account: string, session: string): Promise<'expired' | 'complete' | undefined> {
    try {
      const { status, payment_status, payment_intent } = await stripe.checkout.sessions.retrieve(
        session,
        {},
        { stripeAccount: account },
      )
      if (status === 'expired') return 'expired'
      if (status !== 'complete') return undefined
      const intent = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id
      if (payment_status !== 'unpaid' || intent === undefined) return 'complete'
      return (await isGivenUp(account, intent)) ? 'expired' : 'complete'
    } catch (error) {
      return failureOf(error) === 'unreachable' ? undefined : 'expired'
    }
  }

  /** Tells whether money that was on its way doesn't come: a bank may say so days later. What can't be known may still come. */
  async function isGivenUp(account: string, intent: string): Promise<boolean> {
    try {
      const { status } = await stripe.paymentIntents.retrieve(intent, {}, { stripeAccount: account })
      return status === 'requires_payment_method' || status === 'canceled'
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error
      return false
    }
  }
}

function failureOf(error: unknown): CheckoutFailure {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  const { statusCode = 0 } = error
  return statusCode >= 400 && statusCode < 500 && statusCode !== 409 && statusCode !== 429 ? 'refused' : 'unreachable'
}
