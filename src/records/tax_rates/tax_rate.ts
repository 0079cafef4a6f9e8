import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { rateDecimal, type Rate } from '../../money/rates.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { changeColumns, whereListed, type ChangeFilter } from '../../tools/call/by_change.ts'
import { TAX_RATE, type TaxRate, type TaxRateInput, type TaxRateRow } from './fields.ts'
import { refusals } from './refusals.ts'

type Listing = ChangeFilter & { include_archived?: boolean | undefined; page: number; limit: number }

/** Returns rates, the default first, one row more than the page holds. */
export const listTaxRates = (db: Db, { page, limit, ...listing }: Listing): Promise<TaxRateRow[]> =>
  db.all<TaxRateRow>(sql`select ${TAX_RATE.listColumns()}
    ${changeColumns(
      listing,
      sql`updated_at`,
      listing.include_archived === true ? sql`false` : sql`archived_at is not null`,
    )}
    from tax_rates where ${listConditions(db, listing)}
    order by ${listing.updated_since === undefined ? sql`is_default desc, name_folded, id` : sql`updated_at, id`}
    limit ${limit + 1} offset ${(page - 1) * limit}`)

export const countTaxRates = async (db: Db, listing: Listing): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from tax_rates where ${listConditions(db, listing)}`))
    .count

const listConditions = (
  db: Db,
  { include_archived, ...byChange }: Pick<Listing, 'include_archived' | keyof ChangeFilter>,
) => sql`tenant_id = ${db.tenant}
  ${include_archived === true ? sql`` : whereListed(byChange, sql`archived_at is null`)}
  ${
    byChange.updated_since === undefined
      ? sql``
      : sql`and updated_at >= ${byChange.updated_since} and updated_at < settled()`
  }`

/** Returns a live rate. */
export const findTaxRate = (db: Db, id: string): Promise<TaxRate> =>
  db.present<TaxRate>(
    sql`select ${TAX_RATE.columns()}
      from tax_rates
      where tenant_id = ${db.tenant} and id = ${id} and archived_at is null`,
    'tax rate',
  )

/** Locks a live rate until the transaction ends, and returns it. `movesDefault` locks the tenant's default too. */
export async function lockTaxRate(db: Db, id: string, { movesDefault }: { movesDefault: boolean }): Promise<TaxRate> {
  const [, rate] = await Promise.all([
    movesDefault ? lockDefault(db) : undefined,
    db.present<TaxRate>(
      sql`select ${TAX_RATE.columns()} from tax_rates
      where tenant_id = ${db.tenant} and id = ${id} and archived_at is null for no key update`,
      'tax rate',
    ),
  ])
  return rate
}

export async function addTaxRate(db: Db, caller: Caller, rate: TaxRateInput): Promise<TaxRate> {
  const { user } = caller
  if (rate.is_default) await Promise.all([lockDefault(db), demoteDefault(db, caller)])
  return db.one<TaxRate>(
    sql`insert into tax_rates ${values({
      tenant_id: db.tenant,
      id: newId(),
      ...TAX_RATE.toColumns(rate),
      rate_decimal: rateDecimal(rate.rate_percentage),
      created_by: user,
      updated_by: user,
    })} returning ${TAX_RATE.columns()}`,
  )
}

/** Changes a locked rate. */
export async function changeTaxRate(db: Db, caller: Caller, before: TaxRate, rate: TaxRateInput): Promise<TaxRate> {
  const [, after] = await Promise.all([
    rate.is_default && !before.is_default ? demoteDefault(db, caller) : undefined,
    db.one<TaxRate>(sql`update tax_rates
      set ${assignments({ ...TAX_RATE.toColumns(rate), updated_by: caller.user })}, updated_at = later_than(updated_at)
      where tenant_id = ${db.tenant} and id = ${before.id} returning ${TAX_RATE.columns()}`),
  ])
  return after
}

/** Archives a locked rate. If it was the default, the tenant then has none. */
export const archiveTaxRate = (db: Db, { user }: Caller, id: string): Promise<{ id: string; archived_at: string }> =>
  db.one(sql`update tax_rates
    set archived_at = moment(), is_default = false, updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id} returning id, archived_at`)

/** Locks the tenant's row, so that concurrent changes of the default are serialized. */
const lockDefault = (db: Db): Promise<unknown> =>
  db.one(sql`select id from tenants where id = ${db.tenant} for no key update`)

const demoteDefault = (db: Db, { user }: Caller): Promise<number> =>
  db.run(sql`update tax_rates set is_default = false, updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and is_default`)

/** Refusal of a field that doesn't name a live rate. */
export const NOT_A_RATE = refusals.unknown()

/** Columns of a rate's snapshot in documents: its id, its name and its exact decimal text. */
const snapshotColumns = sql`r.id as tax_rate_id, r.name, r.rate_decimal`

/** Returns rates by id, archived ones too: a document keeps its rate. */
export const ratesById = async (db: Db, ids: readonly string[]): Promise<Map<string, Rate>> =>
  byId(
    ids.length === 0
      ? []
      : await db.all<Rate>(
          sql`select ${snapshotColumns} from tax_rates r
            where r.tenant_id = ${db.tenant} and r.id = any(${[...ids]}::uuid[])`,
        ),
  )

/** Returns the live rates among some ids. */
export const liveRates = async (db: Db, ids: readonly string[]): Promise<Map<string, Rate>> =>
  byId(
    ids.length === 0
      ? []
      : await db.all<Rate>(sql`select ${snapshotColumns} from tax_rates r
    where r.tenant_id = ${db.tenant} and r.id = any(${[...ids]}::uuid[]) and r.archived_at is null`),
  )

const byId = (rates: readonly Rate[]): Map<string, Rate> => new Map(rates.map((rate) => [rate.tax_rate_id, rate]))

/** Returns a location's rate, if it is live. */
export const rateOfLocation = (db: Db, location: string | Sql): Promise<Rate | undefined> =>
  db.maybe<Rate>(sql`select ${snapshotColumns}
    from locations l join tax_rates r on r.tenant_id = l.tenant_id and r.id = l.tax_rate_id
    where l.tenant_id = ${db.tenant} and l.id = (${location}) and r.archived_at is null`)

export const defaultRate = (db: Db): Promise<Rate | undefined> =>
  db.maybe<Rate>(sql`select ${snapshotColumns} from tax_rates r where r.tenant_id = ${db.tenant} and r.is_default`)

/** Throws `invalid_input` if a record names a rate that isn't live. */
export async function requireLiveRate(db: Db, id: string | null | undefined): Promise<void> {
  if (id != null && !(await liveRates(db, [id])).has(id)) throw invalidField('tax_rate_id', NOT_A_RATE)
}
