import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { quoteText, type RefusalRule } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { whereListed, type ChangeFilter } from '../../tools/call/by_change.ts'
import { CUSTOMER, sortName, type Customer, type CustomerInput } from './fields.ts'
import { refusals } from './refusals.ts'

/** Returns a live customer. */
export const findCustomer = (db: Db, id: string): Promise<Customer> =>
  db.present<Customer>(
    sql`select ${CUSTOMER.columns()}
      from customers
      where tenant_id = ${db.tenant} and id = ${id} and archived_at is null`,
    'customer',
  )

/** Throws unless the customer of a list is live, or archived where the list includes archived records. */
export const requireCustomer = (
  db: Db,
  { customer_id, ...byChange }: ChangeFilter & { customer_id: string },
): Promise<unknown> =>
  db.present(
    sql`select id from customers
      where tenant_id = ${db.tenant} and id = ${customer_id} ${whereListed(byChange, sql`archived_at is null`)}`,
    'customer',
  )

/** Returns a live customer and locks its row until the transaction ends. */
export const lockCustomer = (db: Db, id: string): Promise<Customer> =>
  db.present<Customer>(
    sql`select ${CUSTOMER.columns()} from customers
    where tenant_id = ${db.tenant} and id = ${id} and archived_at is null for no key update`,
    'customer',
  )

/** Returns and locks the live customers among these ids, in id order, so that nothing is linked to them meanwhile. */
export const lockCustomers = (db: Db, ids: readonly string[]): Promise<Customer[]> =>
  db.all<Customer>(sql`select ${CUSTOMER.columns()} from customers
    where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[]) and archived_at is null order by id for update`)

/** Locks a customer's row, live or archived, until the transaction ends. */
export const lockAnyCustomer = (db: Db, id: string): Promise<number> =>
  db.run(sql`select id from customers where tenant_id = ${db.tenant} and id = ${id} for no key update`)

export const addCustomer = (db: Db, { user }: Caller, customer: CustomerInput): Promise<Customer> =>
  db.one<Customer>(
    sql`insert into customers ${values({
      tenant_id: db.tenant,
      id: newId(),
      ...CUSTOMER.toColumns(customer),
      created_by: user,
      updated_by: user,
    })} returning ${CUSTOMER.columns()}`,
  )

export const changeCustomer = (db: Db, { user }: Caller, id: string, customer: CustomerInput): Promise<Customer> =>
  db.one<Customer>(sql`update customers
    set ${assignments({ ...CUSTOMER.toColumns(customer), updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id} returning ${CUSTOMER.columns()}`)

/** Updates the change time of a locked customer whose tags changed, since its row doesn't hold them. */
export const touchCustomer = (db: Db, { user }: Caller, id: string): Promise<Customer> =>
  db.one<Customer>(sql`update customers set updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id} returning ${CUSTOMER.columns()}`)

/** Archives the customer, which hides its contacts and locations too. */
export const archiveCustomer = (db: Db, { user }: Caller, id: string): Promise<{ id: string; archived_at: string }> =>
  db.one(sql`update customers set archived_at = moment(), updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id} returning id, archived_at`)

/**
 * Checks whether a caller with write:customers may also merge customers: a merge moves invoices, quotes and plans, so
 * technicians may not.
 */
export const mayMerge = ({ role }: Pick<Caller, 'role'>): boolean => role === 'owner' || role === 'office'

/** Archives a locked customer that was merged into another one, and clears its external id if that one took it over. */
export const archiveMergedCustomer = (
  db: Db,
  { user }: Caller,
  { id, external_id }: Customer,
  into: string,
  movedId: string | null,
): Promise<Customer> =>
  db.one<Customer>(sql`update customers
    set archived_at = moment(), merged_into = ${into}, external_id = ${external_id === movedId ? null : external_id},
    updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id}
    returning ${CUSTOMER.columns()}`)

/** Returns the customer into which this one was merged; undefined if it wasn't. */
export const successorOf = async (db: Db, id: string): Promise<string | undefined> =>
  (
    await db.maybe<{ merged_into: string }>(sql`select merged_into from customers
    where tenant_id = ${db.tenant} and id = ${id} and merged_into is not null`)
  )?.merged_into

/** Lists live customers with exactly this name, ignoring case and accents, each with a phone, email or address. */
export const customersNamed = (db: Db, name: string, limit: number): Promise<{ id: string; said: string }[]> =>
  db.all(sql`select c.id, concat_ws(', ', c.display_name, k.phone, k.email,
      case when k.phone is null and k.email is null then (select l.formatted_address from locations l
        where l.tenant_id = ${db.tenant} and l.customer_id = c.id and l.is_primary and l.archived_at is null
        order by l.type desc limit 1) end) as said
    from customers c
      left join contacts k on k.tenant_id = c.tenant_id and k.customer_id = c.id and k.is_primary
        and k.archived_at is null
    where c.tenant_id = ${db.tenant} and c.sort_name = ${sortName(name)} and c.archived_at is null
    order by c.id limit ${limit}`)

/** Returns why tools no longer find a customer: it was archived or merged. */
export const explainMissingCustomer = async (db: Db, id: string): Promise<RefusalRule | undefined> => {
  const archived = await db.maybe<{ day: string; name: string; into: string | null; into_name: string | null }>(sql`
    select (c.archived_at at time zone t.timezone)::date::text as day, c.display_name as name, m.id as into,
      m.display_name as into_name
    from customers c join tenants t on t.id = c.tenant_id
    left join customers m on m.tenant_id = c.tenant_id and m.id = c.merged_into
    where c.tenant_id = ${db.tenant} and c.id = ${id} and c.archived_at is not null`)
  if (archived === undefined) return undefined
  return archived.into === null
    ? refusals.archived({ name: quoteText(archived.name), day: archived.day })
    : refusals.merged({ name: quoteText(archived.into_name ?? ''), id: archived.into, day: archived.day })
}

/** Turns a lead into an active customer, with its first job, invoice, plan or accepted quote. */
export const activateCustomer = (db: Db, id: string): Promise<number> =>
  db.run(sql`update customers set status = 'active', updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id} and status = 'lead'`)
