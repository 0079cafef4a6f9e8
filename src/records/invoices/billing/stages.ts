import type { Caller } from '../../../identity/credentials/caller.ts'
import { unitPrice, percent } from '../../../money/bounds.ts'
import { parseDecimal } from '../../../money/decimal.ts'
import type { Discount } from '../../../money/document.ts'
import { percentOf } from '../../../money/rounding.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'
import { money } from '../../format/formats.ts'
import { copyLines, type LineItem } from '../../line_items/line.ts'
import { priceLines } from '../../line_items/price.ts'
import { locationQuery } from '../../locations/index.ts'
import { lockQuote } from '../../quotes/index.ts'
import type { Invoice } from '../fields.ts'
import type { InvoiceStatus } from '../status.ts'
import { addInvoice, type NewInvoice, type StagedWork } from './add.ts'
import { recomputeDeductions } from './deposits.ts'
import { stageRefusals as refusals } from './stage_refusals.ts'

/** An invoice of a quote or a job: on account (a deposit or a stage), or for the work. */
export type ProgressInvoice = {
  id: string
  display_number: string
  status: InvoiceStatus
  subject: string | null
  kind: 'deposit' | 'stage' | 'work'
  total_cents: number
  amount_paid_cents: number
}

/** Totals of a quote or job: its price, and the amounts billed, paid and left to bill. */
export type BillingProgress = {
  total_cents: number
  billed_cents: number
  paid_cents: number
  left_cents: number
  invoices: ProgressInvoice[]
}

/** Returns the billing progress of an accepted quote, or of a job without one; undefined for others. */
export async function findProgress(db: Db, work: StagedWork): Promise<BillingProgress | undefined> {
  const jobs = 'quote' in work ? sql`quote_id = ${work.quote}` : sql`id = ${work.job}`
  const [total_cents, invoices] = await Promise.all([
    'quote' in work ? totalOfQuote(db, work.quote) : totalOfJob(db, work.job),
    db.all<ProgressInvoice>(sql`select i.id, i.display_number, i.status, i.subject,
        case when i.deposit_of is null then 'work' when i.stage is null then 'deposit' else 'stage' end as kind,
        i.total_cents, i.amount_paid_cents
      from invoices i where i.tenant_id = ${db.tenant} and i.status <> 'void' and i.id in (
        select id from invoices where tenant_id = ${db.tenant} and quote_id = ${idOf(work)}
        union select b.invoice_id from jobs j join invoice_jobs b on b.tenant_id = j.tenant_id and b.job_id = j.id
          where j.tenant_id = ${db.tenant} and j.${jobs}
        union select o.id from jobs j join invoices o on o.tenant_id = j.tenant_id and o.stage_of_job = j.id
          where j.tenant_id = ${db.tenant} and j.${jobs}) order by i.number`),
  ])
  if (total_cents === undefined) return undefined
  const billed_cents = invoices.reduce((sum, one) => sum + one.total_cents, 0)
  return {
    total_cents,
    billed_cents,
    paid_cents: invoices.reduce((sum, one) => sum + one.amount_paid_cents, 0),
    left_cents: Math.max(0, total_cents - billed_cents),
    invoices,
  }
}

const idOf = (work: StagedWork): string => ('quote' in work ? work.quote : work.job)

const totalOfQuote = async (db: Db, quote: string): Promise<number | undefined> =>
  (
    await db.maybe<{ total_cents: number }>(sql`select total_cents from quotes
      where tenant_id = ${db.tenant} and id = ${quote} and status = 'accepted'`)
  )?.total_cents

/** Returns the total of an invoice for a job at current rates, with tax. */
async function totalOfJob(db: Db, id: string): Promise<number | undefined> {
  const job = await db.maybe<{ customer_id: string; line_items: LineItem[]; tax_exempt: boolean }>(sql`
    select j.customer_id, j.line_items, c.tax_exempt from jobs j
    join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
    where j.tenant_id = ${db.tenant} and j.id = ${id} and j.quote_id is null and j.status <> 'cancelled'`)
  if (job === undefined) return undefined
  const { customer_id, line_items, tax_exempt } = job
  const location_id = locationQuery(db, customer_id, undefined, ['billing', 'service'])
  return (await priceLines(db, { lines: copyLines(line_items), location_id, tax_exempt, hasTax: true })).total_cents
}

