import type { Caller } from '../../../identity/credentials/caller.ts'
import { unitPrice, percent } from '../../../money/bounds.ts'
import { parseDecimal } from '../../../money/decimal.ts'
import type { Discount } from '../../../money/document.ts'
import { percentOf } from '../../../money/rounding.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'
import { money } from '../../format/formats.ts'
import { lockQuote } from '../../quotes/index.ts'
import type { Invoice } from '../fields.ts'
import type { InvoiceStatus } from '../status.ts'
import { addInvoice } from './add.ts'
import { deductAnew } from './deposits.ts'
import { stageRefusals as refusals } from './stage_refusals.ts'

/** An invoice of a quote or of its jobs: on account (its deposit or a stage), or for the work. */
export type ProgressInvoice = {
  id: string
  display_number: string
  status: InvoiceStatus
  subject: string | null
  kind: 'deposit' | 'stage' | 'work'
  total_cents: number
  amount_paid_cents: number
}

/** What an accepted quote comes to, what was billed of it, and what is left to bill. */
export type BillingProgress = {
  quote_id: string
  total_cents: number
  billed_cents: number
  paid_cents: number
  left_cents: number
  invoices: ProgressInvoice[]
}

/** Returns how far an accepted quote is billed; undefined for another one. */
export async function findProgress(db: Db, quote: string): Promise<BillingProgress | undefined> {
  const [accepted, invoices] = await Promise.all([
    db.maybe<{ total_cents: number }>(sql`select total_cents from quotes
      where tenant_id = ${db.tenant} and id = ${quote} and status = 'accepted'`),
    db.all<ProgressInvoice>(sql`select i.id, i.display_number, i.status, i.subject,
        case when i.deposit_of is null then 'work' when i.stage is null then 'deposit' else 'stage' end as kind,
        i.total_cents, i.amount_paid_cents
      from invoices i
      where i.tenant_id = ${db.tenant} and i.status <> 'void' and i.id in (
        select d.id from invoices d where d.tenant_id = ${db.tenant} and d.quote_id = ${quote} union all
        select b.invoice_id from jobs j join invoice_jobs b on b.tenant_id = j.tenant_id and b.job_id = j.id
        where j.tenant_id = ${db.tenant} and j.quote_id = ${quote}) order by i.number`),
  ])
  if (accepted === undefined) return undefined
  const billed_cents = invoices.reduce((sum, one) => sum + one.total_cents, 0)
  return {
    quote_id: quote,
    total_cents: accepted.total_cents,
    billed_cents,
    paid_cents: invoices.reduce((sum, one) => sum + one.amount_paid_cents, 0),
    left_cents: Math.max(0, accepted.total_cents - billed_cents),
    invoices,
  }
}

type NewStage = { quote: string; share: Discount; name: string }

/**
 * Drafts an invoice on account of an accepted quote, of at most what is left to bill (docs/spec/money.md#stages); one
 * untaxed line, which later invoices of the quote deduct.
 */
export async function addStage(db: Db, caller: Caller, { quote, share, name }: NewStage): Promise<Invoice> {
  const { before } = await lockQuote(db, quote, { withCustomer: true })
  const progress = await findProgress(db, quote)
  if (progress === undefined) throw conflict(refusals.notAccepted({ number: before.display_number }))
  const { total_cents, left_cents } = progress
  const cents =
    share.type === 'percent'
      ? Number(percentOf(BigInt(total_cents), parseDecimal(share.value, percent, 'share.value')))
      : Number(share.value)
  if (cents < 1) throw invalidField('share.value', refusals.nothing())
  if (cents > Math.min(left_cents, Number(unitPrice.max)))
    throw invalidField('share.value', refusals.aboveLeft({ left: money(left_cents, before.currency) }))
  const { stage } = await db.one<{ stage: number }>(sql`select coalesce(max(stage), 0) + 1 as stage from invoices
    where tenant_id = ${db.tenant} and deposit_of = ${quote}`)
  const invoice = await addInvoice(db, caller, {
    customer_id: before.customer_id,
    quote_id: quote,
    stage_of: { quote, stage },
    subject: name,
    location_id: before.location_id ?? undefined,
    contact_id: before.contact_id ?? undefined,
    tax_rate_id: null,
    lines: [
      {
        id: newId(),
        kind: 'fee',
        catalog_item_id: null,
        name,
        description: `${before.display_number} ${before.title}`,
        quantity: 1,
        unit: 'each',
        unit_price_cents: cents,
        taxable: false,
      },
    ],
  })
  await deductAnew(db, caller.user, invoice.id)
  return invoice
}

/** Refuses a changed invoice of a stage that bills more than is left of its quote. */
export async function requireWithinQuote(db: Db, invoice: string): Promise<void> {
  const { quote, currency } = await db.one<{ quote: string; currency: string }>(sql`
    select deposit_of as quote, currency from invoices where tenant_id = ${db.tenant} and id = ${invoice}`)
  const progress = await findProgress(db, quote)
  if (progress === undefined || progress.billed_cents <= progress.total_cents) return
  const over = money(progress.billed_cents - progress.total_cents, currency)
  throw invalidField('line_items', refusals.aboveQuote({ over }))
}
