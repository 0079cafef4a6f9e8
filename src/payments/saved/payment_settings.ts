import { auditChange } from '../../identity/audit.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'

/** A company's settings for saved methods, automatic payments, partial payments and tips. */
export type PaymentSettings = {
  saves_methods: boolean
  offers_autopay: boolean
  /** Whether customers may pay a part of an invoice, and add a tip. */
  takes_parts: boolean
  takes_tips: boolean
  /** Maximum charge by a person, in minor units; 0 forbids charges. */
  max_charge_cents: number
}

const DEFAULTS: PaymentSettings = {
  saves_methods: false,
  offers_autopay: false,
  takes_parts: false,
  takes_tips: false,
  max_charge_cents: 100_000,
}

const COLUMNS = sql`saves_methods, offers_autopay, takes_parts, takes_tips, max_charge_cents`

export const findPaymentSettings = async (db: Db): Promise<PaymentSettings> =>
  (await db.maybe<PaymentSettings>(sql`select ${COLUMNS} from payment_settings where tenant_id = ${db.tenant}`)) ??
  DEFAULTS

/** Saves an owner's settings. Methods and consents that customers gave before stay. */
export async function savePaymentSettings(db: Db, settings: PaymentSettings, by: { user: string }): Promise<void> {
  await requireOwner(db, by)
  const before = await findPaymentSettings(db)
  await db.run(sql`insert into payment_settings (tenant_id, ${COLUMNS})
    values (${db.tenant}, ${settings.saves_methods}, ${settings.offers_autopay}, ${settings.takes_parts},
      ${settings.takes_tips},
      ${settings.max_charge_cents})
    on conflict (tenant_id) do update set (${COLUMNS}, updated_at) = (excluded.saves_methods, excluded.offers_autopay,
      excluded.takes_parts, excluded.takes_tips, excluded.max_charge_cents, later_than(payment_settings.updated_at))`)
  const changes = Object.fromEntries(NAMES.map((name) => [name, [before[name], settings[name]] as const]))
  await db.run(auditChange(db.tenant, by, 'companies.set_payments', db.tenant, changes))
}

const NAMES = ['saves_methods', 'offers_autopay', 'takes_parts', 'takes_tips', 'max_charge_cents'] as const