type NewStage = { work: StagedWork; share: Discount; name: string }

/** The fields that a stage copies from its quote or job. */
type StageSource = Pick<NewInvoice, 'customer_id' | 'quote_id' | 'location_id' | 'contact_id'> & {
  display_number: string
  title: string
}

/**
 * Drafts an invoice on account for an accepted quote or a job, of at most the amount left to bill
 * (docs/spec/money.md#stages). It has one untaxed line; later invoices of the quote or job deduct it.
 */
export async function addStage(db: Db, caller: Caller, { work, share, name }: NewStage): Promise<Invoice> {
  const { display_number, title, ...source } = await lockSource(db, work)
  const progress = await findProgress(db, work)
  if (progress === undefined)
    throw conflict(('quote' in work ? refusals.notAccepted : refusals.notOpen)({ number: display_number }))
  const { total_cents, left_cents } = progress
  const cents =
    share.type === 'percent'
      ? Number(percentOf(BigInt(total_cents), parseDecimal(share.value, percent, 'share.value')))
      : Number(share.value)
  if (cents < 1) throw invalidField('share.value', refusals.nothing())
  if (cents > Math.min(left_cents, Number(unitPrice.max)))
    throw invalidField('share.value', refusals.aboveLeft({ left: money(left_cents, caller.tenant.currency) }))
  const { stage } = await db.one<{ stage: number }>(sql`select coalesce(max(stage), 0) + 1 as stage from invoices
    where tenant_id = ${db.tenant} and deposit_of = ${idOf(work)}`)
  const invoice = await addInvoice(db, caller, {
    ...source,
    stage_of: { work, stage },
    subject: name,
    tax_rate_id: null,
    lines: [
      {
        id: newId(),
        kind: 'fee',
        catalog_item_id: null,
        name,
        description: `${display_number} ${title}`,
        quantity: 1,
        unit: 'each',
        unit_price_cents: cents,
        taxable: false,
      },
    ],
  })
  await recomputeDeductions(db, caller.user, invoice.id)
  return invoice
}

/** Locks the quote or job, after its customer, so that nobody else bills it at the same time. */
async function lockSource(db: Db, work: StagedWork): Promise<StageSource> {
  if ('quote' in work) {
    const { before } = await lockQuote(db, work.quote, { withCustomer: true })
    const { customer_id, display_number, title, location_id, contact_id } = before
    const locationAndContact = { location_id: location_id ?? undefined, contact_id: contact_id ?? undefined }
    return { customer_id, quote_id: work.quote, display_number, title, ...locationAndContact }
  }
  await db.run(sql`select id from customers where tenant_id = ${db.tenant}
    and id = (select customer_id from jobs where tenant_id = ${db.tenant} and id = ${work.job}) for no key update`)
  return db.present<StageSource>(
    sql`select customer_id, display_number, title from jobs
      where tenant_id = ${db.tenant} and id = ${work.job} for no key update`,
    'job',
  )
}

/**
 * Refuses changed invoices on account that bill more than is left of their quotes or jobs. Locks those so that nobody
 * else bills them at the same time.
 */
export async function requireWithinTotals(db: Db, invoices: readonly string[]): Promise<void> {
  const sources = await db.all<{ id: string; is_job: boolean; currency: string }>(sql`
    select distinct deposit_of as id, stage_of_job is not null as is_job, currency from invoices
    where tenant_id = ${db.tenant} and id = any(${[...invoices]}::uuid[]) and deposit_of is not null
      and status <> 'void' order by 1`)
  for (const { id, is_job, currency } of sources) {
    const table = is_job ? sql`jobs` : sql`quotes`
    await db.run(sql`select id from ${table} where tenant_id = ${db.tenant} and id = ${id} for no key update`)
    const progress = await findProgress(db, is_job ? { job: id } : { quote: id })
    if (progress === undefined || progress.billed_cents <= progress.total_cents) continue
    const over = money(progress.billed_cents - progress.total_cents, currency)
    throw invalidField('line_items', (is_job ? refusals.aboveJob : refusals.aboveQuote)({ over }))
  }
}
