import { sql, type Db } from '../../platform/db/tenant.ts'
import { auditChange } from '../audit.ts'
import { requireOwner } from '../permissions/rights.ts'

/** Checks whether the company declared that it charges no tax (docs/spec/money.md#no-tax). */
export const chargesNoTax = async (db: Db): Promise<boolean> =>
  (await db.one<{ charges_no_tax: boolean }>(sql`select charges_no_tax from tenants where id = ${db.tenant}`))
    .charges_no_tax

/** Saves that declaration, as an owner. Existing tax rates stay in use. */
export async function setChargesNoTax(db: Db, isDeclared: boolean, by: { user: string }): Promise<void> {
  await requireOwner(db, by)
  const changed = await db.run(
    sql`update tenants set charges_no_tax = ${isDeclared} where id = ${db.tenant} and charges_no_tax <> ${isDeclared}`,
  )
  if (changed > 0)
    await db.run(auditChange(db.tenant, by, 'companies.set', db.tenant, { charges_no_tax: [!isDeclared, isDeclared] }))
}
