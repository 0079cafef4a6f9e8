import { auditChange } from '../../identity/audit.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'

/** What a company allows with saved cards and bank accounts. */
export type PaymentSettings = {
  saves_methods: boolean
  offers_autopay: boolean
  /** Most that a person may charge at once, in minor units; 0: nobody may. */
  max_charge_cents: number
}

const DEFAULTS: PaymentSettings = { saves_methods: false, offers_autopay: false, max_charge_cents: 100_000 }

export const findPaymentSettings = async (db: Db): Promise<PaymentSettings> =>
  (await db.maybe<PaymentSettings>(sql`select saves_methods, offers_autopay, max_charge_cents
    from payment_settings where tenant_id = ${db.tenant}`)) ?? DEFAULTS

/** Saves what an owner allows; what customers have saved or agreed to before stays. */
export async function savePaymentSettings(db: Db, wants: PaymentSettings, by: { user: string }): Promise<void> {
  await requireOwner(db, by)
  const before = await findPaymentSettings(db)
  await db.run(sql`insert into payment_settings (tenant_id, saves_methods, offers_autopay, max_charge_cents)
    values (${db.tenant}, ${wants.saves_methods}, ${wants.offers_autopay}, ${wants.max_charge_cents})
    on conflict (tenant_id) do update set saves_methods = excluded.saves_methods,
      offers_autopay = excluded.offers_autopay, max_charge_cents = excluded.max_charge_cents,
      updated_at = later_than(payment_settings.updated_at)`)
  await db.run(
    auditChange(db.tenant, by, 'companies.set_payments', db.tenant, {
      saves_methods: [before.saves_methods, wants.saves_methods],
      offers_autopay: [before.offers_autopay, wants.offers_autopay],
      max_charge_cents: [before.max_charge_cents, wants.max_charge_cents],
    }),
  )
}
