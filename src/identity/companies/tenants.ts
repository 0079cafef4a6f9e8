import { Client, type ClientConfig } from 'pg'
import { readTenant, sql, writeTenant, type Database, type Db, type Sql } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { isId, newId } from '../../platform/validation/id.ts'
import { DEFAULT_CEILINGS } from '../permissions/areas.ts'
import type { Actor } from '../audit.ts'
import type { Tenant } from '../credentials/caller.ts'
import { readCountry, readCurrency, readName, readTimezone } from '../inputs.ts'
import { addOrInviteMemberIn, auditMemberAddition, type MemberAddition } from '../people/invitations/add_or_invite.ts'
import {
  auditAddedMember,
  admitPerson,
  preparePerson,
  requireAdmitted,
  type AddedMember,
  type NewPerson,
  type PreparedPerson,
} from '../people/people.ts'
import { refusals } from './refusals.ts'

/** Company as the operator sees it. */
export type CompanySummary = Tenant & { name: string; created_at: string }

export type NewCompany = { name: string; timezone: string; currency: string; country: string; owner: NewPerson }

/** Creates a company with its first owner, all or nothing. Throws `conflict` if another company owns their account. */
export const createTenant = (
  database: Database,
  input: NewCompany,
  by: Actor = null,
): Promise<CompanySummary & { owner: AddedMember }> =>
  insertTenant(
    database,
    input,
    async (db, person) => requireAdmitted(await admitPerson(db, person, 'owner', DEFAULT_CEILINGS.owner), person.email),
    (tenant, owner) => auditAddedMember(tenant, by, owner),
  )

/**
 * Creates a company in the same way. If the owner's account belongs to another company, the result has a link by which
 * that person joins with a new sign-in.
 */
export const createTenantOrInvite = (
  database: Database,
  input: NewCompany,
  by: Actor = null,
): Promise<CompanySummary & { owner: MemberAddition }> =>
  insertTenant(
    database,
    input,
    (db, person) => addOrInviteMemberIn(db, person, 'owner', DEFAULT_CEILINGS.owner, by),
    (tenant, owner) => auditMemberAddition(tenant, by, owner),
  )

type AddOwner<Owner> = (db: Db, person: PreparedPerson) => Promise<Owner>
type AuditOwner<Owner> = (tenant: string, owner: Owner) => Sql

async function insertTenant<Owner>(
  database: Database,
  input: NewCompany,
  addOwner: AddOwner<Owner>,
  auditOwner: AuditOwner<Owner>,
): Promise<CompanySummary & { owner: Owner }> {
  const company = {
    name: readName(input.name),
    timezone: readTimezone(input.timezone),
    currency: readCurrency(input.currency),
    country: readCountry(input.country),
  }
  const person = await preparePerson(database, input.owner, company.name)
  const tenant = newId()
  return writeTenant(
    database,
    { tenant },
    async (db) => {
      const summary = await db.one<CompanySummary>(sql`insert into tenants (id, name, timezone, currency, country)
      values (${tenant}, ${company.name}, ${company.timezone}, ${company.currency}, ${company.country})
      returning ${columns}`)
      return { ...summary, owner: await addOwner(db, person) }
    },
    ({ owner }) => [auditOwner(tenant, owner)],
  )
}

export async function findTenant(database: Database, id: string): Promise<CompanySummary> {
  const tenant = id.trim().toLowerCase()
  if (!isId(tenant)) throw invalidField('tenant', refusals.id({ given: id }))
  return readTenant(database, { tenant }, (db) =>
    db.present<CompanySummary>(sql`select ${columns} from tenants where id = ${db.tenant}`, 'tenant'),
  )
}

/** Returns the company settings that background work needs; undefined if the company is gone. */
export const findTenantIfAny = (database: Database, id: string): Promise<Tenant | undefined> =>
  readTenant(database, { tenant: id }, (db) =>
    db.maybe<Tenant>(sql`select id, timezone, currency, country from tenants where id = ${db.tenant}`),
  )

/** Company with the time since when it is read-only; null if it is writable. */
type ListedCompany = CompanySummary & { frozen_since: string | null }

/**
 * Lists every company, oldest first. Connects as the schema's owner, because the row policies hide the rows from the
 * application role.
 */
export async function listTenants(owner: ClientConfig): Promise<ListedCompany[]> {
  const client = new Client(owner)
  await client.connect()
  try {
    const { rows } = await client.query<CompanySummary & { created_at: Date; frozen_since: Date | null }>(
      `select ${columns.text}, (select since from frozen_companies f where f.tenant_id = id) as frozen_since
        from tenants order by created_at, id`,
    )
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      frozen_since: row.frozen_since?.toISOString() ?? null,
    }))
  } finally {
    await client.end()
  }
}

const columns = sql`id, name, timezone, currency, country, created_at`
