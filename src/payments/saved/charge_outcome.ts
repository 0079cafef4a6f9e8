import { sql, type Db } from '../../platform/db/tenant.ts'
import { bookReceipt, type Receipt } from '../../records/invoices/index.ts'
import { recordRunOutcome } from './autopay_runs.ts'
import type { IntentState } from './saved_payments_api.ts'

/** State of a charge; `starting`, `created` and `processing` ones are checked again. */
export type ChargeOutcome = 'starting' | 'created' | 'processing' | 'succeeded' | 'failed' | 'canceled'

/** A charge with its ids at the provider. */
export type OpenCharge = {
  tenant_id: string
  id: string
  invoice_id: string
  customer_id: string
  display_number: string
  state: ChargeOutcome
  cause: 'person' | 'autopay'
  /** User who charges; null for an automatic payment. */
  created_by: string | null
  amount_cents: number
  currency: string
  intent: string | null
  ended_at: string | null
  account_id: string
  provider_customer: string
  method: string
}

/**
 * Saves the state of a payment and books its money in the same transaction. An event for the same money isn't counted
 * twice, whichever comes first.
 */
export async function concludeCharge(db: Db, charge: OpenCharge, state: IntentState): Promise<ChargeOutcome> {
  const outcome = OUTCOMES[state.status] ?? 'failed'
  await db.run(
    sql`select id from invoices where tenant_id = ${db.tenant} and id = ${charge.invoice_id} for no key update`,
  )
  const open = await db.maybe<{ state: ChargeOutcome }>(sql`select state from saved_charges
    where tenant_id = ${db.tenant} and id = ${charge.id} for no key update`)
  if (open === undefined || !OPEN.has(open.state)) return open?.state ?? 'canceled'
  const receipt = receiptOf(charge, state, outcome)
  const booked = receipt === undefined ? 'nothing' : await bookReceipt(db, receipt)
  const isUnbooked = outcome === 'succeeded' && booked !== 'booked' && booked !== 'counted'
  const code = isUnbooked ? `not_booked_${booked}` : outcome === 'succeeded' ? null : state.code
  await db.run(sql`update saved_charges set state = ${outcome}, code = ${code}, message = ${state.message},
      ended_at = case when ${outcome}::text in ('succeeded', 'failed', 'canceled') then moment_of(tenant_id) end
    where tenant_id = ${db.tenant} and id = ${charge.id}`)
  if (charge.cause === 'autopay') await recordRunOutcome(db, charge.id, outcome, code)
  return outcome
}

const OPEN: ReadonlySet<ChargeOutcome> = new Set(['starting', 'created', 'processing'])

const OUTCOMES: Readonly<Record<string, ChargeOutcome>> = {
  succeeded: 'succeeded',
  processing: 'processing',
  canceled: 'canceled',
}

/** Returns the receipt of a charge for the books and the invoice's history. */
function receiptOf(
  { id, invoice_id: invoice, intent, amount_cents, ...ours }: OpenCharge,
  { charge, amount_received, currency, code, message }: IntentState,
  outcome: ChargeOutcome,
): Receipt | undefined {
  const common = { invoice, isAssigned: false, currency: currency ?? ours.currency, source: `charge ${id}` }
  const [first, ...more] = [intent, charge].filter((name) => name !== null)
  const names = [first ?? `charge ${id}`, ...more] as const
  switch (outcome) {
    case 'succeeded':
      return { ...common, names, kind: 'charge', amount_cents: amount_received ?? amount_cents }
    case 'processing':
      return { ...common, names, kind: 'pending', session: null, pending_cents: amount_cents, at: null }
    case 'failed':
      return {
        ...common,
        names,
        kind: 'failed',
        attempt: charge ?? names[0],
        tried_cents: amount_cents,
        code,
        message,
        at: new Date().toISOString(),
      }
    default:
      return undefined
  }
}

/** Cancels a charge that has no payment intent yet. */
export async function cancelCharge(db: Db, id: string, code: string): Promise<ChargeOutcome> {
  const ended = await db.maybe<{ cause: string }>(sql`update saved_charges
    set state = 'canceled', code = ${code}, ended_at = moment()
    where tenant_id = ${db.tenant} and id = ${id} and state = 'starting' returning cause`)
  if (ended?.cause === 'autopay') await recordRunOutcome(db, id, 'canceled', code)
  return 'canceled'
}
