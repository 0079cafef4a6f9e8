import type { Witness } from '../harness/clients/witness.ts'

/**
 * Tables with a tenant_id that are read before the tenant is known, or for all tenants. Their policy is looser than
 * that of the other tables.
 */
export const LOOKUP_TABLES: Readonly<Record<string, string>> = {
  key_hashes: 'from a key to its tenant',
  user_tenants: 'from a person to their companies',
  invitation_hashes: 'from an invitation to its tenant',
  customer_link_hashes: "from a customer's link to its tenant",
  booking_names: 'from a booking page to its tenant',
  oauth_clients: 'of no tenant, but those that an owner made',
  company_measures: 'counts of each company, read for all of them',
  chore_leases: 'who does the periodic work of which tenant',
  oauth_authorizations: 'from an authorization to its tenant',
  oauth_grants: 'one a client and user, whatever the tenant',
  push_tasks: 'whom a worker is to notify, of all companies',
  payment_accounts: "from a provider's account to its tenant",
  payment_events: 'received before their tenant is known',
  managed_numbers: 'from a number to its tenant',
  mailboxes: 'from an inbound address to its tenant',
  frozen_companies: 'who may not write, before an event is taken for them',
  quarantined_messages: 'of no tenant until the operator says of which',
}
/** Lookup table that shows all of a person's companies inside a tenant. */
export const USERS_LOOKUP = 'user_tenants'

/** Returns the first column of a query's rows. */
export const readNames = async (witness: Witness, query: string, ...values: unknown[]): Promise<string[]> =>
  (await witness.rows(query, ...values)).map((row) => String(Object.values(row)[0]))

/** Returns every table with a tenant_id. */
export const listTenantTables = (witness: Witness): Promise<string[]> =>
  readNames(
    witness,
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  )

/** Returns the tables with the strict tenant policy. */
export const listProtectedTables = async (witness: Witness): Promise<string[]> =>
  (await listTenantTables(witness)).filter((table) => !(table in LOOKUP_TABLES))
