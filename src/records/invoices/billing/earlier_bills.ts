import { sql } from '../../../platform/db/tenant.ts'
import type { RunContext } from '../../../tools/declare/define.ts'
import type { Warning } from '../../../platform/errors/refusal_text.ts'
import { warnings } from '../refusals.ts'
import type { InvoiceStatus } from '../status.ts'

/** An invoice that already bills a job or a quote. */
type EarlierBill = { job_id: string | null; what: string; by: string; status: InvoiceStatus }

/** The work that an invoice bills; a new invoice has no id. */
type Bill = { id: string | null; job_ids: readonly string[]; quote_id: string | null }

const MAX_EARLIER_BILLS = 20

/**
 * Returns the invoices that already bill the same work, as a warning for a model; drafts included, void ones and
 * deposits not. Same work is the same job, the same quote, or a quote and a job made from it
 * (docs/spec/money.md#billed-twice). Shares the round trip of its tick.
 */
export async function findEarlierBills(
  { db, forAgent }: RunContext,
  { id, job_ids, quote_id }: Bill,
): Promise<EarlierBill[]> {
  if (forAgent !== true || (job_ids.length === 0 && quote_id === null)) return []
  const jobs = sql`${[...job_ids]}::uuid[]`
  return db.all<EarlierBill>(sql`
    with bill as (select id, display_number, status, quote_id, number from invoices
      where tenant_id = ${db.tenant} and status <> 'void' and deposit_of is null and id is distinct from ${id}::uuid)
    select distinct on (number, what) job_id, what, by, status from (
      select j.id as job_id, j.display_number as what, i.display_number as by, i.status, i.number
      from jobs j join invoice_jobs b on b.tenant_id = j.tenant_id and b.job_id = j.id
        join bill i on i.id = b.invoice_id
      where j.tenant_id = ${db.tenant} and (j.id = any(${jobs})
        or (j.quote_id = ${quote_id}::uuid and i.quote_id is distinct from j.quote_id))
      union all
      select j.id, q.display_number, i.display_number, i.status, i.number
      from quotes q join bill i on i.quote_id = q.id
        left join jobs j on j.tenant_id = q.tenant_id and j.quote_id = q.id and j.id = any(${jobs})
      where q.tenant_id = ${db.tenant} and (q.id = ${quote_id}::uuid or j.id is not null)
    ) found order by number, what limit ${MAX_EARLIER_BILLS}`)
}

const MAX_WARNINGS = 5

/** Returns warnings about work billed before. Names the invoices only to callers who may see invoices. */
export function doubleBillingWarnings({ caller }: RunContext, earlierBills: readonly EarlierBill[]): Warning[] {
  const maySee = caller.scopes.has('read:invoices')
  return earlierBills
    .slice(0, MAX_WARNINGS)
    .map(({ what, by, status }) =>
      maySee ? warnings.billedTwice({ what, by, status }) : warnings.billedElsewhere({ what }),
    )
}
