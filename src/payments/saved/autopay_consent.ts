import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { auditConsentChange, type CustomerConsent, type Remover } from './consent.ts'

/** A customer's agreement to automatic payments, for the invoices of a plan or for all of them. */
export type Autopay = {
  id: string
  plan_id: string | null
  plan_name: string | null
  consent: string
  consented_at: string
}

/** Returns a customer's automatic payments: the one for all invoices first, then plans by name. */
export const listAutopay = (db: Db, customer: string): Promise<Autopay[]> =>
  db.all<Autopay>(sql`select a.id, a.plan_id, p.name as plan_name, a.consent, a.consented_at from autopay a
    left join plans p on p.tenant_id = a.tenant_id and p.id = a.plan_id
    where a.tenant_id = ${db.tenant} and a.customer_id = ${customer} and a.stopped_at is null
    order by p.name nulls first, a.id`)

/** Returns the automatic payment agreement of a plan. */
export const findPlanAutopay = (db: Db, plan: string): Promise<Pick<Autopay, 'consented_at'> | undefined> =>
  db.maybe(sql`select consented_at from autopay
    where tenant_id = ${db.tenant} and plan_id = ${plan} and stopped_at is null order by consented_at limit 1`)

/** Starts automatic payments for a plan, or for all invoices. Idempotent. Returns whether they are on. */
export async function startAutopay(
  db: Db,
  customer: string,
  plan: string | null,
  { text, link, address, userAgent, name }: CustomerConsent,
): Promise<boolean> {
  // The method may have been removed since the page was rendered, which stops all automatic payments.
  const method = await db.maybe(sql`select id from payment_methods
    where tenant_id = ${db.tenant} and customer_id = ${customer} and state = 'active' for share`)
  if (method === undefined) return false
  const added = await db.run(sql`insert into autopay
      (tenant_id, id, customer_id, plan_id, consent, link_id, address, user_agent)
    values (${db.tenant}, ${newId()}, ${customer}, ${plan}, ${text}, ${link}, ${address}, ${userAgent})
    on conflict do nothing`)
  if (added === 0) return true
  await auditConsentChange(db, customer, { by: 'customer', link, name }, 'customers.start_autopay', {
    autopay: [false, true],
    ...(plan !== null && { plan_id: [null, plan] }),
  })
  return true
}

/**
 * Stops one automatic payment, or all (`autopay` null). Waiting charges are dropped; a charge already confirmed at the
 * provider continues. Returns how many stopped.
 */
export async function stopAutopay(db: Db, customer: string, autopay: string | null, by: Remover): Promise<number> {
  const stopped = await db.all<{ id: string }>(sql`update autopay set stopped_at = moment(), stopped_by = ${by.by}
    where tenant_id = ${db.tenant} and customer_id = ${customer} and stopped_at is null
      and (${autopay}::uuid is null or id = ${autopay}) returning id`)
  if (stopped.length === 0) return 0
  await db.run(sql`update autopay_runs set state = 'stopped', updated_at = moment()
    where tenant_id = ${db.tenant} and state = 'waiting' and autopay_id = any(${stopped.map(({ id }) => id)}::uuid[])`)
  await auditConsentChange(db, customer, by, 'customers.stop_autopay', { autopay: [true, false] })
  return stopped.length
}
