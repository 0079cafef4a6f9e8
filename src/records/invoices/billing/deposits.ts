import { valuesOf } from '../../../platform/db/rows.ts'
import { insertSelected, sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'

/** A deposit invoice, with the amount that no other invoice has deducted yet. */
export type OpenDeposit = { id: string; left_cents: number }

/** The quote and the jobs that an invoice bills. */
type BilledWork = { id: string | null; quote_id: string | null; job_ids: readonly string[] }

/** Locks and returns the deposits that an invoice may deduct, oldest first; none for a deposit invoice itself. */
export async function lockOpenDeposits(db: Db, { id, quote_id, job_ids }: BilledWork): Promise<OpenDeposit[]> {
  if (quote_id === null && job_ids.length === 0) return []
  const deposits = sql`select d.id from invoices d
    where d.tenant_id = ${db.tenant} and d.status <> 'void' and (d.deposit_of = ${quote_id}
      or d.deposit_of = any(${[...job_ids]}::uuid[]) or d.deposit_of in (select quote_id from jobs
        where tenant_id = ${db.tenant} and id = any(${[...job_ids]}::uuid[])))
      and not exists (select 1 from invoices me
        where me.tenant_id = ${db.tenant} and me.id = ${id} and me.deposit_of is not null)`
  const [, rows] = await Promise.all([
    db.run(sql`${deposits} order by d.number for no key update of d`),
    db.all<OpenDeposit>(sql`select d.id, (d.total_cents - coalesce((select sum(x.amount_cents) from deposit_deductions x
        join invoices f on f.tenant_id = x.tenant_id and f.id = x.invoice_id and f.status <> 'void'
        where x.tenant_id = ${db.tenant} and x.deposit_id = d.id and x.invoice_id is distinct from ${id}),
          0))::bigint as left_cents
      from invoices d where d.tenant_id = ${db.tenant} and d.id in (${deposits}) order by d.number`),
  ])
  return rows
}

/** Amount that an invoice deducts for one deposit. */
type Deduction = { deposit_id: string; amount_cents: number }

type DiscountedTotal = { discount_cents: number; total_cents: number }

/**
 * Deducts deposits from a priced invoice, after its tax and down to 0 (docs/spec/money.md#deposits). Returns the
 * changed columns and the deductions.
 */
export function deductDeposits(
  { discount_cents, total_cents }: DiscountedTotal,
  deposits: readonly OpenDeposit[],
): { columns: DiscountedTotal & { deducted_cents: number }; deductions: Deduction[] } {
  const deductions: Deduction[] = []
  let remaining = total_cents
  for (const { id, left_cents } of deposits) {
    const amount_cents = Math.min(remaining, Math.max(0, left_cents))
    if (amount_cents === 0) continue
    deductions.push({ deposit_id: id, amount_cents })
    remaining -= amount_cents
  }
  const deducted_cents = total_cents - remaining
  return {
    columns: { discount_cents: discount_cents + deducted_cents, total_cents: remaining, deducted_cents },
    deductions,
  }
}

/** Replaces the deductions of an invoice. */
export const writeDeductions = (db: Db, invoice: string, deductions: readonly Deduction[]): Promise<number>[] => [
  db.run(sql`delete from deposit_deductions where tenant_id = ${db.tenant} and invoice_id = ${invoice}`),
  ...(deductions.length === 0
    ? []
    : [
        db.run(
          sql`insert into deposit_deductions ${valuesOf(
            deductions.map((one) => ({ tenant_id: db.tenant, invoice_id: invoice, ...one })),
          )}`,
        ),
      ]),
]

type FinalInvoice = BilledWork & { id: string; gross_discount: number; gross_total: number }

/**
 * Recomputes the deductions of drafts for the quotes and jobs of a changed invoice that are billed on account, in order
 * of their numbers. Returns how many there are.
 */
export async function recomputeDeductions(db: Db, user: string | null, changedInvoice: string): Promise<number> {
  const finals = await db.all<FinalInvoice>(sql`with asked as materialized (
      select d.deposit_of as work from invoices d where d.tenant_id = ${db.tenant} and d.deposit_of in (
        select deposit_of from invoices where tenant_id = ${db.tenant} and id = ${changedInvoice}
        union select quote_id from invoices where tenant_id = ${db.tenant} and id = ${changedInvoice}
        union select job_id from invoice_jobs where tenant_id = ${db.tenant} and invoice_id = ${changedInvoice}
        union select j.quote_id from invoice_jobs b join jobs j on j.tenant_id = b.tenant_id and j.id = b.job_id
          where b.tenant_id = ${db.tenant} and b.invoice_id = ${changedInvoice})),
      billing as materialized (
        select f.id from invoices f where f.tenant_id = ${db.tenant} and f.quote_id in (select work from asked)
        union select b.invoice_id from jobs j join invoice_jobs b on b.tenant_id = j.tenant_id and b.job_id = j.id
          where j.tenant_id = ${db.tenant}
            and (j.quote_id in (select work from asked) or j.id in (select work from asked)))
    select f.id, f.quote_id,
      array(select j.job_id from invoice_jobs j where j.tenant_id = ${db.tenant} and j.invoice_id = f.id) as job_ids,
      f.discount_cents - f.deducted_cents as gross_discount, f.total_cents + f.deducted_cents as gross_total
    from invoices f
    where f.tenant_id = ${db.tenant} and f.id in (select id from billing) and f.status = 'draft'
      and f.deposit_of is null
    order by f.number for no key update of f`)
  for (const final of finals) {
    const gross = { discount_cents: final.gross_discount, total_cents: final.gross_total }
    const { columns, deductions } = deductDeposits(gross, await lockOpenDeposits(db, final))
    await Promise.all([
      ...writeDeductions(db, final.id, deductions),
      db.run(
        insertSelected(sql`with before as (select total_cents from invoices
          where tenant_id = ${db.tenant} and id = ${final.id}),
        after as (update invoices set discount_cents = ${columns.discount_cents}, total_cents = ${columns.total_cents},
            deducted_cents = ${columns.deducted_cents}, updated_by = ${user}, updated_at = later_than(updated_at)
          where tenant_id = ${db.tenant} and id = ${final.id} and total_cents <> ${columns.total_cents}
          returning total_cents)
        insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
        select ${db.tenant}, ${newId()}, ${user}, 'invoices.deposit_changed', 'invoice', ${final.id},
          json_build_object('total_cents', json_build_array(before.total_cents, after.total_cents))
          from before, after`),
      ),
    ])
  }
  return finals.length
}

/** A deposit that an invoice deducts, for its page and its PDF. */
export type DeductedDeposit = {
  id: string
  display_number: string
  status: string
  amount_cents: number
  is_stage: boolean
}

/** Returns the deposits that an invoice deducts, oldest first. */
export const deductionsOf = (db: Db, invoice: string): Promise<DeductedDeposit[]> =>
  db.all<DeductedDeposit>(sql`select d.id, d.display_number, d.status, x.amount_cents,
      d.stage is not null as is_stage
    from deposit_deductions x
    join invoices d on d.tenant_id = x.tenant_id and d.id = x.deposit_id
    where x.tenant_id = ${db.tenant} and x.invoice_id = ${invoice} order by d.number`)

/** Returns whether an invoice is a deposit or a stage, the job of that stage, and the invoices that deduct it. */
export const depositStateOf = (
  db: Db,
  invoice: string,
): Promise<
  | {
      is_deposit: boolean
      is_stage: boolean
      stage_of_job: string | null
      deducted_by: { id: string; display_number: string }[]
    }
  | undefined
> =>
  db.maybe(sql`select deposit_of is not null as is_deposit, stage is not null as is_stage,
      stage_of_job,
      (select coalesce(json_agg(json_build_object('id', f.id, 'display_number', f.display_number) order by f.number),
        '[]')
        from deposit_deductions x
          join invoices f on f.tenant_id = x.tenant_id and f.id = x.invoice_id and f.status <> 'void'
        where x.tenant_id = ${db.tenant} and x.deposit_id = d.id) as deducted_by
    from invoices d where d.tenant_id = ${db.tenant} and d.id = ${invoice}`)
